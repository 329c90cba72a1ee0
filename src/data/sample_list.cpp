#include "data/sample_list.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "data/text.hpp"
#include "data/weights.hpp"

namespace conelu {

SampleList::SampleList(const std::string& path, const ReadSettings& settings)
    : path_(path), settings_(settings), filter_(settings.classes), target_(settings) {
  if (!settings.expected_encodings.empty()) {
    fail(fmt::format("has no names of columns, but the model knows column {} as text",
                     in_quotes(settings.expected_encodings[0].column)));
  }
}

void SampleList::fail(const std::string& problem) const {
  throw std::invalid_argument(fmt::format("{}: {}", path_, problem));
}

bool SampleList::add(std::string_view label, const std::string& where) {
  if (!filter_.wants(label)) return false;
  const std::string problem = target_.add(label);
  if (!problem.empty() && settings_.target_required) {
    throw std::invalid_argument(fmt::format("{}, {}: {}", path_, where, problem));
  }
  return true;
}

void SampleList::set_matrix(Matrix X) {
  data_.X = std::move(X);
  data_.features = settings_.expected_features;
  const auto columns = static_cast<std::size_t>(data_.X.cols());
  if (data_.features.empty()) data_.features = default_feature_names(columns);
  if (data_.features.size() != columns) {
    fail(fmt::format("has {} features a sample; expected the {} of the model", columns, data_.features.size()));
  }
}

Dataset SampleList::finish(bool labelled) {
  if (data_.samples() == 0) {
    fail(settings_.classes.empty() ? "holds no samples" : "no sample has a label that --classes asks for");
  }
  if (!settings_.weights.empty()) {
    if (!names_weights_file(settings_.weights)) {
      fail(fmt::format("there are no columns for weights ({}); expected a file", in_quotes(settings_.weights)));
    }
    data_.weights = read_weights(settings_.weights);
    check_weights(data_.weights, data_.samples(), settings_.weights);
  }
  if (labelled) {
    std::string problem = filter_.problem();
    if (problem.empty()) problem = target_.move_to(data_);
    if (!problem.empty() && settings_.target_required) fail(problem);
  }
  return std::move(data_);
}

}  // namespace conelu
