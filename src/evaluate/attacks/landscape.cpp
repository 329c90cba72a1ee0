#include "evaluate/attacks/landscape.hpp"

#include <cmath>

#include "linalg/dense.hpp"

namespace conelu::attacks {

void Landscape::look(const Matrix& points) {
  preactivations_.resize(network_.neurons(), points.cols());
  preactivations_.colwise() = network_.hidden_bias;
  dense::multiply(1.0, dense::Op::none, network_.hidden, dense::Op::none, points, 1.0, preactivations_);
  outputs_.resize(points.cols());
  for (Index k = 0; k < points.cols(); ++k) {
    outputs_(k) = network_.output.dot(preactivations_.col(k).cwiseMax(0.0)) + network_.output_bias;
  }
}

void Landscape::gradients(const Vector& sides, Matrix& G) {
  gated_.resize(preactivations_.rows(), preactivations_.cols());
  for (Index k = 0; k < gated_.cols(); ++k) {
    const double side = sides(k);
    const double* t = preactivations_.col(k).data();
    const double* output = network_.output.data();
    double* gated = gated_.col(k).data();
    for (Index j = 0; j < network_.neurons(); ++j) {
      // 1 for t >= 0, else 0, without a branch that would be mispredicted half of the time; + 0.0 is for -0.0.
      const double gate = 0.5 + std::copysign(0.5, t[j] + 0.0);
      gated[j] = side * output[j] * gate;
    }
  }
  G.resize(network_.inputs(), gated_.cols());
  dense::multiply(1.0, dense::Op::transpose, network_.hidden, dense::Op::none, gated_, 0.0, G);
}

}  // namespace conelu::attacks
