#pragma once

#include <functional>

#include "conelu/certificate.hpp"
#include "conelu/export.hpp"
#include "conelu/phases.hpp"

namespace CONELU_API conelu {

enum class Stop { converged, iteration_limit, time_limit, cancelled, numerical_trouble };  ///< the method's view
const char* to_string(Stop stop);

/// One line of news from a running solve. The numbers are certified ones: best so far.
struct Progress {
  int iteration = 0;
  double objective = 0;
  double lower_bound = 0;
  double relative_gap = 0;
  double seconds = 0;
  int network = 1;  ///< which one is being trained, and of how many: several classes take one each
  int networks = 1;
  int round = 0;             ///< of a search for prices; 0 elsewhere
  Index patterns = 0;        ///< of this round
  double largest_price = 0;  ///< found in the round before, over beta; 0 before there is one
};

/// Called after every iteration on the calling thread; return false to stop with the best point so far.
using ProgressCallback = std::function<bool(const Progress&)>;

struct Solution {
  Matrix blocks;  ///< d x program.blocks(), exactly feasible
  DualPoint dual;
  Certificate certificate;
  Stop stop = Stop::numerical_trouble;
  int iterations = 0;
  double seconds = 0;
  Phases phases;  ///< all but the patterns, which come before a solve
};

/// Solves a program and says how well by a certificate, never by its own opinion.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string name() const = 0;
  virtual Solution solve(const Program& program, const ProgressCallback& progress = {}) const = 0;
};

/// Sets every block shorter than threshold times the longest to zero and certifies what is left with the same dual
/// point.
Solution prune(const Program& program, const Solution& solution, double threshold);

/// The reduction that Theorem 1 promises: at most n + 1 blocks that are not zero, same outputs on the training samples
/// and no larger penalty. Under a threat equal outputs are not equal worst cases: there look at the certificate before
/// using it. Each block is a ray; Caratheodory steps along null directions of the rays' outputs remove one
/// block after another. The certificate is made anew.
Solution reduce(const Program& program, const Solution& solution);

}  // namespace conelu
