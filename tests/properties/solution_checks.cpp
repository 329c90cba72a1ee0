#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "linalg/random.hpp"
#include "properties/checks.hpp"
#include "properties/feasible_points.hpp"

namespace conelu::properties {
void require(bool condition, const std::string& message) {
  if (!condition) throw std::runtime_error(message);
}

ProgressCallback Follower::callback() {
  return [this](const Progress& now) {
    require(std::isfinite(now.objective) && std::isfinite(now.lower_bound),
            fmt::format("iteration {}: objective {}, bound {}", now.iteration, now.objective, now.lower_bound));
    require(now.lower_bound <= now.objective,
            fmt::format("iteration {}: the bound {:.17g} is above the objective {:.17g}", now.iteration,
                        now.lower_bound, now.objective));
    const bool in_turn = several_ ? now.iteration == last_.iteration || now.iteration == last_.iteration + 1
                                  : now.iteration == calls_ && now.iteration <= max_iterations_;
    require(in_turn, fmt::format("iteration {} of {} after {} calls", now.iteration, max_iterations_, calls_));
    require(calls_ == 0 || now.objective <= last_.objective,
            fmt::format("the objective rose from {:.17g} to {:.17g}", last_.objective, now.objective));
    require(calls_ == 0 || now.lower_bound >= last_.lower_bound,
            fmt::format("the bound fell from {:.17g} to {:.17g}", last_.lower_bound, now.lower_bound));
    last_ = now;
    ++calls_;
    return true;
  };
}

void Follower::check_end(const Solution& solution) const {
  require(calls_ > 0, "no progress was reported");
  require(solution.certificate.objective == last_.objective && solution.certificate.lower_bound == last_.lower_bound,
          fmt::format("the last news was {:.17g} and {:.17g}, the solution has {:.17g} and {:.17g}", last_.objective,
                      last_.lower_bound, solution.certificate.objective, solution.certificate.lower_bound));
  require(solution.iterations == last_.iteration, "the number of iterations is not that of the last news");
}

void check_finite(const Solution& solution) {
  const Certificate& certificate = solution.certificate;
  require(std::isfinite(certificate.objective), fmt::format("objective is {}", certificate.objective));
  require(std::isfinite(certificate.lower_bound), fmt::format("lower_bound is {}", certificate.lower_bound));
  require(certificate.lower_bound >= 0, fmt::format("lower_bound is {}, worse than nothing", certificate.lower_bound));
  require(std::isfinite(certificate.violation) && certificate.violation >= 0,
          fmt::format("violation is {}", certificate.violation));
  require(solution.blocks.allFinite(), "blocks have an entry that is not finite");
  const DualPoint& dual = solution.dual;
  require(dual.nu.allFinite() && dual.lambda.allFinite() && dual.mu.allFinite() && dual.cell_attacks.allFinite() &&
              dual.block_attacks.allFinite(),
          "the dual point has an entry that is not finite");
}

void check_certificate(const Program& program, const PlainLoss& loss, const Solution& solution, double tolerance) {
  const Certificate& certificate = solution.certificate;
  require(
      certificate.lower_bound <= certificate.objective,
      fmt::format("the bound {:.17g} is above the objective {:.17g}", certificate.lower_bound, certificate.objective));
  const double gap = (certificate.objective - certificate.lower_bound) / std::max(certificate.objective, 1e-12);
  require((certificate.status(tolerance) == Status::optimal) == (gap <= tolerance),
          fmt::format("the gap is {}, the status {}", gap, to_string(certificate.status(tolerance))));
  require((solution.stop == Stop::converged) == (gap <= tolerance),
          fmt::format("the gap is {}, the stop {}", gap, to_string(solution.stop)));

  require(is_feasible(program, solution.blocks), "the blocks are outside their cones");
  const Rounded exact = objective(program, loss, solution.blocks);
  require(exact.below() <= certificate.objective, fmt::format("the objective is {:.17g}, said to be {:.17g}",
                                                              static_cast<double>(exact.value), certificate.objective));

  Matrix blocks = solution.blocks;
  const Certificate again = certify(program, blocks, solution.dual);
  // Repaired blocks are put back by the same rule, up to the last digits of their products with X.
  const double rounding = 1e-13 * certificate.objective + static_cast<double>(exact.rounding) * 1e4;
  require(again.lower_bound == certificate.lower_bound,
          fmt::format("the bound is {:.17g}, certified again {:.17g}", certificate.lower_bound, again.lower_bound));
  require(std::abs(again.objective - certificate.objective) <= rounding,
          fmt::format("the objective is {:.17g}, certified again {:.17g}", certificate.objective, again.objective));
  require(again.violation == 0, fmt::format("certified again, the blocks violate by {}", again.violation));
  require(again.scope == certificate.scope, "the scope changed when certified again");
}

void check_bound(const Program& program, const PlainLoss& loss, const Solution& solution, std::uint64_t seed) {
  const double bound = solution.certificate.lower_bound;
  for (const NamedPoint& point : feasible_points(program, solution.blocks, seed)) {
    if (!is_feasible(program, point.blocks)) continue;
    const Rounded value = objective(program, loss, point.blocks);
    require(bound <= value.above(), fmt::format("the bound is {:.17g}, but {} has {:.17g}", bound, point.name,
                                                static_cast<double>(value.value)));
    // The library's own evaluation may round in either direction.
    const double own = program.objective(point.blocks);
    require(std::isfinite(own), fmt::format("Program::objective is {} at {}", own, point.name));
  }
}

void check_any_dual(const Program& program, const Solution& solution, std::uint64_t seed) {
  Random random(seed, 21);
  const double best = solution.certificate.objective;
  for (const double noise : {1e-3, 0.3, 3.0}) {
    for (const double broken : {0.0, 0.1}) {
      DualPoint dual = solution.dual;
      const double size = std::pow(10.0, noise * random.normal());
      const auto spoil = [&](auto& part, double factor) {
        const double typical = part.size() == 0 ? 0.0 : part.cwiseAbs().maxCoeff();
        part = part.unaryExpr([&](double entry) {
          if (random.uniform() < broken) return random.below(2) == 0 ? kNaN : -kInfinity;
          return factor * (entry * (1 + noise * random.normal()) + 0.1 * noise * typical * random.normal());
        });
      };
      spoil(dual.nu, size);
      spoil(dual.mu, size);
      spoil(dual.lambda, size * std::pow(10.0, random.normal()));
      spoil(dual.cell_attacks, size);
      spoil(dual.block_attacks, size);
      const double bound = lower_bound(program, dual);
      require(bound >= 0 && bound <= best,
              fmt::format("a dual point gives the bound {:.17g}, but the objective is {:.17g}", bound, best));
    }
  }
}

}  // namespace conelu::properties
