#include "bindings.hpp"
#include "conelu/read_data.hpp"
#include "conelu/synthetic.hpp"

namespace conelu::python {
namespace {

MissingPolicy make_policy(const std::string& name) {
  if (name == "error") return MissingPolicy::error;
  if (name == "drop") return MissingPolicy::drop;
  if (name == "mean") return MissingPolicy::mean;
  throw std::invalid_argument("missing_policy: expected 'error', 'drop' or 'mean', not '" + name + "'");
}

Dataset read(const std::string& path, const std::string& target, const std::string& task,
             std::vector<std::string> classes, std::vector<std::string> drop, std::vector<std::string> categorical,
             std::vector<std::string> missing, const std::string& missing_policy, Index feature_count,
             std::pair<Index, Index> downsample) {
  ReadSettings settings;
  settings.target = target;
  settings.task = task == "regression" ? Task::regression : Task::classification;
  settings.classes = std::move(classes);
  settings.drop = std::move(drop);
  settings.categorical = std::move(categorical);
  settings.missing = std::move(missing);
  settings.missing_policy = make_policy(missing_policy);
  settings.feature_count = feature_count;
  settings.downsample = {downsample.first, downsample.second};
  return run_patiently([&](const Job&) { return read_dataset(path, settings); });
}

/// Numbers of classes from 0, or the target of a regression.
Vector target_of(const Dataset& data) {
  return data.classes.size() == 2 ? Vector((data.y.array() > 0).cast<double>()) : data.y;
}

}  // namespace

void bind_data(nb::module_& module) {
  nb::class_<Dataset>(module, "Dataset", "Samples as they were read.")
      .def_ro("X", &Dataset::X)
      .def_prop_ro("y", &target_of, "Numbers of classes from 0, or the target of a regression.")
      .def_ro("weights", &Dataset::weights)
      .def_ro("features", &Dataset::features)
      .def_ro("classes", &Dataset::classes);
  module.def("read_dataset", &read, "path"_a, "target"_a = "", "task"_a = "classification",
             "classes"_a = std::vector<std::string>(), "drop"_a = std::vector<std::string>(),
             "categorical"_a = std::vector<std::string>(), "missing"_a = std::vector<std::string>(),
             "missing_policy"_a = "error", "feature_count"_a = 0, "downsample"_a = std::pair<Index, Index>(0, 0));
  module.def("plane_dataset", &plane_dataset, "samples"_a, "seed"_a);
}

}  // namespace conelu::python
