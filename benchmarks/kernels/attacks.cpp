// Attacks on 2,000 rows of 147 features and 72 neurons, the size of the paper's CIFAR-10 experiment.

#include <benchmark/benchmark.h>

#include "conelu/attack.hpp"
#include "random_program.hpp"

namespace conelu {
namespace {

void attack_rows(benchmark::State& state, const std::string& name, const std::string& norm) {
  constexpr Index n = 2000, d = 147, m = 72;
  Random random(1, 1);
  const auto draw = [&] { return random.normal(); };
  Network network;
  network.hidden = Matrix::NullaryExpr(m, d, draw);
  network.hidden_bias = Vector::NullaryExpr(m, draw);
  network.output = Vector::NullaryExpr(m, draw);
  const Matrix X = random_rows(n, d, 3);
  const Vector y = (network.predict(X).array() >= 0).select(Vector::Ones(n), -1.0);
  AttackSettings settings;
  settings.threat = Threat::uniform(make_norm(norm), norm == "inf" ? 0.05 : norm == "2" ? 0.5 : 2.0, d, false);
  for (auto _ : state) benchmark::DoNotOptimize(attack(name, network, X, y, settings).outputs.data());
  state.SetItemsProcessed(state.iterations() * n);
}

BENCHMARK_CAPTURE(attack_rows, fgsm_inf, "fgsm", "inf");
BENCHMARK_CAPTURE(attack_rows, pgd_inf, "pgd", "inf");
BENCHMARK_CAPTURE(attack_rows, pgd_2, "pgd", "2");
BENCHMARK_CAPTURE(attack_rows, pgd_1, "pgd", "1");

}  // namespace
}  // namespace conelu
