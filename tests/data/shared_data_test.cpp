#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

using Names = std::vector<std::string>;

/// A real data set, how to read it, and what PROVENANCE.md counts in it.
struct Published {
  std::string name, file;
  ReadSettings settings;
  Index rows, columns;
  std::vector<Index> class_counts = {};  ///< in the order of the classes
  double target_mean = 0;                ///< regression
  double tolerance = 0;                  ///< of that mean: half a unit of its last digit
};

std::ostream& operator<<(std::ostream& stream, const Published& data) { return stream << data.name; }

class PublishedData : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedData, LoadsWithTheCountsOfItsProvenance) {
  const Published& expected = GetParam();
  const std::string path = std::string(CONELU_SHARED_DIR) + "/data/" + expected.file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "needs the data set " << path;
  const Dataset data = read_dataset(path, expected.settings);
  EXPECT_EQ(data.X.rows(), expected.rows);
  EXPECT_EQ(data.X.cols(), expected.columns);
  EXPECT_EQ(static_cast<Index>(data.features.size()), expected.columns);
  EXPECT_TRUE(data.X.allFinite());
  ASSERT_EQ(data.y.size(), expected.rows);
  std::vector<Index> counts(data.classes.size(), 0);
  for (Index k = 0; k < data.samples() && !counts.empty(); ++k) ++counts[static_cast<std::size_t>(data.class_of(k))];
  EXPECT_EQ(counts, expected.class_counts);
  if (data.classes.empty()) {
    EXPECT_NEAR(data.y.mean(), expected.target_mean, expected.tolerance);
  }
}

const ReadSettings dropping{.missing = {"?"}, .missing_policy = MissingPolicy::drop};
const ReadSettings filling{.missing = {"?"}, .missing_policy = MissingPolicy::mean};

INSTANTIATE_TEST_SUITE_P(
    All, PublishedData,
    ::testing::Values(
        Published{"cifar10", "cifar10/data_batch_auto_horse.bin", {.downsample = {7, 7}}, 10000, 147, {5000, 5000}},
        Published{
            "cifar10_test", "cifar10/test_batch_auto_horse.bin", {.classes = {"1", "7"}}, 2000, 3072, {1000, 1000}},
        Published{
            "mammographic_complete", "mammographic_masses/mammographic_masses.data", dropping, 830, 5, {427, 403}},
        Published{"mammographic_all", "mammographic_masses/mammographic_masses.data", filling, 961, 5, {516, 445}},
        Published{"wdbc", "wdbc/wdbc.data", {.target = "1", .drop = {"0"}}, 569, 30, {357, 212}},
        Published{"pima", "pima/pima-indians-diabetes.data", {}, 768, 8, {500, 268}},
        Published{"spambase", "spambase/spambase.data", {}, 4601, 57, {2788, 1813}},
        Published{"heart", "heart_cleveland/processed.cleveland.data", filling, 303, 13, {164, 55, 36, 35, 13}},
        Published{
            "heart_complete", "heart_cleveland/processed.cleveland.data", dropping, 297, 13, {160, 54, 35, 35, 13}},
        Published{"german_credit", "german_credit/german.data-numeric", {}, 1000, 24, {700, 300}},
        Published{
            "parkinsons", "parkinsons/parkinsons.data", {.target = "status", .drop = {"name"}}, 195, 22, {48, 147}},
        Published{"a1a", "adult/a1a", {.feature_count = 123}, 1605, 123, {1210, 395}},
        Published{"a9a_test", "adult/a9a.t", {.feature_count = 123}, 16281, 123, {12435, 3846}},
        Published{"mnist38", "mnist38/train-3v8-images-idx3-ubyte", {}, 2000, 784, {1044, 956}},
        Published{
            "mnist38_test", "mnist38/t10k-3v8-images-idx3-ubyte", {.downsample = {14, 14}}, 1984, 196, {1010, 974}},
        Published{"boston", "boston_housing/housing.data", {.task = Task::regression}, 506, 13, {}, 22.5328, 5e-5},
        Published{"california",
                  "california_housing/cal_housing.data",
                  {.task = Task::regression},
                  20640,
                  8,
                  {},
                  206855.8169,
                  5e-5},
        Published{"concrete", "concrete/Concrete_Data.csv", {.task = Task::regression}, 1030, 8, {}, 35.8178, 5e-5},
        Published{"energy_heating",
                  "energy_efficiency/ENB2012_data.csv",
                  {.target = "Y1", .task = Task::regression, .drop = {"Y2"}},
                  768,
                  8,
                  {},
                  22.3072,
                  5e-5},
        Published{"energy_cooling",
                  "energy_efficiency/ENB2012_data.csv",
                  {.task = Task::regression, .drop = {"Y1"}, .categorical = {"X6", "X8"}},
                  768,
                  16,
                  {},
                  24.5878,
                  5e-5},
        Published{"winequality", "winequality_red/winequality-red.csv", {}, 1599, 11, {10, 53, 681, 638, 199, 18}},
        Published{"auto_mpg",
                  "auto_mpg/auto-mpg.data",
                  {.target = "0",
                   .task = Task::regression,
                   .drop = {"8"},
                   .missing = {"?"},
                   .missing_policy = MissingPolicy::mean},
                  398,
                  7,
                  {},
                  23.5146,
                  5e-5},
        Published{"auto_mpg_complete",
                  "auto_mpg/auto-mpg.data",
                  {.target = "0",
                   .task = Task::regression,
                   .drop = {"8"},
                   .missing = {"?"},
                   .missing_policy = MissingPolicy::drop},
                  392,
                  7,
                  {},
                  23.4459,
                  5e-5},
        Published{"airfoil", "airfoil/airfoil_self_noise.dat", {.task = Task::regression}, 1503, 5, {}, 124.836, 5e-4}),
    [](const auto& data) { return data.param.name; });

// Means of the three planes over the train file, as PROVENANCE.md has them; averages over areas keep them.
TEST(PublishedImages, KeepTheMeanOfTheirColours) {
  const std::string path = std::string(CONELU_SHARED_DIR) + "/data/cifar10/data_batch_auto_horse.bin";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "needs the data set " << path;
  const Dataset data = read_dataset(path, {.downsample = {7, 7}});
  EXPECT_NEAR(data.X.leftCols(49).mean(), 124.076, 5e-4);
  EXPECT_NEAR(data.X.middleCols(49, 49).mean(), 119.135, 5e-4);
  EXPECT_NEAR(data.X.rightCols(49).mean(), 110.171, 5e-4);
}

TEST(PublishedWorkbooks, AreRefusedByName) {
  const std::string folder = std::string(CONELU_SHARED_DIR) + "/data/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "needs the data sets in " << folder;
  for (const char* file : {"concrete/Concrete_Data.xls", "energy_efficiency/ENB2012_data.xlsx"}) {
    expect_refusal([&] { read_dataset(folder + file, {.task = Task::regression}); }, {file, "Excel", "CSV"});
  }
}

}  // namespace
}  // namespace conelu
