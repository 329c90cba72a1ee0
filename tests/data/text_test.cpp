#include "data/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "data/short_number.hpp"

namespace conelu {
namespace {

// The C library rounds correctly, too, by other means.
TEST(ParsedNumber, IsTheNearestDouble) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 200000; ++trial) {
    std::string text = fmt::format("{}{}", random() % 2 ? "-" : "", random() >> random() % 64);
    if (random() % 4) text.insert(text.size() - random() % std::min<std::size_t>(text.size(), 18), ".");
    if (text.starts_with(".")) text = "0" + text;
    if (random() % 4 == 0)
      text += fmt::format("{}{}{}", random() % 2 ? "e" : "E", random() % 2 ? "-" : "", random() % 40);
    const auto value = parse_number(text);
    ASSERT_TRUE(value.has_value()) << text;
    ASSERT_EQ(*value, std::strtod(text.c_str(), nullptr)) << text;
  }
}

// 16 to 19 digits: what programs write of a double, and the cases in which the quotient is nearly half way between two.
TEST(ParsedNumber, IsTheNearestDoubleWithAllItsDigits) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 200000; ++trial) {
    const double value = std::ldexp(static_cast<double>(random() >> 11), -static_cast<int>(random() % 60) - 30);
    std::string text = fmt::format("{}", value);
    ASSERT_EQ(parse_number(text), value) << text;
    text = fmt::format("{:.{}f}", value + 0.5 * (std::nextafter(value, INFINITY) - value), random() % 20);
    ASSERT_EQ(parse_number(text), std::strtod(text.c_str(), nullptr)) << text;
  }
  // 2^53 + 1 and its neighbours, with and without something behind the tie.
  for (const char* text : {"9007199254740993", "9007199254740993.0", "9007199254740993.001", "9007199254740995.00",
                           "900719925474099.3", "9.007199254740993001", "18446744073709551615", "9999999999999999999",
                           "0.9999999999999999999", "0.0000000000000000001", "0.0000000000000000000",
                           "-1234567890.123456789", "1234567890123456e-16", "1234567890123456e3"}) {
    EXPECT_EQ(*parse_number(text), std::strtod(text, nullptr)) << text;
  }
}

// A field ends where its number does, whatever is behind it and however near the end of the text is.
TEST(ShortNumber, EndsWhereItsDigitsDo) {
  for (const std::string number : {"7", "-12.5", "0.12345678", "0.1234567890123456", "12345678901234567", "1e-7"}) {
    for (const std::string rest : {"", ",", ";12345678", ",1.5,2.5,3.5,4.5", "\n", "x", "/", ":"}) {
      const std::string text = number + rest;
      const ShortNumber found = scan_short_number(text.data(), text.data() + text.size());
      EXPECT_EQ(found.end, text.data() + number.size()) << text;
      EXPECT_EQ(found.value, std::strtod(number.c_str(), nullptr)) << text;
    }
  }
}

TEST(ParsedNumber, IsOneInManySpellings) {
  for (const char* text : {"0", "1.", ".5", "-.5", "+1", "1e5", "1E-5", "1e+05", "1.25e-022", "0e999", "1e22", "1e23",
                           "000123", "999999999999999", "9999999999999999", "0.000000000000001", "123456789012345.678",
                           "4.9e-324", "1.7976931348623157e308"}) {
    ASSERT_TRUE(parse_number(text).has_value()) << text;
    EXPECT_EQ(*parse_number(text), std::strtod(text, nullptr)) << text;
  }
  EXPECT_TRUE(std::signbit(*parse_number("-0")));
  EXPECT_TRUE(std::isnan(*parse_number("nan")));
  EXPECT_EQ(*parse_number("-1e999"), -INFINITY);
}

TEST(ParsedNumber, IsNotWhatOnlyBeginsLikeOne) {
  for (const char* text : {"",     "-",   ".",  "-.", "1.2.3", "1,5",  "1 2",   "--1",  "+-1",   "1-",
                           "0x10", "one", "1e", "e5", "1e-",   "1e5.", "1e1.5", "1ee5", "1e+-5", "1 e5"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

// The table of well-formed byte sequences in the Unicode standard, at its edges.
TEST(Utf8, IsWhatUnicodeSaysItIs) {
  for (const char* text : {"", "a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbf",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "z\xc3\xa4hl"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const char* text : {"\x80", "\xc3", "\xc3(", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xe2\x82", "gr\xf6\xdf"}) {
    EXPECT_FALSE(is_utf8(text)) << in_quotes(text);
  }
}

}  // namespace
}  // namespace conelu
