#include <nlohmann/json.hpp>

#include "apps/tool.hpp"
#include "conelu/model.hpp"

namespace conelu {
namespace {

using nlohmann::json;

class ConfigTool : public test::Tool {
 protected:
  std::string config(const std::string& text) const { return write("run.json", text); }

  json record(const Arguments& words) const {
    const ProcessResult result = run_tool(words + Arguments{"--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json();
  }

  void expect_refused(const std::string& text, const std::vector<std::string>& parts) const {
    SCOPED_TRACE(text);
    expect_tool_refuses({"train", xor_file(), "--config", config(text)}, parts);
  }
};

// Every kind of option: numbers, words, switches, lists, objects, and the argument itself.
TEST_F(ConfigTool, IsTheSameAsTypingItsOptions) {
  json object = {{"DATA", xor_file()}, {"beta", 0.01},
                 {"pattern_count", 7}, {"patterns", "gaussian"},
                 {"seed", 3},          {"standardize", true},
                 {"no-bias", true},    {"eps", {{"a", 0.1}, {"b", 0.2}}},
                 {"norm", 2},          {"classes", {"same", "other"}}};
  const json from_file = record({"train", "--config", config(object.dump())});
  const json typed =
      record({"train", xor_file(), "--beta", "0.01", "--pattern-count", "7", "--patterns", "gaussian", "--seed", "3",
              "--standardize", "--no-bias", "--eps", "a=0.1,b=0.2", "--norm", "2", "--classes", "same,other"});
  for (const char* field : {"objective", "lower_bound", "beta", "eps", "eps_per_feature", "norm", "seed", "patterns"}) {
    EXPECT_EQ(from_file.at(field), typed.at(field)) << field;
  }
  EXPECT_EQ(typed.at("beta"), 0.01);
  EXPECT_EQ(typed.at("eps_per_feature"), json({0.1, 0.2}));
}

TEST_F(ConfigTool, GivesWayToWhatIsTyped) {
  const std::string file = config(R"({"beta": 0.01, "seed": 3, "min-max": true})");
  const json mixed = record({"train", xor_file(), "--config", file, "--beta", "0.5"});
  EXPECT_EQ(mixed.at("beta"), 0.5);
  EXPECT_EQ(mixed.at("seed"), 3);
  // The two kinds of scaling exclude each other: the one that is typed hides the other.
  const ProcessResult result =
      run_tool({"train", xor_file(), "--config", file, "--standardize", "--quiet", "--model", path("m.json")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NEAR(load_model(path("m.json")).preprocessing.center(0), 0, 1e-12) << "min-max would have -2.5";
}

TEST_F(ConfigTool, WorksForOtherCommands) {
  ASSERT_EQ(run_tool({"train", xor_file(), "--quiet", "--model", path("m.json")}).exit_code, 0);
  const std::string file =
      config(json({{"MODEL", path("m.json")}, {"eps", 0.1}, {"norm", "2"}, {"json", true}}).dump());
  const ProcessResult result = run_tool({"evaluate", "--config", file, path("m.json"), xor_file()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out).at("eps"), 0.1);
  EXPECT_EQ(json::parse(result.out).at("norm"), "2") << "known to have been given, not taken from the model";
}

TEST_F(ConfigTool, NamesTheKeyThatIsWrong) {
  expect_refused(R"({"beta": 1, "epss": 0.1})", {"run.json", "\"epss\"", "did you mean \"eps\"?"});
  expect_refused(R"({"xyzzy": 1})", {"run.json", "\"xyzzy\"", "conelu train has no such option"});
  expect_refused(R"({"config": "other.json"})", {"\"config\"", "no such option"});
  expect_refused(R"({"prune": "1e-3"})", {"run.json", "\"prune\"", "expected a number, not the string \"1e-3\""});
  expect_refused(R"({"beta": -1})", {"run.json", "\"beta\"", "above 0", "-1"});
  expect_refused(R"({"prune": [1, 2]})", {"\"prune\"", "expected a number, not a list"});
  expect_refused(R"({"max-iterations": 2.5})", {"\"max-iterations\"", "whole number", "2.5"});
  expect_refused(R"({"standardize": 1})", {"\"standardize\"", "expected true or false, not the number 1"});
  expect_refused(R"({"standardize": "true"})", {"\"standardize\"", "expected true or false"});
  expect_refused(R"({"loss": true})", {"\"loss\"", "expected a text or a number, not the truth value true"});
  expect_refused(R"({"loss": "hing"})", {"\"loss\"", "hinge", "hing"});
  expect_refused(R"({"loss": null})", {"\"loss\"", "null"});
  expect_refused(R"({"drop": ["a", []]})", {"\"drop\"", "a part of it is a list"});
  expect_refused(R"({"drop": []})", {"\"drop\"", "empty"});
  expect_refused(R"({"eps": {"a": 0.1, "c": 0.1}})", {"--eps", "no feature 'c'"});
  expect_refused(R"({"standardize": true, "min-max": true})", {"run.json", "--standardize", "--min-max"});
  expect_refused(R"({"seed": 1, "seed": 2})", {"run.json", "\"seed\"", "twice"});
  expect_refused(R"({"pattern-count": 1, "pattern_count": 2})", {"run.json", "twice"});
}

TEST_F(ConfigTool, NamesThePlaceThatIsNotJson) {
  expect_refused("{\"beta\": 1,\n \"eps\": }\n", {"run.json", "line 2", "byte 21"});
  expect_refused("", {"run.json", "line 1"});
  expect_refused("beta = 1\n", {"run.json", "line 1", "byte 1"});
  expect_refused("{\"beta\": 1", {"run.json", "line 1"});
  expect_refused("{\"beta\": 1e999}", {"run.json", "too large", "1e999"});
  expect_refused("[1]", {"run.json", "is a list, expected an object"});
  expect_refused("{\"target\": \"\xf6\"}", {"run.json", "line 1"});
  expect_tool_refuses({"train", xor_file(), "--config", path("none.json")}, {"--config", "none.json", "No such file"});
  expect_tool_refuses({"train", xor_file(), "--config", path("")}, {"--config", "directory"});
  expect_tool_refuses({"train", xor_file(), "--config"}, {"--config needs a value"});
  expect_tool_refuses({"train", "--config", config("{}")}, {"DATA is missing"});
}

// What is printed as a table can be had as one object, and nothing else is on stdout.
TEST_F(ConfigTool, EveryTableIsThereAsJson) {
  ASSERT_EQ(run_tool({"train", xor_file(), "--quiet", "--model", path("m.json")}).exit_code, 0);
  const std::string model = path("m.json"), data = xor_file();
  const std::vector<Arguments> commands = {{"train", data},
                                           {"cv", data, "--folds", "2"},
                                           {"baseline", data, "--epochs", "2"},
                                           {"evaluate", model, data, "--eps", "0.1"},
                                           {"attack", model, data, "--eps", "0.1"},
                                           {"certify", model, data, "--eps", "0.1"},
                                           {"export", model, path("m.onnx")},
                                           {"info", model},
                                           {"patterns", data},
                                           {"demo", "--samples", "8"}};
  for (const Arguments& command : commands) {
    const ProcessResult result = run_tool(command + Arguments{"--json"});
    EXPECT_EQ(result.exit_code, 0) << command[0] << ": " << result.err;
    EXPECT_TRUE(json::accept(result.out)) << command[0] << ": " << result.out;
  }
  const ProcessResult both = run_tool({"train", data, "--json", "--quiet", "--record", path("r.json")});
  EXPECT_EQ(json::parse(both.out), json::parse(content("r.json")));
}

}  // namespace
}  // namespace conelu
