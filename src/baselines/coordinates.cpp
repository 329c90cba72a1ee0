#include "baselines/coordinates.hpp"

#include <cmath>

namespace conelu::baselines {

Coordinates::Coordinates(const Samples& samples, bool bias)
    : bias_(bias), center_(Vector::Zero(samples.points.rows())), scale_(Vector::Ones(samples.points.rows())) {
  const auto n = static_cast<double>(samples.size());
  if (bias) center_ = samples.points.rowwise().mean();
  for (Index a = 0; a < scale_.size(); ++a) {
    const double deviation = std::sqrt((samples.points.row(a).array() - center_(a)).square().sum() / n);
    if (std::isnormal(deviation)) scale_(a) = deviation;
  }
}

void Coordinates::enter(Network& network) const {
  if (bias_) network.hidden_bias += network.hidden * center_;
  network.hidden *= scale_.asDiagonal();
}

void Coordinates::leave(Network& network) const {
  network.hidden *= scale_.cwiseInverse().asDiagonal();
  if (bias_) network.hidden_bias -= network.hidden * center_;
}

void Coordinates::enter_gradient(Network& gradient) const {
  if (bias_) gradient.hidden -= gradient.hidden_bias * center_.transpose();
  gradient.hidden *= scale_.cwiseInverse().asDiagonal();
}

}  // namespace conelu::baselines
