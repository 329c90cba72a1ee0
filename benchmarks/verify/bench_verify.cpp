// Exact verdicts for the 249 test rows of Mammographic Masses (complete rows, 70 % to train on, z-scores of these) at
// growing radii, with a network of our own trained at 0.12: how many rows are robust, and the time a row takes.
//
//   bench_verify [--threads N] [--patterns P] [--method cones|reduced]

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "conelu/train.hpp"
#include "conelu/verify.hpp"

using namespace conelu;

namespace {

Dataset read_masses(const std::string& path) {
  std::ifstream file(path);
  std::vector<double> numbers;
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 2 || line.find('?') != std::string::npos) continue;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
  }
  Dataset data;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix table = Eigen::Map<const RowMajor>(numbers.data(), static_cast<Index>(numbers.size()) / 6, 6);
  data.X = table.leftCols(5);
  data.y = 2 * table.col(5).array() - 1;
  data.features = {"birads", "age", "shape", "margin", "density"};
  data.classes = {"0", "1"};
  return data;
}

void print_row(const std::string& what, const std::vector<Verification>& rows) {
  std::vector<double> seconds;
  Index robust = 0, broken = 0;
  long branches = 0;
  double total = 0;
  for (const Verification& row : rows) {
    if (row.verdict == Verdict::robust) ++robust;
    if (row.verdict == Verdict::broken) ++broken;
    branches += row.branches;
    total += row.seconds;
    seconds.push_back(row.seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  fmt::print("{:24} {:>7} {:>7} {:>8} {:>9} {:>10.6f} {:>10.6f} {:>9.3f}\n", what, robust, broken,
             static_cast<Index>(rows.size()) - robust - broken, branches, seconds[seconds.size() / 2], seconds.back(),
             total);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  TrainSettings training;
  training.eps = {0.12};
  training.patterns = "gaps";
  training.all_active = true;
  training.request.count = 120;
  training.method = "cones";
  VerifySettings settings;
  settings.threads = 1;
  settings.time_limit = 2;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--threads" && i + 1 < argc) {
      settings.threads = std::atoi(argv[++i]);
    } else if (argument == "--patterns" && i + 1 < argc) {
      training.request.count = std::atoi(argv[++i]);
    } else if (argument == "--method" && i + 1 < argc) {
      training.method = argv[++i];
    } else {
      fmt::print(stderr, "usage: bench_verify [--threads N] [--patterns P] [--method cones|reduced]\n");
      return 2;
    }
  }
  omp_set_num_threads(std::max(1, settings.threads));
  const std::string path = std::string(CONELU_SHARED_DIR) + "/data/mammographic_masses/mammographic_masses.data";
  if (!std::ifstream(path)) {
    fmt::print("No Mammographic Masses at {}: nothing to run.\n", path);
    return 0;
  }
  auto [train_part, test_part] = split(read_masses(path), 0.3, 1);
  const Preprocessing preprocessing = Preprocessing::standardize(train_part);
  train_part.X = preprocessing.apply(train_part.X);
  test_part.X = preprocessing.apply(test_part.X);
  const TrainResult result = train(train_part, training);
  const Network& network = result.model.network();
  fmt::print("{} rows, {} neurons ({}, {:.1f} s to train), {} thread(s)\n\n", test_part.samples(), network.neurons(),
             training.method, result.model.training.seconds, settings.threads);
  fmt::print("{:24} {:>7} {:>7} {:>8} {:>9} {:>10} {:>10} {:>9}\n", "", "robust", "broken", "unknown", "branches",
             "median s", "longest s", "total s");
  bool sound = true;
  for (const std::string& norm : norm_names()) {
    for (const double eps : {0.06, 0.12, 0.24}) {
      settings.threat = Threat::uniform(make_norm(norm), eps, 5, false);
      settings.exact = false;
      const std::vector<Verification> verdicts = verify(network, test_part.X, test_part.y, settings);
      settings.exact = true;
      const std::vector<Verification> exact = verify(network, test_part.X, test_part.y, settings);
      print_row(fmt::format("l{} {:.2f} verdict", norm, eps), verdicts);
      print_row(fmt::format("l{} {:.2f} exact margin", norm, eps), exact);
      for (std::size_t k = 0; k < exact.size(); ++k) {
        const bool both = verdicts[k].verdict != Verdict::unknown && exact[k].verdict != Verdict::unknown;
        sound = sound && !(both && verdicts[k].verdict != exact[k].verdict) && verdicts[k].lower <= exact[k].upper;
      }
    }
  }
  if (!sound) fmt::print("WRONG: verdicts and exact margins contradict each other\n");
  return sound ? 0 : 1;
}
