#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/tool.hpp"
#include "conelu/baseline.hpp"
#include "conelu/read_data.hpp"

namespace conelu {
namespace {

using nlohmann::json;

class BaselineTool : public test::Tool {
 protected:
  /// Must succeed; the record on stdout.
  json record_of(const Arguments& arguments) {
    const ProcessResult result = run_tool(Arguments{"baseline"} + arguments + Arguments{"--record", "-"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    said = result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json::object();
  }

  std::string said;
};

TEST_F(BaselineTool, PrintsATableAndWritesAModelThatOtherCommandsRead) {
  const std::string model = path("m.json");
  const ProcessResult result = run_tool({"baseline", xor_file(), "--method", "gd-pgd", "--eps", "0.2", "--beta", "0.01",
                                         "--epochs", "2000", "--neurons", "30", "--model", model});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"attacked_objective ", "network_objective ", "seconds_to_one_percent ", "gd-pgd", "adam"}) {
    EXPECT_TRUE(contains(result.out, part)) << part << " is not in:\n" << result.out;
  }
  EXPECT_TRUE(contains(result.err, "other attacks may find worse")) << result.err;
  EXPECT_TRUE(contains(result.err, "written to")) << result.err;
  EXPECT_FALSE(contains(result.out + result.err, "proven"));
  EXPECT_FALSE(contains(result.out, "lower_bound"));
  EXPECT_FALSE(contains(result.out, "nan"));

