#include "data/row_blocks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace conelu {

// Half a thousand rows fill a page of memory in every column of the matrix.
RowBlocks::RowBlocks(std::size_t columns)
    : columns_(columns), block_rows_(std::max<Index>(512, (1 << 17) / static_cast<Index>(columns + 1))) {}

RowBlocks::~RowBlocks() {
  for (std::size_t b = 0; b < blocks_.size(); ++b) release(b);
}

std::size_t RowBlocks::block_bytes() const {
  return std::max<std::size_t>(static_cast<std::size_t>(block_rows_) * columns_, 1) * sizeof(double);
}

void RowBlocks::add_block() {
  blocks_.reserve(blocks_.size() + 1);
  // Pages of our own go back to the system at once; free() would keep them for later.
  void* const pages = ::mmap(nullptr, block_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  blocks_.push_back(static_cast<double*>(pages));
  next_ = blocks_.back();
  left_ = block_rows_;
}

void RowBlocks::release(std::size_t block) {
  if (blocks_[block] != nullptr) ::munmap(blocks_[block], block_bytes());
  blocks_[block] = nullptr;
}

}  // namespace conelu
