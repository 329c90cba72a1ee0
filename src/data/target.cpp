#include "data/target.hpp"

#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "data/text.hpp"

namespace conelu {

Target::Target(const ReadSettings& settings) : task_(settings.task), labels_(settings.expected_classes) {}

std::string Target::add(std::string_view text) {
  if (task_ == Task::classification && !text.empty() && labels_.add_again(text)) return {};
  const std::optional<double> number = parse_number(text);
  std::string problem;
  if (text.empty()) {
    problem = "the target is empty";
  } else if (number && !std::isfinite(*number)) {
    problem = not_finite(*number);
  } else if (task_ == Task::classification && !is_utf8(text)) {
    problem = fmt::format("{} is {}", in_quotes(text), not_utf8);
  } else if (task_ == Task::classification) {
    labels_.add(text);
  } else if (number) {
    values_.push_back(*number);
  } else {
    problem = in_quotes(text) + " is not a number, which regression needs as its target";
  }
  if (first_problem_.empty()) first_problem_ = problem;
  return problem;
}

std::string Target::add(double value) {
  if (task_ == Task::classification || !std::isfinite(value)) return add(format_number(value));
  values_.push_back(value);
  return {};
}

std::string Target::move_to(Dataset& data) {
  if (!first_problem_.empty()) return first_problem_;
  if (task_ == Task::regression) {
    data.y = Eigen::Map<const Vector>(values_.data(), static_cast<Index>(values_.size()));
    return {};
  }
  std::string problem = labels_.problem();
  if (problem.empty()) {
    data.y = labels_.coded();
    data.classes = labels_.classes();
  }
  return problem;
}

}  // namespace conelu
