#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tool.hpp"
#include "conelu/model.hpp"
#include "conelu/read_data.hpp"

namespace conelu {
namespace {

using nlohmann::json;

class RobustTool : public test::Tool {
 protected:
  /// Must succeed; notes and proof are in `said`.
  json record_of(const Arguments& arguments) {
    const ProcessResult result = run_tool(Arguments{"train"} + arguments + Arguments{"--record", "-"});
    said = result.err;
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json::object();
  }

  std::string said;
};

// ---- radii

TEST_F(RobustTool, RefusesRadiiThatCannotBeMeantNamingThePart) {
  const std::string data = xor_file();  // features a, b
  const std::vector<BadOption> options = {
      {{"--eps", "-0.1"}, {"--eps", "of at least 0", "-0.1"}},
      {{"--eps", "nan"}, {"--eps", "nan"}},
      {{"--eps", "inf"}, {"--eps", "inf"}},
      {{"--eps", "small"}, {"--eps", "a number", "small"}},
      {{"--eps", "0.1x"}, {"--eps", "0.1x"}},
      {{"--eps", ""}, {"--eps", "missing"}},
      {{"--eps"}, {"--eps", "needs a value"}},
      {{"--eps", "0.1,"}, {"--eps", "missing", "R1,R2"}},
      {{"--eps", "0.1,,0.2"}, {"--eps", "missing"}},
      {{"--eps", "0.1,-0.2"}, {"--eps", "-0.2"}},
      {{"--eps", "0.1,0.2,0.3"}, {"--eps", "3 radii", "2 features", "a, b"}},
      {{"--eps", "a=0.1,c=0.2"}, {"--eps", "no feature 'c'", "a, b"}},
      {{"--eps", "label=0.1"}, {"--eps", "no feature 'label'"}},
      {{"--eps", "a=0.1,a=0.2"}, {"--eps", "'a'", "twice"}},
      {{"--eps", "a=-1"}, {"--eps", "'a=-1'", "of at least 0"}},
      {{"--eps", "a="}, {"--eps", "'a='", "missing"}},
      {{"--eps", "a=much"}, {"--eps", "'a=much'", "a number"}},
      {{"--eps", "=0.1"}, {"--eps", "'=0.1'", "name=R"}},
      {{"--eps", "a=0.1,0.2"}, {"--eps", "'0.2'", "name=R"}},
      {{"--eps", "0.1,b=0.2"}, {"--eps", "'0.1,b'", "numbers only or name=R only"}},
      {{"--eps-units", "metres"}, {"--eps-units", "network, raw", "metres"}},
      {{"--norm", "3"}, {"--norm", "inf, 2, 1"}},
      {{"--norm", "linf"}, {"--norm", "linf"}},
  };
  for (const char* command : {"train", "patterns"}) {
    for (const BadOption& option : options) {
      expect_tool_refuses(Arguments{command, data} + option.words, option.parts);
    }
  }
  const std::string named = write("named.csv", "thickness,width,y\n1,2,0\n2,1,1\n");
  expect_tool_refuses({"train", named, "--eps", "thicknes=1"}, {"thicknes", "did you mean thickness?"});
}

TEST_F(RobustTool, RefusesWhatBelongsToAnotherSource) {
  const std::string data = xor_file();
  for (const char* option : {"--directions", "--perturbations"}) {
    expect_tool_refuses({"train", data, option, "5"}, {option, "--patterns perturbed"});
    expect_tool_refuses({"train", data, "--eps", "0.1", "--patterns", "gaps", option, "5"},
                        {option, "--patterns perturbed", "gaps"});
    expect_tool_refuses({"patterns", data, option, "5"}, {option, "--patterns perturbed"});
    expect_tool_refuses({"train", data, "--patterns", "perturbed", option, "0"}, {option, "at least 1"});
    expect_tool_refuses({"train", data, "--patterns", "perturbed", option, "1.5"}, {option, "whole number"});
  }
}

TEST_F(RobustTool, SuggestsWhatWasMeant) {
  const std::string data = xor_file();
  expect_tool_refuses({"train", data, "--epsilon", "0.1"}, {"--epsilon", "did you mean --eps"});
  expect_tool_refuses({"train", data, "--eps-unit", "raw"}, {"did you mean --eps-units?"});
  expect_tool_refuses({"train", data, "--direction", "5"}, {"did you mean --directions?"});
  expect_tool_refuses({"train", data, "--perturbation", "5"}, {"did you mean --perturbations?"});
  expect_tool_refuses({"train", data, "--norms", "2"}, {"did you mean --norm?"});
}

TEST_F(RobustTool, TakesRadiiInEveryForm) {
  const Arguments base = {xor_file(), "--beta", "0.01", "--patterns", "all", "--tolerance", "1e-8"};
  const json scalar = record_of(base + Arguments{"--eps", "0.2"});
  EXPECT_EQ(scalar.at("eps"), 0.2);
  EXPECT_EQ(scalar.at("norm"), "inf");
  EXPECT_FALSE(scalar.contains("eps_per_feature"));
  for (const char* eps : {"0.2,0.2", "a=0.2,b=0.2", "b=2e-1,a=0.20"}) {
    const json same = record_of(base + Arguments{"--eps", eps});
    EXPECT_EQ(same.at("objective"), scalar.at("objective")) << eps;
    EXPECT_FALSE(same.contains("eps_per_feature"));
  }
  const json some = record_of(base + Arguments{"--eps", "b=0.2"});
  EXPECT_EQ(some.at("eps"), 0.2);
  EXPECT_EQ(some.at("eps_per_feature"), (json::array({0.0, 0.2})));
  EXPECT_LT(some.at("objective"), scalar.at("objective"));  // a weaker attack
  EXPECT_EQ(some.at("objective"), record_of(base + Arguments{"--eps", "0,0.2"}).at("objective"));
}

TEST_F(RobustTool, FindsFeaturesWithCommasAndEqualSignsInTheirNames) {
  const std::string data = write("odd.csv", "\"size, in m\",a=b,y\n1,2,0\n2,1,1\n-1,0,0\n3,-1,1\n");
  const json record = record_of({data, "--beta", "0.01", "--eps", "a=b=0.1,size, in m=0.2"});
  EXPECT_EQ(record.at("eps_per_feature"), (json::array({0.2, 0.1})));
}

TEST_F(RobustTool, IsStandardTrainingWithoutARadius) {
  const Arguments base = {xor_file(), "--beta", "0.01"};
  const json plain = record_of(base);
  for (const char* eps : {"0", "0,0", "a=0"}) {
    const json zero = record_of(base + Arguments{"--eps", eps});
    for (const char* field : {"objective", "network_objective", "lower_bound", "scope", "method", "eps", "norm",
                              "pattern_source", "patterns", "neurons"}) {
      EXPECT_EQ(zero.at(field), plain.at(field)) << field << " with --eps " << eps;
    }
  }
}

// Standardising divides features and radii alike.
TEST_F(RobustTool, TakesRadiiInTheUnitsOfTheData) {
  // Mean 0 and population deviations 2 and 10.
  const std::string data = write("units.csv", "a,b,y\n2,10,0\n-2,10,1\n2,-10,1\n-2,-10,0\n");
  const Arguments base = {data, "--beta", "0.01", "--patterns", "all", "--standardize", "--tolerance", "1e-8"};
  const json network = record_of(base + Arguments{"--eps", "0.1,0.02"});
  const json raw = record_of(base + Arguments{"--eps", "0.2", "--eps-units", "raw"});
  EXPECT_TRUE(contains(said, "0.02 to 0.1 for the standardised features")) << said;
  EXPECT_EQ(raw.at("objective"), network.at("objective"));
  EXPECT_EQ(raw.at("eps_per_feature"), network.at("eps_per_feature"));
  EXPECT_EQ(raw.at("eps"), 0.1);
  const Arguments unscaled = {data, "--beta", "0.01", "--patterns", "all", "--eps", "0.2"};
  EXPECT_EQ(record_of(unscaled + Arguments{"--eps-units", "raw"}).at("objective"), record_of(unscaled).at("objective"));
}

// ---- what is trained and what is said about it

TEST_F(RobustTool, ChoosesAndSaysSoOnlyIfThePatternsAreLeftToIt) {
  const json chosen = record_of({xor_file(), "--eps", "0.1"});
  EXPECT_EQ(chosen.at("pattern_source"), "gaps");
  EXPECT_TRUE(contains(said, "note: method: ")) << said;
  EXPECT_TRUE(contains(said, "the all-active one among them")) << said;
  EXPECT_GT(chosen.at("live_patterns"), 0);
  EXPECT_LT(chosen.at("objective"), 1);

  const json given = record_of({xor_file(), "--eps", "0.1", "--patterns", "gaussian", "--pattern-count", "10"});
  EXPECT_EQ(given.at("method"), "cones");
  EXPECT_FALSE(contains(said, "note: method: ")) << said;
  EXPECT_FALSE(contains(said, "all-active")) << said;

  const json reduced = record_of({xor_file(), "--eps", "0.1", "--method", "reduced"});
  EXPECT_EQ(reduced.at("method"), "reduced");
  EXPECT_EQ(reduced.at("pattern_source"), "gaps");
}

TEST_F(RobustTool, SamplesAsAlgorithmTwoDoes) {
  const Arguments base = {xor_file(), "--patterns", "perturbed", "--directions", "5", "--perturbations", "4"};
  const json record = record_of(base + Arguments{"--eps", "0.1", "--pattern-count", "20"});
  EXPECT_EQ(record.at("pattern_source"), "perturbed");
  EXPECT_EQ(record.at("method"), "cones");
  EXPECT_LE(record.at("patterns"), 20);
  record_of(base);
  EXPECT_TRUE(contains(said, "nothing to perturb by")) << said;
}

TEST_F(RobustTool, NeverClaimsMoreThanItsCertificate) {
  const json robust = record_of({xor_file(), "--eps", "0.1", "--patterns", "all"});
  EXPECT_EQ(robust.at("scope"), "program");
  EXPECT_EQ(robust.at("rounds"), 1);
  EXPECT_LE(robust.at("lower_bound"), robust.at("objective"));
  EXPECT_LE(robust.at("network_objective"), robust.at("objective"));
  EXPECT_LE(robust.at("live_patterns"), robust.at("patterns"));
  EXPECT_TRUE(contains(said, "proven: no perturbation within eps = 0.1 in the inf norm can raise")) << said;
  EXPECT_TRUE(contains(said, "other networks may do better")) << said;
  EXPECT_TRUE(contains(said, "are live under this attack")) << said;
  EXPECT_FALSE(contains(said, "any width")) << said;
  EXPECT_FALSE(contains(said, "no network")) << said;

  record_of({xor_file(), "--eps", "a=0.1", "--norm", "2", "--standardize", "--method", "reduced"});
  EXPECT_TRUE(contains(said, "radii (the largest is 0.1) in the 2 norm, after standardisation,")) << said;
  EXPECT_TRUE(contains(said, "method reduced")) << said;

  record_of({xor_file(), "--method", "reduced"});
  EXPECT_TRUE(contains(said, "its program (method reduced")) << said;
  EXPECT_FALSE(contains(said, "no perturbation")) << said;
}

TEST_F(RobustTool, KeepsTheAttackInTheModel) {
  record_of({xor_file(), "--eps", "0.1,0.05", "--norm", "2", "--model", path("m.json")});
  const RunRecord training = load_model(path("m.json")).training;
  EXPECT_EQ(training.eps, 0.1);
  EXPECT_EQ(training.norm, "2");
  EXPECT_EQ(training.eps_per_feature, (std::vector<double>{0.1, 0.05}));
}

// Two points at a distance of 1 that no hyperplane separates with a margin of 5 to both.
TEST_F(RobustTool, SaysPlainlyThatNothingIsLive) {
  const std::string data = write("close.csv", "x,y\n0,0\n1,1\n");
  write_npy(path("apart.npy"), Matrix{{0, 1}, {1, 0}});
  const Arguments base = {data, "--patterns", path("apart.npy"), "--eps", "5", "--model", path("m.json")};
  const json record = record_of(base);
  EXPECT_EQ(record.at("live_patterns"), 0);
  EXPECT_EQ(record.at("patterns"), 2);
  EXPECT_EQ(record.at("neurons"), 0);
  EXPECT_NEAR(record.at("objective"), 1, 1e-12);
  EXPECT_NEAR(record.at("network_objective"), 1, 1e-12);
  for (const char* part : {"none of 2 is live", "margin of eps", "zero network", "--patterns gaps", "--method reduced",
                           "a smaller --eps"}) {
    EXPECT_TRUE(contains(said, part)) << "no '" << part << "' in: " << said;
  }
  EXPECT_EQ(load_model(path("m.json")).network().neurons(), 0);
  EXPECT_TRUE(contains(run_tool(Arguments{"train"} + base + Arguments{"--quiet"}).err, "zero network"));

  record_of(base + Arguments{"--method", "reduced"});  // nothing to be sorry about
  EXPECT_FALSE(contains(said, "zero network")) << said;
}

// Literal Alg 2 on Mammographic Masses: a column of ones is a feature there and perturbed, too.
TEST_F(RobustTool, SaysWhatBecomesOfAlgorithmTwoOnMammographicMasses) {
  const std::string name = std::string(CONELU_SHARED_DIR) + "/cases/mammographic_adv_hinge_P120_trivial";
  if (!std::filesystem::exists(name + ".npz")) GTEST_SKIP() << "no " << name;
  const json record =
      record_of({name + ".npz", "--patterns", name + ".patterns.npy", "--no-bias", "--eps", "0.12", "--beta", "1e-4"});
  EXPECT_EQ(record.at("method"), "cones");
  EXPECT_EQ(record.at("patterns"), 120);
  EXPECT_EQ(record.at("live_patterns"), 0);
  EXPECT_NEAR(record.at("objective"), 1, 1e-12);
  EXPECT_EQ(record.at("status"), "optimal");
  EXPECT_TRUE(contains(said, "none of 120 is live")) << said;
  EXPECT_TRUE(contains(said, "--method reduced with --bias")) << said;
}

// ---- patterns

TEST_F(RobustTool, CountsThePatternsThatSurviveAnAttack) {
  const Arguments base = {"patterns", xor_file(), "--patterns", "all", "--json"};
  const json standard = json::parse(run_tool(base).out);
  const json robust = json::parse(run_tool(base + Arguments{"--eps", "0.3", "--norm", "2"}).out);
  EXPECT_FALSE(standard.contains("eps"));
  EXPECT_EQ(robust.at("eps"), 0.3);
  EXPECT_EQ(robust.at("norm"), "2");
  EXPECT_EQ(robust.at("patterns"), standard.at("patterns"));
  EXPECT_LT(robust.at("live_patterns"), standard.at("live_patterns"));
  EXPECT_GT(robust.at("zero_patterns"), standard.at("zero_patterns"));
  EXPECT_EQ(robust.at("live_patterns").get<int>() + robust.at("thin_patterns").get<int>() +
                robust.at("narrow_patterns").get<int>() + robust.at("zero_patterns").get<int>() +
                robust.at("inactive_patterns").get<int>(),
            robust.at("patterns").get<int>());
  EXPECT_EQ(standard.at("compared_patterns"), standard.at("patterns"));
  EXPECT_EQ(standard.at("least_difference"), 1);  // of all patterns, neighbours are across one hyperplane
  EXPECT_EQ(standard.at("most_difference"), standard.at("n"));
  const double n = standard.at("n"), P = standard.at("patterns");  // half of the patterns are active on a sample
  EXPECT_DOUBLE_EQ(standard.at("mean_difference"), n / 2 * P / (P - 1));
  const ProcessResult text = run_tool({"patterns", xor_file(), "--eps", "a=0.3"});
  EXPECT_TRUE(contains(text.out, "up to 0.3 in the inf norm")) << text.out;
  EXPECT_TRUE(contains(text.out, "from gaps")) << text.out;
  EXPECT_TRUE(contains(text.out, "two of them differ  on ")) << text.out;
}

TEST_F(RobustTool, ComparesSomeOfTooManyPatterns) {
  std::string table = "a,b,y\n";
  for (int k = 0; k < 50; ++k) table += fmt::format("{},{},{}\n", k, (k * k * 7 + k * 3) % 53 + 0.01 * k, k % 2);
  const ProcessResult text = run_tool({"patterns", write("many.csv", table), "--patterns", "all"});
  EXPECT_TRUE(contains(text.out, "2452 from all, all there are")) << text.out;
  EXPECT_TRUE(contains(text.out, "on average (of 1226 patterns)")) << text.out;
}

}  // namespace
}  // namespace conelu
