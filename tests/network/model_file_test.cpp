#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "conelu/model.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

using Json = nlohmann::ordered_json;

/// Two features, three neurons, numbers that short decimals cannot hold.
Model example_model() {
  Model model;
  model.task = Task::classification;
  model.classes = {"benign", "malignant, \"sure\""};
  model.features = {"age", "größe"};
  model.preprocessing.center = Vector{{1.0 / 3, -2e-17}};
  model.preprocessing.scale = Vector{{0.1, 7.0}};
  model.network.hidden = Matrix{{0.1, 1e300}, {-1.0 / 7, std::numeric_limits<double>::denorm_min()}, {3, 4}};
  model.network.hidden_bias = Vector{{0.1 + 0.2, -0.0, 1}};
  model.network.output = Vector{{1, -2.0 / 3, 5e-324}};
  model.network.output_bias = 0.25;
  model.training.objective = 0.1 + 0.7;
  model.training.seed = std::numeric_limits<std::uint64_t>::max();
  model.training.status = "optimal";
  model.training.train_accuracy = 2.0 / 3;
  return model;
}

class ModelFile : public TemporaryFiles {
 protected:
  void expect_damaged(const std::string& text, const std::string& part) const {
    expect_refusal([&] { load_model(write("model.json", text)); }, {"model.json", part});
  }
};

TEST_F(ModelFile, KeepsEveryNumberExactly) {
  const Model saved = example_model();
  save_model(saved, path("model.json"));
  const Model loaded = load_model(path("model.json"));
  EXPECT_EQ(loaded.task, saved.task);
  EXPECT_EQ(loaded.classes, saved.classes);
  EXPECT_EQ(loaded.features, saved.features);
  EXPECT_EQ(loaded.preprocessing.center, saved.preprocessing.center);
  EXPECT_EQ(loaded.preprocessing.scale, saved.preprocessing.scale);
  EXPECT_EQ(loaded.network.hidden, saved.network.hidden);
  EXPECT_EQ(loaded.network.hidden_bias, saved.network.hidden_bias);
  EXPECT_EQ(loaded.network.output, saved.network.output);
  EXPECT_EQ(loaded.network.output_bias, saved.network.output_bias);
  EXPECT_EQ(to_json(loaded.training), to_json(saved.training));
}

TEST_F(ModelFile, IsTheObjectThatTheContractFixes) {
  save_model(example_model(), path("model.json"));
  const Json json = Json::parse(content("model.json"));
  EXPECT_EQ(json.at("format"), "conelu-model");
  EXPECT_EQ(json.at("version"), 1);
  EXPECT_EQ(json.at("task"), "classification");
  EXPECT_EQ(json.at("classes").size(), 2U);
  EXPECT_EQ(json.at("features").at(1), "größe");
  EXPECT_TRUE(json.at("preprocessing").contains("encodings"));
  EXPECT_EQ(json.at("preprocessing").at("scale").at(0), 0.1);
  EXPECT_EQ(json.at("hidden").size(), 3U);
  EXPECT_EQ(json.at("hidden").at(0).size(), 2U);
  EXPECT_EQ(json.at("output").at(1), -2.0 / 3);
  EXPECT_EQ(json.at("training").at("status"), "optimal");
}

TEST_F(ModelFile, HoldsARegressionWithoutPreprocessingOrNeurons) {
  Model model;
  model.task = Task::regression;
  model.features = {"a", "b", "c"};
  model.network.hidden.resize(0, 3);
  save_model(model, path("model.json"));
  const Model loaded = load_model(path("model.json"));
  EXPECT_EQ(loaded.network.inputs(), 3);
  EXPECT_EQ(loaded.network.neurons(), 0);
  EXPECT_TRUE(Json::parse(content("model.json")).at("classes").is_null());
  EXPECT_EQ(loaded.scores(Matrix::Ones(2, 3)), Vector::Zero(2));
}

TEST_F(ModelFile, CutOffAnywhereIsRefusedByName) {
  save_model(example_model(), path("whole.json"));
  const std::string whole = content("whole.json");
  for (std::size_t size = 0; size + 2 < whole.size(); size += 1 + whole.size() / 97) {
    expect_damaged(whole.substr(0, size), "byte");
  }
}

struct Damage {
  const char* what;
  const char* message;  ///< part of the error
  std::function<void(Json&)> apply;
};

class DamagedModel : public ModelFile, public testing::WithParamInterface<Damage> {};

