#include <string>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

using Names = std::vector<std::string>;

class Svmlight : public TemporaryFiles {
 public:
  Dataset read(const std::string& text, const ReadSettings& settings = {}) {
    return read_dataset(write("data", text), settings);
  }
};

TEST_F(Svmlight, WhatIsNotMentionedIsZero) {
  const Dataset data = read("# two features of four\n-1 1:0.5 4:2 \n\n+1 2:-1e-3 # the last\n-1\n");
  EXPECT_EQ(data.X, (Matrix{{0.5, 0, 0, 2}, {0, -1e-3, 0, 0}, {0, 0, 0, 0}}));
  EXPECT_EQ(data.y, (Vector{{-1, 1, -1}}));
  EXPECT_EQ(data.features, (Names{"x1", "x2", "x3", "x4"}));
  EXPECT_EQ(data.classes, (Names{"-1", "+1"}));
}

TEST_F(Svmlight, MayBeginWithIndexZero) {
  EXPECT_EQ(read("0 0:1 2:3\n1 1:2\n", {.zero_based = true}).X, (Matrix{{1, 0, 3}, {0, 2, 0}}));
  expect_refusal([&] { read("0 1:1\n1 0:2\n"); }, {"line 2", "'0:2'", "--zero-based"});
}

// The largest index of a test file says nothing about the model.
TEST_F(Svmlight, ModelDecidesOnTheNumberOfFeatures) {
  const ReadSettings model{.expected_features = {"x1", "x2", "x3"}, .expected_classes = {"0", "1"}};
  EXPECT_EQ(read("1 1:7\n", model).X, (Matrix{{7, 0, 0}}));
  expect_refusal([&] { read("1 1:7\n0 4:1\n", model); }, {"line 2", "'4:1'", "3 features of the model"});
  EXPECT_EQ(read("1 1:7\n0 2:1\n", {.feature_count = 5}).X.cols(), 5);
  expect_refusal([&] { read("1 1:7\n0 6:1\n", {.feature_count = 5}); },
                 {"line 2", "'6:1'", "5 features", "--features"});
}

TEST_F(Svmlight, HoldsNumbersToPredictAndManyClasses) {
  EXPECT_EQ(read("2.5 1:1\n-3 1:2\n", {.task = Task::regression}).y, (Vector{{2.5, -3}}));
  EXPECT_EQ(read("3 1:1\n1 1:2\n2 1:3\n").y, (Vector{{2, 0, 1}}));
  EXPECT_EQ(read("3 1:1\n1 1:2\n2 1:3\n", {.classes = {"1", "3"}}).X, (Matrix{{1}, {2}}));
}

TEST_F(Svmlight, QueriesOfARankingAreSkipped) {
  const Dataset data = read("# LETOR\n2 qid:10 1:0.5 3:1 # doc 7\n0 qid:10 2:2\n1 qid:11\n");
  EXPECT_EQ(data.X, (Matrix{{0.5, 0, 1}, {0, 2, 0}, {0, 0, 0}}));
  EXPECT_EQ(data.classes, (std::vector<std::string>{"0", "1", "2"}));
}

TEST_F(Svmlight, WeightsAreAFile) {
  const std::string weights = write("w.txt", "1\n2\n");
  EXPECT_EQ(read("1 1:1\n0 1:2\n", {.weights = weights}).weights, (Vector{{1, 2}}));
  expect_refusal([&] { read("1 1:1\n0 1:2\n", {.weights = "w"}); }, {"no columns for weights", "'w'"});
}

TEST_F(Svmlight, DamageIsRefusedByItsLine) {
  const auto refuse = [&](const std::string& text, const std::vector<std::string>& parts) {
    expect_refusal([&] { read(text, {.format = "svmlight"}); }, parts);
  };
  refuse("1 1:1\n0 1:2 1:3\n", {"line 2", "'1:3'", "growing"});
  refuse("1 1:1\n0 2:2 1:3\n", {"line 2", "'1:3'", "growing"});
  refuse("1 1:1\n0 x:2\n", {"line 2", "'x:2'", "index", "whole number"});
  refuse("1 1:1\n0 -3:2\n", {"line 2", "'-3:2'", "out of range"});
  refuse("1 1:1\n0 99999999999:2\n", {"line 2", "out of range"});
  refuse("1 1:1\n0 2:two\n", {"line 2", "'2:two'", "value", "not a number"});
  refuse("1 1:1\n0 2:nan\n", {"line 2", "NaN"});
  refuse("1 1:1\n0 2:1e999\n", {"line 2", "infinity"});
  refuse("1 1:1\n0 2\n", {"line 2", "'2'", "index:value"});
  refuse("1 1:1\n2:1 3:1\n", {"line 2", "'2:1'", "expected a label"});
  refuse("1 qid:x 1:1\n", {"line 1", "'qid:x'"});
  refuse("1 1:1 qid:3\n", {"line 1", "'qid:3'"});
  refuse("1\n0\n", {"no feature at all"});
  refuse("", {"no samples"});
  refuse("# nothing\n", {"no samples"});
  expect_refusal([&] { read("1 1:1\n0 1:2\n", {.drop = {"1"}}); }, {"--drop", "tables", "svmlight"});
  expect_refusal([&] { read("1,2\n0,3\n", {.zero_based = true}); }, {"--zero-based", "svmlight", "csv"});
}

TEST_F(Svmlight, MatrixThatNoMachineHoldsIsRefused) {
  std::string text = "1 16777216:1\n";
  for (int k = 0; k < 100000; ++k) text += "0\n";
  expect_refusal([&] { read(text, {.format = "svmlight"}); }, {"GB", "100001 x 16777216"});
}

TEST_F(Svmlight, TablesThatOnlyLookSimilarStayTables) {
  EXPECT_EQ(read("1 2 3:4\n5 6 7:8\n").classes, (Names{"3:4", "7:8"}));
  EXPECT_EQ(read("1:2,3\n4:5,6\n", {.header = false, .categorical = {"0"}}).encodings.size(), 1u);
}

}  // namespace
}  // namespace conelu
