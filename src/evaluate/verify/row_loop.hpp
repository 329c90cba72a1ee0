#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "conelu/verify.hpp"
#include "evaluate/verify/search.hpp"

namespace conelu::verification {

/// Rows shared out among threads, the next one to whoever is free. The calling thread reports on all of them while it
/// works on its own.
class RowLoop {
 public:
  RowLoop(Index rows, int threads, const VerifyProgress& progress)
      : rows_(rows), threads_(threads), progress_(progress) {}

  /// Calls work(row, go_on) once for each row, unless it is stopped. What a row throws is thrown here.
  void run(const std::function<void(Index row, const GoOn& go_on)>& work);

 private:
  using Clock = std::chrono::steady_clock;

  void take_rows(bool reports, const std::function<void(Index row, const GoOn& go_on)>& work);
  bool goes_on(bool reports);

  Index rows_;
  int threads_;
  const VerifyProgress& progress_;
  std::atomic<Index> next_ = 0;
  std::atomic<Index> finished_ = 0;
  std::atomic<bool> stopped_ = false;
  Clock::time_point next_report_ = Clock::now();  // belongs to the calling thread
};

}  // namespace conelu::verification
