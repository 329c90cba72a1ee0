#include "evaluate/summary/attacker.hpp"

#include <omp.h>

#include <algorithm>

#include "evaluate/summary/settings.hpp"

namespace conelu::summary {

bool Attacker::run(const std::string& name, const Question& question, const std::vector<Question>& others,
                   Damage& clean, Damage& attacked) {
  const AttackSettings settings = attack_settings(settings_, question.task);
  const Index part = 128 * omp_get_max_threads();
  for (Index first = 0; first < question.y.size(); first += part) {
    if (!reporter_.tell()) return false;
    const Index count = std::min(part, question.y.size() - first);
    const AttackResult result =
        attack(name, question.network, question.X.middleRows(first, count), question.y.segment(first, count), settings);
    clean.include(question, first, result.clean);
    attacked.include(question, first, result.clean);
    attacked.include(question, first, result.outputs);
    for (const Question& other : others) {
      if (&other == &question || other.rows != question.rows) continue;
      attacked.include(other, first, other.network.predict(result.points));
    }
    reporter_.add(count);
  }
  return true;
}

bool Attacker::run(const std::string& name, const std::vector<Question>& questions, Damage& clean, Damage& attacked) {
  reporter_.begin(name, count_rows(questions));
  return std::all_of(questions.begin(), questions.end(),
                     [&](const Question& question) { return run(name, question, questions, clean, attacked); });
}

}  // namespace conelu::summary
