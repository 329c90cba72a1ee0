#include "interrupt.hpp"

#include <unistd.h>

#include <csignal>

namespace conelu::tool {
namespace {

volatile std::sig_atomic_t requested = 0;

extern "C" void on_interrupt(int) {
  requested = 1;
  constexpr char kMessage[] = "\r\x1b[Kstopping with what there is so far; Ctrl-C again to stop at once\n";
  if (isatty(STDERR_FILENO)) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  }
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  // Back to the default after the first: the second one kills. Reads and writes in progress go on.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
}

bool interrupt_requested() { return requested != 0; }

}  // namespace conelu::tool
