#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tool.hpp"
#include "conelu/loss.hpp"
#include "conelu/model.hpp"
#include "conelu/read_data.hpp"

namespace conelu {
namespace {

using nlohmann::json;

class MulticlassTool : public Tool {
 protected:
  /// Four points near each corner of a triangle.
  std::string triangle_file(const std::vector<std::string>& labels = {"red", "green", "blue"},
                            const std::string& name = "triangle.csv") const {
    std::string text = "a,b,colour\n";
    const double corner[3][2] = {{0, 3}, {3, -2}, {-3, -2}};
    for (int k = 0; k < 12; ++k) {
      const double shift = 0.1 * k;
      text += fmt::format("{},{},{}\n", corner[k % 3][0] + shift, corner[k % 3][1] - shift * shift,
                          labels[static_cast<std::size_t>(k % 3)]);
    }
    return write(name, text);
  }
};

TEST_F(MulticlassTool, TrainsANetworkForEachClassAndPredicts) {
  const ProcessResult result =
      run_tool({"train", triangle_file(), "--beta", "1e-3", "--model", path("m.json"), "--record", path("r.json")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* part :
       {"note: classes: 3", "proven: no 3 networks of any width, one for each class against the rest,",
        "neurons in 3 networks written to"}) {
    EXPECT_TRUE(contains(result.err, part)) << part << " is not in: " << result.err;
  }
  EXPECT_TRUE(result.out.starts_with("objective")) << result.out;
  for (const char* part : {"\n\nclass ", "\nblue ", "\ngreen ", "\nred "}) {
    EXPECT_TRUE(contains(result.out, part)) << result.out;
  }

  const json record = json::parse(content("r.json"));
  const json model = json::parse(content("m.json"));
  EXPECT_EQ(record.at("networks"), 3);
  EXPECT_EQ(record.at("status"), "optimal");
  EXPECT_EQ(record.at("train_accuracy"), 1.0);
  EXPECT_EQ(model.at("classes"), (json{"blue", "green", "red"}));
  EXPECT_FALSE(model.contains("hidden"));
  double sum = 0;
  for (const json& network : model.at("networks")) {
    EXPECT_EQ(network.at("hidden").size(), network.at("output").size());
    sum += network.at("training").at("objective").get<double>();
  }
  EXPECT_NEAR(record.at("objective"), sum, 1e-12 * sum);

  const ProcessResult predicted = run_tool({"predict", path("m.json"), write("new.csv", "b,a\n3,0\n-2,3\n-2,-3\n")});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  std::istringstream lines(predicted.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "prediction,score");
  for (const char* label : {"red,", "green,", "blue,"}) {
    std::getline(lines, line);
    EXPECT_TRUE(line.starts_with(label)) << line;
  }
}

TEST_F(MulticlassTool, TakesNumbersAsClasses) {
  const ProcessResult result =
      run_tool({"train", triangle_file({"7", "3", "10"}), "--quiet", "--model", path("m.json")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(load_model(path("m.json")).classes, (std::vector<std::string>{"3", "7", "10"}));
  const ProcessResult predicted = run_tool({"predict", path("m.json"), path("triangle.csv")});
  EXPECT_TRUE(contains(predicted.out, "\n10,")) << predicted.out;
}

TEST_F(MulticlassTool, ClassifiesWithTheSquaredLoss) {
  const Arguments squared = {"--loss", "squared",  "--task", "classification", "--beta",
                             "1e-4",   "--record", "-",      "--model",        path("m.json")};
  const ProcessResult three = run_tool(Arguments{"train", triangle_file()} + squared);
  ASSERT_EQ(three.exit_code, 0) << three.err;
  EXPECT_EQ(json::parse(three.out).at("train_accuracy"), 1.0);
  EXPECT_EQ(json::parse(three.out).at("loss"), "squared");
  EXPECT_FALSE(json::parse(three.out).contains("train_mse"));
  EXPECT_EQ(load_model(path("m.json")).task, Task::classification);

  // Two classes: the network fits -1 and +1.
  const ProcessResult two = run_tool(Arguments{"train", xor_file()} + squared);
  ASSERT_EQ(two.exit_code, 0) << two.err;
  const Model model = load_model(path("m.json"));
  const Dataset data = read_dataset(path("xor.csv"));
  EXPECT_LT((model.scores(data.X).col(0) - data.y).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_TRUE(contains(run_tool({"predict", path("m.json"), path("xor.csv")}).out, "\nother,-"));
}

TEST_F(MulticlassTool, WritesProbabilitiesForTheLogisticLoss) {
  for (const std::string& data : {triangle_file(), xor_file()}) {
    ASSERT_EQ(run_tool({"train", data, "--loss", "logistic", "--quiet", "--model", path("m.json")}).exit_code, 0);
    const Model model = load_model(path("m.json"));
    const ProcessResult result = run_tool({"predict", path("m.json"), data});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    std::string header = "prediction,score";
    for (const std::string& label : model.classes) header += ",probability_" + label;
    EXPECT_TRUE(result.out.starts_with(header + "\n")) << result.out;
    const Matrix p = model.probabilities(model.scores(read_dataset(data).X));
    EXPECT_LT((p.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-14);
    EXPECT_TRUE(contains(result.out, fmt::format(",{}\n", p(0, p.cols() - 1)))) << result.out;
  }
}

TEST_F(MulticlassTool, SplitsOffAShareOfEveryClass) {
  const ProcessResult result = run_tool({"train", triangle_file(), "--test", "0.25", "--record", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out).at("n"), 9);
  EXPECT_EQ(json::parse(result.out).at("test_accuracy"), 1.0);
  const ProcessResult file =
      run_tool({"train", triangle_file(), "--test", write("t.csv", "a,b,colour\n3,-2,green\n"), "--record", "-"});
  ASSERT_EQ(file.exit_code, 0) << file.err;
  EXPECT_EQ(json::parse(file.out).at("test_accuracy"), 1.0);
}

TEST_F(MulticlassTool, TrainsAgainstAnAttacker) {
  const ProcessResult result = run_tool({"train", triangle_file(), "--eps", "0.2", "--record", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "can raise the training objectives of these 3 networks")) << result.err;
  const json record = json::parse(result.out);
  EXPECT_EQ(record.at("scope"), "program");
  EXPECT_LE(record.at("network_objective"), record.at("objective"));
  EXPECT_EQ(record.at("train_accuracy"), 1.0);
}

TEST_F(MulticlassTool, SaysWhichClassItIsAt) {
  const ProcessResult result = run_tool_on_terminal({"train", triangle_file()});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_TRUE(contains(result.out, "\rclass 1 of 3  iteration")) << result.out;
}

TEST_F(MulticlassTool, WarnsOfTheWidestGapOfAClass) {
  const ProcessResult result = run_tool({"train", triangle_file(), "--max-iterations", "1", "--strict", "--quiet"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.err, "of a class is above the tolerance")) << result.err;
}

TEST_F(MulticlassTool, RefusesWhatCannotBeMeant) {
  expect_tool_refuses({"train", triangle_file(), "--task", "regression"}, {"triangle.csv", "'red'", "regression"});
  expect_tool_refuses({"train", triangle_file(), "--task", "regression", "--loss", "hinge"},
                      {"--loss hinge", "--task regression"});
  expect_tool_refuses({"train", write("one.csv", "a,y\n1,p\n2,p\n")}, {"one.csv", "'p'"});
  std::string prices = "area,price\n";
  for (int k = 0; k < 120; ++k) prices += fmt::format("{},{}.5\n", k, 3 * k);
  expect_tool_refuses({"train", write("prices.csv", prices)},
                      {"prices.csv", "'price'", "120 different numbers", "--task regression"});
  expect_tool_refuses({"train", write("rare.csv", "a,y\n1,p\n2,q\n3,r\n4,p\n"), "--test", "0.5"},
                      {"--test leaves no row of class", "train"});
  expect_tool_refuses({"train", triangle_file(), "--test", write("t.csv", "a,b,colour\n1,2,pink\n")},
                      {"t.csv", "'pink'", "'blue', 'green', 'red'"});
}

}  // namespace
}  // namespace conelu
