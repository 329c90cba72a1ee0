#pragma once

#include "conelu/network.hpp"

namespace conelu::verification {

/// An output as it was computed. Neither the truth nor what another order of summation gives is further away than
/// `error`.
struct Evaluation {
  double output = 0;
  double error = 0;
};

/// A network laid out for many evaluations of single points, with the sizes that rounding errors are measured by.
class Forward {
 public:
  explicit Forward(const Network& network);

  Evaluation at(const VectorView& x) const;
  /// The network itself again.
  Network network() const { return {columns.transpose(), bias, output, output_bias}; }

  Index inputs() const { return columns.rows(); }
  Index neurons() const { return columns.cols(); }

  Matrix columns;  ///< d x m: the hidden weights
  Matrix sizes;    ///< their absolute values
  Vector bias, output;
  double output_bias;
};

}  // namespace conelu::verification