TEST_P(DamagedModel, IsRefusedWithItsOwnMessage) {
  save_model(example_model(), path("whole.json"));
  Json json = Json::parse(content("whole.json"));
  GetParam().apply(json);
  expect_damaged(json.dump(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Each, DamagedModel,
    testing::Values(
        Damage{"ForeignObject", "not a conelu model",
               [](Json& j) {
                 j = {{"weights", {1, 2, 3}}};
               }},
        Damage{"Array", "not a conelu model",
               [](Json& j) {
                 j = {1, 2};
               }},
        Damage{"FormatIsANumber", "not a conelu model", [](Json& j) { j["format"] = 7; }},
        Damage{"LaterVersion", "version 2", [](Json& j) { j["version"] = 2; }},
        Damage{"NoVersion", "version is missing", [](Json& j) { j.erase("version"); }},
        Damage{"UnknownTask", "task", [](Json& j) { j["task"] = "clustering"; }},
        Damage{"OneClass", "classes: expected 2 entries", [](Json& j) { j["classes"] = {"a"}; }},
        Damage{"NoClasses", "classes: expected an array", [](Json& j) { j["classes"] = nullptr; }},
        Damage{"NumberAsFeature", "features", [](Json& j) { j["features"][0] = 1; }},
        Damage{"TextInHidden", "hidden[1][0]: expected a number", [](Json& j) { j["hidden"][1][0] = "0.5"; }},
        Damage{"NullInOutput", "output[2]", [](Json& j) { j["output"][2] = nullptr; }},
        Damage{"RaggedHidden", "hidden[2]: expected 2 entries, found 1", [](Json& j) { j["hidden"][2] = {1.0}; }},
        Damage{"HiddenIsText", "hidden: expected an array", [](Json& j) { j["hidden"] = "none"; }},
        Damage{"ShortBias", "hidden_bias: expected 3 entries, found 2", [](Json& j) { j["hidden_bias"].erase(0); }},
        Damage{"NoOutput", "output is missing", [](Json& j) { j.erase("output"); }},
        Damage{"OutputBiasIsText", "output_bias", [](Json& j) { j["output_bias"] = "0"; }},
        Damage{"PreprocessingIsArray", "preprocessing: expected an object",
               [](Json& j) { j["preprocessing"] = Json::array(); }},
        Damage{"LongCenter", "preprocessing.center", [](Json& j) { j["preprocessing"]["center"].push_back(1); }},
        Damage{"ScaleOfZero", "preprocessing.scale", [](Json& j) { j["preprocessing"]["scale"][0] = 0; }},
        Damage{"UnknownEncoding", "encodings", [](Json& j) { j["preprocessing"]["encodings"] = {"one-hot"}; }},
        Damage{"TrainingIsANumber", "training", [](Json& j) { j["training"] = 1; }},
        Damage{"TextAsObjective", "training: objective", [](Json& j) { j["training"]["objective"] = "low"; }}),
    [](const auto& test) { return test.param.what; });

TEST_F(ModelFile, RefusesWhatIsNotJson) {
  expect_damaged("age,label\n1,2\n", "not JSON");
  expect_damaged(std::string("\x93NUMPY\x01\0", 8), "not JSON");
  expect_damaged(R"({"format": "conelu-model", "version": 1e999})", "not a model file");
}

TEST_F(ModelFile, NamesAFileThatIsNotThere) {
  expect_refusal([&] { load_model(path("missing.json")); }, {"missing.json"});
}

TEST_F(ModelFile, LeavesTheOldFileAloneWhenItCannotWrite) {
  write("model.json", "precious");
  Model model = example_model();
  model.network.output(0) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(save_model(model, path("model.json")), std::invalid_argument);
  model = example_model();
  model.features[0] = "gr\xf6\xdf";  // Latin-1
  EXPECT_THROW(save_model(model, path("model.json")), std::invalid_argument);
  EXPECT_EQ(content("model.json"), "precious");
  EXPECT_EQ(files(), 1U);
  EXPECT_THROW(save_model(example_model(), path("no/such/folder.json")), std::invalid_argument);
}

TEST(Predictions, AreLabelsAsTheyWereWritten) {
  Model model = example_model();
  EXPECT_EQ(predictions_csv(model, Vector{{-0.5, 0.1 + 0.2}}),
            "prediction,score\nbenign,-0.5\n\"malignant, \"\"sure\"\"\",0.30000000000000004\n");
  model.task = Task::regression;
  model.classes.clear();
  EXPECT_EQ(predictions_csv(model, Vector{{2.5}}), "prediction,score\n2.5,2.5\n");
}

// f(x) = (x)_+ - 1 on x = 0, 2, 3 with labels -1, +1, -1: two of three right, and three of four with the second twice.
TEST(Accuracy, CountsSamplesByWeight) {
  Model model;
  model.classes = {"no", "yes"};
  model.features = {"x"};
  model.network = {Matrix::Ones(1, 1), Vector::Zero(1), Vector::Ones(1), -1};
  Dataset data;
  data.X = Vector{{0, 2, 3}};
  data.y = Vector{{-1, 1, -1}};
  EXPECT_DOUBLE_EQ(accuracy(model, data), 2.0 / 3);
  EXPECT_DOUBLE_EQ(mean_squared_error(model, data), 3.0);
  data.weights = Vector{{1, 2, 1}};
  EXPECT_DOUBLE_EQ(accuracy(model, data), 3.0 / 4);
  EXPECT_DOUBLE_EQ(mean_squared_error(model, data), 9.0 / 4);
}

}  // namespace
}  // namespace conelu
