#pragma once

#include <ctime>

namespace conelu {

/// Adds the processor time between its construction and its end to a sum. All threads count, so that a busy machine
/// does not; reading the clock takes less than a microsecond, so put it around steps and not around rows.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum), start_(now()) {}
  ~Stopwatch() { sum_ += now() - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double& sum_;
  double start_;
};

}  // namespace conelu
