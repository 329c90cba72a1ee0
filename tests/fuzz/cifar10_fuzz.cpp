#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  conelu::fuzz::read(bytes, size, {.format = "cifar10", .downsample = {3, 5}});
  conelu::fuzz::read(bytes, size, {.target_required = false, .format = "cifar10", .classes = {"1", "7"}});
  return 0;
}
