#include <fmt/format.h>

#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

using Names = std::vector<std::string>;

/// Files whose only feature is the number of the row.
class LabelFile : public TemporaryFiles {
 protected:
  std::string file(const Names& labels) const {
    std::string text = "x,kind\n";
    for (std::size_t k = 0; k < labels.size(); ++k) text += fmt::format("{},{}\n", k, labels[k]);
    return write("data.csv", text);
  }
  Dataset read(const Names& labels, const ReadSettings& settings = {}) const {
    return read_dataset(file(labels), settings);
  }
  void refuse(const Names& labels, std::vector<std::string> parts, const ReadSettings& settings = {}) const {
    parts.push_back("data.csv");
    expect_refusal([&] { read(labels, settings); }, parts);
  }
};

/// `count` labels, `repeats` rows each.
template <class ToText>
Names repeated(int count, int repeats, ToText&& to_text) {
  Names labels;
  for (int k = 0; k < count * repeats; ++k) labels.push_back(to_text(k % count));
  return labels;
}

TEST_F(LabelFile, OfManyNumbersIsOrderedByValue) {
  const Dataset data = read({"10", "9", "-1", "10.0", "+9"});
  EXPECT_EQ(data.classes, (Names{"-1", "9", "10"}));
  EXPECT_EQ(data.y, Vector({{2, 1, 0, 2, 1}}));
}

TEST_F(LabelFile, OfManyTextsIsOrderedAsText) {
  const Dataset data = read({"versicolor", "setosa", "virginica", "setosa"});
  EXPECT_EQ(data.classes, (Names{"setosa", "versicolor", "virginica"}));
  EXPECT_EQ(data.y, Vector({{1, 0, 2, 0}}));
  EXPECT_EQ(read({"10", "9", "b"}).classes, (Names{"10", "9", "b"}));
}

// A code beside a text is text, too: 7 and 007 may be two products.
TEST_F(LabelFile, OfCodesAndTextsJoinsNoneOfEqualValue) {
  const Dataset data = read({"1e2", "100", "ab", "007", "7", "100"});
  EXPECT_EQ(data.classes, (Names{"007", "100", "1e2", "7", "ab"}));
  EXPECT_EQ(data.y, Vector({{2, 1, 4, 0, 3, 1}}));
  EXPECT_EQ(read({"007", "7", "07", "8"}).classes, (Names{"007", "8"}));
  refuse({"1", "1.0", "+1"}, {"every label is '1'"});
}

TEST_F(LabelFile, OfNumbersThatDoublesDoNotTellApartGoesByTheirTexts) {
  const Names labels = {"9007199254740993", "9007199254740992", "9007199254740994", "9007199254740993"};
  const Dataset data = read(labels);
  EXPECT_EQ(data.classes, (Names{labels[1], labels[0], labels[2]}));
  EXPECT_EQ(data.y, Vector({{1, 0, 2, 1}}));
  EXPECT_EQ(read({labels[0], "3.0"}, {.expected_classes = {"3", labels[0]}}).y, Vector({{1, -1}}));
  EXPECT_EQ(read({"2", "1", "1.0", "1e20"}).classes, (Names{"1", "2", "1e20"}));
  const auto energy = [](int k) { return fmt::format("{}.5e{}", k, k); };
  refuse(repeated(30, 1, energy), {"30 different numbers", "--task regression"});
}

TEST_F(LabelFile, KeepsTheClassesAskedForAsTheyAreWritten) {
  EXPECT_EQ(read({"7", "007", "ab", "c"}, {.classes = {"7", "ab"}}).classes, (Names{"7", "ab"}));
  EXPECT_EQ(read({"7", "007", "8", "c"}, {.classes = {"7", "8"}}).classes, (Names{"7", "8"}));
  const Names large = {"9007199254740993", "9007199254740992", "3"};
  EXPECT_EQ(read(large, {.classes = {large[1], "3"}}).classes, (Names{"3", large[1]}));
}

TEST_F(LabelFile, OfAModelWithTextClassesIsComparedAsText) {
  const ReadSettings settings{.expected_classes = {"007", "7", "ab"}};
  EXPECT_EQ(read({"7", "007", "ab"}, settings).y, Vector({{1, 0, 2}}));
  refuse({"7", "7.0"}, {"'7.0'", "row 2", "model"}, settings);
}

TEST_F(LabelFile, OfTwoValuesStaysMinusAndPlusOne) {
  EXPECT_EQ(read({"10", "9", "10"}).y, Vector({{1, -1, 1}}));
  EXPECT_EQ(read({"0.5", "1.5"}).y, Vector({{-1, 1}}));
}

TEST_F(LabelFile, TakesTheClassesOfAModelInTheirOrder) {
  const ReadSettings settings{.expected_classes = {"5", "3", "7"}};
  const Dataset data = read({"7.0", "5", "7"}, settings);
  EXPECT_EQ(data.classes, settings.expected_classes);
  EXPECT_EQ(data.y, Vector({{2, 0, 2}}));
  refuse({"7", "5", "4"}, {"'4'", "row 3", "'5', '3', '7'", "model"}, settings);
}

TEST_F(LabelFile, ReadsBackWhatWasWritten) {
  const Dataset data = read({"b", "c", "a", "b"});
  write_csv(path("again.csv"), data);
  const Dataset again = read_dataset(path("again.csv"));
  EXPECT_EQ(again.classes, data.classes);
  EXPECT_EQ(again.y, data.y);
}

// A target that is a quantity, taken for classes: 150 values with a fraction, or hardly any that comes back.
TEST_F(LabelFile, WithTooManyValuesIsNotTakenForClasses) {
  const auto quarter = [](int k) { return fmt::format("{}", 0.25 + k); };
  const auto whole = [](int k) { return fmt::format("{}", k); };
  const auto name = [](int k) { return fmt::format("car {}", k); };
  const std::vector<std::string> parts = {"column 2 ('kind')", "150 different numbers", "--task regression"};
  refuse(repeated(150, 1, quarter), parts);
  refuse(repeated(150, 20, quarter), parts);
  refuse(repeated(150, 5, whole), parts);
  refuse(repeated(7, 1, quarter), {"7 different numbers in 7 rows", "--task regression"});
  refuse(repeated(150, 1, name), {"150 different labels in 150 rows"});

  EXPECT_EQ(read(repeated(150, 10, whole)).classes.size(), 150U);
  EXPECT_EQ(read(repeated(150, 2, name)).classes.size(), 150U);
  EXPECT_EQ(read(repeated(7, 2, quarter)).classes.size(), 7U);
  EXPECT_EQ(read(repeated(100, 1, whole)).classes.size(), 100U);
  EXPECT_EQ(read(repeated(150, 1, quarter), {.task = Task::regression}).y.size(), 150);
}

TEST_F(LabelFile, NeedsWeightInEveryClass) {
  const std::string text = "x,w,kind\n1,1,a\n2,2,b\n3,0,c\n4,1,b\n";
  expect_refusal([&] { read_dataset(write("w.csv", text), {.weights = "w"}); }, {"w.csv", "'c'", "weight 0"});
}

}  // namespace
}  // namespace conelu
