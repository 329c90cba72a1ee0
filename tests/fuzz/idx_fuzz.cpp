#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  conelu::fuzz::read(bytes, size, {.target_required = false, .format = "idx"});
  conelu::fuzz::read(bytes, size, {.target_required = false, .format = "idx", .downsample = {2, 2}});
  return 0;
}
