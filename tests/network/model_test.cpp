#include "conelu/model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/temporary_files.hpp"

namespace conelu {
namespace {

/// f_k(x) = (x_k)_+ + offset_k: the scores of a row are its features, shifted, where these are positive.
Model identity_model(const std::vector<std::string>& classes, const Vector& offsets) {
  Model model;
  model.classes = classes;
  const Index d = offsets.size();
  for (Index k = 0; k < d; ++k) {
    model.features.push_back("x" + std::to_string(k));
    model.networks.push_back({Matrix::Identity(d, d).row(k), Vector::Zero(1), Vector::Ones(1), offsets(k)});
  }
  return model;
}

Model three_classes() { return identity_model({"a", "b", "c"}, Vector{{0, 0, -1}}); }

TEST(Model, HasAScoreForEachOfManyClasses) {
  const Model model = three_classes();
  const Matrix scores = model.scores(Matrix{{1, 2, 5}, {3, -1, 0}});
  EXPECT_EQ(scores, (Matrix{{1, 2, 4}, {3, 0, -1}}));
  EXPECT_EQ(model.predicted_classes(scores), (std::vector<Index>{2, 0}));
}

TEST(Model, HasTheSameScoresForManyRowsAsForEach) {
  Model model = three_classes();
  model.preprocessing.center = Vector{{1, -1, 0}};
  model.preprocessing.scale = Vector{{2, 1, 4}};
  const Matrix rows = Matrix::Random(2 * Network::kSlice + 3, 3);
  const Matrix scores = model.scores(rows);
  for (Index k = 0; k < rows.rows(); ++k) EXPECT_EQ(model.scores(rows.row(k)), scores.row(k)) << k;
  EXPECT_EQ(model.scores(Matrix(0, 3)).rows(), 0);
  EXPECT_THROW(model.scores(Matrix(0, 2)), std::invalid_argument);
}

TEST(Model, PrefersTheFirstOfEqualScores) {
  const Model model = three_classes();
  EXPECT_EQ(model.predicted_classes(Matrix{{1, 2, 2}, {0, 0, 0}, {-1, -2, -1}}), (std::vector<Index>{1, 0, 0}));
}

TEST(Model, TellsTwoClassesBySignAndZeroIsPositive) {
  const Model model = identity_model({"no", "yes"}, Vector{{0.0}});
  EXPECT_EQ(model.predicted_classes(Vector{{-1e-300, 0, 2}}), (std::vector<Index>{0, 1, 1}));
}

TEST(Model, HasOneNetworkOrSaysHowMany) {
  EXPECT_EQ(identity_model({"no", "yes"}, Vector{{0.0}}).network().neurons(), 1);
  expect_refusal([] { three_classes().network(); }, {"3 networks", "each class", "single"});
  expect_refusal([] { Model().network(); }, {"no network"});
  expect_refusal([] { three_classes().predicted_classes(Matrix::Zero(2, 1)); }, {"1 columns", "expected 3"});
  Model regression;
  regression.task = Task::regression;
  expect_refusal([&] { regression.predicted_classes(Matrix::Zero(2, 1)); }, {"regression"});
}

// Rows of classes 2, 1 and 0, of which the second is predicted wrong.
TEST(Model, CountsItsHitsAmongManyClassesByWeight) {
  const Model model = three_classes();
  Dataset data;
  data.X = Matrix{{1, 2, 5}, {3, 1, 0}, {2, 1, 2.5}};
  data.y = Vector{{2, 1, 0}};
  EXPECT_DOUBLE_EQ(accuracy(model, data), 2.0 / 3);
  data.weights = Vector{{1, 2, 1}};
  data.classes = model.classes;
  EXPECT_DOUBLE_EQ(accuracy(model, data), 2.0 / 4);
  data.classes = {"a", "b", "d"};
  expect_refusal([&] { accuracy(model, data); }, {"classes"});
  expect_refusal([&] { mean_squared_error(model, data); }, {"3 networks"});
}

// ---- probabilities

double sigmoid(double f) { return 1 / (1 + std::exp(-f)); }

TEST(Probabilities, OfTwoClassesAreTheLogisticFunction) {
  Model model = identity_model({"no", "yes"}, Vector{{0.0}});
  model.training.loss = "logistic";
  const Vector scores{{-30, -2, 0, 0.5, 7}};
  const Matrix p = model.probabilities(scores);
  ASSERT_EQ(p.cols(), 2);
  for (Index k = 0; k < scores.size(); ++k) {
    EXPECT_NEAR(p(k, 1), sigmoid(scores(k)), 1e-15 * sigmoid(scores(k)) + 1e-16);
    EXPECT_NEAR(p.row(k).sum(), 1, 1e-15);
  }
}

TEST(Probabilities, OfManyClassesAreNormalisedLogisticFunctions) {
  Model model = three_classes();
  model.training.loss = "logistic";
  const Matrix scores = 4 * Matrix::Random(50, 3);
  const Matrix p = model.probabilities(scores);
  for (Index k = 0; k < scores.rows(); ++k) {
    const double sum = sigmoid(scores(k, 0)) + sigmoid(scores(k, 1)) + sigmoid(scores(k, 2));
    for (Index c = 0; c < 3; ++c) EXPECT_NEAR(p(k, c), sigmoid(scores(k, c)) / sum, 1e-14);
    EXPECT_NEAR(p.row(k).sum(), 1, 1e-15);
    Index likely = 0;
    p.row(k).maxCoeff(&likely);
    EXPECT_EQ(likely, model.predicted_classes(scores)[static_cast<std::size_t>(k)]);
  }
}

// Sigmoids of -800 and 800 are 0 and 1 in doubles; s(-800) / (s(-800) + 2 s(-801)) = 1 / (1 + 2 / e).
TEST(Probabilities, AreFiniteForAnyScore) {
  Model model = three_classes();
  model.training.loss = "logistic";
  const Matrix p = model.probabilities(Matrix{{-800, -801, -801}, {800, 800, -800}, {1e300, -1e300, 0}});
  EXPECT_NEAR(p(0, 0), 1 / (1 + 2 / std::exp(1.0)), 1e-12);
  EXPECT_NEAR(p(1, 0), 0.5, 1e-15);
  EXPECT_NEAR(p(2, 0), 2.0 / 3, 1e-15);
  EXPECT_TRUE(p.allFinite());
}

TEST(Probabilities, BelongToTheLogisticLossAlone) {
  Model model = three_classes();
  model.training.loss = "hinge";
  EXPECT_FALSE(model.has_probabilities());
  expect_refusal([&] { model.probabilities(Matrix::Zero(1, 3)); }, {"hinge", "logistic"});
  model.task = Task::regression;
  expect_refusal([&] { model.probabilities(Matrix::Zero(1, 3)); }, {"regression"});
}

// ---- CSV

TEST(Predictions, OfManyClassesHaveTheScoreOfTheWinner) {
  Model model = three_classes();
  model.classes = {"a", "b,c", "d"};
  EXPECT_EQ(predictions_csv(model, Matrix{{0.25, -1, -3}, {-0.5, -0.125, -1}}),
            "prediction,score\na,0.25\n\"b,c\",-0.125\n");
}

TEST(Predictions, OfTheLogisticLossEndInProbabilities) {
  Model model = identity_model({"no", "yes, it is"}, Vector{{0.0}});
  model.training.loss = "logistic";
  EXPECT_EQ(predictions_csv(model, Vector{{0.0}}),
            "prediction,score,probability_no,\"probability_yes, it is\"\n\"yes, it is\",0,0.5,0.5\n");
  model = identity_model({"1", "2", "3", "4"}, Vector::Zero(4));
  model.training.loss = "logistic";
  EXPECT_EQ(predictions_csv(model, Matrix::Zero(1, 4)),
            "prediction,score,probability_1,probability_2,probability_3,probability_4\n1,0,0.25,0.25,0.25,0.25\n");
}

}  // namespace
}  // namespace conelu
