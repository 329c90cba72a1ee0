#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/tool.hpp"

namespace conelu {
namespace {

using nlohmann::json;

class CvTool : public test::Tool {
 protected:
  std::string points() const {
    EXPECT_EQ(run_tool({"demo", "--seed", "1", "--data", path("points.csv"), "--json"}).exit_code, 0);
    return path("points.csv");
  }
};

TEST_F(CvTool, ComparesAGridAndNamesTheCommandToUseNext) {
  const Arguments words = {"cv", points(), "--beta", "1e-3,1e-1",     "--eps",     "0,0.1",      "--folds",
                           "3",  "--seed", "2",      "--standardize", "--no-bias", "--patterns", "gaussian"};
  const ProcessResult table = run_tool(words);
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 5) << table.out;
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '*'), 2) << table.out;
  for (const char c : table.out) ASSERT_EQ(c & 0x80, 0);

  const ProcessResult object = run_tool(words + Arguments{"--json"});
  const json result = json::parse(object.out);
  EXPECT_EQ(result.at("folds"), 3);
  EXPECT_EQ(result.at("grid").size(), 4U);
  for (const json& point : result.at("grid")) {
    EXPECT_EQ(point.at("folds").size(), 3U);
    const std::string command = point.at("command");
    EXPECT_EQ(contains(table.err, command), point.at("best").get<bool>()) << table.err;
    const bool robust = point.at("eps") > 0;
    EXPECT_EQ(command,
              fmt::format("conelu train {} --beta {}{} --standardize --no-bias --patterns gaussian --seed 2",
                          path("points.csv"), point.at("beta") == 1e-3 ? "1e-3" : "1e-1", robust ? " --eps 0.1" : ""));
  }
}

