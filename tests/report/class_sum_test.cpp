#include <gtest/gtest.h>

#include <cmath>

#include "data/temporary_files.hpp"
#include "report/record_json.hpp"

namespace conelu {
namespace {

RunRecord class_record(double objective, double lower_bound) {
  RunRecord record;
  record.objective = record.network_objective = objective;
  record.lower_bound = lower_bound;
  record.status = "optimal";
  record.stop = "converged";
  record.scope = "network";
  record.method = "cones";
  record.loss = "hinge";
  record.patterns = 10;
  record.live_patterns = 8;
  record.thin_patterns = 1;
  record.neurons = 5;
  record.iterations = 20;
  record.n = 30;
  record.d = 2;
  record.seconds = 0.5;
  record.phases = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06};
  record.peak_mb = 100;
  record.train_accuracy = 0.75;
  return record;
}

TEST(ClassSum, AddsWhatAddsUp) {
  RunRecord second = class_record(0.5, 0.25);
  second.violation = 1e-9;
  second.live_patterns = 3;
  second.peak_mb = 120;
  const RunRecord sum = sum_of_classes({class_record(1, 0.5), second, class_record(2, 1.25)});
  EXPECT_DOUBLE_EQ(sum.objective, 3.5);
  EXPECT_DOUBLE_EQ(sum.network_objective, 3.5);
  EXPECT_DOUBLE_EQ(sum.lower_bound, 2);
  EXPECT_DOUBLE_EQ(sum.relative_gap, 1.5 / 3.5);
  EXPECT_EQ(sum.violation, 1e-9);
  EXPECT_EQ(sum.patterns, 30);
  EXPECT_EQ(sum.live_patterns, 19);
  EXPECT_EQ(sum.thin_patterns, 3);
  EXPECT_EQ(sum.neurons, 15);
  EXPECT_EQ(sum.iterations, 60);
  EXPECT_EQ(sum.networks, 3);
  EXPECT_EQ(sum.n, 30);
  EXPECT_EQ(sum.d, 2);
  EXPECT_EQ(sum.seconds, 1.5);
  EXPECT_DOUBLE_EQ(sum.phases.patterns, 0.03);
  EXPECT_DOUBLE_EQ(sum.phases.certificate, 0.18);
  EXPECT_EQ(sum.peak_mb, 120);
  EXPECT_FALSE(sum.train_accuracy);
  EXPECT_EQ(sum.status, "optimal");
  EXPECT_EQ(sum.scope, "network");
  EXPECT_EQ(sum.stop, "converged");
  EXPECT_EQ(sum.method, "cones");
}

TEST(ClassSum, ClaimsNoMoreThanEveryClassDoes) {
  std::vector<RunRecord> records(3, class_record(1, 1));
  records[1].status = "inaccurate";
  records[2].scope = "program";
  records[0].stop = "iteration_limit";
  records[2].stop = "time_limit";
  EXPECT_EQ(sum_of_classes(records).status, "inaccurate");
  EXPECT_EQ(sum_of_classes(records).scope, "program");
  EXPECT_EQ(sum_of_classes(records).stop, "time_limit");
  records[1].stop = "cancelled";
  records[1].method = "reduced";
  EXPECT_EQ(sum_of_classes(records).stop, "cancelled");
  EXPECT_EQ(sum_of_classes(records).method, "cones, reduced");
  expect_refusal([] { sum_of_classes({}); }, {"records"});
}

// Sums of doubles in whatever order: rounding must not lift the bound above the exact sum, nor lower an objective.
TEST(ClassSum, RoundsToTheSafeSide) {
  std::vector<RunRecord> records;
  long double exact = 0;
  for (int k = 1; k <= 40; ++k) {
    const double value = 1.0 / (3 * k);
    exact += static_cast<long double>(value);
    records.push_back(class_record(value, value));
    const RunRecord sum = sum_of_classes(records);
    EXPECT_LE(static_cast<long double>(sum.lower_bound), exact);
    EXPECT_GE(static_cast<long double>(sum.objective), exact);
    EXPECT_GE(sum.objective, sum.network_objective);
    EXPECT_LE(sum.relative_gap, 1e-13);
  }
  EXPECT_EQ(sum_of_classes({class_record(1, 0), class_record(1, 0)}).lower_bound, 0);
}

TEST(ClassTable, HasALineForEachClass) {
  std::vector<RunRecord> records(2, class_record(0.25, 0.125));
  records[0].relative_gap = 1.5e-7;
  records[1].neurons = 12345;
  EXPECT_EQ(class_table({"a", "a long name"}, records),
            "class             objective        gap  neurons\n"
            "a                      0.25    1.5e-07        5\n"
            "a long name            0.25          0    12345\n");
}

}  // namespace
}  // namespace conelu
