#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  conelu::fuzz::read(bytes, size, {.format = "npz"});
  conelu::fuzz::read(bytes, size, {.target_required = false, .task = conelu::Task::regression, .format = "npz"});
  return 0;
}
