#include "conelu/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "data/file.hpp"

namespace conelu {
namespace {

/// Sum of the weighted losses over the sum of the weights.
template <class LossOfScore>
double weighted_mean(const Model& model, const Dataset& data, LossOfScore&& loss) {
  if (data.y.size() != data.samples() || data.samples() == 0) {
    throw std::invalid_argument(
        fmt::format("data: {} rows with {} targets, expected one target per row", data.samples(), data.y.size()));
  }
  const Vector scores = model.scores(data.X);
  double sum = 0;
  double total = 0;
  for (Index k = 0; k < scores.size(); ++k) {
    const double weight = data.weights.size() == 0 ? 1.0 : data.weights(k);
    sum += weight * loss(scores(k), data.y(k));
    total += weight;
  }
  return total > 0 ? sum / total : 0.0;
}

/// Quoted as RFC 4180 asks for if the text could be taken for more than one cell.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace

double accuracy(const Model& model, const Dataset& data) {
  return weighted_mean(model, data, [](double f, double y) { return (f >= 0) == (y > 0) ? 1.0 : 0.0; });
}

double mean_squared_error(const Model& model, const Dataset& data) {
  return weighted_mean(model, data, [](double f, double y) { return (f - y) * (f - y); });
}

std::string predictions_csv(const Model& model, const VectorView& scores) {
  std::vector<std::string> cells;
  std::transform(model.classes.begin(), model.classes.end(), std::back_inserter(cells), csv_cell);
  std::string csv = "prediction,score\n";
  for (const double score : scores) {
    if (model.task == Task::classification) {
      fmt::format_to(std::back_inserter(csv), "{},{}\n", cells[score >= 0 ? 1 : 0], score);
    } else {
      fmt::format_to(std::back_inserter(csv), "{},{}\n", score, score);
    }
  }
  return csv;
}

void save_predictions(const Model& model, const VectorView& scores, const std::string& path) {
  write_file_atomically(path, predictions_csv(model, scores));
}

}  // namespace conelu
