// Trains against an attacker who may move both features of every point by 0.2, then plays the attacker.
#include <cmath>
#include <cstdio>

#include "conelu/interior_point.hpp"
#include "conelu/patterns.hpp"
#include "conelu/preprocessing.hpp"
#include "conelu/synthetic.hpp"
#include "conelu/worst_case.hpp"

int main() {
  const conelu::Dataset data = conelu::plane_dataset(34, /*seed=*/1);
  const conelu::Matrix X = conelu::with_bias(data.X);  // a third feature, always 1, that nobody can move
  const conelu::Threat threat = conelu::Threat::uniform(conelu::Norm::infinity, 0.2, /*d=*/2, /*bias=*/true);

  // Patterns of random directions rarely survive an attack; the source `gaps` looks for those that do.
  conelu::PatternRequest request;
  request.threat = threat;
  request.labels = data.y;
  const conelu::PatternSet patterns = conelu::make_patterns("gaps", X, request).patterns;

  const conelu::Vector equal_weights;  // empty: every point counts once
  const conelu::Program program(X, data.y, equal_weights, conelu::make_loss("hinge"), /*beta=*/1e-3, patterns, threat);
  const conelu::Solution solution = conelu::InteriorPoint().solve(program);
  const conelu::Certificate& proof = solution.certificate;
  std::printf("objective %.6f, no point of the program is below %.6f\n", proof.objective, proof.lower_bound);

  // What is certified is about the network: no attack whatsoever can make it worse than this.
  const conelu::Network network = conelu::recover_network(solution.blocks, /*bias=*/true);
  const double certified = conelu::network_objective(program, network, /*bias=*/true);

  // The worst move of every point, in closed form. The network at the moved points, with the loss written out:
  const conelu::Matrix moves = conelu::worst_perturbations(program, solution.blocks);
  const conelu::Vector outputs = network.predict(data.X + moves.leftCols(2));
  const double loss = (1 - data.y.array() * outputs.array()).max(0.0).mean();
  const double suffered = loss + network.penalty(1e-3);
  std::printf("certified to stay below %.6f; the attack reaches %.6f\n", certified, suffered);
  std::printf("point 1 at (%.3f, %.3f) is moved by (%.3f, %.3f)\n", X(0, 0), X(0, 1), moves(0, 0), moves(0, 1));

  // With the paper's cones, which are the default, the two agree: the certificate promises neither too much nor too
  // little.
  const bool attained = std::abs(certified - suffered) <= 1e-6 * certified;
  return attained && proof.status(1e-6) == conelu::Status::optimal ? 0 : 1;
}
