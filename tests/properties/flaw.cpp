#include "properties/flaw.hpp"

#include <limits>
#include <stdexcept>

namespace conelu::properties {
namespace {

void set_radius(Instance& instance, double radius) {
  instance.threat.radii = Vector::Zero(instance.X.cols());
  instance.threat.radii(0) = radius;
}

void set_weight(Instance& instance, double weight) {
  if (instance.weights.size() == 0) instance.weights = Vector::Ones(instance.X.rows());
  instance.weights(0) = weight;
}

}  // namespace

const std::vector<Flaw>& flaws() {
  static const std::vector<Flaw> all = {
      {"nan_feature", "X", [](Instance& i) { i.X(0, 0) = kNaN; }},
      {"infinite_feature", "X", [](Instance& i) { i.X(i.X.rows() - 1, 0) = -kInfinity; }},
      {"giant_feature", "X", [](Instance& i) { i.weights = Vector(), i.X(0, 0) = 1e70; }},
      {"nan_target", "y", [](Instance& i) { i.y(0) = kNaN; }},
      {"giant_target", "y", [](Instance& i) { i.y(0) = 1e70; }},
      {"missing_target", "y", [](Instance& i) { i.y.conservativeResize(i.y.size() - 1); }},
      {"negative_weight", "weights", [](Instance& i) { set_weight(i, -1); }},
      {"nan_weight", "weights", [](Instance& i) { set_weight(i, kNaN); }},
      {"no_weight", "weights", [](Instance& i) { i.weights = Vector::Zero(i.X.rows()); }},
      {"zero_beta", "beta", [](Instance& i) { i.beta = 0; }},
      {"nan_beta", "beta", [](Instance& i) { i.beta = kNaN; }},
      {"negative_radius", "eps", [](Instance& i) { set_radius(i, -1); }},
      {"infinite_radius", "eps", [](Instance& i) { set_radius(i, kInfinity); }},
      {"missing_radius", "eps", [](Instance& i) { i.threat.radii = Vector::Ones(i.X.cols() + 1); }},
      {"foreign_patterns", "patterns", [](Instance& i) {
         i.patterns = PatternSet(i.X.rows() + 1);
         i.patterns.add(Vector::Ones(i.X.rows() + 1));
       }}};
  return all;
}

std::vector<std::string> flaw_names() {
  std::vector<std::string> names;
  for (const Flaw& flaw : flaws()) names.push_back(flaw.name);
  return names;
}

const Flaw& find_flaw(const std::string& name) {
  for (const Flaw& flaw : flaws()) {
    if (flaw.name == name) return flaw;
  }
  throw std::invalid_argument("flaw: unknown name '" + name + "'");
}

}  // namespace conelu::properties
