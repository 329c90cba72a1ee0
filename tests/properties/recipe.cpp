#include "properties/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "conelu/patterns.hpp"
#include "conelu/program.hpp"
#include "conelu/threat.hpp"
#include "properties/flaw.hpp"

namespace conelu::properties {
namespace {

/// One of these, the simplest first; RapidCheck's own growing sizes would leave the first problems without variety.
template <class T>
rc::Gen<T> any_of(std::vector<T> options) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::sizedElementOf(std::move(options)));
}

/// 0, 1, -1, 2, ... within the limits, and 0 itself `often` more times.
rc::Gen<int> around_zero(int lowest, int highest, int often) {
  std::vector<int> options(static_cast<std::size_t>(often), 0);
  for (int size = 0; size <= std::max(-lowest, highest); ++size) {
    if (size <= highest) options.push_back(size);
    if (size > 0 && -size >= lowest) options.push_back(-size);
  }
  return any_of(std::move(options));
}

rc::Gen<int> from(int lowest, int highest) {
  std::vector<int> options;
  for (int i = lowest; i <= highest; ++i) options.push_back(i);
  return any_of(std::move(options));
}

/// The other names rarely: once in `rarity` draws.
rc::Gen<std::string> rarely(std::size_t rarity, const std::string& usual, const std::vector<std::string>& others) {
  std::vector<std::string> options((rarity - 1) * others.size(), usual);
  options.insert(options.end(), others.begin(), others.end());
  return any_of(std::move(options));
}

/// The sources, both at once with patterns that are none of X's, those alone, and no patterns at all.
std::vector<std::string> pattern_names() {
  std::vector<std::string> names;
  for (const PatternSource& source : pattern_sources()) names.insert(names.end(), 4, source.name);
  names.insert(names.end(), {"mixed", "mixed", "mixed", "mixed", "random", "random", "none"});
  return names;
}

void read(const std::string& text, std::string& value) { value = text; }
void read(const std::string& text, int& value) { value = std::stoi(text); }

}  // namespace

Recipe Recipe::from_text(const std::string& text) {
  Recipe recipe;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    bool known = false;
    visit(recipe, [&](const char* name, auto& value) {
      if (equals == std::string::npos || word.substr(0, equals) != name) return;
      read(word.substr(equals + 1), value);
      known = true;
    });
    if (!known) throw std::invalid_argument("CONELU_PROBLEM: does not know '" + word + "'");
  }
  return recipe;
}

std::string Recipe::text() const {
  std::vector<std::string> simplest;
  const auto shown = [](const char* name, const auto& value) {
    std::ostringstream out;
    out << name << '=' << value;
    return out.str();
  };
  const Recipe simple;
  visit(simple, [&](const char* name, const auto& value) { simplest.push_back(shown(name, value)); });
  std::string text;
  auto usual = simplest.begin();
  visit(*this, [&](const char* name, const auto& value) {
    if (const std::string field = shown(name, value); field != *usual++) text += (text.empty() ? "" : " ") + field;
  });
  return text;
}

LossPointer Recipe::make_loss() const { return conelu::make_loss(loss, {.huber_delta = std::pow(10.0, huber_delta)}); }

void showValue(const Recipe& recipe, std::ostream& out) { out << "CONELU_PROBLEM=\"" << recipe.text() << '"'; }

rc::Gen<Recipe> any_recipe() {
  using rc::gen::set;
  const auto flag = [](int rarity) {
    std::vector<int> options(static_cast<std::size_t>(rarity - 1), 0);
    options.push_back(1);
    return any_of(std::move(options));
  };
  return rc::gen::build<Recipe>(
      set(&Recipe::n, from(1, 24)), set(&Recipe::d, from(1, 6)), set(&Recipe::bias, from(0, 1)),
      set(&Recipe::loss, any_of(loss_names())), set(&Recipe::huber_delta, around_zero(-3, 3, 3)),
      set(&Recipe::method, any_of(method_names())), set(&Recipe::beta, around_zero(-100, 30, 0)),
      set(&Recipe::radii,
          any_of<std::string>({"none", "none", "none", "scalar", "scalar", "features", "some", "bias", "zero"})),
      set(&Recipe::norm, any_of(norm_names())), set(&Recipe::eps, around_zero(-40, 15, 0)),
      set(&Recipe::scale, around_zero(-8, 8, 16)), set(&Recipe::columns, any_of<int>({0, 0, 0, 0, 0, 0, 1, 4})),
      set(&Recipe::rows, any_of<int>({0, 0, 0, 0, 0, 0, 1, 4})),
      set(&Recipe::shift, any_of<int>({0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 6})), set(&Recipe::grid, flag(6)),
      set(&Recipe::rank_one, flag(12)), set(&Recipe::equal_columns, flag(8)), set(&Recipe::constant_column, flag(8)),
      set(&Recipe::zero_column, flag(8)), set(&Recipe::duplicates, any_of<int>({0, 0, 0, 0, 0, 0, 1, 2})),
      set(&Recipe::opposites, flag(10)), set(&Recipe::zero_rows, flag(10)),
      set(&Recipe::targets, any_of<std::string>({"rule", "rule", "rule", "noise", "equal", "zero", "outlier"})),
      set(&Recipe::target_scale, around_zero(-8, 8, 16)),
      set(&Recipe::target_offset, any_of<int>({0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 6, 8})),
      set(&Recipe::weights,
          any_of<std::string>({"none", "none", "none", "usual", "zeros", "ratios", "tiny", "huge", "single"})),
      set(&Recipe::patterns, any_of(pattern_names())), set(&Recipe::count, from(1, 12)),
      set(&Recipe::flaw, rarely(30, "none", flaw_names())),
      set(&Recipe::seed, rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 1000000))));
}

}  // namespace conelu::properties
