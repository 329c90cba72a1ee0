#pragma once

#include "linalg/dense.hpp"

namespace conelu {

/// Adds B'B to a matrix, where B = diag(w) (A - 1 c') and w and c are other ones in every Newton step.
///
/// A direction that only has to lead somewhere, to the inside of a cone or to its centre, seldom needs more than the seven
/// digits of single precision, which takes half the time; the caller knows when it does. Small results are faster in
/// double precision all the same.
class GramSum {
 public:
  explicit GramSum(Matrix A);

  const Matrix& rows() const { return A_; }
  /// C += B'B, lower triangle; in single precision unless `exact`.
  void add(bool exact, const Vector& w, const Vector& c, Eigen::Ref<Matrix> C);

 private:
  Matrix A_, part_;
  dense::SingleMatrix single_, single_part_, single_sum_;  // empty if there are few columns
};

}  // namespace conelu
