#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// The one source of randomness: xoshiro256** (Blackman and Vigna 2021), seeded through splitmix64.
///
/// Gives the same numbers on every platform, which the distributions of the standard library do not promise. Streams of
/// one seed are independent, so that work shared out by stream does not depend on the number of threads.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t x = seed;
    x = splitmix(x) ^ stream;
    for (std::uint64_t& word : state_) word = splitmix(x);
  }

  std::uint64_t next() {
    auto& s = state_;
    const std::uint64_t result = std::rotl(s[1] * 5, 7) * 9;
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
  }

  /// In [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Standard normal, by the ratio of uniforms with Leva's bounds (ACM TOMS 18, 1992).
  // The result is a plain quotient; the logarithm, which libraries round differently, only decides rare acceptances.
  double normal() {
    while (true) {
      const double u = 1 - uniform();
      const double v = 1.7156 * (uniform() - 0.5);
      const double x = u - 0.449871;
      const double y = std::abs(v) + 0.386595;
      const double q = x * x + y * (0.19600 * y - 0.25472 * x);
      if (q < 0.27597) return v / u;
      if (q <= 0.27846 && v * v <= -4 * u * u * std::log(u)) return v / u;
    }
  }

  /// Uniform in 0, ..., n - 1, without the bias of a plain remainder. n must be positive.
  Index below(Index n) {
    const auto range = static_cast<std::uint64_t>(n);
    const std::uint64_t rejected = (0 - range) % range;  // 2^64 mod n: what is left is a multiple of n
    std::uint64_t draw = next();
    while (draw < rejected) draw = next();
    return static_cast<Index>(draw % range);
  }

 private:
  static std::uint64_t splitmix(std::uint64_t& x) {
    x += 0x9e3779b97f4a7c15;
    std::uint64_t z = x;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::array<std::uint64_t, 4> state_;
};

}  // namespace conelu
