#pragma once

#include <omp.h>

namespace conelu {

/// OpenMP's number of threads for the calling thread, put back at the end: it belongs to the caller.
class ThreadCount {
 public:
  /// 0 leaves it as it is.
  explicit ThreadCount(int threads) : before_(omp_get_max_threads()) {
    if (threads > 0) omp_set_num_threads(threads);
  }
  ~ThreadCount() { omp_set_num_threads(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

}  // namespace conelu
