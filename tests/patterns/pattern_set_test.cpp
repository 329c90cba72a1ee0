#include "conelu/pattern_set.hpp"

#include <gtest/gtest.h>

#include "conelu/patterns.hpp"
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

// Words are counted in groups of 31, whose bytes are fullest where every bit is set.
TEST(PatternSet, CountsCommonSamplesAsAProductOfMatricesDoes) {
  Random random(2);
  for (const Index n : {1, 63, 64, 65, 31 * 64, 31 * 64 + 1, 5000}) {
    PatternSet patterns(n);
    patterns.add(Vector::Ones(n));
    patterns.add(-Vector::Ones(n));
    for (int i = 0; i < 5; ++i) patterns.add(random_vector(random, n));
    const Matrix D = patterns.to_matrix();
    EXPECT_EQ(patterns.gram(), Matrix(D * D.transpose())) << n;
    EXPECT_EQ(patterns.gram()(0, 0), static_cast<double>(n));
  }
  EXPECT_EQ(PatternSet(3).gram().size(), 0);
}

TEST(PatternDifferences, AreThoseOfAllPairs) {
  PatternSet patterns(70);
  Vector a = Vector::Ones(70);
  patterns.add(a);
  a(69) = -1;
  patterns.add(a);
  a.head(40).setConstant(-1);
  patterns.add(a);
  const PatternDifferences differences = pattern_differences(patterns);  // 1, 41 and 40
  EXPECT_EQ(differences.compared, 3);
  EXPECT_EQ(differences.least, 1);
  EXPECT_EQ(differences.most, 41);
  EXPECT_DOUBLE_EQ(differences.mean, 82.0 / 3);
  // The first and the third.
  const PatternDifferences some = pattern_differences(patterns, 2);
  EXPECT_EQ(some.compared, 2);
  EXPECT_EQ(some.least, 41);
  EXPECT_EQ(some.most, 41);
  EXPECT_EQ(pattern_differences(PatternSet(3)).compared, 0);
  EXPECT_THROW(pattern_differences(patterns, 0), std::invalid_argument);
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
