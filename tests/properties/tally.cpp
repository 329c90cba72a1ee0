#include "properties/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace conelu::properties {
namespace {

/// What a problem is counted under.
std::vector<std::string> traits(const Recipe& recipe) {
  std::vector<std::string> traits = {"loss " + recipe.loss, "method " + recipe.method, "radii " + recipe.radii,
                                     "weights " + recipe.weights, "patterns " + recipe.patterns};
  const int decade = recipe.beta >= 0 ? 0 : (recipe.beta - 29) / 30;
  traits.push_back(decade == 0 ? "beta from 1" : fmt::format("beta from 1e{}", 3 * decade));
  if (recipe.radii != "none" && recipe.radii != "zero") {
    traits.push_back("norm " + recipe.norm);
    traits.push_back(recipe.eps > 0 ? "eps above the data" : recipe.eps < -20 ? "eps below 0.01" : "eps usual");
  }
  Recipe::visit(recipe, [&](const std::string& name, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, int>) {
      const bool size = name == "n" || name == "d" || name == "count" || name == "seed" || name == "beta";
      if (!size && name != "eps" && name != "huber_delta" && value != 0)
        traits.push_back(fmt::format("{}={}", name, value));
    }
  });
  return traits;
}

}  // namespace

void Tally::add(const Recipe& recipe, const Solution& solution, double tolerance) {
  const bool optimal = solution.certificate.status(tolerance) == Status::optimal;
  const auto count = [&](Share& share) {
    ++share.problems;
    share.optimal += optimal ? 1 : 0;
  };
  count(all_);
  for (const std::string& trait : traits(recipe)) count(shares_[trait]);
  if (!optimal) failures_.push_back({solution.certificate.relative_gap(), recipe.text(), to_string(solution.stop)});
  if (solution.seconds > slowest_) {
    slowest_ = solution.seconds;
    slowest_recipe_ = recipe.text();
  }
}

double Tally::optimal_share() const {
  return all_.problems == 0 ? 1.0 : static_cast<double>(all_.optimal) / all_.problems;
}

void Tally::print(std::ostream& out) const {
  out << fmt::format("{} of {} problems optimal ({:.1f} %), {} refused; the slowest took {:.2f} s: {}\n", all_.optimal,
                     all_.problems, 100 * optimal_share(), refusals_, slowest_, slowest_recipe_);
  for (const auto& [trait, share] : shares_) {
    if (share.optimal == share.problems) continue;
    out << fmt::format("  {:<24} {:5.1f} % of {}\n", trait, 100.0 * share.optimal / share.problems, share.problems);
  }
  std::vector<Failure> worst = failures_;
  std::sort(worst.begin(), worst.end(), [](const Failure& a, const Failure& b) { return a.gap > b.gap; });
  worst.resize(std::min<std::size_t>(worst.size(), 5));
  for (const Failure& failure : worst) {
    out << fmt::format("  gap {:.1e} ({}): {}\n", failure.gap, failure.stop, failure.recipe);
  }
}

}  // namespace conelu::properties
