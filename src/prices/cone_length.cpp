#include "prices/cone_length.hpp"

#include <algorithm>
#include <cmath>

#include "program/rounding.hpp"

namespace conelu {
namespace {

constexpr Index kInexact = 1000;   // more roundings than an entry of a Gram matrix has gone through
constexpr double kAlmost = 1e-12;  // of the size of y: an edge that gains less is not added

/// Solves gram x = y on some of the edges; false if they depend on each other as far as can be told.
bool solve_on(const ConeGram& gram, const EdgeValues& y, const std::array<Index, kMostEdges>& set, Index count,
              EdgeValues& x) {
  std::array<std::array<double, kMostEdges>, kMostEdges> L;
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b <= a; ++b) {
      double sum = gram[set[a]][set[b]];
      for (Index c = 0; c < b; ++c) sum -= L[a][c] * L[b][c];
      if (a == b) {
        if (!(sum > 1e-15 * gram[set[a]][set[a]])) return false;
        L[a][a] = std::sqrt(sum);
      } else {
        L[a][b] = sum / L[b][b];
      }
    }
  }
  for (Index a = 0; a < count; ++a) {
    double sum = y[set[a]];
    for (Index b = 0; b < a; ++b) sum -= L[a][b] * x[b];
    x[a] = sum / L[a][a];
  }
  for (Index a = count - 1; a >= 0; --a) {
    for (Index b = a + 1; b < count; ++b) x[a] -= L[b][a] * x[b];
    x[a] /= L[a][a];
  }
  return true;
}

/// |Vl| times what makes it fit. All terms are nonnegative: relative errors stay small.
double fitted_length(const ConeGram& gram, const EdgeValues& y, Index edges, double margin, const EdgeValues& l) {
  double longer = 0, square = 0;
  for (Index i = 0; i < edges; ++i) {
    double product = 0;
    for (Index j = 0; j < edges; ++j) product += gram[i][j] * l[j];
    square += l[i] * product;
    const double wanted = y[i] + margin;
    if (wanted > longer * product) longer = product > 0 ? wanted / product : rounding::kInfinity;
  }
  return longer * std::sqrt(square) * (1 + rounding::share(kInexact));
}

}  // namespace

double cone_length_above(const ConeGram& gram, const EdgeValues& y, Index edges, double margin, EdgeValues& l) {
  std::array<Index, kMostEdges> set;
  Index count = 0;
  double size = 0;
  for (Index i = 0; i < edges; ++i) {
    l[i] = 0;
    size = std::max(size, std::abs(y[i]));
  }
  EdgeValues x;
  for (Index step = 0; step < 3 * edges; ++step) {
    Index best = -1;
    double most = kAlmost * size;
    for (Index i = 0; i < edges; ++i) {
      if (l[i] > 0) continue;
      double gain = y[i];
      for (Index b = 0; b < count; ++b) gain -= gram[i][set[b]] * l[set[b]];
      if (gain > most) {
        most = gain;
        best = i;
      }
    }
    if (best < 0) break;
    set[count++] = best;
    bool stuck = false;
    while (count > 0 && !stuck) {
      Index blocking = -1;
      double part = 1;
      if (!solve_on(gram, y, set, count, x)) {
        blocking = count - 1;
        part = 0;
      }
      for (Index b = 0; b < count && part > 0; ++b) {
        if (x[b] > 0 || l[set[b]] >= part * (l[set[b]] - x[b])) continue;
        part = l[set[b]] / (l[set[b]] - x[b]);
        blocking = b;
      }
      for (Index b = 0; b < count; ++b) l[set[b]] = std::max(0.0, l[set[b]] + part * (x[b] - l[set[b]]));
      if (blocking < 0) break;
      stuck = set[blocking] == best;  // rounding: it gains nothing after all
      l[set[blocking]] = 0;
      set[blocking] = set[--count];
    }
    if (stuck) break;
  }
  EdgeValues centre;
  double sum = 0;
  for (Index i = 0; i < edges; ++i) {
    centre[i] = 1;
    sum += l[i];
  }
  const double around = fitted_length(gram, y, edges, margin, centre);
  if (!(sum > 0)) {
    for (Index i = 0; i < edges; ++i) l[i] = 1;
    return around;
  }
  return std::min(around, fitted_length(gram, y, edges, margin, l));
}

}  // namespace conelu
