#include "conelu/attack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "evaluate/attacks/attacks.hpp"
#include "evaluate/radii.hpp"
#include "linalg/thread_count.hpp"
#include "require.hpp"

namespace conelu {
namespace {

struct NamedAttack {
  const char* name;
  void (*run)(attacks::Victims&);
};

constexpr NamedAttack kAttacks[] = {{"fgsm", attacks::fgsm}, {"pgd", attacks::pgd}, {"strong", attacks::strong}};

const NamedAttack& find_attack(const std::string& name) {
  for (const NamedAttack& attack : kAttacks) {
    if (name == attack.name) return attack;
  }
  throw std::invalid_argument(
      fmt::format("attack: unknown name '{}', expected one of {}", name, fmt::join(attack_names(), ", ")));
}

void check_rows(const Network& network, const MatrixView& X, const VectorView& y, Task task) {
  require(X.cols() == network.inputs(),
          fmt::format("X: has {} columns, expected {}, the network's inputs", X.cols(), network.inputs()));
  require(y.size() == X.rows(), fmt::format("y: has {} targets, expected {}, one per row of X", y.size(), X.rows()));
  for (Index k = 0; k < X.rows(); ++k) {
    require(X.row(k).allFinite(), fmt::format("X: row {} is not finite", k));
    require(task == Task::regression ? std::isfinite(y(k)) : std::abs(y(k)) == 1,
            fmt::format("y: the target of row {} is {}, expected {}", k, y(k),
                        task == Task::regression ? "a finite number" : "-1 or 1"));
  }
}

void check_settings(const AttackSettings& settings, Index d) {
  check_radii(settings.threat.radii, d);
  require(settings.steps >= 1, fmt::format("steps: is {}, expected at least 1", settings.steps));
  require(std::isfinite(settings.step_size) && settings.step_size > 0,
          fmt::format("step_size: is {}, expected a finite number > 0", settings.step_size));
  require(settings.restarts >= 0, fmt::format("restarts: is {}, expected at least 0", settings.restarts));
  for (const auto& [name, values] : {std::pair{"lower", &settings.lower}, std::pair{"upper", &settings.upper}}) {
    require(values->size() == 0 || values->size() == d,
            fmt::format("{}: has {} values, expected {}, one per input", name, values->size(), d));
    require(!values->hasNaN(), fmt::format("{}: has a value that is not a number", name));
  }
  if (settings.lower.size() == 0 || settings.upper.size() == 0) return;
  for (Index a = 0; a < d; ++a) {
    require(settings.lower(a) <= settings.upper(a),
            fmt::format("lower: is {} for input {}, above {}, its upper", settings.lower(a), a, settings.upper(a)));
  }
}

}  // namespace

const std::vector<std::string>& attack_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const NamedAttack& attack : kAttacks) list.emplace_back(attack.name);
    return list;
  }();
  return names;
}

AttackResult attack(const std::string& name, const Network& network, const MatrixView& X, const VectorView& y,
                    const AttackSettings& settings) {
  const NamedAttack& chosen = find_attack(name);
  check_rows(network, X, y, settings.task);
  check_settings(settings, network.inputs());
  const Index n = X.rows();
  AttackResult result{X, Vector(n), Vector(n), Vector(n)};
  const ThreadCount threads(n <= attacks::kSlice ? 1 : 0);  // one slice has nothing to share out
#pragma omp parallel for schedule(dynamic)
  for (Index first = 0; first < n; first += attacks::kSlice) {
    const Index rows = std::min(attacks::kSlice, n - first);
    attacks::Victims victims(network, X.middleRows(first, rows), y.segment(first, rows), settings);
    chosen.run(victims);
    for (Index k = 0; k < rows; ++k) {
      for (Index a = 0; a < X.cols(); ++a) {
        // What was not moved stays bit for bit, the sign of a zero included.
        if (victims.worst()(a, k) != X(first + k, a)) result.points(first + k, a) = victims.worst()(a, k);
      }
      result.outputs(first + k) = victims.outputs()(k);
      result.severity(first + k) = victims.severity(k, victims.outputs()(k));
      result.clean(first + k) = victims.clean()(k);
    }
  }
  return result;
}

}  // namespace conelu
