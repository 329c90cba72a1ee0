#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  conelu::fuzz::read(bytes, size, {.format = "svmlight", .feature_count = 64});
  conelu::fuzz::read(bytes, size,
                     {.task = conelu::Task::regression, .format = "svmlight", .zero_based = true, .feature_count = 64});
  return 0;
}
