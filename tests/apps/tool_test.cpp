#include "apps/tool.hpp"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "conelu/model.hpp"
#include "conelu/read_data.hpp"

namespace conelu {
namespace {

using nlohmann::json;

// ---- training

TEST_F(Tool, TrainsWithEveryPatternAndProvesItForAllWidths) {
  const ProcessResult result =
      run_tool({"train", xor_file(), "--model", path("model.json"), "--record", path("record.json")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json record = json::parse(content("record.json"));
  EXPECT_EQ(record.at("scope"), "network");
  EXPECT_EQ(record.at("status"), "optimal");
  EXPECT_EQ(record.at("pattern_source"), "all");
  EXPECT_EQ(record.at("train_accuracy"), 1.0);
  EXPECT_LE(record.at("lower_bound"), record.at("objective"));
  EXPECT_LE(record.at("relative_gap"), 1e-6);
  EXPECT_TRUE(contains(result.err, "no network of any width")) << result.err;
  const Model model = load_model(path("model.json"));
  EXPECT_EQ(model.classes, (std::vector<std::string>{"other", "same"}));
  EXPECT_EQ(model.features, (std::vector<std::string>{"a", "b"}));
}

TEST_F(Tool, PrintsTheTableAndNothingElseToAPipe) {
  const ProcessResult result = run_tool({"train", xor_file()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("objective")) << result.out;
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(result.err.find('\x1b'), std::string::npos);
  EXPECT_TRUE(contains(result.err, "No model was written"));
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(contains(line, "  ")) << line;
}

TEST_F(Tool, PutsTheRecordOnStdoutAsOneObject) {
  const ProcessResult result = run_tool({"train", xor_file(), "--record", "-", "--seed", "7"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json record = json::parse(result.out);
  const json expected = json::parse(to_json(RunRecord()));  // record_test holds it against the contract
  for (const auto& [field, value] : expected.items()) EXPECT_TRUE(record.contains(field)) << field;
  EXPECT_EQ(record.at("seed"), 7);
  EXPECT_EQ(record.at("n"), 12);
  EXPECT_EQ(record.at("d"), 2);
  EXPECT_EQ(record.at("method"), "cones");
}

TEST_F(Tool, SaysNothingWhenQuiet) {
  const ProcessResult result = run_tool({"train", xor_file(), "--quiet", "--model", path("m.json")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(std::filesystem::exists(path("m.json")));
}

TEST_F(Tool, WarnsOfAGapAndFailsOnItOnlyIfStrict) {
  const Arguments hurried = {"train", xor_file(), "--max-iterations", "1", "--quiet", "--model", path("m.json")};
  const ProcessResult lenient = run_tool(hurried);
  EXPECT_EQ(lenient.exit_code, 0);
  EXPECT_TRUE(contains(lenient.err, "warning: the certified gap")) << lenient.err;
  EXPECT_EQ(load_model(path("m.json")).training.status, "inaccurate");
  std::filesystem::remove(path("m.json"));
  EXPECT_EQ(run_tool(hurried + Arguments{"--strict"}).exit_code, 3);
  EXPECT_TRUE(std::filesystem::exists(path("m.json")));
  EXPECT_EQ(run_tool({"train", xor_file(), "--strict", "--quiet"}).exit_code, 0);
}

TEST_F(Tool, AddsNothingToPatternsFromAFile) {
  write_npy(path("p.npy"), Matrix{{1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0}}.replicate(1, 1));
  const ProcessResult result = run_tool({"train", xor_file(), "--patterns", path("p.npy"), "--record", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json record = json::parse(result.out);
  EXPECT_EQ(record.at("patterns"), 1);
  EXPECT_EQ(record.at("scope"), "program");
}

TEST_F(Tool, SaysHowManyPatternsSamplingFound) {
  const ProcessResult result =
      run_tool({"train", xor_file(), "--patterns", "gaussian", "--pattern-count", "5000", "--record", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "asked for 5000, found ")) << result.err;
  EXPECT_LT(json::parse(result.out).at("patterns"), 5000);
}

// Weight 2 is the row twice, weight 0 is no row; a pattern file has a column for the latter, too.
TEST_F(Tool, WeighsSamplesByAColumn) {
  const std::string weighted = write("w.csv", "x,w,y\n1,1,0\n2,2,1\n3,0,0\n4,1,0\n");
  const std::string repeated = write("r.csv", "x,y\n1,0\n2,1\n2,1\n4,0\n");
  const Arguments rest = {"--target", "y", "--beta", "0.01", "--record", "-", "--tolerance", "1e-9"};
  const ProcessResult a = run_tool(Arguments{"train", weighted, "--weights", "w"} + rest);
  const ProcessResult b = run_tool(Arguments{"train", repeated} + rest);
  ASSERT_EQ(a.exit_code, 0) << a.err;
  ASSERT_EQ(b.exit_code, 0) << b.err;
  const double expected = json::parse(b.out).at("objective");
  EXPECT_NEAR(json::parse(a.out).at("objective"), expected, 1e-8 * expected);
  EXPECT_EQ(json::parse(a.out).at("n"), 3);

  write_npy(path("all4.npy"), Matrix{{1, 1, 0, 0}, {0, 1, 1, 1}, {1, 1, 1, 1}});
  const ProcessResult c =
      run_tool(Arguments{"train", weighted, "--weights", "w", "--patterns", path("all4.npy")} + rest);
  ASSERT_EQ(c.exit_code, 0) << c.err;
  EXPECT_EQ(json::parse(c.out).at("n"), 3);
}

TEST_F(Tool, TestsOnAShareOfTheRowsOrOnAFile) {
  const ProcessResult share = run_tool({"train", xor_file(), "--test", "0.25", "--record", "-"});
  ASSERT_EQ(share.exit_code, 0) << share.err;
  EXPECT_EQ(json::parse(share.out).at("n"), 9);
  EXPECT_TRUE(json::parse(share.out).contains("test_accuracy"));
  const ProcessResult file = run_tool({"train", xor_file(), "--test", xor_file("again.csv"), "--record", "-"});
  ASSERT_EQ(file.exit_code, 0) << file.err;
  EXPECT_EQ(json::parse(file.out).at("n"), 12);
  EXPECT_EQ(json::parse(file.out).at("test_accuracy"), 1.0);
}

TEST_F(Tool, RegressesAndClassifiesWithTheSquaredLoss) {
  const std::string line = write("line.csv", "x,y\n0,0\n1,1\n2,4\n3,9\n");
  const ProcessResult fit = run_tool({"train", line, "--task", "regression", "--beta", "1e-4", "--record", "-"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_EQ(json::parse(fit.out).at("loss"), "squared");
  EXPECT_LT(json::parse(fit.out).at("train_mse"), 1e-3);
  const ProcessResult classes =
      run_tool({"train", xor_file(), "--task", "classification", "--loss", "squared", "--model", path("m.json")});
  ASSERT_EQ(classes.exit_code, 0) << classes.err;
  EXPECT_EQ(load_model(path("m.json")).task, Task::classification);
}

TEST_F(Tool, KeepsTheProofOfASmallerNetwork) {
  const ProcessResult result =
      run_tool({"train", xor_file(), "--reduce", "--prune", "1e-6", "--strict", "--record", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_LE(json::parse(result.out).at("neurons"), 13);
}

// ---- stopping

TEST_F(Tool, StopsAtCtrlCWithTheBestNetworkSoFar) {
  bool typed = false;
  const ProcessResult result = run_tool_on_terminal(
      {"train", large_file(), "--pattern-count", "150", "--tolerance", "1e-12", "--model", path("m.json")},
      [&](const std::string& seen) {
        if (typed || !contains(seen, "iteration")) return "";
        typed = true;
        return "\x03";
      });
  EXPECT_EQ(result.exit_code, 130) << result.out;
  ASSERT_TRUE(typed);
  const Model model = load_model(path("m.json"));
  EXPECT_EQ(model.training.stop, "cancelled");
  EXPECT_TRUE(std::isfinite(model.training.objective));
  EXPECT_LE(model.training.lower_bound, model.training.objective);
  EXPECT_EQ(run_tool({"predict", path("m.json"), path("large.csv")}).exit_code, 0);
}

// Ctrl-C can come before there is a network. What is there then is worth more than the zero network.
TEST_F(Tool, KeepsAnOldModelIfItIsStoppedWithoutANewOne) {
  const std::string data = large_file();
  ASSERT_EQ(run_tool({"train", xor_file(), "--quiet", "--model", path("m.json")}).exit_code, 0);
  const std::string old = content("m.json");
  bool typed = false;
  const ProcessResult result = run_tool_on_terminal(
      {"train", data, "--pattern-count", "150", "--model", path("m.json")}, [&](const std::string& seen) {
        if (typed || !contains(seen, "reading")) return "";
        typed = true;
        return "\x03";
      });
  EXPECT_EQ(result.exit_code, 130) << result.out;
  if (content("m.json") == old) {
    EXPECT_TRUE(contains(result.out, "was left as it is")) << result.out;
  } else {
    EXPECT_GT(load_model(path("m.json")).network().neurons(), 0);
  }
}

TEST_F(Tool, StopsAtTheTimeLimitWithAUsableNetwork) {
  const ProcessResult result = run_tool({"train", large_file(), "--pattern-count", "150", "--time-limit", "0",
                                         "--model", path("m.json"), "--record", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out).at("stop"), "time_limit");
  EXPECT_TRUE(std::filesystem::exists(path("m.json")));
}

// ---- on a terminal

TEST_F(Tool, DrawsALiveLineOnATerminalAndWipesIt) {
  const ProcessResult result = run_tool_on_terminal({"train", xor_file()});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  const std::size_t line = result.out.find("\riteration");
  ASSERT_NE(line, std::string::npos);
  for (const char* part : {"objective", "bound", "gap", " s"})
    EXPECT_NE(result.out.find(part, line), std::string::npos);
  const std::size_t wiped = result.out.rfind("\r\x1b[K");
  ASSERT_NE(wiped, std::string::npos);
  EXPECT_GT(result.out.find("network_objective"), wiped);
}

// ---- predicting

TEST_F(Tool, PredictsTheLabelsItWasTrainedOn) {
  ASSERT_EQ(run_tool({"train", xor_file(), "--standardize", "--quiet", "--model", path("m.json")}).exit_code, 0);
  const std::string unlabelled = write("new.csv", "b,a\n2,2\n-2,2\n");  // other order, no target
  const ProcessResult result = run_tool({"predict", path("m.json"), unlabelled});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("prediction,score\nsame,")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nother,-")) << result.out;

  ASSERT_EQ(run_tool({"predict", path("m.json"), xor_file(), "--output", path("p.csv")}).exit_code, 0);
  const Model model = load_model(path("m.json"));
  const Dataset data = read_dataset(path("xor.csv"));
  EXPECT_EQ(content("p.csv"), predictions_csv(model, model.scores(data.X)));
  EXPECT_EQ(accuracy(model, data), 1.0);
}

TEST_F(Tool, IsQuietWhenNobodyReadsItsOutput) {
  const std::string data = large_file();
  ASSERT_EQ(
      run_tool({"train", data, "--pattern-count", "2", "--quiet", "--max-iterations", "3", "--model", path("m.json")})
          .exit_code,
      0);
  const std::string command = fmt::format("{} predict {} {} 2>&1 | head -n 1", CONELU_TOOL, path("m.json"), data);
  FILE* pipe = popen(command.c_str(), "r");
  std::string seen;
  for (int c; (c = std::fgetc(pipe)) != EOF;) seen += static_cast<char>(c);
  pclose(pipe);
  EXPECT_EQ(seen, "prediction,score\n");
}

TEST_F(Tool, NoticesAFullDisk) {
  ASSERT_EQ(run_tool({"train", xor_file(), "--quiet", "--model", path("m.json")}).exit_code, 0);
  const ProcessResult result = run_tool({"predict", path("m.json"), xor_file()}, "/dev/full");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "standard output")) << result.err;
}

TEST_F(Tool, RefusesADamagedModel) {
  ASSERT_EQ(run_tool({"train", xor_file(), "--quiet", "--model", path("m.json")}).exit_code, 0);
  const std::string whole = content("m.json");
  for (const double share : {0.0, 0.1, 0.5, 0.9}) {
    write("cut.json", whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size()))));
    expect_tool_refuses({"predict", path("cut.json"), xor_file()}, {"cut.json", "byte"});
  }
  expect_tool_refuses({"predict", write("other.json", "{\"a\": 1}"), xor_file()}, {"not a conelu model"});
  expect_tool_refuses({"predict", path("none.json"), xor_file()}, {"none.json"});
  expect_tool_refuses({"predict", path("m.json"), write("narrow.csv", "a\n1\n")}, {"narrow.csv"});
}

// ---- patterns and demo

// Five points of the plane in general position, with a bias: 2 (1 + 4 + 6) patterns.
TEST_F(Tool, CountsPatterns) {
  const std::string data = write("five.csv", "a,b,y\n0,0,1\n1,0.1,2\n0.3,1,3\n-1,0.7,4\n0.2,-1.3,5\n");
  const ProcessResult result =
      run_tool({"patterns", data, "--json", "--psi", "0.5", "--xi", "0.5", "--output", path("p.npy")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json facts = json::parse(result.out);
  EXPECT_EQ(facts.at("n"), 5);
  EXPECT_EQ(facts.at("rank"), 3);
  EXPECT_EQ(facts.at("patterns"), 22);
  EXPECT_EQ(facts.at("upper_bound"), 22);
  EXPECT_EQ(facts.at("live_patterns"), 21);  // the one that is active nowhere carries nothing
  EXPECT_EQ(facts.at("draws_needed"), 23);   // 6 / 0.25 - 1
  EXPECT_EQ(read_npy(path("p.npy")).rows(), 22);
  const ProcessResult sampled = run_tool({"patterns", data, "--patterns", "gaussian", "--pattern-count", "5"});
  EXPECT_TRUE(contains(sampled.out, "5 from gaussian")) << sampled.out;
  EXPECT_TRUE(contains(sampled.out, "psi xi = ")) << sampled.out;
}

TEST_F(Tool, ShowsADemo) {
  const ProcessResult plain = run_tool({"demo", "--samples", "12", "--data", path("plane.csv")});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  for (const char* part : {"accuracy", "certified gap", "What was proven", "Try next"}) {
    EXPECT_TRUE(contains(plain.out, part)) << part;
  }
  for (const char c : plain.out) ASSERT_EQ(c & 0x80, 0) << "plain characters only, where it is not a terminal";
  EXPECT_EQ(run_tool({"train", path("plane.csv"), "--quiet"}).exit_code, 0);
  const ProcessResult coloured = run_tool_on_terminal({"demo", "--samples", "12"});
  EXPECT_TRUE(contains(coloured.out, "▀"));
}

// ---- help and usage

TEST_F(Tool, ExplainsItself) {
  for (const char* command : {"train", "cv", "help", "predict", "evaluate", "attack", "certify", "baseline", "export",
                              "info", "patterns", "demo"}) {
    const ProcessResult result = run_tool({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(contains(result.out, fmt::format("Usage: conelu {}", command))) << result.out;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
  EXPECT_TRUE(contains(run_tool({"train", "--help"}).out, "(default: 0.03max)"));
  EXPECT_TRUE(run_tool({"--version"}).out.starts_with("conelu "));
  EXPECT_EQ(run_tool({}).exit_code, 2);
}

TEST_F(Tool, SuggestsWhatWasMeant) {
  expect_tool_refuses({"train", xor_file(), "--pattern-coutn", "5"},
                      {"--pattern-coutn", "did you mean --pattern-count?"});
  expect_tool_refuses({"train", "--patternscount=5", xor_file()}, {"did you mean --pattern-count?"});
  expect_tool_refuses({"train", xor_file(), "--beta", "1", "--beta", "2"}, {"--beta is given more than once"});
  expect_tool_refuses({"train", xor_file(), "--drop", "a,b"}, {"xor.csv", "--drop leaves none of its 3 columns"});
  expect_tool_refuses({"trian", xor_file()}, {"unknown command trian", "did you mean train?"});
  expect_tool_refuses({"train", xor_file(), "--betas", "1"}, {"did you mean --beta?"});
  expect_tool_refuses({"help", "trian"}, {"unknown command trian", "did you mean train?"});
  expect_tool_refuses({"train", xor_file(), "--xyzzy"}, {"unknown option --xyzzy"});
  expect_tool_refuses({"train"}, {"DATA is missing"});
  expect_tool_refuses({"train", xor_file(), "more.csv"}, {"unexpected argument more.csv"});
  expect_tool_refuses({"--verison"}, {"did you mean --version?"});
}

TEST_F(Tool, RefusesValuesOutOfRangeNamingTheOption) {
  const std::string data = xor_file();
  const std::vector<BadOption> options = {
      {{"--beta", "-1"}, {"--beta", "above 0", "-1"}},
      {{"--beta", "0"}, {"--beta"}},
      {{"--beta", "nan"}, {"--beta", "nan"}},
      {{"--beta", "inf"}, {"--beta", "inf"}},
      {{"--beta", "much"}, {"--beta", "much"}},
      {{"--beta"}, {"--beta"}},
      {{"--tolerance", "0"}, {"--tolerance", "between"}},
      {{"--tolerance", "nan"}, {"--tolerance"}},
      {{"--max-iterations", "-3"}, {"--max-iterations"}},
      {{"--max-iterations", "2.5"}, {"--max-iterations", "whole number"}},
      {{"--time-limit", "-1"}, {"--time-limit"}},
      {{"--threads", "-1"}, {"--threads"}},
      {{"--pattern-count", "0"}, {"--pattern-count"}},
      {{"--pattern-count", "99999999999999999999"}, {"--pattern-count"}},
      {{"--prune", "2"}, {"--prune"}},
      {{"--seed", "-1"}, {"--seed"}},
      {{"--test", "1.5"}, {"--test", "between 0 and 1"}},
      {{"--test", "0"}, {"--test"}},
      {{"--test", "nan"}, {"--test"}},
      {{"--loss", "hing"}, {"--loss", "hinge", "squared"}},
      {{"--task", "clustering"}, {"--task", "classification"}},
      {{"--task", "regression", "--loss", "hinge"}, {"--loss hinge", "classification"}},
      {{"--method", "gate"}, {"--method", "cones", "reduced"}},
      {{"--patterns", "random"}, {"random", "gaussian"}},
  };
  for (const BadOption& option : options) expect_tool_refuses(Arguments{"train", data} + option.words, option.parts);
}

// ---- bad data, each with its own message

TEST_F(Tool, RefusesBadDataSayingWhere) {
  expect_tool_refuses({"train", path("missing.csv")}, {"missing.csv"});
  expect_tool_refuses({"train", path("")}, {"directory"});
  expect_tool_refuses({"train", write("empty.csv", "")}, {"empty.csv", "empty"});
  expect_tool_refuses({"train", write("header.csv", "a,b,y\n")}, {"header.csv"});
  expect_tool_refuses({"train", write("ragged.csv", "a,b,y\n1,2,0\n3,1\n4,5,1\n")}, {"ragged.csv", "line 3"});
  expect_tool_refuses({"train", write("text.csv", "a,b,y\n1,2,0\n3,four,1\n")}, {"text.csv", "line 3", "b", "four"});
  expect_tool_refuses({"train", write("nan.csv", "a,b,y\n1,2,0\nnan,4,1\n")}, {"nan.csv", "line 3", "a"});
  expect_tool_refuses({"train", write("inf.csv", "a,b,y\n1,-inf,0\n3,4,1\n")}, {"inf.csv", "line 2", "b"});
  expect_tool_refuses({"train", write("one.csv", "a,y\n1,yes\n2,yes\n")}, {"one.csv", "yes"});
  expect_tool_refuses({"train", write("w.csv", "a,w,y\n1,1,p\n2,0,q\n3,2,p\n"), "--weights", "w"},
                      {"w.csv", "weight 0"});
  expect_tool_refuses({"train", write("v.csv", "a,w,y\n1,1,p\n2,-1,q\n"), "--weights", "w"}, {"v.csv"});
  expect_tool_refuses({"train", xor_file(), "--target", "lable"}, {"lable"});
  expect_tool_refuses({"train", xor_file(), "--task", "regression"}, {"xor.csv", "same"});
  expect_tool_refuses({"train", xor_file(), "--test", path("none.csv")}, {"none.csv"});
  expect_tool_refuses({"train", write("latin.csv", "gr\xf6\xdf,y\n1,0\n2,1\n")}, {"latin.csv", "UTF-8"});
}

TEST_F(Tool, RefusesPatternFilesThatDoNotFit) {
  write_npy(path("narrow.npy"), Matrix::Ones(3, 11));
  write_npy(path("two.npy"), Matrix::Constant(2, 12, 2));
  write_npy(path("good.npy"), Matrix::Ones(1, 12));
  expect_tool_refuses({"train", xor_file(), "--patterns", path("narrow.npy")}, {"narrow.npy", "11", "12"});
  expect_tool_refuses({"train", xor_file(), "--patterns", path("two.npy")}, {"two.npy", "2"});
  expect_tool_refuses({"train", xor_file(), "--patterns", path("none.npy")}, {"none.npy"});
  expect_tool_refuses({"train", xor_file(), "--patterns", write("junk.npy", "junk")}, {"junk.npy"});
  expect_tool_refuses({"train", xor_file(), "--patterns", path("good.npy"), "--test", "0.2"}, {"--test"});
}

TEST_F(Tool, RefusesOutputsItCannotWriteBeforeItReadsAnything) {
  const std::string data = path("not-even-there.csv");
  for (const char* option : {"--model", "--record"}) {
    expect_tool_refuses({"train", data, option, path("no/folder/m.json")}, {option, "no/folder/m.json"});
    expect_tool_refuses({"train", data, option, path("")}, {option, "directory"});
    expect_tool_refuses({"train", data, option, "/proc/m.json"}, {option, "/proc/m.json"});
  }
  expect_tool_refuses({"train", xor_file(), "--model", path("xor.csv")}, {"--model", "xor.csv"});
  expect_tool_refuses({"train", xor_file(), "--model", path("a"), "--record", path("a")}, {"--record"});
  expect_tool_refuses({"predict", data, data, "--output", path("no/p.csv")}, {"--output", "no/p.csv"});
  expect_tool_refuses({"patterns", data, "--output", path("no/p.npy")}, {"--output"});
  expect_tool_refuses({"patterns", data, "--output", path("p.csv")}, {"--output", ".npy"});
  EXPECT_EQ(files(), 1U) << "nothing is left behind but the data";
}

}  // namespace
}  // namespace conelu
