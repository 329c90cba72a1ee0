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
  model.networks = {{Matrix{{0.1, 1e300}, {-1.0 / 7, std::numeric_limits<double>::denorm_min()}, {3, 4}},
                     Vector{{0.1 + 0.2, -0.0, 1}}, Vector{{1, -2.0 / 3, 5e-324}}, 0.25}};
  model.training.objective = 0.1 + 0.7;
  model.training.seed = std::numeric_limits<std::uint64_t>::max();
  model.training.status = "optimal";
  model.training.train_accuracy = 2.0 / 3;
  return model;
}

/// The same features with three classes: networks of 3, 1 and 0 neurons.
Model three_class_model() {
  Model model = example_model();
  model.classes = {"a", "b, \"not\" c", "ç"};
  model.networks.push_back({Matrix{{1.0 / 3, -7}}, Vector{{0.3}}, Vector{{-1e-300}}, 0});
  model.networks.push_back({Matrix(0, 2), Vector(), Vector(), -1.0 / 3});
  model.class_trainings.resize(3);
  for (std::size_t k = 0; k < 3; ++k) model.class_trainings[k].objective = 0.1 * static_cast<double>(k + 1);
  model.training.networks = 3;
  return model;
}

void expect_same(const Network& a, const Network& b) {
  EXPECT_EQ(a.hidden, b.hidden);
  EXPECT_EQ(a.hidden_bias, b.hidden_bias);
  EXPECT_EQ(a.output, b.output);
  EXPECT_EQ(a.output_bias, b.output_bias);
}

class ModelFile : public TemporaryFiles {
 protected:
  void expect_damaged(const std::string& text, const std::string& part) const {
    expect_refusal([&] { load_model(write("model.json", text)); }, {"model.json", part});
  }
};

TEST_F(ModelFile, KeepsEveryNumberExactly) {
  Model saved = example_model();
  saved.target = {"y", 1};
  saved.preprocessing.seen = {Vector{{0.1, 2}}, Vector{{-1.0 / 3, 2}}, Vector{{1e300, 2}}};
  save_model(saved, path("model.json"));
  const Model loaded = load_model(path("model.json"));
  EXPECT_EQ(loaded.task, saved.task);
  EXPECT_EQ(loaded.target, saved.target);
  EXPECT_EQ(loaded.preprocessing.seen.mean, saved.preprocessing.seen.mean);
  EXPECT_EQ(loaded.preprocessing.seen.lowest, saved.preprocessing.seen.lowest);
  EXPECT_EQ(loaded.preprocessing.seen.highest, saved.preprocessing.seen.highest);
  EXPECT_EQ(loaded.classes, saved.classes);
  EXPECT_EQ(loaded.features, saved.features);
  EXPECT_EQ(loaded.preprocessing.center, saved.preprocessing.center);
  EXPECT_EQ(loaded.preprocessing.scale, saved.preprocessing.scale);
  expect_same(loaded.network(), saved.network());
  EXPECT_TRUE(loaded.class_trainings.empty());
  EXPECT_EQ(to_json(loaded.training), to_json(saved.training));
}

