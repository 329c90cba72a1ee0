#include "patterns/close_rows.hpp"

#include <gtest/gtest.h>

#include "patterns/samples.hpp"

// Rows k and l, k = l allowed, with |(S_k + S_l) / radii|_p < 2 in the leading columns and sum 0 in the others.
namespace conelu {
namespace {

bool are_close(const Matrix& S, const Threat& threat, Index k, Index l) {
  const Index e = threat.radii.size();
  const Vector sum = S.row(k) + S.row(l);
  return threat.size(sum.head(e)) < 2 && sum.tail(sum.size() - e).isZero(0);
}

TEST(CloseRows, AreFoundIfThereAreAny) {
  Random random(1);
  int found = 0, none = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Norm norm = std::array{Norm::infinity, Norm::two, Norm::one}[seed % 3];
    const Index free = random.below(2);
    Matrix S = test::normal_samples(20, 3 + free, seed);
    if (free == 1) S.col(3) = S.col(0).cwiseSign();
    const Threat threat{norm, Vector::NullaryExpr(3, [&] { return 0.4 * random.uniform() + 0.05; })};
    bool expected = false;
    for (Index k = 0; k < 20; ++k) {
      for (Index l = 0; l <= k; ++l) expected = expected || are_close(S, threat, k, l);
    }
    const auto pair = find_close_rows(S, threat, 1000000);
    EXPECT_EQ(pair.has_value(), expected) << seed;
    if (pair) {
      EXPECT_TRUE(are_close(S, threat, pair->first, pair->second));
    }
    (expected ? found : none) += 1;
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(none, 100);
}

TEST(CloseRows, MayBeOneRowNearTheOrigin) {
  Matrix S(2, 2);
  S << 3, 3, 0.05, -0.05;
  const auto pair = find_close_rows(S, Threat::uniform(Norm::two, 0.1, 2, false), 1000);
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair, std::pair(Index{1}, Index{1}));
}

TEST(CloseRows, AreGivenUpBeyondTheBudget) {
  const Matrix S = Matrix::Zero(5, 2);
  EXPECT_TRUE(find_close_rows(S, Threat::uniform(Norm::two, 1, 2, false), 0));
  const Matrix far = test::normal_samples(500, 4, 1);
  EXPECT_FALSE(find_close_rows(far, Threat::uniform(Norm::infinity, 0.01, 4, false), 10));
}

}  // namespace
}  // namespace conelu
