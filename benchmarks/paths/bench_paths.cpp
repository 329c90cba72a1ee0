// What a path of six values of beta or of the radius saves over six runs from scratch: iterations and CPU time, for
// factors of 1.1, 1.3 and 2 between the values. The table of docs/method.md, "Several values".

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
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

/// Six values, falling by a factor from the largest.
std::vector<double> falling(double largest, double factor) {
  std::vector<double> values;
  for (int i = 0; i < 6; ++i) values.push_back(largest / std::pow(factor, i));
  return values;
}

/// `train_one` has a result for one value, `train_all` one for each.
template <class TrainOne, class TrainAll>
void compare(const std::string& name, double largest, const TrainOne& train_one, const TrainAll& train_all) {
  fmt::print("{:44}", name);
  for (const double factor : {1.1, 1.3, 2.0}) {
    const std::vector<double> values = falling(largest, factor);
    Cost separate, path;
    for (const double value : values) separate.add(train_one(value).model.training);
    for (const TrainResult& result : train_all(values)) path.add(result.model.training);
    fmt::print("{:>5},{:>4} ({:.2f})", separate.iterations, path.iterations, path.seconds / separate.seconds);
    std::fflush(stdout);
  }
  fmt::print("\n");
}

void compare_betas(const std::string& name, const Dataset& data, TrainSettings settings, double largest) {
  const auto train_one = [&](double beta) {
    settings.beta = beta;
    return train(data, settings);
  };
  compare(name, largest, train_one, [&](const auto& betas) { return train_path(data, settings, betas); });
}

void compare_radii(const std::string& name, const Dataset& data, TrainSettings settings) {
  const double largest = settings.eps[0];
  const auto train_one = [&](double eps) {
    settings.eps = {eps};
    return train(data, settings);
  };
  compare(name, largest, train_one, [&](const auto& values) {
    std::vector<std::vector<double>> radii;
    for (const double eps : values) radii.push_back({eps});
    return train_path(data, settings, {settings.beta.value()}, radii);
  });
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
  fmt::print("iterations of six runs, of a path over the same six values, and the path's share of the CPU time\n");
  fmt::print("{:44}{:>17}{:>17}{:>17}\n", "", "factor 1.1", "1.3", "2");
  TrainSettings settings;
  settings.standardize = true;
  settings.patterns = "gaussian";
  settings.request.count = 60;
  settings.solver.threads = 1;
  if (std::filesystem::exists(std::string(CONELU_SHARED_DIR) + "/data")) {
    const Dataset data = masses();
    TrainSettings attacked = settings;
    attacked.beta = 1e-3;
    attacked.eps = {0.12};
    attacked.patterns = "gaps";
    attacked.rounds = 1;
    compare_betas("Mammographic Masses, hinge", data, settings, 1e-3);
    compare_betas("the same under attack, eps = 0.12, gaps", data, attacked, 1e-3);
    compare_radii("the same, radii from 0.12, beta = 1e-3", data, attacked);
    settings.loss = attacked.loss = "logistic";
    compare_betas("Mammographic Masses, logistic", data, settings, 1e-3);
    compare_radii("the same, radii from 0.12, beta = 1e-3", data, attacked);
  } else {
    fmt::print("Mammographic Masses: left out, there is no {}/data\n", CONELU_SHARED_DIR);
  }
  settings.loss = "squared";
  Dataset plane = plane_dataset(100, 1);
  plane.classes.clear();
  compare_betas("points in the plane, squared", plane, settings, 0.1);
}
