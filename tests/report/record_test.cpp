#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "data/temporary_files.hpp"
#include "report/record_json.hpp"

namespace conelu {
namespace {

using Json = nlohmann::ordered_json;

/// A different value in every field, so that a mix-up shows.
RunRecord filled_record() {
  struct Fill {
    int count = 0;
    void operator()(const char*, double& field) { field = ++count + 0.1; }
    void operator()(const char*, std::int64_t& field) { field = ++count; }
    void operator()(const char*, std::uint64_t& field) { field = std::numeric_limits<std::uint64_t>::max() - ++count; }
    void operator()(const char* name, std::string& field) { field = std::string("a ") + name; }
    void operator()(const char*, Phases& phases) { Phases::visit(phases, *this); }
    void operator()(const char*, std::optional<std::int64_t>& field) { field = ++count; }
    void operator()(const char*, std::optional<double>& field) { field = 1.0 / ++count; }
    void operator()(const char*, std::optional<std::vector<double>>& field) { field = {++count + 0.1, 0, 1.0 / 3}; }
  };
  RunRecord record;
  RunRecord::visit(record, Fill{});
  return record;
}

TEST(RunRecord, SurvivesJson) {
  const RunRecord record = filled_record();
  const RunRecord back = record_from_json(Json::parse(to_json(record)));
  EXPECT_EQ(to_json(back), to_json(record));
  EXPECT_EQ(back.seed, record.seed);
  EXPECT_EQ(back.train_accuracy, record.train_accuracy);
  EXPECT_EQ(back.eps_per_feature, record.eps_per_feature);
}

TEST(RunRecord, HasEveryFieldOfTheContract) {
  const Json json = Json::parse(to_json(RunRecord()));
  for (const char* field : {"objective",   "network_objective",
                            "lower_bound", "relative_gap",
                            "violation",   "status",
                            "stop",        "scope",
                            "method",      "loss",
                            "beta",        "eps",
                            "norm",        "seed",
                            "n",           "d",
                            "patterns",    "live_patterns",
                            "neurons",     "iterations",
                            "rounds",      "seconds",
                            "cpu_seconds", "peak_mb",
                            "threads",     "version",
                            "solver",      "phases"}) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
}

TEST(RunRecord, SaysWhereTheTimeWent) {
  RunRecord record;
  record.phases.solves = 0.25;
  EXPECT_EQ(Json::parse(to_json(record)).at("phases").at("solves"), 0.25);
  EXPECT_EQ(record_from_json({{"phases", {{"certificate", 1.5}, {"naps", 3}}}}).phases.certificate, 1.5);
  EXPECT_THROW(record_from_json({{"phases", 1.5}}), std::invalid_argument);
  EXPECT_THROW(record_from_json({{"phases", {{"solves", "long"}}}}), std::invalid_argument);
}

TEST(RunRecord, LeavesOutWhatWasNotMeasured) {
  RunRecord record;
  EXPECT_FALSE(Json::parse(to_json(record)).contains("test_accuracy"));
  EXPECT_FALSE(Json::parse(to_json(record)).contains("eps_per_feature"));
  record.test_accuracy = 0.5;
  EXPECT_EQ(Json::parse(to_json(record)).at("test_accuracy"), 0.5);
}

TEST(RunRecord, LoadsFromOtherVersionsButNotFromOtherTypes) {
  EXPECT_EQ(record_from_json({{"objective", 2.5}, {"colour", "red"}}).objective, 2.5);
  EXPECT_TRUE(std::isnan(record_from_json({{"objective", nullptr}}).objective));
  EXPECT_THROW(record_from_json({{"objective", "2.5"}}), std::invalid_argument);
  EXPECT_THROW(record_from_json({{"n", 2.5}}), std::invalid_argument);
  EXPECT_THROW(record_from_json({{"seed", -1}}), std::invalid_argument);
  EXPECT_THROW(record_from_json({{"status", 1}}), std::invalid_argument);
  EXPECT_THROW(record_from_json({{"test_mse", "small"}}), std::invalid_argument);
  EXPECT_THROW(record_from_json({{"eps_per_feature", 0.1}}), std::invalid_argument);
  EXPECT_THROW(record_from_json({{"eps_per_feature", {0.1, "b"}}}), std::invalid_argument);
  EXPECT_THROW(record_from_json(Json::array()), std::invalid_argument);
}

using RecordFile = TemporaryFiles;

TEST_F(RecordFile, IsTheJsonOfTheRecord) {
  save_record(filled_record(), path("record.json"));
  EXPECT_EQ(content("record.json"), to_json(filled_record()));
  EXPECT_EQ(files(), 1U);
  EXPECT_THROW(save_record(filled_record(), path("no/record.json")), std::invalid_argument);
}

TEST(Table, AlignsItsSecondColumn) {
  EXPECT_EQ(to_table({{"n", "3"}, {"objective", "0.5"}}), "n          3\nobjective  0.5\n");
  EXPECT_EQ(to_table({}), "");
}

TEST(Table, HasARowForEachFieldOfTheRecord) {
  RunRecord record = filled_record();
  record.objective = 1.0 / 3;
  const TableRows rows = table_rows(record);
  EXPECT_EQ(rows.size(), to_json_object(record).size());
  EXPECT_EQ(rows.front(), (TableRows::value_type{"objective", "0.33333333"}));
}

TEST(Table, ShowsTheFirstOfManyRadii) {
  const auto radii = [](std::vector<double> values) {
    RunRecord record;
    record.eps_per_feature = std::move(values);
    for (const auto& [name, value] : table_rows(record)) {
      if (name == "eps_per_feature") return value;
    }
    return std::string("none");
  };
  EXPECT_EQ(radii({0.1, 0.25}), "0.1, 0.25");
  EXPECT_EQ(radii(std::vector<double>(9, 1.0)), "1, 1, 1, 1, 1, 1, 1, 1, ... (9 in all)");
}

}  // namespace
}  // namespace conelu
