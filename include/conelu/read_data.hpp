#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conelu/dataset.hpp"
#include "conelu/export.hpp"

namespace CONELU_API conelu {

/// What to do with a row that lacks a value.
enum class MissingPolicy {
  error,  ///< refuse the file
  drop,   ///< leave the row out
  mean,  ///< use the mean of the column; of a column of text, the shares of its levels. A model's means, if it has them
};

struct ImageSize {
  Index height = 0;
  Index width = 0;
};

/// How to read a data file. Column names or 0-based indices (negative: from the end) select columns.
struct ReadSettings {
  std::string target = {};      ///< column name or index; empty: the last column, in .npz the array y; of IDX: a file
  bool target_required = true;  ///< false for prediction: a target that is missing or unusable leaves `y` empty
  std::string weights = {};     ///< column name or index, or a file; empty: none, in .npz the array weights if present
  Task task = Task::classification;
  std::vector<std::string> expected_features = {};  ///< the model's columns, found by name if the file has names
  std::string expected_target = {};                 ///< the model's, for an empty `target`, in files with names
  Index expected_target_position = -1;              ///< the same in others: see TargetColumn
  std::vector<std::string> expected_classes = {};   ///< the model's labels; empty: those in the file
  std::vector<Encoding> expected_encodings = {};    ///< the model's, of columns of text
  Vector expected_fill = {};                        ///< the model's means, for MissingPolicy::mean

  std::string format = {};                ///< one of format_names(); empty: as the content says
  std::vector<std::string> classes = {};  ///< labels to keep, rows of others are left out; empty: all

  // Text tables
  std::string delimiter = {};          ///< one character, `tab` or `blanks` (runs of them); empty: found by itself
  std::optional<bool> header = {};     ///< whether the first row names the columns; empty: found by itself
  std::vector<std::string> drop = {};  ///< columns that are not read, such as ids
  std::vector<std::string> categorical = {};  ///< columns of numbers that name categories: encoded as text is
  std::vector<std::string> missing = {};      ///< what stands for a missing value, besides an empty cell
  MissingPolicy missing_policy = MissingPolicy::error;

  // svmlight
  bool zero_based = false;  ///< the first feature has index 0, not 1
  Index feature_count = 0;  ///< of files that do not mention all; 0: up to the largest index in the file

  // Images
  ImageSize downsample = {};  ///< average each image over areas down to this size; 0: as it is
};

/// csv, svmlight, npy, npz, idx, cifar10.
std::vector<std::string> format_names();

/// Reads a data file, plain or gzipped. What it is shows in its first bytes:
///
///     csv       text in rows; comma, semicolon, tab, bar or blanks between the cells; header found by itself
///     svmlight  text, `label index:value ...`; what is not mentioned is 0
///     npz, npy  arrays X, y, weights of NumPy; or a single one that is read like a table without a header
///     idx       images as MNIST has them; labels beside them, `labels` in place of `images` and idx1 of idx3
///     cifar10   records of 1 + 3 x 1024 bytes (the name ends in .bin)
///
/// In classification two labels become -1 and +1, the larger number or later text being +1; more than two become their
/// numbers in that order, from 0. Features without names are called x1, x2, ... With expected features, a file without
/// names must have them in that order, with or without a target.
///
/// A column of a text table that holds no number at all is encoded (see Encoding). One that holds both numbers and
/// text is refused: it is more likely damage than meaning.
///
/// Throws std::invalid_argument that names the file and the line, column, array or byte at fault and what was expected:
/// missing or empty file, ragged row, text where a number should be, NaN or infinity, text that the model does not
/// know, labels of one value or of so many that they can hardly be classes, weights that are negative or all zero.
Dataset read_dataset(const std::string& path, const ReadSettings& settings = {});

/// A two-dimensional .npy array of any float, integer or boolean type, in either order, as doubles.
Matrix read_npy(const std::string& path);

/// Writes a matrix as .npy (float64, C order), atomically.
void write_npy(const std::string& path, const Matrix& values);

/// Writes features and target (as `y` if it has no name; weights are left out) as CSV with a header, atomically.
/// Numbers round-trip exactly.
void write_csv(const std::string& path, const Dataset& data);

/// Writes the arrays X and, if there is a target, y as .npz, atomically: y as numbers in regression and where all
/// classes are numbers, else as text. Numbers round-trip exactly.
void write_npz(const std::string& path, const Dataset& data);

}  // namespace conelu
