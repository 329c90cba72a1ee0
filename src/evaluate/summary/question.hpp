#pragma once

#include <vector>

#include "conelu/model.hpp"

namespace conelu::summary {

/// What one output must get right about some of the rows: its sign, y = -1 or +1, or its value.
///
/// How wrong it is at a point is the severity, as in AttackResult: -y f or |f - y|.
struct Question {
  Network network;
  Task task = Task::classification;
  std::vector<Index> rows;  ///< numbers of the rows
  Matrix X;                 ///< these rows, as the network sees them
  Vector y;
};

/// A row is predicted right if all questions about it are answered right: one, or with more than two classes one for
/// each rival of the row's class. `data` are preprocessed.
std::vector<Question> prediction_questions(const Model& model, const Dataset& data);

/// What a training loss asks of every network about all rows: of several, class against rest.
std::vector<Question> loss_questions(const Model& model, const Dataset& data, bool margin_loss);

/// Rows of all of them together.
Index count_rows(const std::vector<Question>& questions);

}  // namespace conelu::summary
