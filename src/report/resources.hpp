#pragma once

namespace conelu {

/// What this process has used so far; the difference of two readings is what lies between them.
struct Resources {
  double seconds = 0;      ///< wall clock, from an arbitrary start
  double cpu_seconds = 0;  ///< user and system time of all threads
  double peak_mb = 0;      ///< largest resident size since the process started

  static Resources now();
};

}  // namespace conelu
