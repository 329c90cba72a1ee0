#include <gtest/gtest.h>

#include <limits>

#include "conelu/synthetic.hpp"
#include "conelu/train.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

TrainSettings robust(std::vector<double> eps, const std::string& patterns = "all") {
  TrainSettings settings;
  settings.beta = 1e-2;
  settings.eps = std::move(eps);
  settings.patterns = patterns;
  settings.solver.tolerance = 1e-8;
  return settings;
}

RunRecord record_of(const Dataset& data, const TrainSettings& settings) { return train(data, settings).model.training; }

bool says(const TrainResult& result, const std::string& part) {
  for (const std::string& note : result.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

// ---- the threat

TEST(MakeThreat, IsTheSameForANumberAndAConstantList) {
  const Threat scalar = make_threat(robust({0.3}), 2);
  EXPECT_EQ(scalar.radii, (Vector{{0.3, 0.3, 0.0}}));  // the bias is out of reach
  EXPECT_EQ(make_threat(robust({0.3, 0.3}), 2).radii, scalar.radii);
  TrainSettings settings = robust({0.3});
  settings.bias = false;
  settings.norm = Norm::two;
  EXPECT_EQ(make_threat(settings, 2).radii, (Vector{{0.3, 0.3}}));
  EXPECT_EQ(make_threat(settings, 2).norm, Norm::two);
}

TEST(MakeThreat, IsNobodyWithoutAPositiveRadius) {
  for (const std::vector<double>& eps : {std::vector<double>{}, {0.0}, {0.0, 0.0}}) {
    EXPECT_FALSE(make_threat(robust(eps), 2).active());
    EXPECT_EQ(make_threat(robust(eps), 2).radii.size(), 0);
  }
}

TEST(MakeThreat, DividesRawRadiiAsStandardisingDividesTheFeatures) {
  const Preprocessing preprocessing{Vector::Zero(2), Vector{{2.0, 10.0}}};
  TrainSettings settings = robust({1.0});
  EXPECT_EQ(make_threat(settings, 2, preprocessing).radii, (Vector{{1.0, 1.0, 0.0}}));
  settings.eps_units = EpsUnits::raw;
  EXPECT_EQ(make_threat(settings, 2, preprocessing).radii, (Vector{{0.5, 0.1, 0.0}}));
  EXPECT_EQ(make_threat(settings, 2).radii, (Vector{{1.0, 1.0, 0.0}}));
}

TEST(MakeThreat, RefusesWhatIsNoRadius) {
  expect_refusal([] { make_threat(robust({0.1, 0.2, 0.3}), 2); }, {"eps", "3", "1 or 2"});
  expect_refusal([] { make_threat(robust({0.1, -0.2}), 2); }, {"eps", "feature 1", "-0.2"});
  expect_refusal([] { make_threat(robust({std::numeric_limits<double>::infinity()}), 2); }, {"eps", "inf"});
  expect_refusal([] { make_threat(robust({std::numeric_limits<double>::quiet_NaN()}), 2); }, {"eps", "nan"});
}

// ---- training

TEST(RobustTrain, CertifiesEveryNormLossAndMethod) {
  const Dataset data = plane_dataset(12, 1);
  for (const Norm norm : {Norm::infinity, Norm::two, Norm::one}) {
    for (const std::string& loss : loss_names()) {
      double cones = 0;
      for (const std::string& method : method_names()) {
        TrainSettings settings = robust({0.05});
        settings.norm = norm;
        settings.loss = loss;
        settings.method = method;
        settings.request.count = 10;
        settings.solver.tolerance = 1e-6;
        const RunRecord record = record_of(data, settings);
        SCOPED_TRACE(method + " " + loss + " " + to_string(norm));
        EXPECT_EQ(record.status, "optimal") << record.relative_gap << " " << record.stop;
        EXPECT_EQ(record.scope, "program");
        EXPECT_EQ(record.method, method);
        EXPECT_EQ(record.norm, to_string(norm));
        EXPECT_EQ(record.eps, 0.05);
        EXPECT_LE(record.network_objective, record.objective);
        if (method == "cones") cones = record.objective;
        // Never above the paper's, but for those that give up what neurons share.
        if (method != "gated" && method != "separate") {
          EXPECT_LE(record.objective, cones * (1 + 1e-6));
        }
      }
    }
  }
}

TEST(RobustTrain, PaysForALargerAttack) {
  const Dataset data = plane_dataset(14, 2);
  double before = record_of(data, robust({})).objective;
  for (const double eps : {0.01, 0.05, 0.2}) {
    const double objective = record_of(data, robust({eps})).objective;
    EXPECT_GE(objective, before * (1 - 1e-7)) << eps;
    before = objective;
  }
}

TEST(RobustTrain, GivesTheSameForRawAndNetworkUnits) {
  Dataset data = plane_dataset(14, 3);
  data.X.col(1) *= 100;
  TrainSettings settings = robust({});
  settings.standardize = true;
  const Vector scale = Preprocessing::standardize(data).scale;
  settings.eps = {0.1 / scale(0), 0.1 / scale(1)};
  const RunRecord network = record_of(data, settings);
  settings.eps = {0.1};
  settings.eps_units = EpsUnits::raw;
  const RunRecord raw = record_of(data, settings);
  EXPECT_NEAR(raw.objective, network.objective, 1e-7 * network.objective);
  EXPECT_EQ(raw.eps_per_feature, network.eps_per_feature);
}

// A column of ones that comes with the data is a feature like any other, which is the paper's literal form; the bias
// that we append is not.
TEST(RobustTrain, PerturbsAColumnOfOnesButNotTheBias) {
  const Dataset data = plane_dataset(14, 4);
  Dataset with_ones = data;
  with_ones.X = with_bias(data.X);
  with_ones.features.push_back("ones");
  TrainSettings settings = robust({0.05});
  const double bias = record_of(data, settings).objective;
  settings.bias = false;
  const double perturbed = record_of(with_ones, settings).objective;
  EXPECT_GT(perturbed, bias * (1 + 1e-6));
  settings.eps = {0.05, 0.05, 0};
  const RunRecord spared = record_of(with_ones, settings);
  EXPECT_NEAR(spared.objective, bias, 1e-7 * bias);
  EXPECT_EQ(spared.eps_per_feature, (std::vector<double>{0.05, 0.05, 0}));
}

TEST(RobustTrain, AddsNothingToPatternsThatAreGiven) {
  Dataset data = plane_dataset(14, 5);
  TrainSettings settings = robust({0.05}, "gaussian");
  settings.request.count = 5;
  const TrainResult given = train(data, settings);
  EXPECT_EQ(given.model.training.method, "cones");
  EXPECT_EQ(given.model.training.patterns, 5);
  EXPECT_FALSE(says(given, "method:"));
  settings.patterns.clear();
  const TrainResult chosen = train(data, settings);
  EXPECT_EQ(chosen.model.training.pattern_source, "gaps");
  EXPECT_EQ(chosen.model.training.method, to_string(choose_method(data.X.rows(), 3, chosen.model.training.patterns)));
  EXPECT_TRUE(says(chosen, "method:"));
  EXPECT_TRUE(says(chosen, "all-active"));
}

// Equal outputs on the samples are not equal worst cases, so reducing may have to be refused.
TEST(RobustTrain, KeepsItsGuaranteeInASmallerNetwork) {
  const Dataset data = plane_dataset(14, 7);
  TrainSettings settings = robust({0.05});
  settings.solver.tolerance = 1e-6;
  const RunRecord whole = record_of(data, settings);
  settings.reduce = true;
  settings.prune = 1e-4;
  const RunRecord small = record_of(data, settings);
  EXPECT_EQ(small.status, whole.status);
  EXPECT_LE(small.objective, whole.objective * (1 + 1e-6));
  EXPECT_LE(small.network_objective, small.objective);
  EXPECT_LE(small.neurons, whole.neurons);
}

TEST(RobustTrain, RefusesAMethodItDoesNotKnow) {
  TrainSettings settings = robust({0.1});
  settings.method = "cone";
  expect_refusal([&] { train(plane_dataset(6, 6), settings); }, {"method", "cone", "reduced"});
}

// x = 0 in one class between x = -0.2 and x = 0.2 in the other, attacked by 1: only the all-active pattern is live.
TEST(RobustTrain, CountsWhatIsLiveAndSaysSo) {
  Dataset data;
  data.X = Matrix{{-0.2}, {0.0}, {0.2}};
  data.y = Vector{{1, -1, 1}};
  const TrainResult few = train(data, robust({1.0}));
  EXPECT_EQ(few.model.training.live_patterns, 1);
  EXPECT_TRUE(says(few, "1 of 6 are live")) << few.model.training.patterns;
  EXPECT_FALSE(says(few, "zero network"));
  TrainSettings settings = robust({1.0});
  settings.bias = false;
  const TrainResult none = train(data, settings);
  EXPECT_EQ(none.model.training.live_patterns, 0);
  EXPECT_EQ(none.model.network().neurons(), 0);
  EXPECT_NEAR(none.model.training.objective, 1, 1e-12);
  EXPECT_NEAR(none.model.training.network_objective, 1, 1e-12);
  EXPECT_TRUE(says(none, "zero network"));
  EXPECT_EQ(none.model.training.status, "optimal");
}

}  // namespace
}  // namespace conelu
