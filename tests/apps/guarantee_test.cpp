#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conelu/train.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"

// What training promises, seen from outside: whatever an attacker adds to the training rows, the objective stays at or
// below network_objective. Everything here is written out once more; nothing is shared with attacks or certificates.

namespace conelu {
namespace {

constexpr int kPerturbations = 10000;

struct Guarantee {
  std::string data;  ///< masses, cifar
  std::string method;
  Norm norm;
};

std::vector<Guarantee> guarantees(const std::vector<std::string>& methods) {
  std::vector<Guarantee> all;
  for (const std::string& method : methods) {
    for (const std::string& norm : norm_names()) all.push_back({"masses", method, make_norm(norm)});
  }
  all.push_back({"cifar", "cones", Norm::infinity});
  return all;
}

class TrainedNetwork : public testing::TestWithParam<Guarantee> {
 protected:
  void SetUp() override {
    settings.norm = GetParam().norm;
    settings.method = GetParam().method;
    if (GetParam().data == "masses") {
      data = problems::mammographic_masses();
      if (data.samples() == 0) GTEST_SKIP() << "no Mammographic Masses in " << CONELU_SHARED_DIR;
      data = split(data, 0.3, 1).first;
      settings.standardize = true;
      settings.eps = {0.12};
      settings.request.count = 30;
    } else {
      const std::vector<problems::Case> cases = problems::robust_cases();
      const auto found =
          std::find_if(cases.begin(), cases.end(), [](const auto& c) { return c.name == "cifar_adv_hinge_P36"; });
      if (found == cases.end()) GTEST_SKIP() << "no CIFAR images in " << CONELU_SHARED_DIR;
      const Program program = problems::load_program(*found);
      data.X = (program.X().array() - 120) / 50;
      data.y = program.y();
      data.classes = {"automobile", "horse"};
      for (Index a = 0; a < data.X.cols(); ++a) data.features.push_back("x" + std::to_string(a + 1));
      settings.eps = {0.2};
      settings.request.count = 8;
    }
    settings.beta = 1e-4;
    result = train(data, settings);
    X = result.model.preprocessing.apply(data.X);
    promised = result.model.training.network_objective;
    ASSERT_LT(promised, 0.9);  // the zero network has 1
  }

  double objective_at(const Matrix& points) const {
    const Network& network = result.model.network();
    const Matrix z = (points * network.hidden.transpose()).rowwise() + network.hidden_bias.transpose();
    const Vector f = z.cwiseMax(0.0) * network.output;
    const double penalty =
        network.hidden.squaredNorm() + network.hidden_bias.squaredNorm() + network.output.squaredNorm();
    return (1 - data.y.array() * f.array()).cwiseMax(0.0).mean() + 0.5 * settings.beta.value() * penalty;
  }

  /// Of the output with respect to the points.
  Matrix slopes_at(const Matrix& points) const {
    const Network& network = result.model.network();
    const Matrix z = (points * network.hidden.transpose()).rowwise() + network.hidden_bias.transpose();
    const Matrix gates = (z.array() > 0).cast<double>();
    return gates * network.output.asDiagonal() * network.hidden;
  }

  double radius() const { return settings.eps.front(); }

  /// Into the ball, along the line from the middle.
  void shrink(Matrix& deltas) const {
    for (Index k = 0; k < deltas.rows(); ++k) {
      const auto delta = deltas.row(k);
      const double size = settings.norm == Norm::infinity ? delta.cwiseAbs().maxCoeff()
                          : settings.norm == Norm::two    ? delta.norm()
                                                          : delta.cwiseAbs().sum();
      if (size > radius()) deltas.row(k) *= radius() / size;
    }
  }

  Dataset data;
  TrainSettings settings;
  TrainResult result;
  Matrix X;
  double promised = 0;
};
std::string name_of(const testing::TestParamInfo<Guarantee>& test) {
  return test.param.data + "_" + test.param.method + "_l" + to_string(test.param.norm);
}
INSTANTIATE_TEST_SUITE_P(Shared, TrainedNetwork, testing::ValuesIn(guarantees(method_names())), name_of);

TEST_P(TrainedNetwork, IsNeverWorseThanPromisedUnderTenThousandPerturbations) {
  // All of them for the paper's norm; fewer, unless there is time, for the others and for images.
  const bool usual = GetParam().data == "masses" && GetParam().norm == Norm::infinity;
  const int count = usual ? kPerturbations : static_cast<int>(problems::repetitions(500, kPerturbations));
  const double allowed = promised * (1 + 1e-12);
  Random random(7);
  Matrix deltas = Matrix::Zero(X.rows(), X.cols());
  double worst = 0;
  for (int trial = 0; trial < count; ++trial) {
    if (trial % 100 != 0) {
      // Corners of the box, points all over it, or a few features only; then into the ball.
      const std::uint64_t kind = random.below(3);
      deltas = Matrix::NullaryExpr(X.rows(), X.cols(), [&] {
        const double u = 2 * random.uniform() - 1;
        return radius() * (kind == 0 ? (u > 0 ? 1 : -1) : kind == 1 ? u : std::abs(u) > 0.7 ? u / std::abs(u) : 0.0);
      });
      shrink(deltas);
      worst = std::max(worst, objective_at(X + deltas));
    } else {
      // 40 steps of projected gradient, from x first and then from the last of those.
      for (int step = 0; step < 40; ++step) {
        const Matrix slopes = slopes_at(X + deltas);
        for (Index k = 0; k < X.rows(); ++k) {
          Vector way = -data.y(k) * slopes.row(k);
          if (settings.norm == Norm::infinity) {
            way = way.cwiseSign();
          } else {
            way /= std::max(way.norm(), 1e-300);
          }
          deltas.row(k) += radius() / 10 * way.transpose();
          if (settings.norm == Norm::infinity) {
            deltas.row(k) = deltas.row(k).cwiseMax(-radius()).cwiseMin(radius()).eval();
          }
        }
        shrink(deltas);
        worst = std::max(worst, objective_at(X + deltas));
      }
    }
    ASSERT_LE(worst, allowed) << "perturbation " << trial;
  }
  EXPECT_GT(worst, objective_at(X)) << "the attacks were none";
}

class TrainedWithCones : public TrainedNetwork {};  // only the paper's cones make it attained
INSTANTIATE_TEST_SUITE_P(Shared, TrainedWithCones, testing::ValuesIn(guarantees({"cones"})), name_of);

TEST_P(TrainedWithCones, AttainsThePromiseAtTheClosedFormPerturbation) {
  // s_k from the network itself: no neuron changes sides in the ball, so the slope at x is that everywhere.
  const Matrix slopes = slopes_at(X);
  Matrix deltas(X.rows(), X.cols());
  for (Index k = 0; k < X.rows(); ++k) {
    const Vector s = slopes.row(k);
    Index largest = 0;
    s.cwiseAbs().maxCoeff(&largest);
    const Vector way = settings.norm == Norm::infinity ? Vector(s.cwiseSign())
                       : settings.norm == Norm::two
                           ? Vector(s / std::max(s.norm(), 1e-300))
                           : Vector(Vector::Unit(s.size(), largest) * (s(largest) > 0 ? 1 : -1));
    deltas.row(k) = -radius() * data.y(k) * way;
  }
  EXPECT_NEAR(objective_at(X + deltas), promised, 1e-9 * promised);
}

}  // namespace
}  // namespace conelu
