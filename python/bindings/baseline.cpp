#include "conelu/baseline.hpp"

#include "bindings.hpp"
#include "settings.hpp"

namespace conelu::python {
namespace {

BaselineSettings read_descent(SettingsReader& reader) {
  BaselineSettings settings;
  reader.take("method", settings.method);
  reader.take("optimizer", settings.optimizer);
  reader.take("schedule", settings.schedule);
  reader.take("seed", settings.seed);
  BaselineSettings::visit(settings, [&](const char* name, auto& value, auto, auto) { reader.take(name, value); });
  return settings;
}

std::pair<Model, std::string> descend(const AnyMatrix& X, const VectorView& y, const std::optional<Vector>& weights,
                                      std::vector<std::string> features, std::vector<std::string> classes,
                                      const nb::dict& given) {
  SettingsReader reader(given);
  const TrainSettings problem = read_training(reader);
  const BaselineSettings settings = read_descent(reader);
  reader.refuse_unknown();
  const Dataset data = to_dataset(X, y, weights, std::move(features), std::move(classes));
  return run_patiently([&](const Job& job) {
    BaselineModel trained =
        train_baseline(data, problem, settings, [&job](const BaselineProgress&) { return job.tell(); });
    std::string record = to_json(trained);
    return std::pair(std::move(trained.model), std::move(record));
  });
}

}  // namespace

void bind_baseline(nb::module_& module) {
  module.def("baseline_names", &baseline_names, "Names of all ways of gradient descent.");
  module.def("train_baseline", &descend, "X"_a, "y"_a, "weights"_a.none(), "features"_a, "classes"_a, "settings"_a,
             "The model of a gradient descent, and its record as JSON.");
}

}  // namespace conelu::python
