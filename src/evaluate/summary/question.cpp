#include "evaluate/summary/question.hpp"

#include <numeric>

#include "evaluate/verify/contests.hpp"

namespace conelu::summary {
namespace {

std::vector<Index> all_rows(const Dataset& data) {
  std::vector<Index> rows(static_cast<std::size_t>(data.samples()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

std::vector<Index> rows_of_class(const Dataset& data, Index label) {
  std::vector<Index> rows;
  for (Index k = 0; k < data.samples(); ++k) {
    if (data.class_of(k) == label) rows.push_back(k);
  }
  return rows;
}

}  // namespace

std::vector<Question> prediction_questions(const Model& model, const Dataset& data) {
  if (model.networks.size() == 1) return {{model.network(), model.task, all_rows(data), data.X, data.y}};
  std::vector<Question> questions;
  const verification::Contests contests(model.networks);
  for (Index label = 0; label < static_cast<Index>(model.networks.size()); ++label) {
    const std::vector<Index> rows = rows_of_class(data, label);
    if (rows.empty()) continue;
    const Matrix X = data.X(rows, Eigen::all);
    for (const verification::Contest& contest : contests.of_class(label)) {
      questions.push_back({contest.network->network(), model.task, rows, X, Vector::Constant(X.rows(), contest.y)});
    }
  }
  return questions;
}

std::vector<Question> loss_questions(const Model& model, const Dataset& data, bool margin_loss) {
  const Task task = margin_loss ? Task::classification : Task::regression;
  if (model.networks.size() == 1) return {{model.network(), task, all_rows(data), data.X, data.y}};
  std::vector<Question> questions;
  for (std::size_t c = 0; c < model.networks.size(); ++c) {
    questions.push_back(
        {model.networks[c], task, all_rows(data), data.X, one_against_rest(data, static_cast<Index>(c)).y});
  }
  return questions;
}

Index count_rows(const std::vector<Question>& questions) {
  Index count = 0;
  for (const Question& question : questions) count += question.y.size();
  return count;
}

}  // namespace conelu::summary
