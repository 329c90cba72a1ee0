#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace conelu::tool {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

/// The first of the three that is set decides, as POSIX has it.
std::string_view locale_name() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!environment(name).empty()) return environment(name);
  }
  return {};
}

std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

bool has_colour(std::FILE* stream) {
  return is_terminal(stream) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

bool has_unicode(std::FILE* stream) {
  const std::string_view locale = locale_name();
  return is_terminal(stream) &&
         (locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos);
}

std::string paint(Colour colour, const std::string& text, std::FILE* stream) {
  return has_colour(stream) ? fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(colour), text) : text;
}

LiveLine::LiveLine(bool wanted) : enabled_(wanted && is_terminal(stderr) && environment("TERM") != "dumb") {}

void LiveLine::show(const std::string& text) {
  if (!enabled_) return;
  // A line that wraps cannot be drawn over.
  fmt::print(stderr, "\r{}\x1b[K", text.substr(0, columns() - 1));
  std::fflush(stderr);
  drawn_ = true;
}

void LiveLine::show_at_times(const std::string& text) {
  if (!enabled_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  show(text);
}

void LiveLine::show(const Progress& progress) {
  const std::string which =
      progress.networks > 1 ? fmt::format("class {} of {}  ", progress.network, progress.networks) : "";
  if (progress.round > 0) {
    const std::string price =
        progress.largest_price > 0 ? fmt::format("  largest price {:.4g} beta", progress.largest_price) : "";
    show_at_times(fmt::format("{}round {:>2}  {} patterns  objective {:.8g}  bound {:.8g}{}  {:.1f} s", which,
                              progress.round, progress.patterns, progress.objective, progress.lower_bound, price,
                              progress.seconds));
    return;
  }
  show_at_times(fmt::format("{}iteration {:>3}  objective {:.8g}  bound {:.8g}  gap {:.1e}  {:.1f} s", which,
                            progress.iteration, progress.objective, progress.lower_bound, progress.relative_gap,
                            progress.seconds));
}

void LiveLine::erase() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace conelu::tool
