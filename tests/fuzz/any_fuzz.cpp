#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  // As users do: the content says what it is. Gzipped files are unpacked on the way.
  conelu::fuzz::read(bytes, size, {.target_required = false, .task = conelu::Task::regression});
  return 0;
}
