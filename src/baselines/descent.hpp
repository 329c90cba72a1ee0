#pragma once

#include "baselines/best.hpp"
#include "baselines/coordinates.hpp"
#include "baselines/gradient.hpp"
#include "baselines/judge.hpp"
#include "baselines/optimizer.hpp"
#include "conelu/baseline.hpp"
#include "linalg/random.hpp"

namespace conelu::baselines {

/// Gradient descent from random weights, once.
class Descent {
 public:
  /// `settings` are complete: nothing in them is left to choose.
  Descent(const Samples& samples, const Loss& loss, const Judge& judge, const BaselineSettings& settings,
          Random random);

  /// Asked after every epoch.
  using Watch = std::function<bool(int epoch)>;

  /// Offers a network now and then. Returns the number of epochs.
  int run(Best& best, const Watch& go_on);
  /// True if the run ended because the objective was flat.
  bool flat() const { return flat_; }

 private:
  void shuffle();
  void run_epoch(int epoch);
  void step(const std::vector<Slice>& slices, double progress);
  void look(Best& best);
  bool is_flat() const;

  const Samples& samples_;
  const Judge& judge_;
  const BaselineSettings& settings_;
  Random random_;
  Coordinates coordinates_;
  Adversary adversary_;
  Gradient gradient_;
  Network network_;
  std::unique_ptr<Optimizer> optimizer_;
  double rate_;
  std::vector<Index> order_;
  std::vector<Slice> everything_;  // of a full batch, made once
  std::vector<double> smallest_;   // objective of this run, after every look
  bool flat_ = false;
};

}  // namespace conelu::baselines
