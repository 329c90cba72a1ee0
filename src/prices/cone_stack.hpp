#pragma once

#include <cstdint>
#include <vector>

#include "prices/cone_length.hpp"
#include "prices/folded_price.hpp"

namespace conelu {

/// A cone by the way that leads to it, with what is known about it. One number a fork says which edge was replaced, i,
/// and by the middle between it and which other one, j: 16 i + j.
struct ConeSeed {
  static constexpr int kLongestPath = 96;

  double bound = 0;           ///< no price in it is larger
  std::uint16_t orthant = 0;  ///< bit i: coordinate i is negative
  bool negative = false;      ///< whether it is about the negative of the price
  std::uint8_t depth = 0;
  std::array<std::uint8_t, kLongestPath> path{};

  ConeSeed child(std::uint8_t step) const {
    ConeSeed next = *this;
    next.path[next.depth++] = step;
    return next;
  }
};

/// A cone and the ones that it was cut from: what depth-first search needs, without allocating once it has run a while.
///
/// Each cone keeps the products of its edges with the rows that still have both signs on it, and for the whole price
/// its value at each edge. For a new edge, the middle of two others, both are means, less what rows with different
/// signs at the two lose: no product with X is formed after the orthant.
class ConeStack {
 public:
  explicit ConeStack(const FoldedPrice& price);

  /// What rounding may add to a value at an edge.
  double margin() const { return margin_; }

  /// Starts again at that cone, which becomes the bottom.
  void start(const ConeSeed& seed);
  /// No price in the top cone is larger, nor than that of the cone it was cut from. Does no more work than it takes to
  /// get below `level`, or to see that it cannot.
  double bound(double level);
  /// Chooses where to cut the top cone; false if it cannot be cut any more.
  bool fork();
  void enter(int side);
  void leave() { --top_; }

  int height() const { return top_ - bottom_; }
  /// Of the cone at that height, which has been forked: the one on that side.
  ConeSeed child(int height, int side) const;
  double bound_at(int height) const { return cones_[static_cast<std::size_t>(bottom_ + height)].bound; }
  ConeSeed seed() const { return cones_[static_cast<std::size_t>(top_)].seed; }
  /// The edge that the last fork has made, and the price there.
  Vector middle() const;
  double middle_price() const;

 private:
  struct Cone {
    ConeSeed seed;
    double bound = 0;
    ConeGram gram;
    ConeGram vectors;  // edge i: coordinates in the orthant, all nonnegative and exact
    ConeGram dips;     // of the rows with +, between edges
    EdgeValues values;
    EdgeValues weights;  // where the bound is reached, more or less
    double slack = 0;    // by how much the bound is above the concave part's own value there
    std::array<const double*, kMostEdges> up, down;
    Index ups = 0, downs = 0;
    std::array<std::uint8_t, kMostEdges> generation{};
    // The fork.
    Index first = 0, second = 0;
    EdgeValues middle, middle_gram, middle_dips;
    double middle_value = 0;
    const double* middle_up = nullptr;
    const double* middle_down = nullptr;
    std::uint8_t middle_generation = 0;
    std::vector<double> storage;  // of its columns after the fork
    std::vector<double> orthant;  // of those of an orthant
  };

  Cone& top() { return cones_[static_cast<std::size_t>(top_)]; }
  void set_orthant(const ConeSeed& seed);
  void linearise(const Cone& cone, const EdgeValues& weights, EdgeValues& y);
  bool is_above(Cone& cone, const EdgeValues& y, double level);
  bool choose_edge(Cone& cone) const;
  void cut(Cone& cone);

  const FoldedPrice& price_;
  Index edges_;
  double margin_;
  std::vector<Cone> cones_;
  int bottom_ = 0, top_ = 0;
  std::vector<double> signs_, low_, high_;
  std::vector<int> mixed_up_, mixed_down_;
};

}  // namespace conelu
