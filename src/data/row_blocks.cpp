#include "data/row_blocks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace conelu {
namespace {

/// Pages of our own go back to the system at once; free() would keep them for later.
template <class Number>
Number* map_pages(std::size_t count) {
  const std::size_t bytes = std::max<std::size_t>(count, 1) * sizeof(Number);
  void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  return static_cast<Number*>(pages);
}

template <class Number>
void unmap_pages(Number* pages, std::size_t count) {
  if (pages != nullptr) ::munmap(pages, std::max<std::size_t>(count, 1) * sizeof(Number));
}

/// Whether all are whole numbers of 16 bits, and none is -0. Without branches, so that several are looked at together.
bool are_narrow(const double* values, std::size_t count) {
  constexpr double limit = std::numeric_limits<std::int16_t>::max();
  constexpr double rounds = 0x1.8p52;  // no number of this size has a fraction
  std::uint64_t faults = 0;
  for (std::size_t i = 0; i < count; ++i) {
    faults |= std::bit_cast<std::uint64_t>(values[i]) ^ std::bit_cast<std::uint64_t>((values[i] + rounds) - rounds);
    faults |= std::fabs(values[i]) <= limit ? 0 : 1;
  }
  return faults == 0;
}

}  // namespace

// Half a thousand rows fill a page of memory in every column of the matrix; so many of very long rows would be too much.
RowBlocks::RowBlocks(std::size_t columns)
    : columns_(columns),
      block_rows_(std::max<Index>({1, std::min<Index>(512, (1 << 24) / static_cast<Index>(columns + 1)),
                                   (1 << 16) / static_cast<Index>(columns + 1)})) {}

RowBlocks::~RowBlocks() {
  release(filling_);
  for (Kept& block : blocks_) release(block);
}

void RowBlocks::begin_block() {
  if (filling_.wide != nullptr && left_ == 0) end_block();
  if (filling_.wide == nullptr) filling_.wide = map_pages<double>(block_values());
  next_ = filling_.wide;
  left_ = block_rows_;
}

/// Keeps the block that is being filled; if small numbers are all that is in it, its pages serve for the next one.
void RowBlocks::end_block() {
  if (filling_.wide == nullptr) return;
  blocks_.emplace_back();
  blocks_.back().narrow = left_ == 0 ? narrowed(filling_.wide) : nullptr;
  if (blocks_.back().narrow == nullptr) std::swap(blocks_.back().wide, filling_.wide);
}

/// The same numbers, bit for bit, in a quarter of the room; null if they do not fit.
RowBlocks::Narrow* RowBlocks::narrowed(const double* values) const {
  constexpr std::size_t some = 512;  // few enough to stop early
  for (std::size_t i = 0; i < block_values(); i += some) {
    if (!are_narrow(values + i, std::min(some, block_values() - i))) return nullptr;
  }
  auto* const narrow = map_pages<Narrow>(block_values());
  std::transform(values, values + block_values(), narrow, [](double value) { return static_cast<Narrow>(value); });
  return narrow;
}

/// `count` rows of a block from `first` on; valid until the next call.
const double* RowBlocks::values(const Kept& block, Index first, Index count) {
  const std::size_t skipped = static_cast<std::size_t>(first) * columns_;
  if (block.wide != nullptr) return block.wide + skipped;
  const Narrow* const begin = block.narrow + skipped;
  widened_.assign(begin, begin + static_cast<std::size_t>(count) * columns_);
  return widened_.data();
}

void RowBlocks::release(Kept& block) {
  unmap_pages(block.wide, block_values());
  unmap_pages(block.narrow, block_values());
  block = {};
}

}  // namespace conelu
