#include "evaluate/attacks/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace conelu::attacks {

LineSearch::Best LineSearch::find(double side, const VectorView& given_t, const VectorView& given_u, double behind,
                                  double ahead) {
  const Index m = given_t.size();
  const double* t = given_t.data();
  const double* u = given_u.data();
  const double* output = network_.output.data();
  crossings_.resize(m);
  double* crossings = crossings_.data();
  double slope = 0;
#pragma omp simd reduction(+ : slope)
  for (Index j = 0; j < m; ++j) {
    const double first = t[j] - behind * u[j];
    crossings[j] = first * (t[j] + ahead * u[j]);
    const double active = first > 0 ? 1.0 : 0.0;
    const double at_kink = first == 0 ? 1.0 : 0.0;
    const double rising = u[j] > 0 ? 1.0 : 0.0;
    slope += output[j] * u[j] * (active + at_kink * rising);
  }
  kinks_.clear();
  for (Index j = 0; j < m; ++j) {
    if (crossings[j] < 0) kinks_.push_back({-t[j] / u[j], side * output[j] * std::abs(u[j])});
  }
  kinks_.push_back({0, 0});
  std::sort(kinks_.begin(), kinks_.end(), [](const Kink& a, const Kink& b) { return a.step < b.step; });
  kinks_.push_back({ahead, 0});

  slope *= side;
  Best best{-behind, 0};
  double here = 0;  // gain over the first point
  double step = -behind;
  double gain = 0;
  for (const Kink& kink : kinks_) {
    gain += slope * (kink.step - step);
    slope += kink.change;
    step = kink.step;
    if (step == 0 && kink.change == 0) here = gain;
    if (gain > best.gain) best = {step, gain};
  }
  best.gain -= here;
  return best;
}

}  // namespace conelu::attacks
