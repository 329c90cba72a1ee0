#include <limits>
#include <string>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

using Names = std::vector<std::string>;

class NpyTable : public TemporaryFiles {
 public:
  std::string table(const Matrix& values) {
    write_npy(path("a.npy"), values);
    return path("a.npy");
  }
};

TEST_F(NpyTable, IsReadLikeATableWithoutAHeader) {
  const std::string file = table(Matrix{{1, 2, 0}, {3, 4, 1}, {5, 6, 0}});
  const Dataset data = read_dataset(file);
  EXPECT_EQ(data.X, (Matrix{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(data.y, (Vector{{-1, 1, -1}}));
  EXPECT_EQ(data.features, (Names{"x1", "x2"}));
  const Dataset other = read_dataset(file, {.target = "0", .weights = "1", .task = Task::regression});
  EXPECT_EQ(other.y, (Vector{{1, 3, 5}}));
  EXPECT_EQ(other.weights, (Vector{{2, 4, 6}}));
  EXPECT_EQ(read_dataset(file, {.drop = {"0"}}).X, (Matrix{{2}, {4}, {6}}));
}

TEST_F(NpyTable, HoldsFeaturesWithOrWithoutATargetForPrediction) {
  const ReadSettings model{.target_required = false, .expected_features = {"a", "b"}, .expected_classes = {"0", "1"}};
  EXPECT_EQ(read_dataset(table(Matrix{{1, 2}, {3, 4}}), model).X, (Matrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(read_dataset(table(Matrix{{1, 2, 0}}), model).X, (Matrix{{1, 2}}));
  expect_refusal([&] { read_dataset(table(Matrix{{1, 2, 3, 4}}), model); }, {"4 columns", "2 features of the model"});
}

TEST_F(NpyTable, WithoutSamplesOrWithNanIsRefused) {
  expect_refusal([&] { read_dataset(table(Matrix(0, 3))); }, {"(0, 3)", "at least one"});
  expect_refusal(
      [&] {
        read_dataset(table(Matrix{{1, std::numeric_limits<double>::quiet_NaN()}}));
      },
      {"row 1, column 2", "NaN"});
  expect_refusal([&] { read_dataset(table(Matrix{{1}, {2}})); }, {"1 column"});
}

}  // namespace
}  // namespace conelu
