#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conelu/network.hpp"
#include "conelu/worst_case.hpp"
#include "linalg/random.hpp"
#include "properties/checks.hpp"

namespace conelu::properties {
namespace {

double as_double(Real x) { return static_cast<double>(x); }

/// A random point of the ball, on its boundary as often as not.
Vector random_perturbation(const Threat& threat, Random& random) {
  Vector delta = Vector::Zero(threat.radii.size());
  for (Index a = 0; a < delta.size(); ++a) {
    delta(a) = threat.radii(a) * (random.below(3) == 0 ? random.normal() : random.below(2) == 0 ? -1.0 : 1.0);
  }
  const double size = threat.size(delta);
  if (!(size > 0)) return delta;
  return delta / size * (random.below(2) == 0 ? random.uniform() : 1.0) * (1 - 1e-15);
}

void check_predictions(const Network& network, const Matrix& X) {
  require(network.hidden.allFinite() && network.hidden_bias.allFinite() && network.output.allFinite() &&
              std::isfinite(network.output_bias),
          "the network has a weight that is not finite");
  for (const double factor : {1.0, 0.0, -1.0, 1e3}) {
    require(network.predict(factor * X).allFinite(), fmt::format("a prediction at {} X is not finite", factor));
  }
}

void check_attacks(const Program& program, const PlainLoss& loss, const Solution& solution, const Network& network,
                   bool bias, double certified, std::uint64_t seed) {
  Random random(seed, 20);
  const double promised = std::min(certified, solution.certificate.objective);
  const auto check = [&](const Matrix& deltas, const char* name) {
    for (Index k = 0; k < deltas.rows(); ++k) {
      const double size = program.threat().size(deltas.row(k).transpose());
      require(size <= 1 + 1e-14, fmt::format("{}: sample {} is moved by {} of its radius", name, k, size));
    }
    const Rounded value = network_objective(program, loss, network, bias, deltas);
    require(value.below() <= promised, fmt::format("{} gets {:.17g} out of a network that promised {:.17g}", name,
                                                   as_double(value.value), promised));
    return value;
  };
  for (int i = 0; i < 8; ++i) check(random_attack(program, random), "a random attack");
  const Rounded worst = check(worst_perturbations(program, solution.blocks), "the worst attack of the program");
  if (program.method() != Method::cones) return;
  require(worst.above() >= solution.certificate.objective,
          fmt::format("the objective is {:.17g}, but the worst attack gets {:.17g} only",
                      solution.certificate.objective, as_double(worst.value)));
  require(certified <= worst.above(), fmt::format("the network is said to be at {:.17g}, the worst attack gets {:.17g}",
                                                  certified, as_double(worst.value)));
}

}  // namespace

Matrix random_attack(const Program& program, Random& random) {
  Matrix deltas = Matrix::Zero(program.samples(), program.dimension());
  for (Index k = 0; program.robust() && k < deltas.rows(); ++k) {
    deltas.row(k) = random_perturbation(program.threat(), random).transpose();
  }
  return deltas;
}

void check_network(const Program& program, const PlainLoss& loss, const Solution& solution, bool bias,
                   std::uint64_t seed) {
  const Network network = recover_network(solution.blocks, bias);
  check_predictions(network, program.X().leftCols(network.inputs()));
  const double certified = network_objective(program, network, bias);
  require(std::isfinite(certified), fmt::format("network_objective is {}", certified));

  const Rounded clean = network_objective(program, loss, network, bias);
  require(clean.below() <= certified, fmt::format("the network is at {:.17g} on the clean data, said to be at {:.17g}",
                                                  as_double(clean.value), certified));
  require(clean.below() <= solution.certificate.objective,
          fmt::format("the network is at {:.17g} on the clean data, the objective at {:.17g}", as_double(clean.value),
                      solution.certificate.objective));
  if (program.robust()) {
    check_attacks(program, loss, solution, network, bias, certified, seed);
  } else {
    require(certified <= clean.above(),
            fmt::format("the network is said to be at {:.17g}, but is at {:.17g}", certified, as_double(clean.value)));
    if (program.method() == Method::cones) {
      require(solution.certificate.objective <= clean.above(),
              fmt::format("the objective is {:.17g}, but the network is at {:.17g}", solution.certificate.objective,
                          as_double(clean.value)));
    }
  }
}

}  // namespace conelu::properties
