#include "data/labels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace conelu {
namespace {

constexpr std::size_t kinds_listed = 5;
/// Beyond this, labels are looked at twice: a quantity or a name can be taken for a class by mistake.
constexpr std::size_t many_classes = 100;

}  // namespace

Labels::Labels(const std::vector<std::string>& expected) : expected_(expected.size()) {
  for (const std::string& text : expected) add_kind(text, 0);
  if (!all_numbers()) return;
  for (std::size_t k = 0; k < expected_; ++k) {
    if (told_apart(kinds_[k].number)) expected_numbers_.emplace(*kinds_[k].number, k);
  }
}

void Labels::add(std::string_view text) { samples_.push_back(static_cast<std::uint32_t>(kind_of(text))); }

bool Labels::add_again(std::string_view text) {
  const auto kind = known_kind_of(text);
  if (kind) samples_.push_back(static_cast<std::uint32_t>(*kind));
  return kind.has_value();
}

std::optional<std::size_t> Labels::known_kind_of(std::string_view text) const {
  // Two classes are the usual case: comparing is quicker than hashing.
  for (std::size_t k = 0; k < std::min<std::size_t>(kinds_.size(), 4); ++k) {
    if (kinds_[k].text == text) return k;
  }
  const auto known = kind_of_text_.find(text);
  return known == kind_of_text_.end() ? std::nullopt : std::optional(known->second);
}

std::size_t Labels::kind_of(std::string_view text) {
  if (const auto known = known_kind_of(text)) return *known;
  if (!expected_numbers_.empty()) {
    const std::optional<double> number = parse_number(text);
    const auto same = number ? expected_numbers_.find(*number) : expected_numbers_.end();
    if (same != expected_numbers_.end()) return same->second;
  }
  add_kind(text, samples_.size() + 1);
  return kinds_.size() - 1;
}

void Labels::add_kind(std::string_view text, std::size_t first) {
  kind_of_text_.emplace(text, kinds_.size());
  kinds_.push_back({std::string(text), parse_number(text), first});
}

std::string Labels::problem() const {
  if (expected_ > 0) return problem_with_expected();
  if (kinds_.empty()) return "there are no labels";
  if (groups().size() > 1) return problem_with_count();
  return fmt::format("classification needs two classes or more, but every label is {}", in_quotes(kinds_[0].text));
}

std::string Labels::problem_with_expected() const {
  if (kinds_.size() == expected_) return {};
  std::vector<std::string> known;
  for (std::size_t k = 0; k < expected_; ++k) known.push_back(kinds_[k].text);
  return fmt::format("label {} in row {} is none of the classes of the model, {}", in_quotes(kinds_[expected_].text),
                     kinds_[expected_].first, listed(known, kinds_listed));
}

/// Numbers with fractions are hardly ever classes; nor is a value that hardly ever comes back.
std::string Labels::problem_with_count() const {
  const bool numbers = all_numbers();
  const auto has_fraction = [](const Kind& kind) { return *kind.number != std::trunc(*kind.number); };
  const bool fractions = numbers && std::any_of(kinds_.begin(), kinds_.end(), has_fraction);
  const std::size_t count = groups().size();
  const auto fewer_rows_each = [&](std::size_t rows) { return samples_.size() < rows * count; };
  const bool classes = fractions ? count <= 2 || (count <= many_classes && !fewer_rows_each(2))
                                 : count <= many_classes || !fewer_rows_each(numbers ? 10 : 2);
  if (classes) return {};
  return fmt::format("{} different {} in {} rows are too many to be classes{}", count, numbers ? "numbers" : "labels",
                     samples_.size(), numbers ? "; to predict a number, use --task regression" : "");
}

bool Labels::all_numbers() const {
  return std::all_of(kinds_.begin(), kinds_.end(), [](const Kind& kind) { return kind.number.has_value(); });
}

bool Labels::precedes(const Kind& a, const Kind& b, bool numbers) {
  if (numbers && (a.number != b.number || told_apart(a.number))) return *a.number < *b.number;
  return a.text < b.text;
}

std::vector<std::vector<std::size_t>> Labels::groups() const {
  std::vector<std::size_t> order(kinds_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool numbers = all_numbers();
  const auto before = [&](std::size_t a, std::size_t b) { return precedes(kinds_[a], kinds_[b], numbers); };
  if (expected_ == 0) std::stable_sort(order.begin(), order.end(), before);
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t kind : order) {
    if (groups.empty() || expected_ > 0 || before(groups.back().front(), kind)) groups.emplace_back();
    groups.back().push_back(kind);
  }
  return groups;
}

std::vector<std::string> Labels::classes() const {
  std::vector<std::string> result;
  for (const std::vector<std::size_t>& kinds : groups()) result.push_back(kinds_[kinds.front()].text);
  return result;
}

Vector Labels::coded() const {
  const std::vector<std::vector<std::size_t>> classes = groups();
  std::vector<double> code(kinds_.size());
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const double number = classes.size() == 2 ? (k == 1 ? 1.0 : -1.0) : static_cast<double>(k);
    for (const std::size_t kind : classes[k]) code[kind] = number;
  }
  Vector y(static_cast<Index>(samples_.size()));
  std::transform(samples_.begin(), samples_.end(), y.begin(), [&](std::size_t kind) { return code[kind]; });
  return y;
}

}  // namespace conelu
