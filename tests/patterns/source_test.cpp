#include <gtest/gtest.h>

#include "conelu/patterns.hpp"
#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"
#include "patterns/samples.hpp"

namespace conelu {
namespace {

using test::margin;
using test::plane_samples;
using test::signs_of;

void expect_refused(const std::string& source, const Matrix& X, const std::vector<std::string>& parts) {
  expect_refusal([&] { make_patterns(source, X); }, parts);
}

// What any source promises: patterns of X, each with a direction strictly inside its cone, the same for the same seed.
class EverySource : public testing::TestWithParam<std::string> {};

TEST_P(EverySource, GivesPatternsOfTheDataWithWitnesses) {
  Matrix X = plane_samples(25, 9);
  X.row(3).setZero();
  X.row(7) = X.row(5);
  X.row(8) = -2 * X.row(5);
  for (const bool all_active : {false, true}) {
    const SampledPatterns result = make_patterns(GetParam(), X, {.all_active = all_active});
    EXPECT_GE(result.patterns.count(), 100);
    EXPECT_EQ(result.patterns.samples(), 25);
    for (Index i = 0; i < result.patterns.count(); ++i) {
      EXPECT_TRUE(result.patterns.active(i, 3)) << "zero rows are always active";
      EXPECT_GT(margin(X, signs_of(result.patterns, i), result.patterns.witness(i)), 0);
    }
    EXPECT_EQ(make_patterns(GetParam(), X, {.all_active = all_active}).patterns.to_matrix(),
              result.patterns.to_matrix());
  }
}

TEST_P(EverySource, PutsTheAllActivePatternFirst) {
  const Matrix X = plane_samples(25, 9);
  const SampledPatterns result = make_patterns(GetParam(), X, {.all_active = true});
  EXPECT_EQ(result.patterns.to_matrix().row(0), Matrix::Ones(1, 25));
}

TEST_P(EverySource, HasOnePatternForDataThatIsAllZero) {
  const SampledPatterns result = make_patterns(GetParam(), Matrix::Zero(3, 2));
  EXPECT_EQ(result.patterns.to_matrix(), Matrix::Ones(1, 3));
  EXPECT_EQ(result.patterns.witness(0).size(), 2);
}

TEST_P(EverySource, RefusesDataWithoutColumnsAndNumbersThatAreNotFinite) {
  Matrix X = plane_samples(5, 9);
  X(2, 1) = std::numeric_limits<double>::quiet_NaN();
  expect_refused(GetParam(), X, {"X", "finite"});
  expect_refused(GetParam(), Matrix(5, 0), {"X", "columns"});
}

std::vector<std::string> source_names() {
  std::vector<std::string> names;
  for (const PatternSource& source : pattern_sources()) names.push_back(source.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Registry, EverySource, testing::ValuesIn(source_names()),
                         [](const auto& source) { return source.param; });

TEST(PatternSources, ListTheKnownNamesWhenOneIsUnknown) {
  expect_refused("gausian", plane_samples(5, 9), {"'gausian'", "gaussian", "all", ".npy"});
}

using PatternFile = TemporaryFiles;

TEST_F(PatternFile, GivesThePatternsInItOnceEach) {
  const Matrix activations{{1, 0, 1, 1}, {0, 0, 0, 0}, {1, 0, 1, 1}, {1, 1, 1, 1}};
  write_npy(path("p.npy"), activations);
  const SampledPatterns result = make_patterns(path("p.npy"), Matrix::Ones(4, 2));
  EXPECT_EQ(result.patterns.to_matrix(), (Matrix{{1, 0, 1, 1}, {0, 0, 0, 0}, {1, 1, 1, 1}}));
  EXPECT_EQ(result.patterns.witness(0).size(), 0);
  EXPECT_FALSE(result.patterns.complete());
}

TEST_F(PatternFile, IsGivenBackByToMatrix) {
  const Matrix X = plane_samples(70, 9);
  const Matrix activations = make_patterns("gaussian", X).patterns.to_matrix();
  write_npy(path("p.npy"), activations);
  EXPECT_EQ(make_patterns(path("p.npy"), X).patterns.to_matrix(), activations);
}

TEST_F(PatternFile, OfTheWrongShapeIsNamedWithTheShapeExpected) {
  write_npy(path("p.npy"), Matrix::Ones(3, 4));
  expect_refused(path("p.npy"), Matrix::Ones(5, 2), {"p.npy", "3 x 4", "P x 5"});
}

TEST_F(PatternFile, WithAnotherValueIsNamedWithRowAndColumn) {
  Matrix activations = Matrix::Ones(3, 4);
  activations(2, 1) = 0.5;
  write_npy(path("p.npy"), activations);
  expect_refused(path("p.npy"), Matrix::Ones(4, 2), {"p.npy", "row 2", "column 1", "0.5", "0 or 1"});
}

TEST_F(PatternFile, ThatIsMissingIsNamed) { expect_refused("nowhere.npy", Matrix::Ones(4, 2), {"nowhere.npy"}); }

}  // namespace
}  // namespace conelu
