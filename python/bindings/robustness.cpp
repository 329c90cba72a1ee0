#include <cmath>
#include <limits>

#include "bindings.hpp"
#include "conelu/attack.hpp"
#include "conelu/evaluation.hpp"
#include "conelu/verify.hpp"
#include "conelu/worst_case.hpp"
#include "threat.hpp"

namespace conelu::python {
namespace {

/// Rows as the network sees them, and what it should say: y of -1 and +1 or a value, or labels of several classes.
struct Rows {
  Matrix X;
  Vector y;
  std::vector<Index> labels;
};

/// In classification `y` holds numbers of classes, from 0.
Rows rows_of(const Model& model, const MatrixView& raw, const VectorView& y) {
  Rows rows{model.preprocessing.apply(raw), y, {}};
  if (model.networks.size() > 1) {
    rows.labels.assign(y.begin(), y.end());
  } else if (model.task == Task::classification) {
    rows.y = 2 * y.array() - 1;
  }
  return rows;
}

struct VerifyOptions {
  Attacker attacker;
  double max_error;
  bool exact;
  double time_limit;
  long branch_limit;
  int threads;
};

VerifySettings verify_settings(const Model& model, const VerifyOptions& options) {
  VerifySettings settings;
  settings.threat = options.attacker.threat(model);
  settings.task = model.task;
  settings.max_error = options.max_error;
  settings.exact = options.exact;
  settings.time_limit = options.time_limit;
  settings.branch_limit = options.branch_limit;
  settings.threads = options.threads;
  options.attacker.write_range(model, settings.lower, settings.upper);
  return settings;
}

VerifyProgress told_to(const Job& job) {
  return [&job](Index, Index) { return job.tell(); };
}

std::vector<Verification> verify_rows(const Model& model, const Rows& rows, const VerifySettings& settings,
                                      const VerifyProgress& progress) {
  return model.networks.size() > 1 ? verify(model.networks, rows.X, rows.labels, settings, progress)
                                   : verify(model.network(), rows.X, rows.y, settings, progress);
}

struct Verified {
  std::vector<std::string> verdicts;
  Vector lower, upper, seconds;
  Matrix worst;  ///< raw
};

Verified in_columns(const Model& model, const MatrixView& raw, const std::vector<Verification>& found) {
  const auto n = static_cast<Index>(found.size());
  Verified columns{{}, Vector(n), Vector(n), Vector(n), model.preprocessing.apply(raw)};
  for (Index k = 0; k < n; ++k) {
    const Verification& row = found[static_cast<std::size_t>(k)];
    columns.verdicts.emplace_back(to_string(row.verdict));
    columns.lower(k) = row.lower;
    columns.upper(k) = row.upper;
    columns.seconds(k) = row.seconds;
    if (row.worst.size() > 0) columns.worst.row(k) = row.worst.transpose();
  }
  columns.worst = raw_points(model.preprocessing, raw, columns.worst);
  return columns;
}

/// Two columns: proven robust up to this factor on the radii, and broken at that one.
Matrix find_radii(const Model& model, const Rows& rows, const VerifySettings& settings, double tolerance,
                  double largest, const VerifyProgress& progress) {
  const std::vector<RadiusBounds> found =
      model.networks.size() > 1
          ? robust_radius(model.networks, rows.X, rows.labels, settings, tolerance, largest, progress)
          : robust_radius(model.network(), rows.X, rows.y, settings, tolerance, largest, progress);
  Matrix radii(static_cast<Index>(found.size()), 2);
  for (Index k = 0; k < radii.rows(); ++k) {
    const RadiusBounds& row = found[static_cast<std::size_t>(k)];
    radii.row(k) << row.lower, row.upper;
  }
  return radii;
}

Matrix attack_rows(const std::string& name, const Model& model, const MatrixView& raw, const Rows& rows,
                   const AttackSettings& settings) {
  const AttackResult found = model.networks.size() > 1 ? attack(name, model.networks, rows.X, rows.labels, settings)
                                                       : attack(name, model.network(), rows.X, rows.y, settings);
  return raw_points(model.preprocessing, raw, found.points);
}

/// Lowest and highest output of the only network, or lowest and highest margin of none: for several there is a pair of
/// columns each.
Matrix bound_outputs(const Model& model, const MatrixView& raw, const Attacker& attacker) {
  const Matrix X = model.preprocessing.apply(raw);
  const Threat threat = attacker.threat(model);
  Matrix bounds(X.rows(), 2 * static_cast<Index>(model.networks.size()));
  for (std::size_t k = 0; k < model.networks.size(); ++k) {
    bounds.middleCols(2 * static_cast<Index>(k), 2) = output_bounds(model.networks[k], X, threat);
  }
  return bounds;
}

}  // namespace

void bind_robustness(nb::module_& module) {
  nb::class_<Attacker>(module, "Attacker", "How far somebody may move a row.")
      .def(
          "__init__",
          [](Attacker* self, std::vector<double> eps, std::string norm, std::string units,
             std::optional<std::pair<double, double>> clip) {
            new (self) Attacker{std::move(eps), std::move(norm), std::move(units), clip};
          },
          "eps"_a, "norm"_a = "inf", "units"_a = "network", "clip"_a.none() = nb::none())
      .def_ro("norm", &Attacker::norm)
      .def(
          "radii", [](const Attacker& a, const Model& m) -> Vector { return a.threat(m).radii; }, "model"_a,
          "One for each feature, in the network's units; empty if nothing can be moved.");

  nb::class_<Verified>(module, "Verified", "What is proven about each row.")
      .def_ro("verdicts", &Verified::verdicts)
      .def_ro("lower", &Verified::lower)
      .def_ro("upper", &Verified::upper)
      .def_ro("seconds", &Verified::seconds)
      .def_ro("worst", &Verified::worst);

  module.def(
      "verify",
      [](const Model& model, const MatrixView& X, const VectorView& y, const Attacker& attacker, double max_error,
         bool exact, double time_limit, long branch_limit, int threads) {
        const VerifySettings settings =
            verify_settings(model, {attacker, max_error, exact, time_limit, branch_limit, threads});
        return run_patiently([&](const Job& job) {
          return in_columns(model, X, verify_rows(model, rows_of(model, X, y), settings, told_to(job)));
        });
      },
      "model"_a, "X"_a, "y"_a, "attacker"_a, "max_error"_a = 0.0, "exact"_a = false, "time_limit"_a = 60.0,
      "branch_limit"_a = std::numeric_limits<long>::max(), "threads"_a = 0);

  module.def(
      "robust_radius",
      [](const Model& model, const MatrixView& X, const VectorView& y, const Attacker& attacker, double max_error,
         double time_limit, long branch_limit, int threads, double tolerance, double largest) {
        const VerifySettings settings =
            verify_settings(model, {attacker, max_error, false, time_limit, branch_limit, threads});
        return run_patiently([&](const Job& job) {
          return find_radii(model, rows_of(model, X, y), settings, tolerance, largest, told_to(job));
        });
      },
      "model"_a, "X"_a, "y"_a, "attacker"_a, "max_error"_a = 0.0, "time_limit"_a = 60.0,
      "branch_limit"_a = EvaluationSettings().radius_branches, "threads"_a = 0, "tolerance"_a = 1e-3, "largest"_a = 1e3,
      "Columns: proven robust up to this factor on the radii; broken at this one.");

  module.def(
      "attack",
      [](const std::string& name, const Model& model, const MatrixView& X, const VectorView& y,
         const Attacker& attacker, int steps, double step_size, int restarts, std::uint64_t seed) {
        AttackSettings settings;
        settings.threat = attacker.threat(model);
        settings.task = model.task;
        settings.steps = steps;
        settings.step_size = step_size;
        settings.restarts = restarts;
        settings.seed = seed;
        attacker.write_range(model, settings.lower, settings.upper);
        return run_patiently([&](const Job&) { return attack_rows(name, model, X, rows_of(model, X, y), settings); });
      },
      "name"_a, "model"_a, "X"_a, "y"_a, "attacker"_a, "steps"_a = AttackSettings().steps,
      "step_size"_a = AttackSettings().step_size, "restarts"_a = AttackSettings().restarts, "seed"_a = 0,
      "The rows as the attack leaves them, in the units of the data.");

  module.def(
      "output_bounds",
      [](const Model& model, const MatrixView& X, const Attacker& attacker) {
        return run_patiently([&](const Job&) { return bound_outputs(model, X, attacker); });
      },
      "model"_a, "X"_a, "attacker"_a, "Certified lowest and highest output of each network on every ball.");

  module.def(
      "evaluate",
      [](const Model& model, const AnyMatrix& X, const VectorView& y, const std::optional<Vector>& weights,
         const Attacker& attacker, bool radius, bool objective, double radius_unit, int restarts, double time_limit,
         long branch_limit, std::uint64_t seed, int threads) {
        Dataset data;
        data.X = to_matrix(X);
        data.y = y;
        // Two classes are -1 and +1 in a data set, several are numbered.
        if (model.task == Task::classification && model.classes.size() == 2) data.y = 2 * y.array() - 1;
        if (weights) data.weights = *weights;
        data.features = model.features;
        data.classes = model.classes;
        EvaluationSettings settings;
        settings.threat = attacker.threat(model);
        attacker.write_range(model, settings.lower, settings.upper);
        settings.radius = radius;
        settings.objective = objective;
        settings.radius_unit = radius_unit;
        settings.restarts = restarts;
        settings.time_limit = time_limit;
        settings.branch_limit = branch_limit;
        settings.seed = seed;
        settings.threads = threads;
        return to_json(run_patiently([&](const Job& job) {
          return evaluate(model, data, settings, [&job](const EvaluationProgress&) { return job.tell(); });
        }));
      },
      "model"_a, "X"_a, "y"_a, "weights"_a.none(), "attacker"_a, "radius"_a = true, "objective"_a = true,
      "radius_unit"_a = 1.0, "restarts"_a = EvaluationSettings().restarts,
      "time_limit"_a = EvaluationSettings().time_limit, "branch_limit"_a = EvaluationSettings().branch_limit,
      "seed"_a = 0, "threads"_a = 0, "Everything that can be said about a model on some rows, as JSON.");
}

}  // namespace conelu::python
