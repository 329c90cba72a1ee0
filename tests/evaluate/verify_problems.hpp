#pragma once

#include <cmath>
#include <vector>

#include "conelu/verify.hpp"
#include "linalg/random.hpp"

namespace conelu::test {

inline Network random_network(Index m, Index d, Random& random) {
  const auto normal = [&] { return random.normal(); };
  Network network;
  network.hidden = Matrix::NullaryExpr(m, d, normal);
  network.hidden_bias = Vector::NullaryExpr(m, normal);
  network.output = Vector::NullaryExpr(m, normal);
  network.output_bias = random.normal();
  return network;
}

inline VerifySettings exactly(const Threat& threat, Task task = Task::classification) {
  VerifySettings settings;
  settings.threat = threat;
  settings.task = task;
  settings.exact = true;
  return settings;
}

/// In extended precision and in the order of the neurons: not the library's arithmetic.
inline double output_at(const Network& network, const Vector& x) {
  long double f = network.output_bias;
  for (Index j = 0; j < network.neurons(); ++j) {
    long double t = network.hidden_bias(j);
    for (Index a = 0; a < x.size(); ++a) t += static_cast<long double>(network.hidden(j, a)) * x(a);
    if (t > 0) f += network.output(j) * t;
  }
  return static_cast<double>(f);
}

/// A feature can be moved from x(a) by at most this much down and up, by itself.
struct Room {
  double down, up;
};
inline Room room_of(const Vector& x, const VerifySettings& settings, Index a) {
  const double radius = settings.threat.radii.size() > 0 ? settings.threat.radii(a) : 0.0;
  const double below = settings.lower.size() > 0 ? x(a) - settings.lower(a) : radius;
  const double above = settings.upper.size() > 0 ? settings.upper(a) - x(a) : radius;
  if (below < 0 || above < 0) return {0, 0};
  return {std::min(radius, below), std::min(radius, above)};
}

/// Any point of the ball, cut with what features can be: a random direction of a random length, then clipped.
inline Vector random_point(const Vector& x, const VerifySettings& settings, Random& random) {
  const Threat& threat = settings.threat;
  if (threat.radii.size() == 0) return x;
  Vector z = Vector::NullaryExpr(x.size(), [&] { return random.normal(); });
  if (random.uniform() < 0.3) z = z.cwiseSign();
  if (random.uniform() < 0.3) z = z.cwiseProduct(Vector::NullaryExpr(x.size(), [&] { return random.uniform() < 0.3; }));
  Vector delta = threat.radii.cwiseProduct(z);
  const double size = threat.size(delta);
  if (size > 0) delta *= (random.uniform() < 0.5 ? 1.0 : random.uniform()) * (1 - 1e-15) / size;
  for (Index a = 0; a < x.size(); ++a) {
    const Room room = room_of(x, settings, a);
    delta(a) = std::clamp(delta(a), -room.down, room.up);
  }
  return x + delta;
}

}  // namespace conelu::test
