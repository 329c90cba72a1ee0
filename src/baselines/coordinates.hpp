#pragma once

#include "baselines/slice.hpp"
#include "conelu/network.hpp"

namespace conelu::baselines {

/// The weights that a network would have if its features were centred and scaled. With x = center + scale o z:
///
///     hidden.x + hidden_bias = (hidden o scale).z + (hidden_bias + hidden.center)
///
/// The network and its penalty stay what they are, but steps along the gradient in these coordinates do not zigzag
/// between the bias and features that are all of one sign. Without a bias there is nothing to center with.
class Coordinates {
 public:
  Coordinates(const Samples& samples, bool bias);

  void enter(Network& network) const;
  void leave(Network& network) const;
  /// Derivatives by the network's own weights become those by its weights in these coordinates.
  void enter_gradient(Network& gradient) const;

  const Vector& scale() const { return scale_; }

 private:
  bool bias_;
  Vector center_;
  Vector scale_;
};

}  // namespace conelu::baselines
