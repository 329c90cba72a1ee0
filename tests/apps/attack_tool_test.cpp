#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tool.hpp"
#include "conelu/attack.hpp"
#include "conelu/model.hpp"
#include "conelu/read_data.hpp"

namespace conelu {
namespace {

using nlohmann::json;

class AttackTool : public test::Tool {
 protected:
  /// A network for xor_file(), whose features have deviations of about 1.8 when standardised.
  std::string model_file(const Arguments& more = {}) {
    const ProcessResult result =
        run_tool(Arguments{"train", xor_file(), "--quiet", "--beta", "0.01", "--model", path("model.json")} + more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path("model.json");
  }

  /// Must succeed; the JSON on stdout.
  json attack_of(const Arguments& arguments) {
    const ProcessResult result = run_tool(Arguments{"attack"} + arguments + Arguments{"--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.exit_code == 0 ? json::parse(result.out) : json::object();
  }
};

TEST_F(AttackTool, PrintsATableOfWhatItDid) {
  const ProcessResult result = run_tool({"attack", model_file(), xor_file(), "--eps", "0.3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* part :
       {"n ", "12", "pgd, radius 0.3 in the inf norm", "clean accuracy", "accuracy under attack", "seconds"}) {
    EXPECT_TRUE(contains(result.out, part)) << part << " is not in:\n" << result.out;
  }
}

TEST_F(AttackTool, GetsWorseWithEveryAttackAndRadius) {
  const std::string model = model_file();
  double before = 1;
  for (const char* eps : {"0", "0.4", "0.8", "4"}) {
    const Arguments base = {model, xor_file(), "--eps", eps};
    const double pgd = attack_of(base).at("pgd");
    const json strong = attack_of(base + Arguments{"--attack", "strong"});
    EXPECT_EQ(strong.at("n"), 12);
    EXPECT_EQ(strong.at("attack"), "strong");
    EXPECT_EQ(strong.at("eps"), std::stod(eps));
    EXPECT_EQ(strong.at("norm"), "inf");
    EXPECT_GE(strong.at("seconds"), 0);
    EXPECT_LE(strong.at("strong"), pgd);
    EXPECT_LE(pgd, strong.at("clean"));
    EXPECT_LE(strong.at("strong"), before);
    before = strong.at("strong");
  }
  EXPECT_EQ(before, 0);  // a ball of radius 4 reaches over every border
}

// The same points as the library finds, in every format that other commands read.
TEST_F(AttackTool, WritesWhatTheLibraryFindsInEveryFormat) {
  const std::string file = model_file();
  const Model model = load_model(file);
  ReadSettings read;
  read.expected_features = model.features;
  read.expected_classes = model.classes;
  const Dataset data = read_dataset(xor_file(), read);
  AttackSettings settings;
  settings.threat = Threat::uniform(Norm::two, 0.6, 2, false);
  settings.steps = 7;
  settings.step_size = 0.25;
  const AttackResult expected = attack("pgd", model.network(), data.X, data.y, settings);
  EXPECT_GT((expected.points - data.X).norm(), 0.1);

  const Arguments base = {file,      xor_file(), "--eps",       "0.6",  "--norm",  "2",
                          "--steps", "7",        "--step-size", "0.25", "--output"};
  attack_of(base + Arguments{path("out.csv")});
  EXPECT_TRUE(contains(content("out.csv"), "a,b,label\n"));
  const Dataset csv = read_dataset(path("out.csv"), read);
  EXPECT_EQ(csv.X, expected.points);
  EXPECT_EQ(csv.y, data.y);

  attack_of(base + Arguments{path("out.npy")});
  EXPECT_EQ(read_npy(path("out.npy")), expected.points);

  attack_of(base + Arguments{path("out.npz")});
  const Dataset npz = read_dataset(path("out.npz"), read);
  EXPECT_EQ(npz.X, expected.points);
  EXPECT_EQ(npz.y, data.y);

  // What was written is as bad as was said.
  const ProcessResult predicted = run_tool({"predict", file, path("out.csv")});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  int right = 0;
  for (Index k = 0; k < 12; ++k) right += is_broken(expected.outputs(k), data.y(k)) ? 0 : 1;
  EXPECT_NEAR(accuracy(model, csv), right / 12.0, 1e-12);
  EXPECT_NEAR(attack_of(base + Arguments{path("again.npy")}).at("pgd"), right / 12.0, 1e-12);
}

TEST_F(AttackTool, KeepsTheNameOfTheTarget) {
  const std::string data = write("middle.csv", "a,kind,b\n1,x,1\n-1,y,1\n1,y,-1\n-1,x,-1\n");
  ASSERT_EQ(run_tool({"train", data, "--target", "kind", "--quiet", "--model", path("m.json")}).exit_code, 0);
  attack_of({path("m.json"), data, "--target", "kind", "--eps", "0.1", "--output", path("out.csv")});
  EXPECT_TRUE(content("out.csv").starts_with("a,b,kind\n")) << content("out.csv");
  // It can be attacked again, with or without naming the target.
  attack_of({path("m.json"), path("out.csv"), "--target", "kind", "--eps", "0.1"});
  attack_of({path("m.json"), path("out.csv"), "--eps", "0.1"});
}

// Standardised or not, the file is in the units of the data, and the perturbation inside its ball there.
TEST_F(AttackTool, WritesInTheUnitsOfTheData) {
  const std::string file = model_file({"--standardize"});
  const Model model = load_model(file);
  const Dataset data = read_dataset(xor_file());
  for (const std::string& norm : norm_names()) {
    for (const char* units : {"network", "raw"}) {
      for (const char* attack : {"fgsm", "strong"}) {
        attack_of({file, xor_file(), "--eps", "b=0.37", "--norm", norm, "--eps-units", units, "--attack", attack,
                   "--output", path("out.npy")});
        const Matrix moved = read_npy(path("out.npy"));
        const bool raw = std::string(units) == "raw";
        const Matrix change =
            raw ? moved - data.X : model.preprocessing.apply(moved) - model.preprocessing.apply(data.X);
        EXPECT_EQ(moved.col(0), data.X.col(0));  // out of reach
        EXPECT_LE(change.col(1).cwiseAbs().maxCoeff(), raw ? 0.37 * (1 + 1e-14) : 0.37);
        EXPECT_GT(change.col(1).cwiseAbs().maxCoeff(), 0.37 * (1 - 1e-12));
      }
    }
  }
}

TEST_F(AttackTool, ClipsToARangeInTheUnitsOfTheData) {
  const std::string file = model_file({"--standardize"});
  const Dataset data = read_dataset(xor_file());  // values of size 1 to 2.75
  attack_of({file, xor_file(), "--eps", "3", "--clip", "-1.6,2", "--attack", "strong", "--output", path("out.npy")});
  const Matrix moved = read_npy(path("out.npy"));
  int clipped = 0;
  for (Index k = 0; k < data.X.rows(); ++k) {
    for (Index a = 0; a < 2; ++a) {
      if (data.X(k, a) < -1.6 || data.X(k, a) > 2) {
        EXPECT_EQ(moved(k, a), data.X(k, a));
      } else {
        EXPECT_GE(moved(k, a), -1.6);
        EXPECT_LE(moved(k, a), 2);
        clipped += moved(k, a) == -1.6 || moved(k, a) == 2 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(clipped, 0);
}

TEST_F(AttackTool, AttacksRegressionsByTheirError) {
  const std::string data = write("line.csv", "x,y\n0,0\n1,2\n2,4\n3,6\n4,8\n");
  ASSERT_EQ(run_tool({"train", data, "--task", "regression", "--beta", "1e-6", "--quiet", "--model", path("m.json")})
                .exit_code,
            0);
  const json facts =
      attack_of({path("m.json"), data, "--eps", "0.5", "--attack", "strong", "--output", path("out.npz")});
  EXPECT_LT(facts.at("mse_clean"), 1e-3);
  EXPECT_NEAR(facts.at("mse_strong"), 1, 0.01);  // half a step up a slope of 2
  const Dataset moved = read_dataset(path("out.npz"), {.task = Task::regression});
  EXPECT_EQ(moved.y, read_dataset(data, {.task = Task::regression}).y);
  EXPECT_TRUE(contains(run_tool({"attack", path("m.json"), data, "--eps", "0.5"}).out, "mse under attack"));
}

// Weight 2 is the row twice, weight 0 is no row, but it is in the file.
TEST_F(AttackTool, WeighsRows) {
  const std::string model = model_file();
  const std::string data = write("w.csv", "a,b,w,label\n1,1,3,same\n1,1,1,other\n1,-1,0,same\n");
  const json facts = attack_of({model, data, "--weights", "w", "--eps", "0", "--output", path("out.npy")});
  EXPECT_EQ(facts.at("clean"), 0.75);
  EXPECT_EQ(facts.at("pgd"), 0.75);
  EXPECT_EQ(read_npy(path("out.npy")).rows(), 3);
}

TEST_F(AttackTool, RepeatsForASeed) {
  const Arguments base = {model_file(), xor_file(), "--eps", "0.5", "--attack", "strong", "--seed", "5", "--output"};
  attack_of(base + Arguments{path("first.csv")});
  attack_of(base + Arguments{path("second.csv")});
  EXPECT_EQ(content("first.csv"), content("second.csv"));
}

TEST_F(AttackTool, RefusesWhatCannotBeMeant) {
  const std::string model = model_file();
  const std::string data = xor_file();
  const Arguments base = {"attack", model, data};
  const std::vector<BadOption> options = {
      {{}, {"--eps is missing"}},
      {{"--eps", "-1"}, {"--eps", "-1"}},
      {{"--eps", "c=1"}, {"--eps", "no feature 'c'", "a, b"}},
      {{"--eps", "1,2,3"}, {"--eps", "3 radii"}},
      {{"--eps", "1", "--attack", "pdg"}, {"--attack", "fgsm, pgd, strong", "pdg"}},
      {{"--eps", "1", "--norm", "3"}, {"--norm", "inf, 2, 1"}},
      {{"--eps", "1", "--steps", "0"}, {"--steps", "at least 1"}},
      {{"--eps", "1", "--step-size", "0"}, {"--step-size", "above 0"}},
      {{"--eps", "1", "--restarts", "-1"}, {"--restarts", "-1"}},
      {{"--eps", "1", "--clip", "1"}, {"--clip", "LO,HI", "1"}},
      {{"--eps", "1", "--clip", "1,x"}, {"--clip", "LO,HI", "1,x"}},
      {{"--eps", "1", "--clip", "2,1"}, {"--clip", "LO", "HI", "2,1"}},
      {{"--eps", "1", "--clip", "nan,1"}, {"--clip", "nan,1"}},
      {{"--eps", "1", "--output", path("out.txt")}, {"--output", ".csv, .npy or .npz", "out.txt"}},
      {{"--eps", "1", "--output", path("no/out.csv")}, {"--output", "out.csv"}},
      {{"--eps", "1", "--output", data}, {"--output", "another file of this run"}},
      {{"--eps", "1", "--atack", "pgd"}, {"--atack", "did you mean --attack?"}},
      {{"--eps", "1", "--step", "3"}, {"did you mean --steps?"}},
  };
  for (const BadOption& option : options) expect_tool_refuses(base + option.words, option.parts);
  expect_tool_refuses({"attak", model, data}, {"attak", "did you mean attack?"});
  expect_tool_refuses({"attack", model}, {"DATA is missing"});
  expect_tool_refuses({"attack", path("no.json"), data, "--eps", "1"}, {"no.json"});
  expect_tool_refuses({"attack", model, path("no.csv"), "--eps", "1"}, {"no.csv"});
  expect_tool_refuses({"attack", data, data, "--eps", "1"}, {"xor.csv"});
  const std::string bare = write("bare.csv", "a,b\n1,2\n");
  expect_tool_refuses({"attack", model, bare, "--eps", "1"}, {"bare.csv", "no target"});
  EXPECT_FALSE(std::filesystem::exists(path("out.txt")));
}

// Three corners of a triangle. What `evaluate` counts is what the attack does, and the rows that it writes are wrong.
TEST_F(AttackTool, AttacksSeveralClasses) {
  const std::string data = write("many.csv", "a,b,kind\n0,3,x\n0.1,2,x\n3,-2,y\n2,-2.5,y\n-3,-2,z\n-2,-1.5,z\n");
  ASSERT_EQ(run_tool({"train", data, "--beta", "1e-3", "--quiet", "--model", path("many.json")}).exit_code, 0);
  const Arguments where = {path("many.json"), data, "--json", "--eps"};
  for (const char* eps : {"0", "1", "2.2", "9"}) {
    const json evaluated = json::parse(run_tool(Arguments{"evaluate"} + where + Arguments{eps}).out);
    for (const std::string name : {"fgsm", "pgd", "strong"}) {
      const ProcessResult result =
          run_tool(Arguments{"attack"} + where + Arguments{eps, "--attack", name, "--output", path("bad.csv")});
      ASSERT_EQ(result.exit_code, 0) << result.err;
      const json facts = json::parse(result.out);
      EXPECT_EQ(facts.at("clean"), evaluated.at("clean"));
      EXPECT_EQ(facts.at(name), evaluated.at(name)) << name << ' ' << eps;
      const json after =
          json::parse(run_tool({"evaluate", path("many.json"), path("bad.csv"), "--json", "--eps", "0"}).out);
      EXPECT_EQ(after.at("clean"), facts.at(name)) << name << ' ' << eps;
    }
    EXPECT_EQ(evaluated.at("strong"), std::string(eps) == "9" ? json(0.0) : evaluated.at("strong"));
  }
}

TEST_F(AttackTool, HelpsAndLeavesNothingBehindOnFailure) {
  const ProcessResult help = run_tool({"attack", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* option : {"MODEL", "DATA", "--eps", "--norm", "--eps-units", "--attack", "--steps", "--step-size",
                             "--restarts", "--seed", "--clip", "--output", "--json", "1/30"}) {
    EXPECT_TRUE(contains(help.out, option)) << option;
  }
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  const std::string model = model_file();
  const std::size_t before = files();
  run_tool({"attack", model, path("no.csv"), "--eps", "1", "--output", path("out.csv")});
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace conelu
