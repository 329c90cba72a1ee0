#include "conelu/pattern_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace conelu {
namespace {

std::uint64_t hash(std::span<const PatternSet::Word> words) {
  std::uint64_t h = 0;
  for (const PatternSet::Word word : words) {
    h = (h ^ word) * 0x9e3779b97f4a7c15;
    h ^= h >> 29;
  }
  return h;
}

void require_samples(Index given, Index expected) {
  if (given == expected) return;
  throw std::invalid_argument(fmt::format("pattern: is for {} samples, expected {}", given, expected));
}

}  // namespace

bool PatternSet::add(const VectorView& preactivations, const Vector& witness) {
  require_samples(preactivations.size(), samples_);
  std::vector<Word> words(words_per_pattern());
  for (Index k = 0; k < samples_; ++k) {
    words[static_cast<std::size_t>(k / 64)] |= static_cast<Word>(preactivations(k) >= 0) << (k % 64);
  }
  return add_words(words, witness);
}

bool PatternSet::add_words(std::span<const Word> words, const Vector& witness) {
  if (words.size() != words_per_pattern()) require_samples(64 * static_cast<Index>(words.size()), samples_);
  if (contains(words)) return false;
  index_.emplace(hash(words), count());
  bits_.insert(bits_.end(), words.begin(), words.end());
  witnesses_.push_back(witness);
  return true;
}

bool PatternSet::contains(std::span<const Word> words) const {
  const auto [first, last] = index_.equal_range(hash(words));
  return std::any_of(first, last,
                     [&](const auto& entry) { return std::ranges::equal(this->words(entry.second), words); });
}

Matrix PatternSet::to_matrix() const {
  Matrix activations(count(), samples_);
  for (Index i = 0; i < count(); ++i) {
    for (Index k = 0; k < samples_; ++k) activations(i, k) = active(i, k) ? 1.0 : 0.0;
  }
  return activations;
}

PatternSet PatternSet::select_samples(const std::vector<Index>& samples) const {
  PatternSet selected(static_cast<Index>(samples.size()));
  std::vector<Word> words(selected.words_per_pattern());
  for (Index i = 0; i < count(); ++i) {
    std::ranges::fill(words, Word{0});
    for (std::size_t k = 0; k < samples.size(); ++k)
      words[k / 64] |= static_cast<Word>(active(i, samples[k])) << (k % 64);
    selected.add_words(words, witness(i));
  }
  // Every cell of fewer hyperplanes contains a cell of all of them.
  selected.complete_ = complete_;
  return selected;
}

}  // namespace conelu
