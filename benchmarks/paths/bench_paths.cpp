// What a path of six values of beta saves over six runs from scratch: iterations and CPU time, for factors of 1.1, 1.3
// and 2 between the values. The table of docs/method.md, "Several values of beta".

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "conelu/read_data.hpp"
#include "conelu/synthetic.hpp"
#include "conelu/train.hpp"

using namespace conelu;

namespace {

struct Cost {
  std::int64_t iterations = 0;
  double seconds = 0;

  void add(const RunRecord& record) {
    iterations += record.iterations;
    seconds += record.cpu_seconds;
  }
};

void compare(const std::string& name, const Dataset& data, TrainSettings settings, double largest) {
  settings.request.count = 60;
  settings.solver.threads = 1;
  fmt::print("{:40}", name);
  for (const double factor : {1.1, 1.3, 2.0}) {
    std::vector<double> betas;
    for (int i = 0; i < 6; ++i) betas.push_back(largest / std::pow(factor, i));
    Cost separate, path;
    for (const double beta : betas) {
      settings.beta = beta;
      separate.add(train(data, settings).model.training);
    }
    for (const TrainResult& result : train_path(data, settings, betas)) path.add(result.model.training);
    fmt::print("{:>5},{:>4} ({:.2f})", separate.iterations, path.iterations, path.seconds / separate.seconds);
  }
  fmt::print("\n");
}

Dataset masses() {
  ReadSettings read;
  read.header = false;
  read.missing = {"?"};
  read.missing_policy = MissingPolicy::drop;
  return read_dataset(std::string(CONELU_SHARED_DIR) + "/data/mammographic_masses/mammographic_masses.data", read);
}

}  // namespace

int main() {
  fmt::print("iterations of six runs, of a path over the same six beta, and the path's share of the CPU time\n");
  fmt::print("{:40}{:>17}{:>17}{:>17}\n", "", "beta / 1.1", "beta / 1.3", "beta / 2");
  TrainSettings settings;
  settings.standardize = true;
  settings.patterns = "gaussian";
  if (std::filesystem::exists(std::string(CONELU_SHARED_DIR) + "/data")) {
    const Dataset data = masses();
    compare("Mammographic Masses, hinge", data, settings, 1e-3);
    TrainSettings attacked = settings;
    attacked.eps = {0.12};
    attacked.patterns = "gaps";
    compare("the same under attack, eps = 0.12, gaps", data, attacked, 1e-3);
    settings.loss = "logistic";
    compare("Mammographic Masses, logistic", data, settings, 1e-3);
  } else {
    fmt::print("Mammographic Masses: left out, there is no {}/data\n", CONELU_SHARED_DIR);
  }
  settings.loss = "squared";
  Dataset plane = plane_dataset(100, 1);
  plane.classes.clear();
  compare("points in the plane, squared", plane, settings, 0.1);
}
