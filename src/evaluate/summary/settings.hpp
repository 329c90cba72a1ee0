#pragma once

#include "conelu/evaluation.hpp"

namespace conelu::summary {

/// The same attacker for everybody who asks.
inline AttackSettings attack_settings(const EvaluationSettings& settings, Task task) {
  AttackSettings result;
  result.threat = settings.threat;
  result.task = task;
  result.restarts = settings.restarts;
  result.seed = settings.seed;
  result.lower = settings.lower;
  result.upper = settings.upper;
  return result;
}

inline VerifySettings verify_settings(const EvaluationSettings& settings) {
  VerifySettings result;
  result.threat = settings.threat;
  result.time_limit = settings.time_limit;
  result.branch_limit = settings.branch_limit;
  result.lower = settings.lower;
  result.upper = settings.upper;
  result.threads = settings.threads;
  return result;
}

}  // namespace conelu::summary
