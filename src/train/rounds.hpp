#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "conelu/train.hpp"
#include "train/notes.hpp"

namespace conelu {

/// The data of a program without its gates.
struct GateTask {
  const Matrix& X;  ///< with the bias column
  const Dataset& used;
  LossPointer loss;
  double beta;
  Threat threat;
  Method method;  ///< one with gates

  Program program(const MatrixView& gates) const {
    return Program(X, used.y, used.weights, loss, beta, gates, threat, method);
  }
};

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct GatedResult {
  Program program;
  Solution solution;
  int rounds = 0;  ///< the one that was kept; 0: the start
  std::string solver;
  std::string source = {};  ///< where the gates began, if not with the patterns
};

/// Blocks with gates to start from. U may be 0: then the gates are all that is known.
struct GatedStart {
  Matrix U;
  Matrix gates;
  std::string solver;           ///< who found U
  Stop stop = Stop::converged;  ///< cancelled or time_limit: no rounds, please
  std::string source = {};      ///< of the gates, if they are not those of the patterns
  /// The solution of the program with constraints, which rounds have to beat: `separate` prices its blocks one by one
  /// and may value it far too high.
  std::optional<GatedResult> constrained = {};
};

/// The start that promises most: the solution of `patterns` (cones or reduced), or blocks from descent.
GatedStart find_start(const GateTask& task, const PatternSet& patterns, const TrainSettings& settings,
                      const Clock& clock, const ProgressCallback& progress, Notes& notes);

/// How good blocks are on data that are not trained on; larger is better. Empty: nobody asks.
using Judge = std::function<double(const MatrixView& U)>;

/// Solves the program of the start's gates, chooses gates anew at the solution, solves again, and so on, until the
/// objective falls by less than a thousandth or `settings.rounds` are over. A round that did not help is forgotten, so
/// that the objective never rises, and never above that of the start's program with constraints; with a judge, what the
/// judge likes best is returned.
GatedResult train_in_rounds(const GateTask& task, GatedStart start, const TrainSettings& settings, const Judge& judge,
                            const Clock& clock, const ProgressCallback& progress, Notes& notes);

}  // namespace conelu
