#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace conelu {

struct ShortNumber {
  const char* end;  ///< what begins here is no part of it
  double value;     ///< NaN if it takes parse_number to tell
};

/// Those that are exact. Outside of functions, which would write the whole list to their stack.
inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Reads a number such as 7, -12.5 or 1.25e-3 from the front of a text in a few nanoseconds.
///
/// Whole numbers below 2^53 and powers of ten up to 10^22 are exact, so that one product or quotient of them is the
/// double nearest to the decimal number (Clinger 1990). Longer numbers have no value here.
[[gnu::always_inline]] inline ShortNumber scan_short_number(const char* at, const char* end) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto scan_digits = [&at, end](std::uint64_t& digits) {
    const char* const begin = at;
    for (; at != end; ++at) {
      const auto digit = static_cast<unsigned>(*at - '0');
      if (digit > 9) break;
      digits = 10 * digits + digit;
    }
    return at - begin;
  };

  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t digits = 0;
  std::ptrdiff_t count = scan_digits(digits), power = 0;
  if (at != end && *at == '.') {
    ++at;
    power = -scan_digits(digits);
    count -= power;
  }
  if (count < 1 || count > 15) return {at, unknown};
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    const bool minus = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    std::uint64_t exponent = 0;
    const std::ptrdiff_t exponent_digits = scan_digits(exponent);
    if (exponent_digits < 1 || exponent_digits > 3) return {at, unknown};
    power += minus ? -static_cast<std::ptrdiff_t>(exponent) : static_cast<std::ptrdiff_t>(exponent);
    if (power < -22 || power > 22) return {at, unknown};
  }
  auto value = static_cast<double>(digits);
  if (power < 0) value /= powers_of_ten[-power];
  if (power > 0) value *= powers_of_ten[power];
  return {at, negative ? -value : value};
}

}  // namespace conelu
