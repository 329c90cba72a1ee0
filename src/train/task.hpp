#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "conelu/train.hpp"
#include "train/notes.hpp"

namespace conelu {

/// The data of a program without its patterns or gates.
struct TrainTask {
  const Matrix& X;  ///< with the bias column
  const Dataset& used;
  LossPointer loss;
  double beta;
  Threat threat;
  Method method;

  /// Of PatternSet, or of gates where the method has them.
  template <class Choice>
  Program program(const Choice& choice) const {
    return Program(X, used.y, used.weights, loss, beta, choice, threat, method);
  }
};

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// News of a program that follows on another: what was reached is not lost, and time goes on.
inline Progress continued(Progress news, double objective, const Clock& clock) {
  news.objective = std::min(news.objective, objective);
  const double gap = std::max(0.0, news.objective - news.lower_bound);
  news.relative_gap = gap / std::max(std::abs(news.objective), 1e-12);
  news.seconds = clock.seconds();
  return news;
}

/// A bound for every network of any width, from a proven price.
struct GlobalBound {
  double lower_bound = 0;
  double price_bound = 0;  ///< proven: no direction has a larger price at `nu`
  Index nodes = 0;
  double seconds = 0;
};

/// What a search for prices saw, round by round, and the dual point that says most about all networks.
struct Pricing {
  std::vector<double> objectives;  ///< of the best network so far
  std::vector<double> bounds;      ///< of the round's program
  std::vector<double> estimates;   ///< the best so far of bounds that hold if no price is larger than those found
  std::vector<double> prices;      ///< the largest found, over beta
  Vector nu;
  double estimate = 0;       ///< at nu
  double largest_price = 0;  ///< found at nu
  std::optional<GlobalBound> proven = {};
};

/// Programs that took turns end in one of them.
struct SolvedProgram {
  Program program;
  Solution solution;
  int rounds = 0;  ///< the one that was kept; with gates 0 is the start
  std::string solver;
  std::string source = {};  ///< where the gates began, if not with the patterns
  std::optional<Pricing> pricing = {};
};

/// Of the objective: a round that gains less is the last.
inline constexpr double kWorthAnotherRound = 1e-3;

/// Blocks with gates to start from. U may be 0: then the gates are all that is known.
struct GatedStart {
  Matrix U;
  Matrix gates;
  std::string solver;           ///< who found U
  Stop stop = Stop::converged;  ///< cancelled or time_limit: no rounds, please
  std::string source = {};      ///< of the gates, if they are not those of the patterns
  /// The solution of the program with constraints, which rounds have to beat: `separate` prices its blocks one by one
  /// and may value it far too high.
  std::optional<SolvedProgram> constrained = {};
};

}  // namespace conelu
