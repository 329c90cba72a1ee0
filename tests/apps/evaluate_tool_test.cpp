#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tool.hpp"
#include "conelu/evaluation.hpp"
#include "conelu/read_data.hpp"

namespace conelu {
namespace {

using nlohmann::json;

class EvaluateTool : public test::Tool {
 protected:
  /// A classifier of xor_file().
  std::string model_file(const Arguments& options = {}, const std::string& eps = "0.2") {
    const std::string name = path("xor.json");
    const ProcessResult result =
        run_tool(Arguments{"train", xor_file(), "--beta", "0.01", "--eps", eps, "--quiet", "--model", name} + options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return name;
  }

  /// Must succeed; the JSON on stdout.
  json facts_of(const Arguments& arguments) {
    const ProcessResult result = run_tool(Arguments{"evaluate"} + arguments + Arguments{"--json", "--threads", "1"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    said = result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json::object();
  }

  static void expect_order(const json& facts) {
    const std::vector<const char*> names = {
        "certified_bound", "verified_lower", "verified_upper", "strong", "pgd", "clean"};
    for (std::size_t i = 1; i < names.size(); ++i) {
      EXPECT_LE(facts.at(names[i - 1]), facts.at(names[i])) << facts.dump();
    }
  }

  /// Many neurons in many dimensions, none of which stays on its side: the third row of hard_file() is not decided in
  /// an hour.
  std::string hard_model() {
    Model model = load_model(model_file());
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    Network& network = model.networks.front();
    network.hidden = Matrix::NullaryExpr(6 * d, d, [&] { return normal(random); });
    network.hidden_bias = Vector::NullaryExpr(6 * d, [&] { return 0.1 * normal(random); });
    network.output = Vector::NullaryExpr(6 * d, [&] { return normal(random); });
    network.output_bias = 0;
    model.features.clear();
    for (Index a = 0; a < d; ++a) model.features.push_back(fmt::format("x{}", a + 1));
    VerifySettings settings;
    settings.threat = Threat::uniform(Norm::infinity, 0.5, d, false);
    settings.exact = true;
    settings.time_limit = 1;
    const Verification range = verify(network, Matrix::Zero(1, d), Vector::Ones(1), settings).front();
    EXPECT_GT(range.upper - range.lower, 1);
    network.output_bias = -0.5 * (range.lower + range.upper);
    save_model(model, path("hard.json"));
    return path("hard.json");
  }

  std::string hard_file() {
    std::string text;
    for (Index a = 0; a < d; ++a) text += fmt::format("x{},", a + 1);
    text += "y\n";
    for (int k = 0; k < 3; ++k) {
      for (Index a = 0; a < d; ++a) text += k < 2 ? "100," : "0,";
      text += k == 0 ? "other\n" : "same\n";  // one of the first two is right, and the third
    }
    return write("rows.csv", text);
  }

  static constexpr Index d = 16;
  std::string said;
};

TEST_F(EvaluateTool, SaysWhatTheLibrarySays) {
  const std::string file = model_file();
  const Model model = load_model(file);
  ReadSettings read;
  read.expected_features = model.features;
  read.expected_classes = model.classes;
  const Dataset data = read_dataset(xor_file(), read);
  for (const std::string& norm : norm_names()) {
    for (const long branches : {0L, 2L, EvaluationSettings().branch_limit}) {
      EvaluationSettings settings;
      settings.threat = Threat::uniform(make_norm(norm), 0.9, 2, false);
      settings.radius_unit = 0.9;
      settings.seed = 3;
      settings.restarts = 2;
      settings.branch_limit = branches;
      json expected = json::parse(to_json(evaluate(model, data, settings)));
      json facts = facts_of({file, xor_file(), "--eps", "0.9", "--norm", norm, "--seed", "3", "--restarts", "2",
                             "--branch-limit", std::to_string(branches)});
      EXPECT_EQ(said, "");
      expected.erase("seconds");
      facts.erase("seconds");
      EXPECT_EQ(facts, expected);
      expect_order(facts);
    }
  }
}

TEST_F(EvaluateTool, HasTheFieldsOfTheContract) {
  const json facts = facts_of({model_file(), xor_file(), "--eps", "0.3"});
  for (const char* name : {"clean", "fgsm", "pgd", "strong", "verified_lower", "verified_upper", "certified_bound"}) {
    EXPECT_TRUE(facts.at(name).is_number()) << name;
    EXPECT_GE(facts.at(name), 0);
    EXPECT_LE(facts.at(name), 1);
  }
  EXPECT_EQ(facts.at("n"), 12);
  EXPECT_GT(facts.at("mean_radius"), 0);
  EXPECT_EQ(facts.at("radius_open"), 0);
  EXPECT_EQ(facts.at("radius_capped"), 0);
  EXPECT_GT(facts.at("objective"), 0);
  EXPECT_EQ(facts.at("norm"), "inf");
}

// What training certified about its own rows comes out again, from exact margins.
TEST_F(EvaluateTool, TakesTheAttackOfTheTrainingUnlessTold) {
  for (const Arguments& options : {Arguments{"--method", "cones", "--patterns", "all"},
                                   Arguments{"--norm", "2", "--standardize", "--method", "cones"}}) {
    const std::string file = model_file(options);
    const RunRecord training = load_model(file).training;
    const json facts = facts_of({file, xor_file()});
    EXPECT_NEAR(facts.at("objective"), training.network_objective, 1e-9);
    EXPECT_EQ(facts.at("eps"), 0.2);
    EXPECT_EQ(facts.at("norm"), training.norm);
    EXPECT_TRUE(contains(said, "note: eps 0.2 in the " + training.norm + " norm, as in training")) << said;
    expect_order(facts);
    // The same in so many words, in which case there is nothing to say.
    json same = facts_of({file, xor_file(), "--eps", "0.2", "--norm", training.norm});
    EXPECT_EQ(said, "");
    same["seconds"] = facts.at("seconds");
    EXPECT_EQ(same, facts);
    EXPECT_EQ(facts_of({file, xor_file(), "--norm", "1"}).at("norm"), "1");
  }
  const std::string file = model_file({}, "a=0.3");
  const json facts = facts_of({file, xor_file()});
  EXPECT_EQ(facts.at("eps_per_feature"), (std::vector<double>{0.3, 0}));
  EXPECT_TRUE(contains(said, "up to 0.3")) << said;
}

// Standardising divides features, radii and limits alike; a radius comes out in the units that --eps was given in.
TEST_F(EvaluateTool, TakesRadiiAndLimitsInTheUnitsOfTheData) {
  const std::string data = write("units.csv", "a,b,y\n20,100,0\n-20,100,1\n20,-100,1\n-20,-100,0\n");
  run_tool({"train", data, "--standardize", "--patterns", "all", "--eps", "0.1", "--quiet", "--model", path("u.json")});
  const json network = facts_of({path("u.json"), data, "--eps", "0.5,0.1"});
  const json raw = facts_of({path("u.json"), data, "--eps", "10", "--eps-units", "raw"});
  EXPECT_NEAR(raw.at("objective"), network.at("objective"), 1e-9);
  EXPECT_NEAR(raw.at("mean_radius"), 10 * network.at("mean_radius").get<double>(), 1e-9);
  const json fixed = facts_of({path("u.json"), data, "--eps", "10", "--eps-units", "raw", "--clip", "500,600"});
  EXPECT_LT(fixed.at("objective"), raw.at("objective")) << "nothing can be moved";
}

TEST_F(EvaluateTool, GivesRegressionsTheirErrors) {
  const std::string data = write("line.csv", "x,y\n0,0\n1,2\n2,4\n3,6\n4,8\n");
  ASSERT_EQ(run_tool({"train", data, "--task", "regression", "--beta", "1e-6", "--quiet", "--model", path("m.json")})
                .exit_code,
            0);
  const json facts = facts_of({path("m.json"), data, "--eps", "0.5"});
  EXPECT_LT(facts.at("mse_clean"), 1e-3);
  for (const char* name : {"mse_pgd", "mse_strong", "mse_verified_lower", "mse_verified_upper"}) {
    EXPECT_NEAR(facts.at(name), 1, 0.01) << name;  // half a step up a slope of 2
  }
  EXPECT_NEAR(facts.at("objective"), 2.5, 0.02);
  EXPECT_TRUE(facts.at("mean_radius").is_null());
  const ProcessResult table = run_tool({"evaluate", path("m.json"), data, "--eps", "0.5"});
  EXPECT_TRUE(contains(table.out, "mse_verified_upper")) << table.out;
}

TEST_F(EvaluateTool, ComparesMoreThanTwoClasses) {
  std::string text = "a,b,kind\n";
  for (const double shift : {-0.2, 0.0, 0.3}) {
    text += fmt::format("{},0,left\n{},0,right\n0,{},top\n", -3 + shift, 3 + shift, 3 + shift);
  }
  const std::string data = write("three.csv", text);
  const ProcessResult trained = run_tool({"train", data, "--beta", "1e-3", "--quiet", "--model", path("three.json")});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const json still = facts_of({path("three.json"), data, "--eps", "0"});
  EXPECT_EQ(still.at("clean"), 1);
  EXPECT_NEAR(still.at("objective"), load_model(path("three.json")).training.network_objective, 1e-9);
  const json near = facts_of({path("three.json"), data, "--eps", "0.3"});
  EXPECT_EQ(near.at("verified_lower"), 1);
  const json far = facts_of({path("three.json"), data, "--eps", "6"});
  EXPECT_EQ(far.at("verified_upper"), 0) << "the other side is within reach";
  EXPECT_EQ(far.at("strong"), 0);
  EXPECT_LT(far.at("mean_radius"), 6);
}

TEST_F(EvaluateTool, PrintsATableOrWritesAFile) {
  const Arguments base = {"evaluate", model_file(), xor_file(), "--eps", "0.3"};
  const ProcessResult plain = run_tool(base);
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_EQ(plain.err, "");
  for (const char* part :
       {"n                12\n", "clean            1\n", "verified_lower ", "mean_radius ", "eps "}) {
    EXPECT_TRUE(contains(plain.out, part)) << part << " is not in:\n" << plain.out;
  }
  const ProcessResult filed = run_tool(base + Arguments{"--output", path("e.json"), "--quiet", "--no-radius"});
  EXPECT_EQ(filed.exit_code, 0);
  EXPECT_EQ(filed.out + filed.err, "");
  const json facts = json::parse(content("e.json"));
  EXPECT_EQ(facts.at("n"), 12);
  EXPECT_TRUE(facts.at("mean_radius").is_null());
  const json short_facts = facts_of({model_file(), xor_file(), "--no-objective"});
  EXPECT_TRUE(short_facts.at("objective").is_null());
  EXPECT_TRUE(contains(said, "as in training"));
}

// Weight 2 is the row twice, weight 0 is no row.
TEST_F(EvaluateTool, WeighsRows) {
  const std::string data = write("w.csv", "a,b,w,label\n1,1,3,same\n1,1,1,other\n1,-1,0,same\n");
  const json facts = facts_of({model_file(), data, "--weights", "w", "--eps", "0"});
  EXPECT_EQ(facts.at("clean"), 0.75);
  EXPECT_EQ(facts.at("verified_lower"), 0.75);
  EXPECT_EQ(facts.at("n"), 2);
}

TEST_F(EvaluateTool, RefusesWhatCannotBeMeant) {
  const std::string model = model_file();
  const std::string data = xor_file();
  const std::vector<BadOption> options = {
      {{"--eps", "-1"}, {"--eps", "of at least 0"}},
      {{"--eps", "1e308"}, {"eps", "1e+308", "1e+60"}},
      {{"--eps", "1,2,3"}, {"--eps", "3 radii"}},
      {{"--eps", "c=1"}, {"--eps", "no feature 'c'", "a, b"}},
      {{"--eps-units", "raw"}, {"--eps-units", "there is no --eps"}},
      {{"--eps", "1", "--eps-units", "inches"}, {"--eps-units"}},
      {{"--norm", "3"}, {"--norm", "inf, 2, 1"}},
      {{"--clip", "2,1"}, {"--clip", "LO must not be above HI"}},
      {{"--time-limit", "-1"}, {"--time-limit"}},
      {{"--branch-limit", "-1"}, {"--branch-limit"}},
      {{"--branch-limit", "2.5"}, {"--branch-limit"}},
      {{"--radius-branches", "-1"}, {"--radius-branches"}},
      {{"--restarts", "-1"}, {"--restarts"}},
      {{"--threads", "x"}, {"--threads"}},
      {{"--attack", "pgd"}, {"unknown option --attack"}},
      {{"--no-radios"}, {"did you mean --no-radius?"}},
      {{"--epsilon", "1"}, {"did you mean --eps?"}},
      {{"--output", path("no/e.json")}, {"--output", "e.json"}},
      {{"--output", data}, {"--output", "another file of this run"}},
      {{"--target", "c"}, {"c"}},
  };
  for (const BadOption& option : options) {
    expect_tool_refuses(Arguments{"evaluate", model, data} + option.words, option.parts);
  }
  expect_tool_refuses({"evaluat", model, data}, {"did you mean evaluate?"});
  expect_tool_refuses({"evaluate", model}, {"DATA is missing"});
  expect_tool_refuses({"evaluate", data, model}, {"xor.csv"});
  expect_tool_refuses({"evaluate", model, write("bare.csv", "a,b\n1,2\n")}, {"bare.csv", "no target"});
}

TEST_F(EvaluateTool, HelpsInEightyColumns) {
  const ProcessResult help = run_tool({"evaluate", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* option :
       {"MODEL", "DATA", "--eps", "--norm", "--eps-units", "--clip", "--restarts", "--seed", "--time-limit",
        "--branch-limit", "--radius-branches", "--no-radius", "--no-objective", "--output", "--json", "--quiet"}) {
    EXPECT_TRUE(contains(help.out, option)) << option;
  }
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(EvaluateTool, RepeatsWithALimitOfBranches) {
  const std::string model = hard_model();
  const std::string data = hard_file();
  std::vector<json> found;
  for (const char* threads : {"1", "1", "2"}) {
    const ProcessResult result = run_tool({"evaluate", model, data, "--eps", "0.5", "--branch-limit", "20",
                                           "--time-limit", "3600", "--json", "--threads", threads});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    found.push_back(json::parse(result.out));
    found.back().erase("seconds");
    EXPECT_EQ(found.back(), found.front());
  }
  EXPECT_EQ(found.front().at("unknown"), 1);
  expect_order(found.front());
}

TEST_F(EvaluateTool, KeepsWhatIsKnownAtCtrlC) {
  const std::string model = hard_model();
  const std::string data = hard_file();
  bool typed = false;
  const ProcessResult result = run_tool_on_terminal({"evaluate", model, data, "--eps", "0.5", "--threads", "1",
                                                     "--time-limit", "3600", "--output", path("kept.json")},
                                                    [&](const std::string& seen) {
                                                      if (typed || !contains(seen, "verify: 2 of 3 rows")) return "";
                                                      typed = true;
                                                      return "\x03";
                                                    });
  EXPECT_EQ(result.exit_code, 130) << result.out;
  ASSERT_TRUE(typed) << result.out;
  EXPECT_TRUE(contains(result.out, "s left")) << result.out;
  EXPECT_TRUE(contains(result.out, "interrupted")) << result.out;
  const json facts = json::parse(content("kept.json"));
  EXPECT_EQ(facts.at("finished"), false);
  EXPECT_EQ(facts.at("unknown"), 1);
  EXPECT_NEAR(facts.at("verified_lower"), 1 / 3.0, 1e-12);
  EXPECT_NEAR(facts.at("verified_upper"), 2 / 3.0, 1e-12);
  EXPECT_TRUE(facts.at("mean_radius").is_null());
  EXPECT_TRUE(facts.at("objective").is_null());
  expect_order(facts);
}

}  // namespace
}  // namespace conelu
