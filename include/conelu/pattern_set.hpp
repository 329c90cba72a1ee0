#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "conelu/export.hpp"
#include "conelu/linear_algebra.hpp"

namespace CONELU_API conelu {

/// Distinct activation patterns, one bit a sample.
///
/// Pattern i says which samples a neuron is active on: d_ik = 1 if x_k'u >= 0. Sources that know a direction u strictly
/// inside the cone of a pattern (e_ik x_k'u > 0 for every non-zero row, e = 2d - 1) store it as the pattern's witness;
/// patterns from a file have none.
class PatternSet {
 public:
  using Word = std::uint64_t;

  explicit PatternSet(Index samples = 0) : samples_(samples) {}

  Index samples() const { return samples_; }
  Index count() const { return static_cast<Index>(witnesses_.size()); }
  bool active(Index pattern, Index sample) const {
    return (words(pattern)[static_cast<std::size_t>(sample / 64)] >> (sample % 64)) & 1U;
  }
  std::span<const Word> words(Index pattern) const {
    return {bits_.data() + static_cast<std::size_t>(pattern) * words_per_pattern(), words_per_pattern()};
  }
  /// Size 0 if none is known.
  const Vector& witness(Index pattern) const { return witnesses_[static_cast<std::size_t>(pattern)]; }

  /// Adds the pattern [preactivations >= 0] unless it is there already; true if it was new.
  bool add(const VectorView& preactivations, const Vector& witness = {});
  /// As above with 0/1 activations packed by the caller; unused high bits must be 0.
  bool add_words(std::span<const Word> words, const Vector& witness = {});

  bool contains(std::span<const Word> words) const;

  /// 0/1 as a P x n matrix, the layout of pattern files.
  Matrix to_matrix() const;
  /// P x P: how many samples patterns i and j are both active on, the Gram matrix of the activations.
  Matrix gram() const;
  /// The same patterns on fewer samples. Patterns that become equal are merged (the first witness stays).
  PatternSet select_samples(const std::vector<Index>& samples) const;

  /// True if every pattern that X has is here, which makes the sampled program the exact one.
  bool complete() const { return complete_; }
  void set_complete(bool complete) { complete_ = complete; }

  static std::size_t words_for(Index samples) { return static_cast<std::size_t>((samples + 63) / 64); }

 private:
  std::size_t words_per_pattern() const { return words_for(samples_); }

  Index samples_ = 0;
  bool complete_ = false;
  std::vector<Word> bits_;
  std::vector<Vector> witnesses_;
  std::unordered_multimap<std::uint64_t, Index> index_;  ///< hash of the words -> pattern
};

}  // namespace conelu