TEST_F(ModelFile, KeepsANetworkForEachOfThreeClassesExactly) {
  const Model saved = three_class_model();
  save_model(saved, path("model.json"));
  const Model loaded = load_model(path("model.json"));
  EXPECT_EQ(loaded.classes, saved.classes);
  ASSERT_EQ(loaded.networks.size(), 3U);
  ASSERT_EQ(loaded.class_trainings.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    expect_same(loaded.networks[k], saved.networks[k]);
    EXPECT_EQ(to_json(loaded.class_trainings[k]), to_json(saved.class_trainings[k]));
  }
  EXPECT_EQ(to_json(loaded.training), to_json(saved.training));
  save_model(loaded, path("again.json"));
  EXPECT_EQ(content("again.json"), content("model.json"));

  const Json json = Json::parse(content("model.json"));
  EXPECT_FALSE(json.contains("hidden"));
  EXPECT_EQ(json.at("networks").at(1).at("class"), saved.classes[1]);
  EXPECT_EQ(json.at("networks").at(1).at("hidden").at(0).at(0), 1.0 / 3);
  EXPECT_EQ(json.at("networks").at(2).at("training").at("objective"), saved.class_trainings[2].objective);
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
  model.networks = {{Matrix(0, 3), Vector(), Vector(), 0}};
  save_model(model, path("model.json"));
  const Model loaded = load_model(path("model.json"));
  EXPECT_EQ(loaded.network().inputs(), 3);
  EXPECT_EQ(loaded.network().neurons(), 0);
  EXPECT_TRUE(Json::parse(content("model.json")).at("classes").is_null());
  EXPECT_EQ(loaded.scores(Matrix::Ones(2, 3)), Matrix::Zero(2, 1));
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
        Damage{"OneClass", "classes: expected at least 2 entries, found 1", [](Json& j) { j["classes"] = {"a"}; }},
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

class DamagedClasses : public ModelFile, public testing::WithParamInterface<Damage> {};

TEST_P(DamagedClasses, AreRefusedWithTheirOwnMessage) {
  save_model(three_class_model(), path("whole.json"));
  Json json = Json::parse(content("whole.json"));
  GetParam().apply(json);
  expect_damaged(json.dump(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Each, DamagedClasses,
    testing::Values(
        Damage{"NoNetworks", "field networks is missing", [](Json& j) { j.erase("networks"); }},
        Damage{"NetworksAreText", "networks: expected an array", [](Json& j) { j["networks"] = "three"; }},
        Damage{"TwoNetworks", "networks: expected 3 entries, found 2", [](Json& j) { j["networks"].erase(1); }},
        Damage{"FourClasses", "networks: expected 4 entries, found 3", [](Json& j) { j["classes"].push_back("d"); }},
        Damage{"NetworkIsANumber", "networks[1]: expected an object", [](Json& j) { j["networks"][1] = 7; }},
        Damage{"NoClass", "networks[2].class is missing", [](Json& j) { j["networks"][2].erase("class"); }},
        Damage{"OtherClass", "networks[0].class: expected \"a\", found \"b\"",
               [](Json& j) { j["networks"][0]["class"] = "b"; }},
        Damage{"NoHidden", "networks[1].hidden is missing", [](Json& j) { j["networks"][1].erase("hidden"); }},
        Damage{"TextInHidden", "networks[0].hidden[2][1]: expected a number",
               [](Json& j) { j["networks"][0]["hidden"][2][1] = "4"; }},
        Damage{"LongBias", "networks[1].hidden_bias: expected 1 entries, found 2",
               [](Json& j) { j["networks"][1]["hidden_bias"].push_back(1); }},
        Damage{"NoTraining", "networks[1].training is missing", [](Json& j) { j["networks"][1].erase("training"); }},
        Damage{"TextAsGap", "networks[1].training: relative_gap",
               [](Json& j) { j["networks"][1]["training"]["relative_gap"] = "none"; }}),
    [](const auto& test) { return test.param.what; });

TEST_F(ModelFile, RefusesToWriteNetworksThatDoNotFitTheClasses) {
  Model model = three_class_model();
  model.networks.pop_back();
  expect_refusal([&] { save_model(model, path("model.json")); }, {"model.json", "3 classes", "2 networks"});
  model = three_class_model();
  model.classes.pop_back();
  expect_refusal([&] { save_model(model, path("model.json")); }, {"model.json", "3 networks"});
  EXPECT_EQ(files(), 0U);
}

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
  model.networks[0].output(0) = std::numeric_limits<double>::infinity();
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
  model.networks = {{Matrix::Ones(1, 1), Vector::Zero(1), Vector::Ones(1), -1}};
  Dataset data;
  data.X = Vector{{0, 2, 3}};
  data.y = Vector{{-1, 1, -1}};
  EXPECT_DOUBLE_EQ(accuracy(model, data), 2.0 / 3);
  EXPECT_DOUBLE_EQ(mean_squared_error(model, data), 3.0);
  data.weights = Vector{{1, 2, 1}};
  EXPECT_DOUBLE_EQ(accuracy(model, data), 3.0 / 4);
  EXPECT_DOUBLE_EQ(mean_squared_error(model, data), 9.0 / 4);
}

TEST_F(ModelFile, IsTheTextOfTheModel) {
  for (const Model& model : {example_model(), three_class_model()}) {
    const std::string text = to_json(model);
    EXPECT_EQ(to_json(model_from_json(text)), text);
  }
  EXPECT_THROW(model_from_json("{"), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
