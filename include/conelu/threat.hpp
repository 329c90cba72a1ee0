#pragma once

#include <string>
#include <vector>

#include "conelu/export.hpp"
#include "conelu/linear_algebra.hpp"

namespace CONELU_API conelu {

/// The norm p in which an attacker's perturbation is measured; its dual exponent is q = 1, 2 and infinity.
enum class Norm { infinity, two, one };

/// "inf", "2", "1": the names on the command line and in records.
const char* to_string(Norm norm);
const std::vector<std::string>& norm_names();
/// Throws std::invalid_argument listing the known names.
Norm make_norm(const std::string& name);

/// What an attacker may do to every sample: add any delta with |delta / radii|_p <= 1, entry by entry; a feature of
/// radius 0 is out of reach.
///
/// Everything that training needs of it is its support function, the dual norm |radii o u|_q of a direction u.
struct Threat {
  Norm norm = Norm::infinity;
  Vector radii;  ///< one per column of X, the bias column included; empty: nobody perturbs anything

  /// The same radius for all d features, and 0 for the bias column that follows them if there is one.
  /// Throws std::invalid_argument if the radius is negative or not finite.
  static Threat uniform(Norm norm, double radius, Index d, bool bias);

  /// True if some feature can be perturbed.
  bool active() const { return radii.size() > 0 && radii.maxCoeff() > 0; }
  /// max over the ball of u'delta = |radii o u|_q
  double worst_change(const Eigen::Ref<const Vector>& u) const;
  /// The delta of the ball that attains it. Where u leaves a choice, entries are 0.
  Vector worst_perturbation(const Eigen::Ref<const Vector>& u) const;
  /// |delta / radii|_p: at most 1 inside the ball; infinite if a feature of radius 0 was touched.
  double size(const Eigen::Ref<const Vector>& delta) const;
};

}  // namespace conelu
