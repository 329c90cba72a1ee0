#include "evaluate/attacks/victims.hpp"

#include <cmath>

namespace conelu::attacks {
namespace {

Matrix padded_columns(const MatrixView& X) {
  Matrix columns = Matrix::Zero(X.cols(), kSlice);
  columns.leftCols(X.rows()) = X.transpose();
  return columns;
}

}  // namespace

Victims::Victims(const Network& given_network, const MatrixView& X, const VectorView& y,
                 const AttackSettings& given_settings)
    : network(given_network),
      settings(given_settings),
      ball(settings, padded_columns(X), X.rows()),
      landscape(network),
      rows_(X.rows()),
      y_(Vector::Ones(kSlice)),
      worst_(ball.centers()) {
  y_.head(rows_) = y;
  landscape.look(worst_);
  clean_ = landscape.outputs();
  outputs_ = clean_;
}

double Victims::side(Index k, double output) const {
  if (settings.task == Task::classification) return -y_(k);
  return output >= y_(k) ? 1.0 : -1.0;
}

double Victims::severity(Index k, double output) const {
  return settings.task == Task::classification ? -y_(k) * output : std::abs(output - y_(k));
}

std::vector<Vector> Victims::sides() const {
  if (settings.task == Task::classification) return {-y_};
  return {Vector::Ones(kSlice), -Vector::Ones(kSlice)};
}

void Victims::offer(Matrix points) {
  ball.pull_in(points);
  landscape.look(points);
  for (Index k = 0; k < rows_; ++k) {
    const double output = landscape.outputs()(k);
    if (!(severity(k, output) > severity(k, outputs_(k)))) continue;
    worst_.col(k) = points.col(k);
    outputs_(k) = output;
  }
}

}  // namespace conelu::attacks