  const Model loaded = load_model(model);
  EXPECT_EQ(loaded.training.method, "gd-pgd");
  EXPECT_TRUE(std::isnan(loaded.training.lower_bound));
  EXPECT_EQ(accuracy(loaded, read_dataset(xor_file())), 1);
  EXPECT_EQ(run_tool({"predict", model, xor_file()}).exit_code, 0);
  EXPECT_EQ(run_tool({"attack", model, xor_file(), "--eps", "0.2"}).exit_code, 0);
  EXPECT_EQ(run_tool({"certify", model, xor_file(), "--eps", "0.2"}).exit_code, 0);
}

// The library, with the settings that the options stand for.
TEST_F(BaselineTool, TrainsWhatTheLibraryTrains) {
  const json record = record_of({xor_file(),
                                 "--method",
                                 "gd-fgsm",
                                 "--eps",
                                 "a=0.3",
                                 "--norm",
                                 "2",
                                 "--beta",
                                 "0.02",
                                 "--loss",
                                 "squared-hinge",
                                 "--no-bias",
                                 "--standardize",
                                 "--neurons",
                                 "17",
                                 "--optimizer",
                                 "sgd",
                                 "--learning-rate",
                                 "0.03",
                                 "--schedule",
                                 "linear",
                                 "--batch",
                                 "5",
                                 "--epochs",
                                 "150",
                                 "--restarts",
                                 "2",
                                 "--seed",
                                 "9",
                                 "--threads",
                                 "1",
                                 "--model",
                                 path("m.json")});
  TrainSettings problem;
  problem.loss = "squared-hinge";
  problem.eps = {0.3, 0};
  problem.norm = Norm::two;
  problem.beta = 0.02;
  problem.bias = false;
  problem.standardize = true;
  BaselineSettings settings;
  settings.method = "gd-fgsm";
  settings.neurons = 17;
  settings.optimizer = "sgd";
  settings.learning_rate = 0.03;
  settings.schedule = "linear";
  settings.batch = 5;
  settings.epochs = 150;
  settings.restarts = 2;
  settings.seed = 9;
  const BaselineModel expected = train_baseline(read_dataset(xor_file()), problem, settings);
  EXPECT_EQ(record.at("attacked_objective"), expected.objective());
  EXPECT_EQ(record.at("network_objective"), expected.model.training.network_objective);
  EXPECT_EQ(record.at("epochs"), 300);
  EXPECT_EQ(record.at("restarts"), 2);
  EXPECT_EQ(record.at("learning_rate"), 0.03);
  EXPECT_EQ(record.at("seed"), 9);
  EXPECT_EQ(record.at("stop"), "iteration_limit");
  EXPECT_EQ(record.at("eps_per_feature"), json({0.3, 0}));
  EXPECT_LE(record.at("seconds_to_one_percent"), record.at("seconds"));
  for (const char* field : {"objective", "lower_bound", "relative_gap", "violation", "status", "scope", "patterns"}) {
    EXPECT_FALSE(record.contains(field)) << field;
  }
  EXPECT_EQ(load_model(path("m.json")).network().hidden, expected.model.network().hidden);
}

TEST_F(BaselineTool, ChoosesTheMethodByTheAttack) {
  const Arguments base = {xor_file(), "--epochs", "20"};
  EXPECT_EQ(record_of(base).at("method"), "gd-std");
  EXPECT_EQ(record_of(base + Arguments{"--eps", "0.1"}).at("method"), "gd-pgd");
  const json standard = record_of(base + Arguments{"--eps", "0.1", "--method", "gd-std"});
  EXPECT_EQ(standard.at("eps"), 0);
  EXPECT_EQ(standard.at("attacked_objective"), standard.at("network_objective"));
  EXPECT_TRUE(contains(said, "gd-std trains on the rows as they are")) << said;
}

TEST_F(BaselineTool, TestsOnRowsThatItDidNotTrainOn) {
  const json record = record_of({xor_file(), "--test", "0.25", "--epochs", "20"});
  EXPECT_EQ(record.at("n"), 9);
  EXPECT_TRUE(record.contains("test_accuracy"));
  const std::string line = write("line.csv", "x,y\n0,0\n1,2\n2,4\n3,6\n4,8\n");
  const json regression = record_of({line, "--task", "regression", "--beta", "1e-4", "--test", line});
  EXPECT_LT(regression.at("train_mse"), 1e-2);
  EXPECT_EQ(regression.at("train_mse"), regression.at("test_mse"));
  EXPECT_EQ(regression.at("loss"), "squared");
}

TEST_F(BaselineTool, TrainsSeveralClasses) {
  const std::string many = write("many.csv", "a,b,kind\n1,1,x\n-1,1,y\n1,-1,z\n2,2,x\n-2,2,y\n2,-2,z\n");
  const json record = record_of({many, "--epochs", "1000", "--model", path("m.json")});
  EXPECT_EQ(record.at("networks"), 3);
  EXPECT_EQ(record.at("train_accuracy"), 1);
  EXPECT_FALSE(record.contains("lower_bound"));
  EXPECT_EQ(load_model(path("m.json")).networks.size(), 3u);
  EXPECT_EQ(run_tool({"predict", path("m.json"), many}).exit_code, 0);
}

TEST_F(BaselineTool, WritesTheBestNetworkWhenInterruptedOrOutOfTime) {
  const json late = record_of({large_file(), "--time-limit", "0.3"});
  EXPECT_EQ(late.at("stop"), "time_limit");
  bool pressed = false;
  const ProcessResult result =
      test::run_tool_on_terminal({"baseline", large_file(), "--model", path("m.json"), "--record", path("r.json")},
                                 [&](const std::string& output) {
                                   const bool started = contains(output, "epoch ");
                                   return started && !std::exchange(pressed, pressed || started) ? "\x03" : "";
                                 });
  EXPECT_EQ(result.exit_code, 130) << result.out;
  EXPECT_EQ(json::parse(content("r.json")).at("stop"), "cancelled");
  EXPECT_GT(load_model(path("m.json")).network().neurons(), 0);
}

TEST_F(BaselineTool, RefusesWhatCannotBeMeant) {
  const std::string data = xor_file();
  const std::vector<BadOption> options = {
      {{"--method", "cones"}, {"--method", "gd-std, gd-fgsm, gd-pgd", "cones"}},
      {{"--optimizer", "lbfgs"}, {"--optimizer", "adam, sgd"}},
      {{"--schedule", "up"}, {"--schedule", "cosine"}},
      {{"--neurons", "0"}, {"--neurons", "0"}},
      {{"--learning-rate", "-1"}, {"--learning-rate", "-1"}},
      {{"--batch", "1.5"}, {"--batch", "whole number"}},
      {{"--epochs", "-1"}, {"--epochs", "-1"}},
      {{"--attack-steps", "0"}, {"--attack-steps", "0"}},
      {{"--restarts", "0"}, {"--restarts", "0"}},
      {{"--flat", "2"}, {"--flat", "2"}},
      {{"--beta", "0"}, {"--beta", "above 0"}},
      {{"--eps", "c=1"}, {"--eps", "no feature 'c'"}},
      {{"--patterns", "all"}, {"unknown option --patterns"}},
      {{"--loss", "hinge", "--task", "regression"}, {"--loss hinge is for classification"}},
      {{"--huber-delta", "2"}, {"--huber-delta", "huber"}},
      {{"--test", "1.5"}, {"--test", "between 0 and 1"}},
      {{"--model", data}, {"--model", "another file of this run"}},
      {{"--epoch", "5"}, {"did you mean --epochs?"}},
  };
  for (const BadOption& option : options) expect_tool_refuses(Arguments{"baseline", data} + option.words, option.parts);
  expect_tool_refuses({"baseline"}, {"DATA is missing"});
  expect_tool_refuses({"baseline", path("no.csv")}, {"no.csv"});
}

TEST_F(BaselineTool, Helps) {
  const ProcessResult help = run_tool({"baseline", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* option : {"DATA", "--method", "--optimizer", "--learning-rate", "--schedule", "--batch", "--epochs",
                             "--attack-steps", "--restarts", "--flat", "--eps", "--record", "--seed"}) {
    EXPECT_TRUE(contains(help.out, option)) << option;
  }
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

}  // namespace
}  // namespace conelu