// The command of the best point trains the very program that was compared: run it and look at its record.
TEST_F(CvTool, PrintsACommandThatRuns) {
  std::string text = "a,b,the label\n";
  for (int k = 0; k < 24; ++k) text += fmt::format("{},{},{}\n", k % 5 - 2, (7 * k) % 11 - 5, k % 2 == 0 ? "x" : "y");
  const std::string data = write("it's.csv", text);
  const ProcessResult result = run_tool({"cv", data, "--beta", "0.01", "--eps", "a=0.1", "--folds", "2", "--target",
                                         "the label", "--json", "--classes", "x,y"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string command = json::parse(result.out).at("grid").at(0).at("command");
  const std::string typed =
      fmt::format("PATH={}:$PATH && {} --json 2>&1",
                  std::string(CONELU_TOOL).substr(0, std::string(CONELU_TOOL).rfind('/')), command);
  FILE* pipe = popen(typed.c_str(), "r");
  std::string seen;
  for (int c; (c = std::fgetc(pipe)) != EOF;) seen += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << seen;
  EXPECT_TRUE(contains(seen, "\"beta\": 0.01")) << seen;
  EXPECT_TRUE(contains(seen, "\"eps_per_feature\": [")) << seen;
}

TEST_F(CvTool, TakesItsGridFromAConfig) {
  const std::string file = write("grid.json", R"({"beta": [0.001, 0.1], "eps": [0, 0.1], "folds": 2, "json": true})");
  const ProcessResult result = run_tool({"cv", points(), "--config", file});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json grid = json::parse(result.out).at("grid");
  ASSERT_EQ(grid.size(), 4U);
  EXPECT_EQ(grid.at(3).at("beta"), 0.1);
  EXPECT_EQ(grid.at(3).at("eps"), 0.1);
}

TEST_F(CvTool, HasBetasThatSuitTheLoss) {
  const std::string line = write("line.csv", "x,y\n0,0\n1,1\n2,4\n3,9\n");
  for (const auto& [data, task] : {std::pair{points(), "classification"}, std::pair{line, "regression"}}) {
    const ProcessResult result = run_tool({"cv", data, "--task", task, "--folds", "2", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json grid = json::parse(result.out).at("grid");
    // Shares of the unit that a training on all rows prints.
    const ProcessResult whole = run_tool({"train", data, "--task", task, "--beta", "0.1max", "--json"});
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    const double unit = json::parse(whole.out).at("beta_max");
    EXPECT_EQ(json::parse(whole.out).at("beta"), 0.1 * unit);
    EXPECT_EQ(grid.front().at("beta"), 0.1 * unit);
    EXPECT_EQ(grid.back().at("beta"), 0.001 * unit);
  }
}

// Two levels of attack on one feature each: radii by name are points of the grid of their own.
TEST_F(CvTool, TakesRadiiByName) {
  const ProcessResult result = run_tool(
      {"cv", points(), "--beta", "0.01", "--eps", "x1=0.1,x2=0.2", "--eps", "x2=0.1", "--folds", "2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json grid = json::parse(result.out).at("grid");
  ASSERT_EQ(grid.size(), 2U);
  EXPECT_EQ(grid.at(0).at("eps_per_feature"), json({0.1, 0.2}));
  EXPECT_EQ(grid.at(1).at("eps_per_feature"), json({0.0, 0.1}));
}

TEST_F(CvTool, StopsAtCtrlCWithTheFoldsThatAreDone) {
  bool typed = false;
  const ProcessResult result = run_tool_on_terminal(
      {"cv", large_file(), "--patterns", "gaussian", "--pattern-count", "20", "--beta", "0.01", "--folds", "5"},
      [&](const std::string& seen) {
        if (typed || !contains(seen, "fold 2 of 5")) return "";
        typed = true;
        return "\x03";
      });
  EXPECT_EQ(result.exit_code, 130) << result.out;
  ASSERT_TRUE(typed);
  EXPECT_TRUE(contains(result.out, "interrupted: the means are over the folds that are done")) << result.out;
  EXPECT_TRUE(contains(result.out, "1 of 5")) << result.out;
}

TEST_F(CvTool, WarnsOfTrainingsThatDidNotReachTheTolerance) {
  const ProcessResult result =
      run_tool({"cv", points(), "--beta", "0.01", "--folds", "2", "--max-iterations", "1", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.err, "warning: 2 of 2 trainings ended with a certified gap")) << result.err;
}

TEST_F(CvTool, RefusesWhatCannotBeCompared) {
  const std::string data = xor_file();
  const std::vector<BadOption> options = {
      {{"--beta", "1e-3,0"}, {"--beta", "above 0", "not 0"}},
      {{"--beta", "1e-3,,1"}, {"--beta"}},
      {{"--beta", "1e-3,"}, {"--beta"}},
      {{"--eps", "0.1,"}, {"--eps", "radius is missing"}},
      {{"--beta", "1e-3,1e-3"}, {"--beta", "1e-3 is given twice"}},
      {{"--eps", "0.1,-1"}, {"--eps", "-1"}},
      {{"--eps", "c=1"}, {"--eps", "no feature 'c'"}},
      {{"--folds", "1"}, {"--folds", "2"}},
      {{"--folds", "13"}, {"folds", "13", "12"}},
      {{"--test", "0.2"}, {"unknown option --test"}},
      {{"--patterns", "p.npy"}, {"patterns", "file"}},
  };
  for (const BadOption& option : options) expect_tool_refuses(Arguments{"cv", data} + option.words, option.parts);
  expect_tool_refuses({"cv"}, {"DATA is missing"});
}

// A mean over all rows would carry the tested ones into the training.
TEST_F(CvTool, FillsMissingValuesWithMeansOfTheRowsTrainedOn) {
  std::string text = "a,y\n";
  for (int k = 0; k < 20; ++k) text += fmt::format("{},{}\n", k % 4 == 3 ? "?" : fmt::format("{}", k), k);
  const std::string data = write("gaps.csv", text);
  const Arguments words = {"train", data,     "--task", "regression", "--na",    "?",           "--na-policy",
                           "mean",  "--test", "0.3",    "--quiet",    "--model", path("m.json")};
  ASSERT_EQ(run_tool(words).exit_code, 0);
  const json model = json::parse(content("m.json"));
  const double fill = model.at("preprocessing").at("missing").at("fill").at(0);
  // 15 of the 20 values are there, with mean 9; each split leaves other ones to train on.
  EXPECT_NE(fill, 9.0);
  ASSERT_EQ(run_tool(Arguments(words.begin(), words.begin() + 8) + Arguments{"--quiet", "--model", path("all.json")})
                .exit_code,
            0);
  EXPECT_EQ(json::parse(content("all.json")).at("preprocessing").at("missing").at("fill").at(0), 9.0);
}

}  // namespace
}  // namespace conelu
