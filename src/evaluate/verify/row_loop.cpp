#include "evaluate/verify/row_loop.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "linalg/thread_count.hpp"

namespace conelu::verification {

constexpr std::chrono::milliseconds kBetweenReports(50);
constexpr std::chrono::milliseconds kNap(1);

void RowLoop::run(const std::function<void(Index row, const GoOn& go_on)>& work) {
  const ThreadCount count(threads_);
  const auto team = static_cast<int>(std::clamp<Index>(rows_, 1, omp_get_max_threads()));
  std::exception_ptr failure;
#pragma omp parallel num_threads(team)
  {
    try {
      take_rows(omp_get_thread_num() == 0, work);
    } catch (...) {
      stopped_ = true;
#pragma omp critical(conelu_row_loop)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (progress_ && !stopped_) progress_(finished_, rows_);
}

void RowLoop::take_rows(bool reports, const std::function<void(Index row, const GoOn& go_on)>& work) {
  const GoOn go_on = [this, reports] { return goes_on(reports); };
  while (goes_on(reports)) {
    const Index row = next_++;
    if (row >= rows_) break;
    work(row, go_on);
    ++finished_;
  }
  // Others may be at work on long rows.
  while (reports && finished_ < rows_ && goes_on(reports)) std::this_thread::sleep_for(kNap);
}

bool RowLoop::goes_on(bool reports) {
  if (reports && progress_ && !stopped_ && Clock::now() >= next_report_) {
    next_report_ = Clock::now() + kBetweenReports;
    if (!progress_(finished_, rows_)) stopped_ = true;
  }
  return !stopped_;
}

}  // namespace conelu::verification
