#include "report/resources.hpp"

#include <sys/resource.h>

#include <chrono>

namespace conelu {

Resources Resources::now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  Resources resources;
  resources.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  resources.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  resources.peak_mb = static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts in kB
  return resources;
}

}  // namespace conelu
