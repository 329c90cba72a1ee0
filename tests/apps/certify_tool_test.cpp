#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/tool.hpp"
#include "conelu/model.hpp"
#include "conelu/read_data.hpp"
#include "conelu/verify.hpp"

namespace conelu {
namespace {

using nlohmann::json;

class CertifyTool : public test::Tool {
 protected:
  struct Row {
    int number;
    std::string verdict;
    double lower, upper;
    std::string radius;
    double seconds;
  };

  static std::vector<Row> parse(const std::string& csv) {
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "row,verdict,lower,upper,radius,seconds");
    std::vector<Row> rows;
    while (std::getline(lines, line)) {
      std::vector<std::string> cells(1);
      for (const char c : line) {
        if (c == ',') cells.emplace_back();
        if (c != ',') cells.back() += c;
      }
      EXPECT_EQ(cells.size(), 6) << line;
      rows.push_back({std::stoi(cells.at(0)), cells.at(1), std::stod(cells.at(2)), std::stod(cells.at(3)), cells.at(4),
                      std::stod(cells.at(5))});
    }
    return rows;
  }

  /// Must succeed.
  std::vector<Row> rows_of(const Arguments& arguments) {
    const ProcessResult result = run_tool(Arguments{"certify"} + arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    said = result.err;
    return parse(result.out);
  }

  /// A classifier of xor_file().
  std::string model_file(const Arguments& options = {}) {
    const std::string name = path("xor.json");
    const ProcessResult result =
        run_tool(Arguments{"train", xor_file(), "--eps", "0.2", "--quiet", "--model", name} + options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return name;
  }

  /// Many neurons in many dimensions, none of which stays on its side: no row is decided in a second.
  std::string hard_model(Index d) {
    run_tool({"train", xor_file(), "--quiet", "--model", path("small.json")});
    Model model = load_model(path("small.json"));
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    Network& network = model.networks.front();
    network.hidden = Matrix::NullaryExpr(6 * d, d, [&] { return normal(random); });
    network.hidden_bias = Vector::NullaryExpr(6 * d, [&] { return 0.1 * normal(random); });
    network.output = Vector::NullaryExpr(6 * d, [&] { return normal(random); });
    model.features.clear();
    for (Index a = 0; a < d; ++a) model.features.push_back(fmt::format("x{}", a + 1));
    model.classes = {"-1", "1"};
    // A threshold in the middle of what the output can be.
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

  std::string said;
};

TEST_F(CertifyTool, SaysOfEveryRowWhatTheLibrarySays) {
  const std::string model_name = model_file();
  const Model model = load_model(model_name);
  ReadSettings read;
  read.expected_features = model.features;
  read.expected_classes = model.classes;
  const Dataset data = read_dataset(xor_file(), read);
  for (const std::string& norm : norm_names()) {
    for (const bool exact : {false, true}) {
      VerifySettings settings;
      settings.threat = Threat::uniform(make_norm(norm), 0.9, 2, false);
      settings.exact = exact;
      const std::vector<Verification> expected = verify(model.network(), data.X, data.y, settings);
      Arguments words = {model_name, xor_file(), "--eps", "0.9", "--norm", norm, "--no-radius"};
      if (exact) words.push_back("--exact");
      const std::vector<Row> rows = rows_of(words);
      ASSERT_EQ(rows.size(), 12);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        EXPECT_EQ(rows[k].number, static_cast<int>(k));
        EXPECT_EQ(rows[k].verdict, to_string(expected[k].verdict));
        EXPECT_EQ(rows[k].lower, expected[k].lower);
        EXPECT_EQ(rows[k].upper, expected[k].upper);
        EXPECT_EQ(rows[k].radius, "");
        EXPECT_GE(rows[k].seconds, 0);
      }
    }
  }
}

TEST_F(CertifyTool, GivesRadiiInTheUnitsOfEps) {
  const std::string model = model_file();
  const Arguments base = {model, xor_file(), "--quiet"};  // found by default
  const std::vector<Row> small = rows_of(base + Arguments{"--eps", "0.1"});
  const std::vector<Row> large = rows_of(base + Arguments{"--eps", "0.5"});
  const std::vector<Row> factors = rows_of(base + Arguments{"--eps", "0.5,0.5"});
  for (std::size_t k = 0; k < small.size(); ++k) {
    const double radius = std::stod(small[k].radius);
    EXPECT_GT(radius, 0);
    EXPECT_NEAR(std::stod(large[k].radius), radius, 2e-3 * radius);
    EXPECT_NEAR(std::stod(factors[k].radius), radius / 0.5, 4e-3 * radius);
    EXPECT_EQ(small[k].verdict, radius >= 0.1 ? "robust" : "broken");
    EXPECT_EQ(large[k].verdict, radius >= 0.5 ? "robust" : "broken");
  }
}

// Standardising divides features, radii and limits alike.
TEST_F(CertifyTool, TakesRadiiAndLimitsInTheUnitsOfTheData) {
  const std::string data = write("units.csv", "a,b,y\n20,100,0\n-20,100,1\n20,-100,1\n-20,-100,0\n");
  run_tool({"train", data, "--standardize", "--patterns", "all", "--eps", "0.1", "--quiet", "--model", path("u.json")});
  const Arguments base = {path("u.json"), data, "--exact", "--quiet"};
  const std::vector<Row> network = rows_of(base + Arguments{"--eps", "0.1,0.02"});
  const std::vector<Row> raw = rows_of(base + Arguments{"--eps", "2", "--eps-units", "raw"});
  const std::vector<Row> clipped = rows_of(base + Arguments{"--eps", "2", "--eps-units", "raw", "--clip=-20,20"});
  const std::vector<Row> fixed = rows_of(base + Arguments{"--eps", "2", "--eps-units", "raw", "--clip", "500,600"});
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(raw[k].lower, network[k].lower, 1e-9);
    EXPECT_GE(clipped[k].upper, raw[k].lower);
    EXPECT_GE(fixed[k].upper, clipped[k].lower);
    EXPECT_NEAR(fixed[k].upper, fixed[k].lower, 1e-9) << "nothing can be moved";
  }
  EXPECT_GT(fixed[0].lower, raw[0].lower);
}

TEST_F(CertifyTool, BoundsTheErrorsOfARegressor) {
  const std::string data = write("line.csv", "x,y\n0,0\n1,2\n2,4\n3,6.5\n4,8\n");
  run_tool({"train", data, "--task", "regression", "--beta", "1e-3", "--quiet", "--model", path("r.json")});
  const std::vector<Row> range = rows_of({path("r.json"), data, "--eps", "0.5", "--exact"});
  for (const Row& row : range) EXPECT_NEAR(row.upper, row.lower, 1e-8);
  const double limit = 0.5 * (range[0].upper + range[3].upper);
  const std::vector<Row> rows =
      rows_of({path("r.json"), data, "--eps", "0.5", "--max-error", fmt::format("{}", limit), "--radius"});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].verdict, range[k].upper <= limit ? "robust" : "broken");
    EXPECT_EQ(std::stod(rows[k].radius) >= 0.5, range[k].upper <= limit);
  }
  expect_tool_refuses({"certify", path("r.json"), data, "--eps", "0.5"}, {"--max-error is missing", "--exact"});
  expect_tool_refuses({"certify", path("r.json"), data, "--eps", "0.5", "--exact", "--radius"}, {"--max-error"});
}

