#include "data/class_filter.hpp"

#include <fmt/core.h>

#include "data/text.hpp"

namespace conelu {

bool ClassFilter::wants(std::string_view label) {
  if (classes_.empty()) return true;
  const auto number = parse_number(label);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (label != classes_[i] && (!number || number != parse_number(classes_[i]))) continue;
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
