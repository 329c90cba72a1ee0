#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <random>

#include "apps/process.hpp"
#include "data/temporary_files.hpp"

namespace conelu::test {

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Words of a command line that must be refused, and what the message must hold.
struct BadOption {
  Arguments words;
  std::vector<std::string> parts;
};

/// A folder with small data in it.
class Tool : public TemporaryFiles {
 protected:
  /// Twelve points: the label tells whether a and b have the same sign.
  std::string xor_file(const std::string& name = "xor.csv") const {
    std::string text = "a,b,label\n";
    for (const double r : {1.0, 1.5, 2.5}) {
      text += fmt::format("{0},{1},same\n-{0},-{1},same\n-{0},{1},other\n{0},-{1},other\n", r, r + 0.25);
    }
    return write(name, text);
  }

  /// Enough work for seconds, in thirty dimensions.
  std::string large_file() const {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    std::string text;
    for (int k = 0; k < 800; ++k) {
      for (int a = 0; a < 30; ++a) text += fmt::format("{:.4f},", normal(random));
      text += normal(random) > 0 ? "1\n" : "-1\n";
    }
    return write("large.csv", text);
  }

  /// Exit code 2, nothing on stdout, and a message with all of these in it.
  void expect_tool_refuses(const Arguments& arguments, const std::vector<std::string>& parts) const {
    const ProcessResult result = run_tool(arguments);
    EXPECT_EQ(result.exit_code, 2) << fmt::format("{}", fmt::join(arguments, " "));
    EXPECT_EQ(result.out, "");
    for (const std::string& part : parts) {
      EXPECT_NE(result.err.find(part), std::string::npos) << "no '" << part << "' in: " << result.err;
    }
  }
};

}  // namespace conelu::test

namespace conelu {

using test::Arguments;
using test::BadOption;
using test::contains;
using test::ProcessResult;
using test::Tool;
using test::operator+;
using test::run_tool;
using test::run_tool_on_terminal;

}  // namespace conelu
