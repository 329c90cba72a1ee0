#include "conelu/model.hpp"

#include <algorithm>
#include <stdexcept>

#include "bindings.hpp"
#include "conelu/export_model.hpp"

namespace conelu::python {
namespace {

Task make_task(const std::string& name) {
  if (name == "classification") return Task::classification;
  if (name == "regression") return Task::regression;
  throw std::invalid_argument("task: expected 'classification' or 'regression', not '" + name + "'");
}

/// A model of networks that were trained elsewhere: there is a record, and nothing in it.
Model make_model(const std::string& task, std::vector<std::string> classes, std::vector<std::string> features,
                 std::vector<Network> networks, const std::optional<Vector>& center, const std::optional<Vector>& scale,
                 const std::string& loss) {
  Model model;
  model.task = make_task(task);
  model.classes = std::move(classes);
  model.features = std::move(features);
  model.networks = std::move(networks);
  if (center) model.preprocessing.center = *center;
  if (scale) model.preprocessing.scale = *scale;
  model.training.loss = loss;
  model.training.norm = "inf";
  if (model.networks.size() > 1) model.class_trainings.resize(model.networks.size(), model.training);
  return model_from_json(to_json(model));  // checks that everything fits together
}

/// Rows in the order of C, as most arrays have them, are turned around a slice at a time, which stays in the cache.
Matrix scores(const Model& model, const AnyMatrix& X) {
  const auto rows = borrowed(X);
  Matrix result(rows.rows(), static_cast<Index>(model.networks.size()));
  for (Index first = 0; first == 0 || first < rows.rows(); first += Network::kSlice) {
    const Index count = std::min(Network::kSlice, rows.rows() - first);
    result.middleRows(first, count) = model.scores(rows.middleRows(first, count));
  }
  return result;
}

std::vector<std::string> records_of_classes(const Model& model) {
  std::vector<std::string> records;
  for (const RunRecord& record : model.class_trainings) records.push_back(to_json(record));
  return records;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model",
                    "Networks with everything needed to use them on raw data; what a model file holds.")
      .def(nb::new_(&make_model), "task"_a, "classes"_a, "features"_a, "networks"_a, "center"_a = nb::none(),
           "scale"_a = nb::none(), "loss"_a = "")
      .def_prop_ro("task",
                   [](const Model& m) { return m.task == Task::classification ? "classification" : "regression"; })
      .def_ro("classes", &Model::classes)
      .def_ro("features", &Model::features)
      .def_ro("networks", &Model::networks)
      .def_prop_ro("center", [](const Model& m) -> const Vector& { return m.preprocessing.center; })
      .def_prop_ro("scale", [](const Model& m) -> const Vector& { return m.preprocessing.scale; })
      .def_prop_ro(
          "record", [](const Model& m) { return to_json(m.training); }, "What was done and proven, as JSON.")
      .def_prop_ro("class_records", &records_of_classes, "The same of each class, if there are several networks.")
      .def_prop_ro("has_probabilities", &Model::has_probabilities)
      .def(
          "scores",
          [](const Model& m, const AnyMatrix& X) { return run_patiently([&](const Job&) { return scores(m, X); }); },
          "X"_a, "Outputs of the networks, one row for each row of raw features.")
      .def("probabilities", &Model::probabilities, "scores"_a)
      .def("predicted_classes", &Model::predicted_classes, "scores"_a, "Numbers of classes, from 0.")
      .def("folded", &folded_model, "The same outputs without preprocessing, its work done by the hidden layer.")
      .def("to_json", [](const Model& m) { return to_json(m); })
      .def_static("from_json", &model_from_json, "text"_a)
      .def(
          "save", [](const Model& m, const std::string& path) { save_model(m, path); }, "path"_a)
      .def_static("load", &load_model, "path"_a)
      .def(
          "onnx",
          [](const Model& m, const std::string& precision) {
            const std::string bytes = onnx_bytes(m, precision == "double"  ? Precision::float64
                                                    : precision == "mixed" ? Precision::mixed
                                                                           : Precision::float32);
            return nb::bytes(bytes.data(), bytes.size());
          },
          "precision"_a)
      .def("c_header", &c_header, "name"_a)
      .def("__getstate__", [](const Model& m) { return to_json(m); })
      .def("__setstate__", [](Model& m, const std::string& text) { new (&m) Model(model_from_json(text)); });
}

}  // namespace conelu::python
