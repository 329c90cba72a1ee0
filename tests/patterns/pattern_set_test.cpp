#include "conelu/pattern_set.hpp"

#include <gtest/gtest.h>

#include "linalg/random.hpp"

namespace conelu {
namespace {

Vector random_vector(Random& random, Index size) {
  return Vector::NullaryExpr(size, [&] { return random.normal(); });
}

// 63, 64 and 65 samples sit on both sides of a word boundary.
TEST(PatternSet, GivesBackTheSignsItWasGiven) {
  Random random(1);
  for (const Index n : {1, 63, 64, 65, 200}) {
    PatternSet patterns(n);
    const Vector a = random_vector(random, n);
    ASSERT_TRUE(patterns.add(a));
    for (Index k = 0; k < n; ++k) EXPECT_EQ(patterns.active(0, k), a(k) >= 0) << "sample " << k << " of " << n;
    EXPECT_EQ(patterns.to_matrix().row(0).transpose(), (a.array() >= 0).cast<double>().matrix());
  }
}

TEST(PatternSet, CountsZeroAsActiveWhateverItsSign) {
  PatternSet patterns(2);
  patterns.add(Vector{{0.0, -0.0}});
  EXPECT_TRUE(patterns.active(0, 0));
  EXPECT_TRUE(patterns.active(0, 1));
}

TEST(PatternSet, KeepsEachPatternOnceWithItsFirstWitness) {
  PatternSet patterns(3);
  const Vector first = Vector::Constant(2, 1.0);
  const Vector second = Vector::Constant(2, 2.0);
  EXPECT_TRUE(patterns.add(Vector{{1.0, -1.0, 1.0}}, first));
  EXPECT_FALSE(patterns.add(Vector{{5.0, -0.1, 0.0}}, second));
  EXPECT_TRUE(patterns.add(Vector{{1.0, 1.0, 1.0}}));
  EXPECT_EQ(patterns.count(), 2);
  EXPECT_EQ(patterns.witness(0), first);
  EXPECT_EQ(patterns.witness(1).size(), 0);
  EXPECT_TRUE(patterns.contains(patterns.words(1)));
}

// All 2^12 sign vectors are distinct, however they hash.
TEST(PatternSet, TellsAllSignVectorsApart) {
  PatternSet patterns(12);
  for (int round = 0; round < 2; ++round) {
    for (PatternSet::Word bits = 0; bits < 4096; ++bits) EXPECT_EQ(patterns.add_words({&bits, 1}), round == 0);
  }
  EXPECT_EQ(patterns.count(), 4096);
}

TEST(PatternSet, MergesPatternsThatAgreeOnTheSelectedSamples) {
  PatternSet patterns(3);
  patterns.add(Vector{{1.0, 1.0, 1.0}}, Vector::Constant(1, 1.0));
  patterns.add(Vector{{1.0, -1.0, 1.0}}, Vector::Constant(1, 2.0));
  patterns.add(Vector{{-1.0, -1.0, 1.0}});
  patterns.set_complete(true);
  const PatternSet selected = patterns.select_samples({2, 0});
  EXPECT_EQ(selected.samples(), 2);
  EXPECT_EQ(selected.to_matrix(), (Matrix{{1.0, 1.0}, {1.0, 0.0}}));
  EXPECT_EQ(selected.witness(0)(0), 1.0);
  EXPECT_TRUE(selected.complete());
}

TEST(PatternSet, RefusesAPatternForAnotherNumberOfSamples) {
  PatternSet patterns(3);
  EXPECT_THROW(patterns.add(Vector::Ones(4)), std::invalid_argument);
  const std::vector<PatternSet::Word> words(2);
  EXPECT_THROW(patterns.add_words(words), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
