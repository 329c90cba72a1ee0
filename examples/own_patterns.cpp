// A program put together by hand, with patterns of our own and news from the solver. Its optimum is known: four points
// at the corners of a square, labelled like XOR, so that no linear model fits them.
#include <cmath>
#include <cstdio>

#include "conelu/interior_point.hpp"

int main() {
  conelu::Matrix X(4, 3);
  X << 1, 1, 1,   //
      1, -1, 1,   //
      -1, 1, 1,   //
      -1, -1, 1;  // the last column is the bias
  const conelu::Vector y = X.col(0).cwiseProduct(X.col(1));

  // A pattern says on which samples a neuron is active. The direction (corner, -1) is active on that corner alone;
  // handed over as the witness, it saves the program from looking for such a direction itself.
  conelu::PatternSet patterns(X.rows());
  for (conelu::Index corner = 0; corner < 4; ++corner) {
    conelu::Vector direction = X.row(corner);
    direction(2) = -1;
    patterns.add(X * direction, direction);
  }

  const double beta = 0.1;
  const conelu::Vector equal_weights;  // empty: every point counts once
  const conelu::Program program(X, y, equal_weights, conelu::make_loss("hinge"), beta, patterns);

  // Every iteration has a feasible network and a lower bound, so the solve may be stopped at any of them.
  conelu::InteriorPointSettings settings;
  settings.tolerance = 1e-8;
  const auto report = [](const conelu::Progress& news) {
    std::printf("%2d  %.9f <= optimum <= %.9f\n", news.iteration, news.lower_bound, news.objective);
    return true;  // false: stop here
  };
  const conelu::Solution solution = conelu::InteriorPoint(settings).solve(program, report);

  // Each corner has a neuron of its own. Of all weights that leave the other three corners inactive, a multiple of
  // (corner, 0) reaches margin 1 with the least penalty: length 1/sqrt(2), four times.
  const double optimum = 4 * beta / std::sqrt(2.0);
  std::printf("in closed form: %.9f\n", optimum);
  const conelu::Certificate& proof = solution.certificate;
  return proof.lower_bound <= optimum && optimum <= proof.objective && proof.relative_gap() <= 1e-8 ? 0 : 1;
}
