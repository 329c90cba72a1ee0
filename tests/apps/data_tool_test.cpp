#include <nlohmann/json.hpp>

#include "apps/tool.hpp"
#include "conelu/model.hpp"
#include "conelu/read_data.hpp"
#include "conelu/train.hpp"

namespace conelu::test {
namespace {

using Json = nlohmann::json;

class DataTool : public Tool {
 protected:
  /// Cheap houses are small or old; the colour is text.
  std::string houses() const {
    std::string text = "id;size;colour;age;price\n";
    for (int k = 0; k < 24; ++k) {
      const int size = 50 + 5 * k, age = (7 * k) % 24;
      const char* colours[] = {"red", "blue", "grey"};
      text += fmt::format("h{};{};{};{};{}\n", k, size, colours[k % 3], k == 5 ? "?" : fmt::format("{}", age),
                          100000 + 2000 * size - 1000 * age + (k % 3 == 0 ? 5000 : 0));
    }
    return write("houses.csv", text);
  }

  Model train_houses(const Arguments& more) {
    const ProcessResult result =
        run_tool(Arguments{"train", houses(), "--target", "price", "--drop", "id", "--na", "?", "--na-policy", "mean",
                           "--task", "regression", "--quiet", "--model", path("m.json")} +
                 more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return load_model(path("m.json"));
  }
};

TEST_F(DataTool, TextAndMissingValuesTravelWithTheModel) {
  const Model model = train_houses({"--standardize", "--scale-target"});
  EXPECT_EQ(model.features, (Arguments{"size", "colour=blue", "colour=grey", "colour=red", "age"}));
  ASSERT_EQ(model.preprocessing.encodings.size(), 1u);
  EXPECT_EQ(model.preprocessing.encodings[0], (Encoding{"colour", 1, {"blue", "grey", "red"}}));
  EXPECT_EQ(model.preprocessing.missing, Arguments{"?"});
  EXPECT_EQ(model.preprocessing.fill.size(), 5);

  // Columns in another order, others among them, and a missing value without being told again.
  const std::string file = write("new.csv", "colour,note,age,size\nred,x,3,90\ngrey,y,?,120\n");
  const ProcessResult result = run_tool({"predict", path("m.json"), file});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Matrix raw{{90, 0, 0, 1, 3}, {120, 0, 1, 0, model.preprocessing.fill(4)}};
  EXPECT_EQ(result.out, predictions_csv(model, model.scores(raw)));

  expect_tool_refuses({"predict", path("m.json"), write("bad.csv", "colour,age,size\npink,3,90\n")},
                      {"bad.csv", "line 2 (row 1)", "colour", "'pink'", "'blue', 'grey', 'red'"});
  expect_tool_refuses({"predict", path("m.json"), write("bad.csv", "colour,size\nred,90\n")}, {"lacks 1", "'age'"});
  expect_tool_refuses({"predict", path("m.json"), file, "--na-policy", "drop"}, {"--na-policy", "every row"});
}

// Trained without a missing value, asked about a row with one: the mean of the training data, whatever other rows hold.
TEST_F(DataTool, MissingValuesAreFilledFromTheTrainingData) {
  const std::string data = write("full.csv", "a,b,y\n1,2,0\n3,4,1\n5,9,1\n2,1,0\n");
  ASSERT_EQ(run_tool({"train", data, "--quiet", "--model", path("m.json")}).exit_code, 0);
  const Model model = load_model(path("m.json"));
  const std::string holes = write("holes.csv", "a,b\n1,\n1,2000\n");
  const ProcessResult result = run_tool({"predict", path("m.json"), holes, "--na-policy", "mean"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, predictions_csv(model, model.scores(Matrix{{1, 4}, {1, 2000}})));
  expect_tool_refuses({"predict", path("m.json"), holes}, {"line 2", "--na-policy"});
}

TEST_F(DataTool, TargetIsFoundWhereItWasWhenTheModelWasTrained) {
  const std::string data = write("first.csv", "10,1,2\n30,3,4\n55,5,9\n20,2,1\n");
  const Arguments train{"train",  data,   "--target", "0",       "--task",      "regression",
                        "--beta", "1e-4", "--quiet",  "--model", path("m.json")};
  ASSERT_EQ(run_tool(train + Arguments{"--test", data}).exit_code, 0);
  const Model model = load_model(path("m.json"));
  const Matrix raw{{1, 2}, {3, 4}, {5, 9}, {2, 1}};
  EXPECT_EQ(run_tool({"predict", path("m.json"), data}).out, predictions_csv(model, model.scores(raw)));
  EXPECT_LT(*model.training.test_mse, 1e-3) << "--test finds it, too";
}

// The network's outputs are in the units of the target, whatever it was trained on.
TEST_F(DataTool, ScaledTargetsComeBackInTheirUnits) {
  const Model model = train_houses({"--standardize", "--scale-target", "--beta", "1e-6"});
  ASSERT_TRUE(model.preprocessing.target.has_value());
  EXPECT_GT(model.preprocessing.target->scale, 10000);
  const Dataset data = read_dataset(path("houses.csv"), {.target = "price",
                                                         .task = Task::regression,
                                                         .expected_features = model.features,
                                                         .expected_encodings = model.preprocessing.encodings,
                                                         .expected_fill = model.preprocessing.fill,
                                                         .missing = {"?"},
                                                         .missing_policy = MissingPolicy::mean});
  const Matrix outputs = model.scores(data.X);
  EXPECT_LT((outputs.col(0) - data.y).cwiseAbs().mean(), 2000);
  EXPECT_NEAR(*model.training.train_mse, (outputs.col(0) - data.y).squaredNorm() / 24,
              1e-6 * *model.training.train_mse);
  const ProcessResult evaluation = run_tool(
      {"evaluate", path("m.json"), path("houses.csv"), "--target", "price", "--eps", "0.1", "--json", "--quiet"});
  ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
  EXPECT_NEAR(Json::parse(evaluation.out)["mse_clean"].get<double>(), *model.training.train_mse,
              1e-6 * *model.training.train_mse);
  expect_tool_refuses({"train", xor_file(), "--scale-target"}, {"--scale-target", "regression"});
}

TEST_F(DataTool, MinMaxIsRememberedAndExcludesStandardize) {
  const Model model = train_houses({"--min-max"});
  EXPECT_EQ(model.preprocessing.center(0), 50);
  EXPECT_EQ(model.preprocessing.scale(0), 115);
  EXPECT_EQ(model.preprocessing.scale(1), 1);
  expect_tool_refuses({"train", xor_file(), "--min-max", "--standardize"}, {"--min-max", "--standardize"});
}

// A radius for all features leaves categories alone; one that names a level does not.
TEST_F(DataTool, RadiusForAllFeaturesDoesNotReachCategories) {
  Model model = train_houses({"--standardize", "--scale-target", "--eps", "0.1"});
  EXPECT_EQ(*model.training.eps_per_feature, (std::vector<double>{0.1, 0, 0, 0, 0.1}));
  model = train_houses({"--standardize", "--scale-target", "--eps", "size=0.1,colour=red=0.2"});
  EXPECT_EQ(*model.training.eps_per_feature, (std::vector<double>{0.1, 0, 0, 0.2, 0}));

  TrainSettings settings;
  settings.eps = {0.3};
  EXPECT_EQ(make_threat(settings, 5, model.preprocessing).radii, (Vector{{0.3, 0, 0, 0, 0.3, 0}}));
  settings.eps = {0.3, 0.3, 0.3, 0.3, 0.3};
  EXPECT_EQ(make_threat(settings, 5, model.preprocessing).radii, (Vector{{0.3, 0.3, 0.3, 0.3, 0.3, 0}}));
}

TEST_F(DataTool, AttackedRowsAreWrittenWithTheirText) {
  train_houses({"--standardize", "--scale-target"});
  const ProcessResult result = run_tool(
      {"attack", path("m.json"), path("houses.csv"), "--target", "price", "--eps", "0.1", "--output", path("out.csv")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(content("out.csv").substr(0, 22), "size,colour,age,price\n");
  EXPECT_EQ(run_tool({"predict", path("m.json"), path("out.csv")}).exit_code, 0);
}

TEST_F(DataTool, ModelFilesKeepTheirPreprocessingExactly) {
  const Model model = train_houses({"--standardize", "--scale-target"});
  save_model(model, path("again.json"));
  EXPECT_EQ(content("again.json"), content("m.json"));
  const std::string text = content("m.json");
  const auto refuse = [&](const std::string& part, const std::string& other, const std::vector<std::string>& says) {
    std::string changed = text;
    ASSERT_NE(changed.find(part), std::string::npos) << part;
    changed.replace(changed.find(part), part.size(), other);
    const std::string file = write("changed.json", changed);
    expect_refusal([&] { load_model(file); }, says);
  };
  refuse("\"first\":1", "\"first\":2", {"encodings[0]", "feature 2", "colour=blue"});
  refuse("\"first\":1", "\"first\":99", {"encodings[0]", "there are 5 features"});
  refuse("\"first\":1", "\"first\":-1", {"encodings[0].first", "at least 0"});
  refuse("\"levels\":[\"blue\",\"grey\",\"red\"]", "\"levels\":[]", {"encodings[0].levels", "none"});
  refuse("\"levels\":", "\"level\":", {"encodings[0].levels", "missing"});
  refuse("\"column\":\"colour\"", "\"column\":7", {"encodings[0].column", "a text"});
  refuse("\"tokens\":[\"?\"]", "\"tokens\":\"?\"", {"preprocessing.missing.tokens", "array"});
  refuse("\"target\":{\"center\"", "\"target\":{\"centre\"", {"preprocessing.target.center", "missing"});
}

TEST_F(DataTool, RefusesBadDataOptions) {
  const std::string data = xor_file();
  for (const BadOption& bad : std::vector<BadOption>{{{"--na-policy", "guess"}, {"--na-policy", "error, drop, mean"}},
                                                     {{"--downsample", "7"}, {"--downsample", "7x7"}},
                                                     {{"--downsample", "0x7"}, {"--downsample", "7x7"}},
                                                     {{"--downsample", "7x7"}, {"--downsample", "images"}},
                                                     {{"--features", "0"}, {"--features", "0"}},
                                                     {{"--format", "xml"}, {"--format", "svmlight"}},
                                                     {{"--delimiter", "::"}, {"delimiter", "'::'"}},
                                                     {{"--drop", "none"}, {"dropped", "'none'"}},
                                                     {{"--classes", "same,none"}, {"'none'", "--classes"}}}) {
    expect_tool_refuses(Arguments{"train", data} + bad.words, bad.parts);
  }
}

}  // namespace
}  // namespace conelu::test
