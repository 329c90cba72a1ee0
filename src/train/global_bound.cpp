#include "train/global_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace conelu {
namespace {

constexpr double kWorth = 1e-3;  // above beta: prices that are worth a pattern
/// Left to itself: how exactly the largest price is proven, and how much work that may take, in rows looked at and in
/// nodes: some seconds.
constexpr double kUsualTolerance = 5e-3;
constexpr double kConverged = 3e-2;  // above beta: a bound from larger prices says little
constexpr double kUsualWork = 1.2e9, kUsualNodes = 2e6;
/// With a time limit of its own, of the largest price: a share of the gap that is there without a proof.
constexpr double kFinestTolerance = 1e-4;
constexpr double kProvenShare = 0.2;

}  // namespace

std::optional<GlobalProof> prove_for_all_networks(const Program& program, const Pricing& pricing, double gap,
                                                  const TrainSettings& settings, double seconds_left,
                                                  const std::function<bool()>& go_on, Notes& notes) {
  const Vector& nu = pricing.nu;
  const double largest_price = pricing.largest_price;
  const bool asked = settings.global_bound.has_value();
  if (seconds_left <= 0 || (asked && *settings.global_bound <= 0) || !(largest_price > 0)) return std::nullopt;
  PriceBoundSettings search;
  search.tolerance = asked ? std::clamp(kProvenShare * gap, kFinestTolerance, kUsualTolerance) : kUsualTolerance;
  // A price below beta asks for no scaling: to prove that it is below is enough.
  search.target = std::max((1 + search.tolerance) * largest_price, program.beta());
  search.time_limit = asked ? std::min(*settings.global_bound, seconds_left) : seconds_left;
  search.threads = settings.solver.threads;
  if (!asked && largest_price > (1 + kConverged) * program.beta()) {
    notes.push_back(
        fmt::format("global bound: not tried, prices up to {:.3g} beta were found last; --global-bound SECONDS "
                    "asks for it",
                    largest_price / program.beta()));
    return std::nullopt;
  }
  if (!asked) {
    const double nodes = price_bound_nodes(program.X(), nu, search.target);
    const double affordable = std::min(kUsualNodes, kUsualWork / static_cast<double>(program.samples()));
    if (!(nodes <= affordable)) {
      notes.push_back(
          fmt::format("global bound: out of reach, {}; --global-bound SECONDS asks for the best that a time "
                      "limit allows",
                      std::isfinite(nodes) ? fmt::format("it would take some {:.1g} nodes", nodes)
                                           : "the data have too many dimensions"));
      return std::nullopt;
    }
    search.node_limit = static_cast<Index>(2 * affordable);  // the estimate may be too low
  }
  const PriceBound found = bound_prices(program.X(), nu, (1 + kWorth) * program.beta(), search, go_on);
  GlobalProof proof;
  proof.bound = {network_bound(program, nu, found.upper), found.upper, found.nodes, found.seconds};
  proof.met = found.met;
  return proof;
}

void prove_solution(SolvedProgram& solved, const TrainSettings& settings, const Clock& clock,
                    const ProgressCallback& progress, Notes& notes) {
  const Program& program = solved.program;
  const Certificate& certificate = solved.solution.certificate;
  bool wanted = true;
  const auto go_on = [&] {
    if (clock.seconds() >= settings.solver.time_limit) return false;
    return wanted = !progress || progress({solved.solution.iterations, certificate.objective, certificate.lower_bound,
                                           certificate.relative_gap(), clock.seconds()});
  };
  Pricing pricing;
  pricing.nu = solved.solution.dual.nu;
  const PriceSettings search{.seed = settings.request.seed};
  pricing.largest_price = find_prices(program.X(), pricing.nu, search, solved.solution.blocks, go_on).largest();
  pricing.estimate = network_bound(program, pricing.nu, pricing.largest_price);
  const double gap = (certificate.objective - pricing.estimate) / std::max(std::abs(certificate.objective), 1e-300);
  const double seconds_left = settings.solver.time_limit - clock.seconds();
  if (auto proof = prove_for_all_networks(program, pricing, gap, settings, seconds_left, go_on, notes)) {
    pricing.proven = proof->bound;
    pricing.largest_price = std::max(pricing.largest_price, proof->met.largest());
  }
  solved.pricing = std::move(pricing);
  if (!wanted) solved.solution.stop = Stop::cancelled;
}

}  // namespace conelu
