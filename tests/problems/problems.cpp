#include "problems/problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "conelu/read_data.hpp"
#include "linalg/random.hpp"

namespace conelu::problems {

Points random_points(Index n, Index d, bool bias, bool labels, std::uint64_t seed) {
  Random random(seed, 77);
  Points points{Matrix(n, d), Vector(n)};
  for (Index k = 0; k < n; ++k) {
    double rule = 0;
    for (Index a = 0; a < d; ++a) {
      points.X(k, a) = bias && a == d - 1 ? 1.0 : random.normal();
      rule += std::sin(2.0 * points.X(k, a) + static_cast<double>(a));
    }
    points.y(k) = labels ? (rule + 0.3 * random.normal() > 0 ? 1.0 : -1.0) : rule;
  }
  return points;
}

Program random_program(const std::string& loss, Index n, Index d, Index count, double beta, std::uint64_t seed) {
  const LossPointer pointer = make_loss(loss);
  const Points points = random_points(n, d, d > 1, pointer->is_margin_loss(), seed);
  PatternRequest request;
  request.count = count;
  request.seed = seed;
  return Program(points.X, points.y, Vector(), pointer, beta, make_patterns("gaussian", points.X, request).patterns);
}

std::uint64_t repetitions(std::uint64_t usual, std::uint64_t slow) {
  const char* wanted = std::getenv("CONELU_SLOW_TESTS");
  return wanted != nullptr && std::string(wanted) == "1" ? slow : usual;
}

std::vector<Case> standard_cases() {
  const std::string folder = std::string(CONELU_SHARED_DIR) + "/cases/";
  std::ifstream file(folder + "index.json");
  if (!file) return {};
  std::vector<Case> cases;
  for (const auto& entry : nlohmann::json::parse(file)) {
    if (entry.at("eps").get<double>() != 0) continue;
    const std::string name = entry.at("name");
    cases.push_back({name, entry.at("loss"), entry.at("beta"), entry.at("eps"), entry.at("objective"),
                     entry.at("proven_lower_bound"), folder + name + ".npz", folder + name + ".patterns.npy"});
  }
  return cases;
}

Program load_program(const Case& reference) {
  ReadSettings settings;
  settings.task = make_loss(reference.loss)->is_margin_loss() ? Task::classification : Task::regression;
  const Dataset data = read_dataset(reference.data_file, settings);
  return Program(data.X, data.y, data.weights, make_loss(reference.loss), reference.beta,
                 make_patterns(reference.pattern_file, data.X).patterns);
}

Matrix random_feasible_blocks(const Program& program, double size, std::uint64_t seed) {
  Random random(seed, 78);
  Matrix U(program.dimension(), program.blocks());
  for (Index j = 0; j < program.blocks(); ++j) {
    const Vector witness = program.witnesses().col(j / 2);
    Vector u = size * random.uniform() * witness;
    // As far towards a random point as the cone allows, times a random share.
    Vector towards(u.size());
    for (Index a = 0; a < u.size(); ++a) towards(a) = size * random.normal();
    double longest = 1;
    for (Index k = 0; k < program.samples(); ++k) {
      const double sign = 2 * program.activations()(k, j / 2) - 1;
      const double slack = sign * program.X().row(k).dot(u);
      const double change = sign * program.X().row(k).dot(towards);
      if (change < 0) longest = std::min(longest, slack / -change);
    }
    U.col(j) = u + 0.99 * random.uniform() * longest * towards;
  }
  return U;
}

}  // namespace conelu::problems
