#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "conelu/solver.hpp"

namespace conelu::tool {

bool is_terminal(std::FILE* stream);
/// A terminal, and neither NO_COLOR nor TERM=dumb in the environment.
bool has_colour(std::FILE* stream);
/// A terminal whose locale says UTF-8.
bool has_unicode(std::FILE* stream);

enum class Colour { red = 31, green = 32, yellow = 33, grey = 90, bold = 1 };
/// The text in that colour where `stream` has any, else as it is.
std::string paint(Colour colour, const std::string& text, std::FILE* stream);

/// One line on stderr that is drawn over and over and gone in the end. Silent where stderr is not a terminal.
class LiveLine {
 public:
  explicit LiveLine(bool wanted);
  ~LiveLine() { erase(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  void show(const std::string& text);
  /// At most ten times a second, as for the news of a solve.
  void show_at_times(const std::string& text);
  void show(const Progress& progress);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool drawn_ = false;
  Clock::time_point next_ = Clock::now();
};

}  // namespace conelu::tool
