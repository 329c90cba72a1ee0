#include <cstdio>

#include "conelu/synthetic.hpp"
#include "conelu/train.hpp"

int main() {
  const conelu::Dataset data = conelu::plane_dataset(20, /*seed=*/1);  // or conelu::read_dataset("points.csv")

  conelu::TrainSettings settings;
  settings.loss = "hinge";
  settings.beta = 1e-3;
  settings.patterns = "all";  // every activation pattern: the bound below holds for networks of any width
  const conelu::TrainResult result = conelu::train(data, settings);

  const conelu::Certificate& proof = result.solution().certificate;
  std::printf("objective %.8f; no network of any width is below %.8f\n", proof.objective, proof.lower_bound);
  const conelu::Vector scores = result.model.scores(data.X);  // raw features in, network outputs out
  std::printf("%.0f %% of the points are classified right\n",
              100 * (scores.array() * data.y.array() > 0).cast<double>().mean());
  return proof.status(settings.solver.tolerance) == conelu::Status::optimal ? 0 : 1;
}
