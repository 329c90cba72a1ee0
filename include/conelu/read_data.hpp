#pragma once

#include <string>
#include <vector>

#include "conelu/dataset.hpp"
#include "conelu/export.hpp"

namespace CONELU_API conelu {

/// How to read a data file. Column names or 0-based indices (negative: from the end) select columns.
struct ReadSettings {
  std::string target = {};      ///< column name or index; empty: the last column, in .npz the array y
  bool target_required = true;  ///< false for prediction: a target that is missing or unusable leaves `y` empty
  std::string weights = {};     ///< column name or index, or a file; empty: none, in .npz the array weights if present
  Task task = Task::classification;
  std::vector<std::string> expected_features = {};  ///< the model's columns, found by name if the file has names
  std::vector<std::string> expected_classes = {};   ///< the model's labels; empty: those in the file
};

/// Reads a .csv (comma, semicolon or tab; header found by itself) or .npz (X, y, weights) file.
///
/// In classification two labels become -1 and +1, the larger number or later text being +1; more than two become their
/// numbers in that order, from 0. Features without names are called x1, x2, ... With expected features, a file without
/// names must have them in that order, with or without a target.
///
/// Throws std::invalid_argument that names the file and the line, column or array at fault and what was expected:
/// missing or empty file, ragged row, text where a number should be, NaN or infinity, labels of one value or of so many
/// that they can hardly be classes, weights that are negative or all zero.
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
