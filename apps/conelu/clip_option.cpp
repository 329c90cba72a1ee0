#include "clip_option.hpp"

#include <limits>

#include "usage.hpp"

namespace conelu::tool {

ClipRange ClipOption::range() const {
  const std::size_t comma = text.find(',');
  const std::string low = text.substr(0, comma);
  const std::string high = comma == std::string::npos ? "" : text.substr(comma + 1);
  for (const std::string& number : {low, high}) {
    constexpr double kLargest = std::numeric_limits<double>::max();
    if (!range_problem(number, -kLargest, kLargest).empty()) {
      throw UsageError(fmt::format("must be two numbers LO,HI, not {}", text.empty() ? "nothing" : text));
    }
  }
  const ClipRange range{std::stod(low), std::stod(high)};
  if (range.lowest > range.highest) throw UsageError(fmt::format("LO must not be above HI, as it is in {}", text));
  return range;
}

void ClipOption::apply_to(Vector& lower, Vector& upper, Index features, const Preprocessing& preprocessing) const {
  if (text.empty()) return;
  const auto limit = [&](double value) -> Vector {
    return preprocessing.apply(Matrix::Constant(1, features, value)).row(0).transpose();
  };
  lower = limit(range().lowest);
  upper = limit(range().highest);
}

CLI::Option* add_clip_option(CLI::App& command, ClipOption& clip) {
  const auto well_formed = [](const std::string& text) -> std::string {
    try {
      ClipOption{text}.range();
      return {};
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  return command
      .add_option("--clip", clip.text,
                  "keep features between these values, in the units of DATA; what is outside already stays as it is")
      ->option_text("LO,HI")
      ->default_str("any value")
      ->check(well_formed);
}

}  // namespace conelu::tool
