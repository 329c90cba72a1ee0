#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace conelu::tool {
namespace {

constexpr Index kColumns = 56;
constexpr Index kLines = 28;  // a character is about twice as high as wide
constexpr double kSide = 2;

/// Scores at the centres of a grid of `rows` x kColumns pixels, the first row on top.
Matrix scores_on_grid(const Model& model, Index rows) {
  Matrix points(rows * kColumns, 2);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < kColumns; ++j) {
      points(i * kColumns + j, 0) = kSide * (2 * (static_cast<double>(j) + 0.5) / kColumns - 1);
      points(i * kColumns + j, 1) = kSide * (1 - 2 * (static_cast<double>(i) + 0.5) / static_cast<double>(rows));
    }
  }
  return model.scores(points).reshaped<Eigen::RowMajor>(rows, kColumns);
}

/// -1 or +1 where a sample lies, 0 elsewhere.
Matrix samples_on_grid(const Dataset& samples) {
  const auto cell = [](double share, Index count) {
    return std::clamp<Index>(static_cast<Index>(share * static_cast<double>(count)), 0, count - 1);
  };
  Matrix marks = Matrix::Zero(kLines, kColumns);
  for (Index k = 0; k < samples.samples(); ++k) {
    const Index i = cell((kSide - samples.X(k, 1)) / (2 * kSide), kLines);
    const Index j = cell((samples.X(k, 0) + kSide) / (2 * kSide), kColumns);
    marks(i, j) = samples.y(k);
  }
  return marks;
}

/// Of the 256 colours of a terminal: blue and orange, pale inside the margin.
int background(double score) {
  if (score >= 0) return score >= 1 ? 215 : 223;
  return score <= -1 ? 110 : 153;
}

int foreground(double label) { return label > 0 ? 124 : 18; }

std::string draw_in_colour(const Matrix& scores, const Matrix& marks) {
  std::string picture;
  for (Index i = 0; i < kLines; ++i) {
    picture += "  ";
    for (Index j = 0; j < kColumns; ++j) {
      const int upper = background(scores(2 * i, j));
      const int lower = background(scores(2 * i + 1, j));
      if (marks(i, j) != 0) {
        picture += fmt::format("\x1b[38;5;{};48;5;{}m●", foreground(marks(i, j)), upper);
      } else {
        picture += fmt::format("\x1b[38;5;{};48;5;{}m▀", upper, lower);
      }
    }
    picture += "\x1b[0m\n";
  }
  return picture;
}

struct Symbols {
  const char* negative;
  const char* positive;
  const char* negative_sample;
  const char* positive_sample;
};

std::string draw_in_symbols(const Matrix& scores, const Matrix& marks, const Symbols& symbols) {
  std::string picture;
  for (Index i = 0; i < kLines; ++i) {
    picture += "  ";
    for (Index j = 0; j < kColumns; ++j) {
      if (marks(i, j) != 0) {
        picture += marks(i, j) > 0 ? symbols.positive_sample : symbols.negative_sample;
      } else {
        picture += scores(i, j) >= 0 ? symbols.positive : symbols.negative;
      }
    }
    picture += "\n";
  }
  return picture;
}

}  // namespace

std::string draw_regions(const Model& model, const Dataset& samples, Ink ink) {
  const Matrix marks = samples_on_grid(samples);
  switch (ink) {
    case Ink::colour:
      return draw_in_colour(scores_on_grid(model, 2 * kLines), marks);
    case Ink::unicode:
      return draw_in_symbols(scores_on_grid(model, kLines), marks, {" ", "░", "○", "●"});
    case Ink::ascii:
      break;
  }
  return draw_in_symbols(scores_on_grid(model, kLines), marks, {" ", ".", "o", "#"});
}

}  // namespace conelu::tool
