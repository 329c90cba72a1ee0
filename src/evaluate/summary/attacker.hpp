#pragma once

#include "evaluate/summary/damage.hpp"
#include "evaluate/summary/reporter.hpp"

namespace conelu::summary {

/// Attacks the rows of questions in parts, between which it can be stopped: what happens to a row does not depend on
/// others.
class Attacker {
 public:
  Attacker(const EvaluationSettings& settings, Reporter& reporter) : settings_(settings), reporter_(reporter) {}

  /// Adds to what was seen of the rows: themselves to `clean`, and with the worst points found to `attacked`.
  /// False: stopped.
  bool run(const std::string& attack, const Question& question, Damage& clean, Damage& attacked) {
    return run(attack, question, {}, clean, attacked);
  }

  /// A step of its own that goes through all questions. A point that was found for one of them may be the answer to
  /// another about the same rows: on the way to one class a row may fall to a third.
  bool run(const std::string& attack, const std::vector<Question>& questions, Damage& clean, Damage& attacked);

 private:
  bool run(const std::string& attack, const Question& question, const std::vector<Question>& others, Damage& clean,
           Damage& attacked);

  const EvaluationSettings& settings_;
  Reporter& reporter_;
};

}  // namespace conelu::summary
