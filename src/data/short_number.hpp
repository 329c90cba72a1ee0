#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace conelu {

struct ShortNumber {
  const char* end;  ///< what begins here is no part of it
  double value;     ///< NaN if it takes parse_number to tell
};

/// Those that are exact. Outside of functions, which would write the whole list to their stack.
inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Eight characters in one word, the first in its lowest byte; digits are there what they mean.
inline std::uint64_t eight_characters(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    std::uint64_t turned = 0;
    for (int byte = 0; byte < 8; ++byte) turned = turned << 8 | (word >> 8 * byte & 0xff);
    word = turned;
  }
  return word ^ 0x3030303030303030;
}

inline bool are_eight_digits(const char* at) {
  const std::uint64_t word = eight_characters(at);
  return (((word + 0x7676767676767676) | word) & 0x8080808080808080) == 0;
}

/// What they spell: pairs of digits, then pairs of pairs, then both halves.
inline std::uint64_t eight_digits(const char* at) {
  std::uint64_t word = eight_characters(at);
  word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ff;
  word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffff;
  return (word * 10000 + (word >> 32)) & 0xffffffff;
}

/// The double nearest to digits / 10^places, for up to 19 places. The quotient in whole numbers has at least three bits
/// more than a double; the last is set if there is a remainder, so that one rounding is all that happens.
inline double nearest_quotient(std::uint64_t digits, std::size_t places) {
  __extension__ using Wide = unsigned __int128;
  if (digits == 0) return 0;
  const auto divisor = static_cast<std::uint64_t>(powers_of_ten[places]);
  const int shift = std::max(0, 56 + std::countl_zero(digits) - std::countl_zero(divisor));
  const Wide numerator = Wide{digits} << shift;
  const auto quotient = static_cast<std::uint64_t>(numerator / divisor);
  const bool remainder = quotient * divisor != static_cast<std::uint64_t>(numerator);
  const auto power_of_two = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - shift) << 52);
  return static_cast<double>(quotient | (remainder ? 1U : 0U)) * power_of_two;
}

/// Steps over digits and appends them to `digits`, which is worthless after the 19th; returns how many they were.
[[gnu::always_inline]] inline std::ptrdiff_t scan_digits(const char*& at, const char* end, std::uint64_t& digits) {
  const char* const begin = at;
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned>(*at - '0');
    if (digit > 9) break;
    digits = 10 * digits + digit;
  }
  return at - begin;
}

/// The end of a number of `count` digits, of which `places` stand behind the point: an exponent, and more digits than a
/// double has. A function of its own, to keep what every short number goes through short.
[[gnu::noinline]] inline ShortNumber finish_long_number(const char* at, const char* end, std::uint64_t digits,
                                                        std::ptrdiff_t count, std::ptrdiff_t places) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (count < 1 || count > 19) return {at, unknown};
  std::ptrdiff_t power = -places;
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    const bool minus = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    std::uint64_t exponent = 0;
    const std::ptrdiff_t exponent_digits = scan_digits(at, end, exponent);
    if (exponent_digits < 1 || exponent_digits > 3) return {at, unknown};
    power += minus ? -static_cast<std::ptrdiff_t>(exponent) : static_cast<std::ptrdiff_t>(exponent);
  }
  if (count > 15) {
    const bool in_range = power >= -19 && power <= 0;
    return {at, in_range ? nearest_quotient(digits, static_cast<std::size_t>(-power)) : unknown};
  }
  if (power < -22 || power > 22) return {at, unknown};
  const auto value = static_cast<double>(digits);
  return {at, power < 0 ? value / powers_of_ten[-power] : value * powers_of_ten[power]};
}

/// Reads a number such as 7, -12.5 or 1.25e-3 from the front of a text in a few nanoseconds.
///
/// Whole numbers below 2^53 and powers of ten up to 10^22 are exact, so that one product or quotient of them is the
/// double nearest to the decimal number (Clinger 1990). From 16 to 19 digits, all that programs write of a double, take
/// nearest_quotient; other numbers have no value here.
[[gnu::always_inline]] inline ShortNumber scan_short_number(const char* at, const char* end) {
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t digits = 0;
  std::ptrdiff_t count = scan_digits(at, end, digits), places = 0;
  if (at != end && *at == '.') {
    const char* const first = ++at;
    for (; end - at >= 8 && are_eight_digits(at); at += 8) digits = 100000000 * digits + eight_digits(at);
    scan_digits(at, end, digits);
    places = at - first;
    count += places;
  }
  const bool is_short = count >= 1 && count <= 15 && (at == end || (*at | 0x20) != 'e');
  ShortNumber number{at, static_cast<double>(digits)};
  if (!is_short) {
    number = finish_long_number(at, end, digits, count, places);
  } else if (places > 0) {
    number.value /= powers_of_ten[places];
  }
  if (negative) number.value = -number.value;
  return number;
}

}  // namespace conelu
