// Times the attacks on 2,000 rows of 147 features and a network of 72 neurons (the size of the paper's CIFAR-10
// experiment) against the matrix products of PGD alone: 41 forward and 40 backward ones over all rows.
//
//   bench_attacks [--threads N] [--rows N] [--features N] [--neurons N]

#include <cblas.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>

#include "conelu/attack.hpp"

using namespace conelu;

namespace {

struct Sizes {
  int rows = 2000;
  int features = 147;
  int neurons = 72;
};

/// CPU time, the best of a few runs: the machine may have other work.
double seconds(int runs, const std::function<void()>& work) {
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

/// What every implementation of PGD has to multiply, and nothing else.
void products(const Network& network, const Matrix& points, int steps, Matrix& preactivations, Matrix& gradients) {
  const int m = static_cast<int>(network.neurons());
  const int d = static_cast<int>(network.inputs());
  const int n = static_cast<int>(points.cols());
  for (int step = 0; step <= steps; ++step) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, d, 1.0, network.hidden.data(), m, points.data(), d,
                0.0, preactivations.data(), m);
    if (step == steps) break;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, d, n, m, 1.0, network.hidden.data(), m, preactivations.data(),
                m, 0.0, gradients.data(), d);
  }
}

double accuracy(const Vector& outputs, const Vector& y) {
  return ((outputs.array() >= 0) == (y.array() > 0)).cast<double>().mean();
}

bool inside(const AttackResult& result, const Matrix& X, const Threat& threat) {
  for (Index k = 0; k < X.rows(); ++k) {
    if (!(threat.size((result.points.row(k) - X.row(k)).transpose()) <= 1)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Sizes sizes;
  int threads = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    int* value = argument == "--threads"    ? &threads
                 : argument == "--rows"     ? &sizes.rows
                 : argument == "--features" ? &sizes.features
                 : argument == "--neurons"  ? &sizes.neurons
                                            : nullptr;
    if (value == nullptr || i + 1 >= argc || (*value = std::atoi(argv[++i])) < 1) {
      fmt::print(stderr, "usage: bench_attacks [--threads N] [--rows N] [--features N] [--neurons N]\n");
      return 2;
    }
  }
  omp_set_num_threads(threads);

  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const auto draw = [&] { return normal(random); };
  Network network;
  network.hidden = Matrix::NullaryExpr(sizes.neurons, sizes.features, draw);
  network.hidden_bias = Vector::NullaryExpr(sizes.neurons, draw);
  network.output = Vector::NullaryExpr(sizes.neurons, draw);
  const Matrix X = Matrix::NullaryExpr(sizes.rows, sizes.features, draw);
  const Vector y = (network.predict(X).array() >= 0).select(Vector::Ones(sizes.rows), -1.0);  // right without an attack

  AttackSettings settings;
  const Matrix points = X.transpose();
  Matrix preactivations(sizes.neurons, sizes.rows);
  Matrix gradients(sizes.features, sizes.rows);
  const double unit = seconds(5, [&] { products(network, points, settings.steps, preactivations, gradients); });
  fmt::print("{} rows, {} features, {} neurons, {} thread(s)\n", sizes.rows, sizes.features, sizes.neurons, threads);
  fmt::print("matrix products of {} steps: {:.4f} s of CPU time\n\n", settings.steps, unit);
  fmt::print("{:>4} {:>7} {:>9} {:>6} {:>6} {:>9}\n", "norm", "attack", "CPU s", "ratio", "right", "inside");
  bool sound = true;
  for (const std::string& norm : norm_names()) {
    // Radii at which a fair share of the rows breaks.
    const double radius = norm == "inf" ? 0.05 : norm == "2" ? 0.5 : 2.0;
    settings.threat = Threat::uniform(make_norm(norm), radius, sizes.features, false);
    for (const std::string& name : attack_names()) {
      AttackResult result;
      const double time = seconds(name == "strong" ? 1 : 5, [&] { result = attack(name, network, X, y, settings); });
      const bool good = inside(result, X, settings.threat);
      sound = sound && good;
      fmt::print("{:>4} {:>7} {:>9.4f} {:>6.2f} {:>6.3f} {:>9}\n", norm, name, time, time / unit,
                 accuracy(result.outputs, y), good ? "yes" : "NO");
    }
  }
  return sound ? 0 : 1;
}
