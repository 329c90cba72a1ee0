#pragma once

#include <algorithm>
#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// Rows of numbers as they come out of a file, when nobody knows yet how many there will be.
///
/// They are kept in blocks that are given back one by one while the matrix is filled: at no time is there much more in
/// memory than the matrix itself.
class RowBlocks {
 public:
  using Block = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

  explicit RowBlocks(std::size_t columns);
  ~RowBlocks();
  RowBlocks(const RowBlocks&) = delete;
  RowBlocks& operator=(const RowBlocks&) = delete;

  /// Room for the next row, to be filled at once.
  double* add_row() {
    if (left_ == 0) add_block();
    --left_;
    ++rows_;
    double* row = next_;
    next_ += columns_;
    return row;
  }

  Index rows() const { return rows_; }

  /// Empties the blocks into a matrix of `columns` columns: fill(part, block) is to write the rows of a block into the
  /// rows of the matrix that are theirs.
  template <class Fill>
  Matrix drain(Index columns, Fill&& fill) {
    Matrix matrix(rows_, columns);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Index first = static_cast<Index>(b) * block_rows_;
      const Index count = std::min(block_rows_, rows_ - first);
      fill(matrix.middleRows(first, count), Block(blocks_[b], count, static_cast<Index>(columns_)));
      release(b);
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
  void add_block();
  void release(std::size_t block);
  std::size_t block_bytes() const;

  std::size_t columns_;
  Index block_rows_;
  Index rows_ = 0;
  Index left_ = 0;  ///< free rows of the last block, from `next_` on
  double* next_ = nullptr;
  std::vector<double*> blocks_;  ///< null: given back
};

}  // namespace conelu
