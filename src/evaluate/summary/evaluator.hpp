#pragma once

#include "evaluate/summary/attacker.hpp"
#include "evaluate/summary/severity_range.hpp"
#include "evaluate/summary/verdicts.hpp"

namespace conelu::summary {

/// Fills in an Evaluation, step by step: from what costs little to what takes long.
class Evaluator {
 public:
  Evaluator(const Model& model, const Dataset& data, const EvaluationSettings& settings,
            const EvaluationCallback& progress);

  Evaluation run();

 private:
  /// False: stopped.
  bool attack();
  /// By the closed form.
  void bound();
  void verify_verdicts();
  void verify_errors();
  void bound_objective();
  void find_radii();

  Index n() const { return rows_.samples(); }
  bool classifies() const { return model_.task == Task::classification; }
  bool has_rivals() const { return model_.networks.size() > 1; }
  std::vector<Index> labels() const;

  /// Accuracy or mean squared error.
  double score(const Damage& damage) const;
  /// Share of the rows about which this is true.
  template <class Condition>
  double share_of(Condition&& condition) const;
  double mean_square(const Vector& errors) const;
  double mean(const Vector& of_row) const;

  const Model& model_;
  const EvaluationSettings& settings_;
  Reporter reporter_;
  Dataset rows_;
  std::vector<Question> questions_;
  Damage attacked_;      // by all attacks so far
  Verdicts verdicts_;    // classification
  SeverityRange range_;  // of the worst question about a row
  std::vector<Verification> verified_;
  Evaluation facts_;
};

}  // namespace conelu::summary
