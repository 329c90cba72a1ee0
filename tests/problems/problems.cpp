#include "problems/problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "conelu/read_data.hpp"
#include "linalg/random.hpp"
#include "problems/own_loss.hpp"

namespace conelu::problems {
namespace {

[[maybe_unused]] const bool kRegistered = [] {
  register_loss(LogCoshLoss::kName, [](const LossSettings&) { return std::make_shared<LogCoshLoss>(); });
  return true;
}();

}  // namespace

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

std::string test_name(std::string text) {
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

std::string Setting::name() const {
  const std::string suffix = radius > 0 ? std::string("_l") + to_string(norm) : std::string("_clean");
  return test_name(loss + "_" + to_string(method) + suffix);
}

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name(); }

std::vector<Setting> every_setting() {
  std::vector<Setting> settings;
  for (const std::string& loss : loss_names()) {
    for (const std::string& method : method_names()) {
      settings.push_back({loss, make_method(method)});
      for (const std::string& norm : norm_names())
        settings.push_back({loss, make_method(method), make_norm(norm), 0.1});
    }
  }
  return settings;
}

Threat random_threat(Norm norm, double radius, Index d, std::uint64_t seed) {
  if (seed % 3 < 2) return Threat::uniform(norm, radius, d - static_cast<Index>(seed % 3), seed % 3 == 1);
  Random random(seed, 79);
  Threat threat{norm, Vector::Zero(d)};
  for (Index a = 0; a < d; ++a) {
    if (random.uniform() < 0.7) threat.radii(a) = radius * (0.2 + 1.6 * random.uniform());
  }
  threat.radii(0) = radius;
  return threat;
}

Program random_program(const Setting& setting, Index n, Index d, Index count, double beta, std::uint64_t seed) {
  const LossPointer loss = make_loss(setting.loss);
  const Points points = random_points(n, d, d > 1, loss->is_margin_loss(), seed);
  const Threat threat = setting.radius > 0 ? random_threat(setting.norm, setting.radius, d, seed) : Threat();
  Random random(seed, 80);
  PatternSet patterns(n);
  for (int draw = 0; draw < 3000 && patterns.count() < count; ++draw) {
    const Vector u = Vector::NullaryExpr(d, [&] { return random.normal(); });
    const Vector preactivations = points.X * u;
    if (preactivations.cwiseAbs().minCoeff() > 1.001 * threat.worst_change(u)) patterns.add(preactivations, u);
  }
  for (Index i = 0; i < count && setting.method != Method::cones; ++i) {
    const Vector u = Vector::NullaryExpr(d, [&] { return random.normal(); });
    patterns.add(points.X * u);
  }
  return Program(points.X, points.y, Vector(), loss, beta, patterns, threat, setting.method);
}

namespace {

std::vector<Case> read_cases(bool robust) {
  const std::string folder = std::string(CONELU_SHARED_DIR) + "/cases/";
  std::ifstream file(folder + "index.json");
  if (!file) return {};
  std::vector<Case> cases;
  for (const auto& entry : nlohmann::json::parse(file)) {
    if ((entry.at("eps").get<double>() != 0) != robust) continue;
    const std::string name = entry.at("name");
    cases.push_back({name, entry.at("loss"), entry.at("beta"), entry.at("eps"), entry.at("objective"),
                     entry.at("proven_lower_bound"), folder + name + ".npz", folder + name + ".patterns.npy",
                     make_norm(entry.at("norm"))});
  }
  return cases;
}

}  // namespace

std::vector<Case> standard_cases() { return read_cases(false); }
std::vector<Case> robust_cases() { return read_cases(true); }

Program load_program(const Case& reference, Method method) {
  ReadSettings settings;
  settings.task = make_loss(reference.loss)->is_margin_loss() ? Task::classification : Task::regression;
  const Dataset data = read_dataset(reference.data_file, settings);
  const Threat threat = Threat::uniform(reference.norm, reference.eps, data.X.cols(), false);
  return Program(data.X, data.y, data.weights, make_loss(reference.loss), reference.beta,
                 make_patterns(reference.pattern_file, data.X).patterns, threat, method);
}

Dataset mammographic_masses() {
  std::ifstream file(std::string(CONELU_SHARED_DIR) + "/data/mammographic_masses/mammographic_masses.data");
  std::vector<double> numbers;
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 2 || line.find('?') != std::string::npos) continue;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
  }
  const auto n = static_cast<Index>(numbers.size() / 6);
  const Matrix table = Eigen::Map<const Matrix>(numbers.data(), 6, n).transpose();
  Dataset data;
  data.X = table.leftCols(5);
  data.y = 2 * table.col(5).array() - 1;
  data.features = {"birads", "age", "shape", "margin", "density"};
  data.classes = {"0", "1"};
  return data;
}

Matrix random_feasible_blocks(const Program& program, double size, std::uint64_t seed) {
  Random random(seed, 78);
  const auto holds = [&](Index j, const Vector& u) {
    const Vector preactivations = program.X() * u;
    const double attack = program.threat().worst_change(u);
    for (Index k = 0; k < program.samples(); ++k) {
      const double sign = 2 * program.activations()(k, program.pattern_of(j)) - 1;
      const bool trivial = program.row_norms()(k) == 0 && attack == 0;
      if (program.pair(k, j) == Pair::kept && !trivial && !(sign * preactivations(k) > attack)) return false;
    }
    return true;
  };
  Matrix U(program.dimension(), program.blocks());
  for (Index j = 0; j < program.blocks(); ++j) {
    const Vector u = size * (0.01 + random.uniform()) * program.witnesses().col(program.pattern_of(j));
    // As far towards a random point as the cone allows (it is convex), times a random share.
    const Vector towards = Vector::NullaryExpr(u.size(), [&] { return size * random.normal(); });
    double inside = 0;
    double outside = 1;
    if (holds(j, u + towards)) inside = 1;
    for (int i = 0; i < 40 && inside < 1; ++i) {
      const double middle = 0.5 * (inside + outside);
      (holds(j, u + middle * towards) ? inside : outside) = middle;
    }
    U.col(j) = u + 0.99 * random.uniform() * inside * towards;
  }
  return U;
}

}  // namespace conelu::problems
