#pragma once

#include "conelu/evaluation.hpp"

namespace conelu::summary {

/// Passes on how far a step is, and remembers if somebody said stop.
class Reporter {
 public:
  explicit Reporter(const EvaluationCallback& callback) : callback_(callback) {}

  void begin(const std::string& step, Index all) { progress_ = {step, 0, all}; }
  bool stopped() const { return stopped_; }

  /// So many rows more are done.
  void add(Index rows) { progress_.finished += rows; }

  /// False: stop.
  bool tell() {
    if (callback_ && !stopped_) stopped_ = !callback_(progress_);
    return !stopped_;
  }

  /// For a part of the step that verify does.
  VerifyProgress for_verify() {
    return [this, before = progress_.finished](Index finished, Index) {
      progress_.finished = before + finished;
      return tell();
    };
  }

 private:
  const EvaluationCallback& callback_;
  EvaluationProgress progress_;
  bool stopped_ = false;
};

}  // namespace conelu::summary
