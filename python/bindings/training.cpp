#include <stdexcept>

#include "bindings.hpp"
#include "conelu/train.hpp"
#include "settings.hpp"

namespace conelu::python {

EpsUnits make_units(const std::string& name) {
  if (name == "network") return EpsUnits::network;
  if (name == "raw") return EpsUnits::raw;
  throw std::invalid_argument("eps_units: expected 'network' or 'raw', not '" + name + "'");
}

TrainSettings read_training(SettingsReader& reader) {
  TrainSettings settings;
  std::string units = "network";
  std::string norm = "inf";
  reader.take("loss", settings.loss);
  reader.take("huber_delta", settings.loss_settings.huber_delta);
  reader.take("beta", settings.beta);
  reader.take("beta_share", settings.beta_share);
  reader.take("eps", settings.eps);
  reader.take("eps_units", units);
  reader.take("norm", norm);
  reader.take("method", settings.method);
  reader.take("patterns", settings.patterns);
  reader.take("pattern_count", settings.request.count);
  reader.take("directions", settings.request.directions);
  reader.take("perturbations", settings.request.perturbations);
  reader.take("all_active", settings.all_active);
  reader.take("bias", settings.bias);
  reader.take("standardize", settings.standardize);
  reader.take("min_max", settings.min_max);
  reader.take("scale_target", settings.scale_target);
  reader.take("prune", settings.prune);
  reader.take("reduce", settings.reduce);
  reader.take("seed", settings.request.seed);
  reader.take("rounds", settings.rounds);
  reader.take("global_bound", settings.global_bound);
  InteriorPointSettings::visit(settings.solver,
                               [&](const char* name, auto& value, auto, auto) { reader.take(name, value); });
  settings.eps_units = make_units(units);
  settings.norm = make_norm(norm);
  return settings;
}

Dataset to_dataset(const AnyMatrix& X, const VectorView& y, const std::optional<Vector>& weights,
                   std::vector<std::string> features, std::vector<std::string> classes) {
  Dataset data;
  data.X = to_matrix(X);
  data.y = y;
  if (weights) data.weights = *weights;
  data.features = std::move(features);
  data.classes = std::move(classes);
  return data;
}

namespace {

/// All that a training uses and leaves; it outlives a caller who does not wait.
struct Training {
  Dataset data;
  TrainSettings settings;
  std::shared_ptr<Trail> trail;
  TrainResult result;
  std::vector<Progress> history;
};

struct Trained {
  std::shared_ptr<Training> training;
  nb::object interruption;  ///< None, or what was raised while it ran
};

/// Rows that choose among rounds, the same ones as the tool's --validation takes.
void hold_out(double fraction, Training& training) {
  if (!(fraction > 0 && fraction < 1)) {
    throw std::invalid_argument("validation_fraction: is " + std::to_string(fraction) + ", expected between 0 and 1");
  }
  auto [train, validation] = split(training.data, fraction, training.settings.request.seed + 1);
  require_every_class(train, "validation_fraction");
  training.data = std::move(train);
  training.settings.validation = std::make_shared<Dataset>(std::move(validation));
}

Trained train_model(const AnyMatrix& X, const VectorView& y, const std::optional<Vector>& weights,
                    std::vector<std::string> features, std::vector<std::string> classes, const nb::dict& settings,
                    std::shared_ptr<Trail> trail, const nb::object& progress) {
  auto training = std::make_shared<Training>();
  training->data = to_dataset(X, y, weights, std::move(features), std::move(classes));
  SettingsReader reader(settings);
  training->settings = read_training(reader);
  std::optional<double> validation_fraction;
  reader.take("validation_fraction", validation_fraction);
  reader.refuse_unknown();
  if (validation_fraction) hold_out(*validation_fraction, *training);
  training->trail = std::move(trail);

  Job job;
  const bool listened_to = !progress.is_none();
  const auto report = [training, job, listened_to, &progress](const Progress& news) {
    // News of the same iteration takes the place of the last, if it is better: a search for prices knows no bound.
    auto& history = training->history;
    const bool same =
        !history.empty() && history.back().iteration == news.iteration && history.back().network == news.network;
    if (same) {
      const Progress& last = history.back();
      if (news.objective >= last.objective && news.lower_bound <= last.lower_bound) return job.tell();
      history.pop_back();
    }
    history.push_back(news);
    if (!listened_to) return job.tell();
    return job.tell([news, &progress] { progress(news); });
  };
  std::optional<nb::python_error> raised = job.run(
      [training, report] {
        Training& own = *training;
        own.result =
            own.trail ? train(own.data, own.settings, *own.trail, report) : train(own.data, own.settings, report);
      },
      Job::Patience::impatient);
  return {training, raised ? nb::borrow(raised->value()) : nb::none()};
}

/// One row for each iteration; columns as in Progress.
Matrix history_of(const Training& training) {
  Matrix rows(static_cast<Index>(training.history.size()), 6);
  for (Index i = 0; i < rows.rows(); ++i) {
    const Progress& at = training.history[static_cast<std::size_t>(i)];
    rows.row(i) << at.network, at.iteration, at.seconds, at.objective, at.lower_bound, at.relative_gap;
  }
  return rows;
}

double largest_beta(const AnyMatrix& X, const VectorView& y, const std::optional<Vector>& weights,
                    std::vector<std::string> features, std::vector<std::string> classes, const nb::dict& given) {
  SettingsReader reader(given);
  const TrainSettings settings = read_training(reader);
  reader.refuse_unknown();
  const Dataset data = to_dataset(X, y, weights, std::move(features), std::move(classes));
  return run_patiently([&](const Job&) { return beta_max(data, settings); });
}

}  // namespace

void bind_training(nb::module_& module) {
  nb::class_<Progress>(module, "Progress", "One line of news from a running training; the numbers are certified.")
      .def_ro("iteration", &Progress::iteration)
      .def_ro("objective", &Progress::objective)
      .def_ro("lower_bound", &Progress::lower_bound)
      .def_ro("relative_gap", &Progress::relative_gap)
      .def_ro("seconds", &Progress::seconds)
      .def_ro("network", &Progress::network)
      .def_ro("networks", &Progress::networks)
      .def_ro("round", &Progress::round)
      .def_ro("patterns", &Progress::patterns)
      .def_ro("largest_price", &Progress::largest_price);
  nb::class_<Trail>(module, "Trail", "Where the last training came along; a similar one can start there.")
      .def(nb::init<>());
  nb::class_<Trained>(module, "Trained", "A trained model and how it came about.")
      .def_prop_ro(
          "model", [](const Trained& t) { return t.training->result.model; }, nb::rv_policy::move)
      .def_prop_ro("notes", [](const Trained& t) { return t.training->result.notes; })
      .def_prop_ro(
          "history", [](const Trained& t) { return history_of(*t.training); },
          "Rows of network, iteration, seconds, objective, lower_bound, relative_gap.")
      // Handed over: an exception knows the frames it went through, and one of them knows this object.
      .def(
          "take_interruption", [](Trained& t) { return std::exchange(t.interruption, nb::none()); },
          "None, or the exception that stopped it early.");
  module.def("train", &train_model, "X"_a, "y"_a, "weights"_a.none(), "features"_a, "classes"_a, "settings"_a,
             "trail"_a.none() = nb::none(), "progress"_a.none() = nb::none(),
             "Train and certify. `progress` is called with a Progress after iterations; if it raises, training stops.");
  module.def("beta_max", &largest_beta, "X"_a, "y"_a, "weights"_a.none(), "features"_a, "classes"_a, "settings"_a,
             "The smallest beta at which the zero network is optimal without an attack.");
}

}  // namespace conelu::python
