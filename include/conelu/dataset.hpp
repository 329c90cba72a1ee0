#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conelu/export.hpp"
#include "conelu/linear_algebra.hpp"

namespace CONELU_API conelu {

enum class Task { classification, regression };

/// A column of text as numbers: a feature of its own for each level, 1 where the text is that level and else 0.
/// The features stand beside each other and are called column=level.
struct Encoding {
  std::string column;
  Index first = 0;                  ///< position of the first of them among the features
  std::vector<std::string> levels;  ///< in the order of their features

  friend bool operator==(const Encoding&, const Encoding&) = default;
};

struct MissingCell {
  Index row = 0;
  Index feature = 0;

  friend bool operator==(const MissingCell&, const MissingCell&) = default;
};

/// Where a table had its target, so that it is found in others.
struct TargetColumn {
  std::string name = {};  ///< empty: the table had no names
  Index position = -1;    ///< number of columns with features before it; -1: nobody knows

  friend bool operator==(const TargetColumn&, const TargetColumn&) = default;
};

/// Samples as they enter the network's preprocessing: no bias column, no scaling.
///
/// `classes` holds the labels as they were written, ordered by number if all are numbers, else by text. With two of
/// them y is -1 or +1, negative first; with more y is the number of the class, from 0. In regression there are none.
struct Dataset {
  Matrix X;
  Vector y;                               ///< empty if the file holds no target
  Vector weights;                         ///< one per row, > 0 or = 0 (row is dropped); empty = all ones
  std::vector<std::string> features;      ///< one name per column
  std::vector<std::string> classes;       ///< {negative, positive}, more than two, or empty
  std::string target = {};                ///< name of the target's column, if it has one
  Index target_position = -1;             ///< of the target in a table: see TargetColumn
  std::vector<Encoding> encodings = {};   ///< of columns that held text
  std::vector<std::string> missing = {};  ///< what stood for a missing value, besides an empty cell
  Vector fill = {};                       ///< what took its place, by feature; empty: rows were dropped, or none missed
  std::vector<MissingCell> missing_cells = {};  ///< where it did: those who leave rows out can take means of the rest

  Index samples() const { return X.rows(); }
  /// Number of the row's class among `classes`. Classification only.
  Index class_of(Index row) const { return classes.size() > 2 ? static_cast<Index>(y(row)) : y(row) > 0 ? 1 : 0; }
};

/// The rows named in `rows`, in that order, with everything that belongs to them.
Dataset select_rows(const Dataset& data, const std::vector<Index>& rows);

/// Without the rows of weight 0, which mean "not there".
Dataset drop_zero_weights(const Dataset& data);

/// Every sample once: those with the same features and target become one with the sum of their weights, and rows of
/// weight 0 are left out. If there are such rows, or weights at all, what is left is sorted, so that a weight of 2 and
/// a row that is there twice give the same data bit for bit, wherever the rows were. Others stay as they are.
Dataset distinct_samples(const Dataset& data);

/// The same samples with one of more than two classes as +1 and all others as -1.
Dataset one_against_rest(const Dataset& data, Index positive);

/// {train, test}: the rows named in `test`, and all others, both in the order of the data. Means that stand for missing
/// values are taken anew, from the training rows alone, and used for both. Throws std::invalid_argument if either part
/// is empty, a row is named twice or is not there, or every training row misses the same value.
std::pair<Dataset, Dataset> split_off(const Dataset& data, std::vector<Index> test);

/// The rows in `folds` parts of the same size, give or take one, in which classes keep their shares, give or take one
/// row: part i is to test on what was trained on all others. Depends on the seed alone.
/// Throws std::invalid_argument if there are fewer than 2 folds, or fewer rows than folds.
std::vector<std::vector<Index>> make_folds(const Dataset& data, Index folds, std::uint64_t seed);

/// Splits off `round(fraction * n)` rows (at least 1, at most n - 1) as {train, test}; classes keep their shares,
/// and missing values are filled as split_off says. Depends on the seed alone, not on the number of threads.
std::pair<Dataset, Dataset> split(const Dataset& data, double test_fraction, std::uint64_t seed);

/// A rare class can end up in the rows that were split off as a whole. Throws std::invalid_argument, which begins with
/// `split`, the name of whoever asked for that, if a class has no row with a weight left to train on.
void require_every_class(const Dataset& train, const std::string& split);

}  // namespace conelu