TEST_F(CertifyTool, ComparesMoreThanTwoClasses) {
  std::string text = "a,b,kind\n";
  for (const double shift : {-0.2, 0.0, 0.3}) {
    text += fmt::format("{},0,left\n{},0,right\n0,{},top\n", -3 + shift, 3 + shift, 3 + shift);
  }
  const std::string data = write("three.csv", text);
  const ProcessResult trained = run_tool({"train", data, "--beta", "1e-3", "--quiet", "--model", path("three.json")});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const std::vector<Row> near = rows_of({path("three.json"), data, "--eps", "0.3"});
  const std::vector<Row> far = rows_of({path("three.json"), data, "--eps", "6"});
  ASSERT_EQ(near.size(), 9);
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_EQ(near[k].verdict, "robust");
    EXPECT_EQ(far[k].verdict, "broken") << "the other side is within reach";
  }
}

TEST_F(CertifyTool, SumsUp) {
  const std::string model = model_file();
  const Arguments base = {"certify", model, xor_file(), "--eps", "0.9"};
  const ProcessResult plain = run_tool(base);
  const std::vector<Row> rows = parse(plain.out);
  std::map<std::string, int> counts;
  for (const Row& row : rows) ++counts[row.verdict];
  EXPECT_TRUE(contains(plain.err, fmt::format("robust        {}\n", counts["robust"]))) << plain.err;

  const ProcessResult filed = run_tool(base + Arguments{"--output", path("rows.csv")});
  EXPECT_TRUE(contains(filed.out, "share_robust")) << filed.out;
  std::ifstream file(path("rows.csv"));
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(parse(text).size(), rows.size());

  const json facts = json::parse(run_tool(base + Arguments{"--json", "--radius"}).out);
  EXPECT_EQ(facts.at("n"), 12);
  EXPECT_EQ(facts.at("robust"), counts["robust"]);
  EXPECT_EQ(facts.at("broken"), counts["broken"]);
  EXPECT_EQ(facts.at("unknown"), 0);
  EXPECT_NEAR(facts.at("share_robust"), counts["robust"] / 12.0, 1e-12);
  EXPECT_EQ(facts.at("eps"), 0.9);
  EXPECT_GT(facts.at("mean_radius"), 0);

  const ProcessResult quiet = run_tool(base + Arguments{"--quiet"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(parse(quiet.out).size(), 12);
}

TEST_F(CertifyTool, RefusesWhatCannotBeMeant) {
  const std::string model = model_file();
  const std::string data = xor_file();
  expect_tool_refuses({"certify", model}, {"DATA is missing"});
  expect_tool_refuses({"certify", model, data}, {"--eps is missing"});
  const std::vector<BadOption> options = {
      {{"--eps", "-1"}, {"--eps", "of at least 0"}},
      {{"--eps", "0.1,0.2,0.3"}, {"--eps", "3 radii"}},
      {{"--eps", "c=1"}, {"no feature 'c'"}},
      {{"--eps", "0.1", "--norm", "3"}, {"--norm"}},
      {{"--eps", "0.1", "--clip", "1"}, {"--clip", "LO,HI"}},
      {{"--eps", "0.1", "--clip", "2,1"}, {"--clip", "LO must not be above HI"}},
      {{"--eps", "0.1", "--clip", "a,b"}, {"--clip", "LO,HI"}},
      {{"--eps", "0.1", "--max-error", "1"}, {"--max-error", "regression"}},
      {{"--eps", "0", "--radius"}, {"--radius", "above 0"}},
      {{"--eps", "0.1", "--time-limit", "-1"}, {"--time-limit"}},
      {{"--eps", "0.1", "--branch-limit", "-1"}, {"--branch-limit"}},
      {{"--eps", "0.1", "--threads", "-1"}, {"--threads"}},
      {{"--eps", "0.1", "--exat"}, {"did you mean --exact?"}},
      {{"--eps", "0.1", "--output", "/nowhere/rows.csv"}, {"--output", "/nowhere/rows.csv"}},
      {{"--eps", "0.1", "--target", "c"}, {"c"}},
  };
  for (const BadOption& option : options) {
    expect_tool_refuses(Arguments{"certify", model, data} + option.words, option.parts);
  }
  expect_tool_refuses({"certify", data, model, "--eps", "0.1"}, {"xor.csv"});
}

TEST_F(CertifyTool, KeepsWhatIsDoneAtCtrlC) {
  const std::string model = hard_model(16);
  // Rows that are decided at once, then rows that never are.
  std::string text;
  for (int a = 0; a < 16; ++a) text += fmt::format("x{},", a + 1);
  text += "y\n";
  for (int k = 0; k < 8; ++k) {
    for (int a = 0; a < 16; ++a) text += k < 4 ? "100," : "0,";
    text += k % 2 == 0 ? "1\n" : "-1\n";
  }
  const std::string data = write("rows.csv", text);
  bool typed = false;
  const ProcessResult result =
      run_tool_on_terminal({"certify", model, data, "--eps", "0.5", "--threads", "1", "--output", path("kept.csv")},
                           [&](const std::string& seen) {
                             if (typed || !contains(seen, "4 of 8 rows")) return "";
                             typed = true;
                             return "\x03";
                           });
  EXPECT_EQ(result.exit_code, 130) << result.out;
  ASSERT_TRUE(typed);
  EXPECT_TRUE(contains(result.out, "s left")) << result.out;
  std::ifstream file(path("kept.csv"));
  const std::string kept((std::istreambuf_iterator<char>(file)), {});
  const std::vector<Row> rows = parse(kept);
  ASSERT_EQ(rows.size(), 5) << "four done, one begun";
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NE(rows[k].verdict, "unknown");
  EXPECT_EQ(rows[4].verdict, "unknown");
  EXPECT_LT(rows[4].lower, rows[4].upper);
}

TEST_F(CertifyTool, SaysUnknownAtTheTimeLimit) {
  const std::string model = hard_model(16);
  const std::string data = write("rows.csv",
                                 "x1,x2,x3,x4,x5,x6,x7,x8,x9,x10,x11,x12,x13,x14,x15,x16,y\n"
                                 "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1\n0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-1\n");
  const std::vector<Row> rows = rows_of({model, data, "--eps", "0.5", "--time-limit", "0.2"});
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].verdict, "unknown");
  EXPECT_LT(rows[0].lower, 0);
  EXPECT_GT(rows[0].upper, 0);
  EXPECT_LT(rows[0].seconds, 5);
}

TEST_F(CertifyTool, SaysTheSameAgainWithALimitOfBranches) {
  const std::string model = hard_model(16);
  const std::string data = write("rows.csv",
                                 "x1,x2,x3,x4,x5,x6,x7,x8,x9,x10,x11,x12,x13,x14,x15,x16,y\n"
                                 "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1\n0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-1\n");
  const Arguments limited = {model, data, "--eps", "0.5", "--time-limit", "3600", "--branch-limit", "20"};
  const std::vector<Row> rows = rows_of(limited);
  const std::vector<Row> again = rows_of(limited);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].verdict, "unknown");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].verdict, again[k].verdict);
    EXPECT_EQ(rows[k].lower, again[k].lower);
    EXPECT_EQ(rows[k].upper, again[k].upper);
    EXPECT_EQ(rows[k].radius, again[k].radius);
  }
  // One look at each row is less than what the others had.
  const std::vector<Row> hasty = rows_of({model, data, "--eps", "0.5", "--branch-limit", "1"});
  EXPECT_EQ(hasty[0].verdict, "unknown");
  EXPECT_LT(hasty[0].lower, rows[0].lower);
}

}  // namespace
}  // namespace conelu
