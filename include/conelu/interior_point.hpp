#pragma once

#include <memory>

#include "conelu/export.hpp"
#include "conelu/solver.hpp"

namespace CONELU_API conelu {

struct InteriorPointSettings {
  double tolerance = 1e-6;  ///< relative, on the certified gap
  int max_iterations = 200;
  double time_limit = 1e9;  ///< seconds
  int threads = 0;          ///< 0: as many as OpenMP would use

  /// One list for command line, Python, JSON, docs and range checks.
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor&& field) {
    field("tolerance", s.tolerance, 1e-12, 1.0);
    field("max_iterations", s.max_iterations, 0, 100000);
    field("time_limit", s.time_limit, 0.0, 1e9);
    field("threads", s.threads, 0, 1024);
  }
};

/// Points on the way of a solve from which the same program with another beta or with smaller radii can start.
///
/// With beta changed by up to a quarter a third to a half of the time is saved, most often, with the radii a fifth; with
/// beta halved a little, and only for the squared loss without an attack; see "Several values" in docs/method.md. Larger
/// radii, and such as are no multiple of those before, start from scratch, as does a program with any other difference.
class Trail {
 public:
  Trail();
  ~Trail();
  Trail(Trail&&) noexcept;
  Trail& operator=(Trail&&) noexcept;

  struct Points;  ///< the solver's own business

 private:
  friend class InteriorPoint;
  std::unique_ptr<Points> points_;
};

/// Primal-dual interior-point method that never forms the big KKT matrix.
///
/// Each Newton step eliminates every block and every sample on its own and is left with one dense system of size
/// min(P d, n); see "Solving" in docs/method.md. Starts in the centres of the cones and stays strictly inside them, so
/// that every iterate is a network with a valid certificate. Reaches 1e-6 in 10 to 50 iterations, 1e-8 in a few more on
/// most problems. Features far from 0 make the cones narrow and the method slow: standardise them. Memory is that of a
/// few n x 2P matrices, of the dense system and, where n is large beside d, of 8 d^2 P numbers (half a gigabyte at most);
/// min(P d, n) beyond about 5000 takes patience.
class InteriorPoint final : public Solver {
 public:
  /// Throws std::invalid_argument naming the field that is out of range.
  explicit InteriorPoint(InteriorPointSettings settings = {});

  std::string name() const override { return "interior-point"; }
  Solution solve(const Program& program, const ProgressCallback& progress = {}) const override;
  /// Starts from blocks that are thought to be good, one a column, where the program has no constraints that they could
  /// violate; else, or if they are 0, from scratch. From the solution for other gates it takes a third to a half of the iterations less.
  Solution solve(const Program& program, const MatrixView& blocks, const ProgressCallback& progress = {}) const;
  /// Starts from the trail of the last program if that helps, and leaves its own. A start that leads nowhere is
  /// followed by one from scratch; `iterations` counts both.
  Solution solve(const Program& program, Trail& trail, const ProgressCallback& progress = {}) const;

 private:
  int wanted_threads() const;

  InteriorPointSettings settings_;
};

}  // namespace conelu
