#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// Rows of numbers as they come out of a file, when nobody knows yet how many there will be.
///
/// They are kept in blocks that are given back one by one while the matrix is filled: at no time is there much more in
/// memory than the matrix itself. A block of small integers is kept in a quarter of the room: the shorter the text of
/// the numbers, the more of the time to read them would be the system's to find memory.
class RowBlocks {
 public:
  using Block = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

  explicit RowBlocks(std::size_t columns);
  ~RowBlocks();
  RowBlocks(const RowBlocks&) = delete;
  RowBlocks& operator=(const RowBlocks&) = delete;

  /// Room for the next row, to be filled at once.
  double* add_row() {
    if (left_ == 0) begin_block();
    --left_;
    ++rows_;
    double* row = next_;
    next_ += columns_;
    return row;
  }

  Index rows() const { return rows_; }

  /// Empties the blocks into a matrix of `columns` columns: fill(part, rows) is to write some rows of a block into the
  /// rows of the matrix that are theirs.
  template <class Fill>
  Matrix drain(Index columns, Fill&& fill) {
    end_block();
    Matrix matrix(rows_, columns);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Index first = static_cast<Index>(b) * block_rows_;
      const Index count = std::min(block_rows_, rows_ - first);
      // Few at a time: while one column after another is filled, all of them stay in the cache.
      constexpr Index most = 64;
      for (Index k = 0; k < count; k += most) {
        const Index some = std::min(most, count - k);
        fill(matrix.middleRows(first + k, some),
             Block(values(blocks_[b], k, some), some, static_cast<Index>(columns_)));
      }
      release(blocks_[b]);
    }
    blocks_.clear();
    rows_ = left_ = 0;
    return matrix;
  }

  /// The same rows as a matrix.
  Matrix drain() {
    return drain(static_cast<Index>(columns_), [](auto&& part, const Block& block) { part = block; });
  }

 private:
  using Narrow = std::int16_t;

  /// One of the two, or none: given back.
  struct Kept {
    double* wide = nullptr;
    Narrow* narrow = nullptr;
  };

  void begin_block();
  void end_block();
  Narrow* narrowed(const double* values) const;
  const double* values(const Kept& block, Index first, Index count);
  void release(Kept& block);
  std::size_t block_values() const { return static_cast<std::size_t>(block_rows_) * columns_; }

  std::size_t columns_;
  Index block_rows_;
  Index rows_ = 0;
  Index left_ = 0;  ///< free rows of the block that is being filled, from `next_` on
  double* next_ = nullptr;
  Kept filling_;
  std::vector<Kept> blocks_;
  std::vector<double> widened_;
};

}  // namespace conelu
