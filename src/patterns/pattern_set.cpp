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

/// Bits that both have. Not every machine that we are compiled for counts the bits of a word in one instruction.
/// Counting them in the word's bytes takes shifts and sums only, which compilers do for several words at once; after 31
/// words of up to 8 bits a byte, a byte is full.
Index count_common(std::span<const PatternSet::Word> a, std::span<const PatternSet::Word> b) {
  using Word = PatternSet::Word;
  constexpr std::size_t kWords = 31;
  constexpr Word kPairs = 0x5555555555555555, kNibbles = 0x3333333333333333, kBytes = 0x0f0f0f0f0f0f0f0f;
  constexpr Word kShorts = 0x00ff00ff00ff00ff, kSum = 0x0001000100010001;
  Word total = 0;
  for (std::size_t first = 0; first < a.size(); first += kWords) {
    const std::size_t last = std::min(first + kWords, a.size());
    Word bytes = 0;
    for (std::size_t k = first; k < last; ++k) {
      Word bits = a[k] & b[k];
      bits -= (bits >> 1) & kPairs;
      bits = (bits & kNibbles) + ((bits >> 2) & kNibbles);
      bytes += (bits + (bits >> 4)) & kBytes;
    }
    const Word shorts = (bytes & kShorts) + ((bytes >> 8) & kShorts);
    total += (shorts * kSum) >> 48;
  }
  return static_cast<Index>(total);
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

Matrix PatternSet::gram() const {
  Matrix common(count(), count());
  for (Index i = 0; i < count(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      common(i, j) = common(j, i) = static_cast<double>(count_common(words(i), words(j)));
    }
  }
  return common;
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
