#include "data/class_filter.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "data/text.hpp"

namespace conelu {

ClassFilter::ClassFilter(const std::vector<std::string>& classes) : classes_(classes), seen_(classes.size(), false) {
  for (const std::string& text : classes) numbers_.push_back(parse_number(text));
  const bool texts = std::find(numbers_.begin(), numbers_.end(), std::nullopt) != numbers_.end();
  for (std::optional<double>& number : numbers_) {
    if (texts || !told_apart(number)) number.reset();
  }
}

bool ClassFilter::wants(std::string_view label) {
  if (classes_.empty()) return true;
  const std::optional<double> number = parse_number(label);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (label != classes_[i] && (!numbers_[i] || number != numbers_[i])) continue;
    seen_[i] = true;
    return true;
  }
  return false;
}

std::string ClassFilter::problem() const {
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (!seen_[i]) return fmt::format("no row has the label {} that --classes asks for", in_quotes(classes_[i]));
  }
  return {};
}

}  // namespace conelu
