#include <cstdlib>

#include "conelu/model.hpp"
#include "fuzz/memory_file.hpp"

/// A file that loads is a model that can be used.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const conelu::fuzz::MemoryFile file(bytes, size);
  try {
    const conelu::Model model = conelu::load_model(file.path());
    const auto inputs = static_cast<conelu::Index>(model.features.size());
    if (model.scores(conelu::Matrix::Ones(2, inputs)).rows() != 2) std::abort();
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
