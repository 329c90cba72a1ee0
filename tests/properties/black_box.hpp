#pragma once

#include <string>

namespace conelu::properties {

/// Names the problem at hand if the library crashes on it or does not come back: RapidCheck lives in the same process
/// and could not.
///
/// A crash still ends in whatever handled it before, a sanitizer's report for instance. After `seconds` the process is
/// aborted.
class BlackBox {
 public:
  BlackBox(const std::string& problem, int seconds);
  ~BlackBox();
  BlackBox(const BlackBox&) = delete;
  BlackBox& operator=(const BlackBox&) = delete;
};

}  // namespace conelu::properties
