#include "data/labels.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "data/text.hpp"

namespace conelu {
namespace {

constexpr std::size_t kinds_listed = 5;

}  // namespace

Labels::Labels(const std::vector<std::string>& expected) : expected_(!expected.empty()) {
  for (const std::string& text : expected) kinds_.push_back({text, parse_number(text), 0});
}

void Labels::add(std::string_view text) { samples_.push_back(static_cast<unsigned char>(kind_of(text))); }

std::size_t Labels::kind_of(std::string_view text) {
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    if (kinds_[k].text == text) return k;
  }
  const std::optional<double> number = parse_number(text);
  for (std::size_t k = 0; number && k < kinds_.size(); ++k) {
    if (kinds_[k].number == number) return k;
  }
  // One kind beyond the listed ones is enough to say that there are more.
  if (kinds_.size() <= kinds_listed) kinds_.push_back({std::string(text), number, samples_.size() + 1});
  return kinds_.size() - 1;
}

std::string Labels::problem() const {
  if (expected_ && kinds_.size() > 2) {
    return fmt::format("label {} in row {} is neither {} nor {}, the classes of the model", quoted(kinds_[2].text),
                       kinds_[2].first, quoted(kinds_[0].text), quoted(kinds_[1].text));
  }
  if (kinds_.size() > 2) {
    std::vector<std::string> texts;
    for (const Kind& kind : kinds_) texts.push_back(kind.text);
    const bool more = texts.size() > kinds_listed;
    if (more) texts.pop_back();
    return fmt::format("classification needs labels of two values, found {}{}{}", more ? "more than " : "",
                       fmt::format("{}: ", texts.size()), listed(texts, kinds_listed) + (more ? ", ..." : ""));
  }
  if (kinds_.size() == 1) {
    return fmt::format("classification needs two classes, but every label is {}", quoted(kinds_[0].text));
  }
  return kinds_.empty() ? "there are no labels" : "";
}

bool Labels::first_is_positive() const {
  if (expected_) return false;
  if (kinds_[0].number && kinds_[1].number) return *kinds_[0].number > *kinds_[1].number;
  return kinds_[0].text > kinds_[1].text;
}

std::vector<std::string> Labels::classes() const {
  std::vector<std::string> result = {kinds_[0].text, kinds_[1].text};
  if (first_is_positive()) std::swap(result[0], result[1]);
  return result;
}

Vector Labels::coded() const {
  const double first = first_is_positive() ? 1 : -1;
  Vector y(static_cast<Index>(samples_.size()));
  std::transform(samples_.begin(), samples_.end(), y.begin(), [&](auto kind) { return kind == 0 ? first : -first; });
  return y;
}

}  // namespace conelu
