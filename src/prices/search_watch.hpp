#pragma once

#include <omp.h>

#include <atomic>
#include <chrono>
#include <functional>

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// Whether a search on several threads is to go on: asks the clock every so many steps, and the caller some ten times a
/// second, on the thread that called.
class SearchWatch {
 public:
  /// `work`: of one step, in rows looked at.
  SearchWatch(double time_limit, std::function<bool()> go_on, Index work)
      : time_limit_(time_limit), go_on_(std::move(go_on)), stride_(1 + kRows / (work + 1)) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  bool timed_out() const { return timed_out_; }
  bool cancelled() const { return cancelled_; }
  bool over() const { return timed_out_ || cancelled_; }

  bool wanted() {
    if (over()) return false;
    thread_local Index steps = 0;
    if (++steps < stride_) return true;
    steps = 0;
    return ask();
  }
  /// Asks the clock in any case.
  bool ask() {
    if (seconds() >= time_limit_) timed_out_ = true;
    if (go_on_ && omp_get_thread_num() == 0 && !over() && seconds() >= next_question_) {
      if (!go_on_()) cancelled_ = true;
      next_question_ = seconds() + kPause;
    }
    return !over();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Index kRows = 100000;
  static constexpr double kPause = 0.1;

  Clock::time_point start_ = Clock::now();
  double time_limit_;
  std::function<bool()> go_on_;
  Index stride_;
  double next_question_ = 0;
  std::atomic<bool> timed_out_ = false, cancelled_ = false;
};

}  // namespace conelu
