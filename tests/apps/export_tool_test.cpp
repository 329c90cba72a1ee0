#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/tool.hpp"
#include "conelu/export_model.hpp"
#include "conelu/read_data.hpp"
#include "conelu/verify.hpp"
#include "network/onnx_reader.hpp"
#include "network/vnnlib_reader.hpp"

namespace conelu {
namespace {

using nlohmann::json;
using test::OnnxFile;
using test::VnnlibFile;

class ExportTool : public test::Tool {
 protected:
  /// Two classes in units that standardising is for.
  std::string units_file() const {
    return write("units.csv",
                 "speed,mass,kind\n520,1100,a\n480,1100,b\n520,900,b\n480,900,a\n530,1120,a\n475,1080,b\n522,880,b\n");
  }

  std::string three_classes_file() const {
    std::string text = "a,b,kind\n";
    for (const double shift : {-0.2, 0.0, 0.3}) {
      text += fmt::format("{},0,left\n{},0,right\n0,{},top\n", -3 + shift, 3 + shift, 3 + shift);
    }
    return write("three.csv", text);
  }

  std::string line_file() const { return write("line.csv", "x,y\n0,0\n1,2\n2,4\n3,6.5\n4,8\n"); }

  std::string trained(const std::string& data, const Arguments& options = {}) const {
    const ProcessResult result =
        run_tool(Arguments{"train", data, "--beta", "1e-3", "--quiet", "--model", path("m.json")} + options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path("m.json");
  }

  Dataset data_for(const Model& model, const std::string& file) const {
    ReadSettings read;
    read.task = model.task;
    read.expected_features = model.features;
    read.expected_classes = model.classes;
    return read_dataset(file, read);
  }

  /// The second column of `conelu predict`.
  std::vector<double> predicted_scores(const std::string& model, const std::string& data) const {
    std::istringstream lines(run_tool({"predict", model, data}).out);
    std::string line;
    std::getline(lines, line);
    std::vector<double> scores;
    while (std::getline(lines, line)) scores.push_back(std::stod(line.substr(line.find(',') + 1)));
    return scores;
  }

  json export_facts(const Arguments& arguments) const {
    const ProcessResult result = run_tool(Arguments{"export"} + arguments + Arguments{"--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  }
};

TEST_F(ExportTool, WritesOnnxThatPredictsTheSame) {
  struct Problem {
    std::string data;
    Arguments options;
  };
  for (const Problem& problem : {Problem{units_file(), {"--standardize"}}, Problem{three_classes_file(), {}},
                                 Problem{line_file(), {"--task", "regression"}}}) {
    const std::string model_file = trained(problem.data, problem.options);
    const Model model = load_model(model_file);
    const json facts = export_facts({model_file, path("m.onnx"), "--data", problem.data});
    const OnnxFile file(content("m.onnx"));
    const Matrix X = data_for(model, problem.data).X;
    const Matrix outputs = file.evaluate(X);
    const std::vector<double> scores = predicted_scores(model_file, problem.data);
    ASSERT_EQ(static_cast<Index>(scores.size()), outputs.rows());
    for (Index k = 0; k < outputs.rows(); ++k) {
      const double score = scores[static_cast<std::size_t>(k)];
      const double output = model.classes.size() == 2 ? outputs(k, 1) : outputs.row(k).maxCoeff();
      EXPECT_NEAR(output, score, 1e-5 * std::max(1.0, std::abs(score)));
      if (model.classes.size() == 2) {
        EXPECT_EQ(outputs(k, 0), -outputs(k, 1));
      }
    }
    EXPECT_EQ(facts.at("weights"), "float32");
    EXPECT_EQ(facts.at("outputs"), outputs.cols());
    const Matrix difference = float32_model(model).scores(X) - model.scores(X);
    EXPECT_EQ(facts.at("largest_difference"), difference.cwiseAbs().maxCoeff());
    EXPECT_GE(facts.at("difference_in_float32"), 0);
    EXPECT_LE(facts.at("difference_in_float32"), 1e-4 * std::max(1.0, outputs.cwiseAbs().maxCoeff()));
    EXPECT_NEAR(facts.at("share_of_largest_score").get<double>() * model.scores(X).cwiseAbs().maxCoeff(),
                facts.at("difference_in_float32"), 1e-15);
    // Without data, a bound for standardised features within 3, which these are.
    if (model.preprocessing.scale.size() > 0) {
      EXPECT_GE(export_facts({model_file, path("m.onnx")}).at("largest_difference"), facts.at("largest_difference"));
    }
  }
}

TEST_F(ExportTool, WritesACHeaderThatPredictsTheSame) {
  const std::string model = trained(units_file(), {"--standardize"});
  const ProcessResult result = run_tool({"export", model, path("speed.h"), "--data", units_file()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "largest_difference")) << result.out;
  write("main.c",
        "#include <stdio.h>\n#include \"speed.h\"\n"
        "int main(void) { const double x[2] = {520, 1100}; printf(\"%.17g\", speed_score(x)); return 0; }\n");
  const std::string compile =
      fmt::format("cd '{}' && cc -std=c99 -Wall -Werror main.c -o main && ./main > out", path(""));
  ASSERT_EQ(std::system(compile.c_str()), 0);
  const double score = predicted_scores(model, units_file()).front();
  EXPECT_NEAR(std::stod(content("out")), score, 1e-9 * std::abs(score));
}

TEST_F(ExportTool, WritesAPropertyForEachRow) {
  const std::string model_file = trained(units_file(), {"--standardize"});
  const Model model = load_model(model_file);
  const json facts = export_facts({model_file, "--vnnlib", path("folder"), "--data", units_file(), "--eps", "0.1,0.2"});
  EXPECT_EQ(facts.at("properties"), 7);
  EXPECT_EQ(facts.at("already_wrong"), 0);
  EXPECT_EQ(content("folder/model.onnx"), onnx_bytes(model));
  std::istringstream index(content("folder/instances.csv"));
  int rows = 0;
  for (std::string line; std::getline(index, line); ++rows) {
    EXPECT_EQ(line, fmt::format("model.onnx,row_{}.vnnlib,60", rows));
    const VnnlibFile property(content(fmt::format("folder/row_{}.vnnlib", rows)));
    EXPECT_EQ(property.variables, (std::vector<std::string>{"X_0", "X_1", "Y_0", "Y_1"}));
    const Vector x = data_for(model, units_file()).X.row(rows).transpose();
    for (std::size_t a = 0; a < 2; ++a) {
      const double radius = (a == 0 ? 0.1 : 0.2) * model.preprocessing.scale(static_cast<Index>(a));
      EXPECT_NEAR(std::stod(property.assertions.at(2 * a).list.at(2).word), x(static_cast<Index>(a)) - radius, 1e-9);
      EXPECT_NEAR(std::stod(property.assertions.at(2 * a + 1).list.at(2).word), x(static_cast<Index>(a)) + radius,
                  1e-9);
    }
  }
  EXPECT_EQ(rows, 7);

  const Arguments raw = {model_file, path("raw"), "--vnnlib",    "--data", units_file(),
                         "--eps",    "8",         "--eps-units", "raw"};
  EXPECT_EQ(run_tool(Arguments{"export"} + raw + Arguments{"--clip", "0,1000"}).exit_code, 0);
  EXPECT_TRUE(contains(content("raw/row_0.vnnlib"), "(>= X_0 512.0)")) << content("raw/row_0.vnnlib");
  EXPECT_TRUE(contains(content("raw/row_0.vnnlib"), "(<= X_1 1100.0)")) << "outside of its range, so it stays";
  EXPECT_EQ(run_tool(Arguments{"export"} + raw + Arguments{"--vnnlib-version", "2.0"}).exit_code, 0);
  EXPECT_TRUE(contains(content("raw/row_0.vnnlib"), "(>= X[0,0] 512.0)")) << content("raw/row_0.vnnlib");
}

// A column of text is an input for each of its levels, out of the attacker's reach unless a radius is for it.
TEST_F(ExportTool, ExportsEncodedColumns) {
  const std::string data =
      write("cars.csv", "colour,size,y\nred,100,0\nblue,220,1\nred,300,1\nblue,410,0\nred,150,0\n");
  const std::string model_file = trained(data, {"--standardize"});
  const json facts = export_facts({model_file, path("m.onnx"), "--data", data});
  EXPECT_EQ(facts.at("features"), 3);
  const Matrix outputs = OnnxFile(content("m.onnx")).evaluate(Matrix{{0, 1, 100}, {1, 0, 220}});
  const std::vector<double> scores = predicted_scores(model_file, data);
  for (Index k = 0; k < 2; ++k) EXPECT_NEAR(outputs(k, 1), scores[static_cast<std::size_t>(k)], 1e-4);
  for (const char* units : {"network", "raw"}) {
    export_facts({model_file, path("f"), "--vnnlib", "--data", data, "--eps", "0.5", "--eps-units", units});
    const VnnlibFile property(content("f/row_0.vnnlib"));
    EXPECT_EQ(property.assertions.at(2).list.at(2).word, "1.0") << content("f/row_0.vnnlib");
    EXPECT_EQ(property.assertions.at(3).list.at(2).word, "1.0");
    EXPECT_LT(std::stod(property.assertions.at(4).list.at(2).word), 100);
  }
  const Arguments certify = {"certify", model_file, data, "--eps", "0.1", "--no-radius", "--exact", "--json"};
  const json plain = json::parse(run_tool(certify).out);
  const json float32 = json::parse(run_tool(certify + Arguments{"--float32"}).out);
  EXPECT_EQ(plain.at("robust"), float32.at("robust"));
}

TEST_F(ExportTool, AsksForLargeErrorsOfARegressor) {
  const std::string model = trained(line_file(), {"--task", "regression"});
  const Arguments words = {model, path("folder"), "--vnnlib", "--data", line_file(), "--eps", "0.5"};
  expect_tool_refuses(Arguments{"export"} + words, {"--max-error is missing"});
  export_facts(words + Arguments{"--max-error", "0.25"});
  EXPECT_TRUE(contains(content("folder/row_1.vnnlib"), "(and (>= Y_0 2.25))")) << content("folder/row_1.vnnlib");
  EXPECT_TRUE(contains(content("folder/row_1.vnnlib"), "(and (<= Y_0 1.75))"));
}

TEST_F(ExportTool, RefusesWhatCannotBeMeant) {
  const std::string model = trained(xor_file());
  const std::vector<BadOption> options = {
      {{model, path("m.pb")}, {"m.pb", ".onnx or .h"}},
      {{model}, {"OUT is missing"}},
      {{model, path("m.onnx"), "--vnnlib"}, {"folder"}},
      {{model, path("m.onnx"), "--eps", "0.1"}, {"--eps", "--vnnlib"}},
      {{model, path("m.h"), "--max-error", "1"}, {"--max-error", "--vnnlib"}},
      {{model, path("f"), "--vnnlib", "--eps", "0.1"}, {"--data is missing"}},
      {{model, path("f"), "--vnnlib", "--data", xor_file()}, {"--eps is missing"}},
      {{model, path("f"), "--vnnlib", "--data", xor_file(), "--eps", "0.1", "--norm", "2"},
       {"--norm", "inf", "certify"}},
      {{model, path("f"), "--vnnlib", "--data", xor_file(), "--eps", "0.1", "--max-error", "1"}, {"regression"}},
      {{model, path("f"), "--vnnlib", "--data", xor_file(), "--eps", "0.1", "--vnnlib-version", "3"}, {"1.0, 2.0"}},
      {{model, path("f"), "--vnnlib", "--data", path("none.csv"), "--eps", "0.1"}, {"none.csv"}},
      {{model, path("nowhere/m.onnx")}, {"OUT", "nowhere"}},
      {{xor_file(), path("m.onnx")}, {"xor.csv", "not a model file"}},
  };
  for (const BadOption& bad : options) expect_tool_refuses(Arguments{"export"} + bad.words, bad.parts);
  EXPECT_FALSE(std::filesystem::exists(path("f")));
  EXPECT_FALSE(std::filesystem::exists(path("m.onnx")));
}

TEST_F(ExportTool, LeavesTheOldFileIfTheModelCannotBeWritten) {
  const std::string model_file = trained(xor_file());
  export_facts({model_file, path("m.onnx")});
  const std::string before = content("m.onnx");
  Model model = load_model(model_file);
  model.networks.front().output(0) = 1e300;
  save_model(model, model_file);
  expect_tool_refuses({"export", model_file, path("m.onnx")}, {"output[0]", "float32"});
  EXPECT_EQ(content("m.onnx"), before);
}

// Raw units, radii times scale, and the weights as they are in the file.
TEST_F(ExportTool, CertifiesTheExportedNetwork) {
  const std::string model_file = trained(units_file(), {"--standardize"});
  const Model model = load_model(model_file);
  const Model exported = float32_model(model);
  const Dataset data = data_for(model, units_file());
  for (const std::string& norm : norm_names()) {
    VerifySettings settings;
    settings.threat = {make_norm(norm), raw_radii(Vector::Constant(2, 1.0), model.preprocessing)};
    settings.exact = true;
    const std::vector<Verification> expected = verify(exported.network(), data.X, data.y, settings);
    const Arguments base = {"certify", model_file, units_file(), "--norm", norm, "--exact", "--no-radius", "--quiet"};
    const ProcessResult result = run_tool(base + Arguments{"--eps", "1", "--float32"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const ProcessResult trained_result = run_tool(base + Arguments{"--eps", "1"});
    std::istringstream lines(result.out);
    std::istringstream trained_lines(trained_result.out);
    std::string line, trained_line;
    std::getline(lines, line);
    std::getline(trained_lines, trained_line);
    for (const Verification& row : expected) {
      ASSERT_TRUE(std::getline(lines, line) && std::getline(trained_lines, trained_line));
      EXPECT_TRUE(contains(line, fmt::format(",{},{},{},,", to_string(row.verdict), row.lower, row.upper))) << line;
      // The trained network's own margin is as close as the rounding of weights.
      const std::string number = trained_line.substr(trained_line.find(',', 2) + 1);
      EXPECT_NEAR(std::stod(number), row.lower, 1e-4) << trained_line;
      EXPECT_NE(std::stod(number), row.lower) << "other weights";
    }
  }
  const Arguments words = {"certify", model_file, units_file(), "--radius", "--json", "--eps", "0.6"};
  const json facts = json::parse(run_tool(words + Arguments{"--float32"}).out);
  EXPECT_EQ(facts.at("weights"), "float32");
  EXPECT_EQ(facts.at("eps"), 0.6);
  EXPECT_GT(facts.at("largest_difference"), 0);
  const json plain = json::parse(run_tool(words).out);
  EXPECT_NEAR(facts.at("mean_radius"), plain.at("mean_radius"), 5e-3);
  EXPECT_FALSE(plain.contains("weights"));
}

// Near 1000 the numbers of float32 are 6e-5 apart, and these features 1e-4: scaled, next to nothing is left of them.
TEST_F(ExportTool, SaysWhenFloat32IsNotEnough) {
  std::string text = "x,y\n";
  for (int k = 0; k < 20; ++k) text += fmt::format("{:.4f},{}\n", 1000 + 1e-4 * k, std::abs(k - 10));
  const std::string data = write("narrow.csv", text);
  const std::string model = trained(data, {"--task", "regression", "--standardize"});
  const ProcessResult narrow = run_tool({"export", model, path("m.onnx"), "--precision", "float32", "--data", data});
  EXPECT_EQ(narrow.exit_code, 0);
  EXPECT_TRUE(contains(narrow.err, "note: in float32 the outputs are off by")) << narrow.err;
  EXPECT_TRUE(contains(narrow.err, "--precision mixed or double")) << narrow.err;
  EXPECT_EQ(OnnxFile(content("m.onnx")).nodes.size(), 3U);
  EXPECT_EQ(run_tool({"export", model, path("m.h"), "--data", data}).err, "") << "the header is in double";

  const ProcessResult chosen = run_tool({"export", model, path("m.onnx"), "--data", data});
  EXPECT_TRUE(contains(chosen.err, "note: in float32 the outputs would be off by")) << chosen.err;
  EXPECT_TRUE(contains(chosen.err, "between two Cast nodes")) << chosen.err;
  EXPECT_TRUE(contains(chosen.err, "float32 inputs alone cost")) << chosen.err;
  EXPECT_EQ(OnnxFile(content("m.onnx")).nodes.size(), 5U);

  const ProcessResult unseen = run_tool({"export", model, path("m.onnx")});
  EXPECT_TRUE(contains(unseen.err, "note: in float32 the outputs would be off by")) << "without data, too";
  EXPECT_TRUE(contains(unseen.out, "500 random rows")) << unseen.out;

  const ProcessResult precise = run_tool({"export", model, path("m.onnx"), "--precision", "double", "--data", data});
  EXPECT_EQ(precise.err, "");
  const Matrix outputs = OnnxFile(content("m.onnx")).evaluate(data_for(load_model(model), data).X);
  const std::vector<double> scores = predicted_scores(model, data);
  for (std::size_t k = 0; k < scores.size(); ++k) EXPECT_NEAR(outputs(static_cast<Index>(k), 0), scores[k], 1e-7);
  const ProcessResult property = run_tool({"export", model, "--vnnlib", path("folder"), "--data", data, "--eps", "0.1",
                                           "--max-error", "1", "--precision", "double"});
  EXPECT_EQ(property.exit_code, 2);
  EXPECT_TRUE(contains(property.err, "--precision: verifiers expect float32")) << property.err;

  const std::string plain = trained(line_file(), {"--task", "regression"});
  EXPECT_EQ(run_tool({"export", plain, path("m.onnx"), "--data", line_file()}).err, "");
  EXPECT_EQ(OnnxFile(content("m.onnx")).nodes.size(), 3U) << "the form that verifiers load";
}

// |x - 100,010|: where x is, numbers of float32 are 0.008 apart. There are no rows to try it on, but the model knows where
// the training data were.
TEST_F(ExportTool, KnowsTheRangeOfFeaturesThatNobodyScaled) {
  Model model = load_model(trained(line_file(), {"--task", "regression"}));
  EXPECT_EQ(model.preprocessing.seen.highest, Vector::Constant(1, 4));
  model.networks = {{Matrix{{1}, {-1}}, Vector{{-100010, 100010}}, Vector::Ones(2), 0}};
  model.preprocessing.seen = {Vector::Constant(1, 100010), Vector::Constant(1, 100000), Vector::Constant(1, 100020)};
  save_model(model, path("far.json"));
  const ProcessResult unseen = run_tool({"export", path("far.json"), path("m.onnx")});
  EXPECT_TRUE(contains(unseen.err, "note: in float32 the outputs would be off by")) << unseen.err << unseen.out;
  EXPECT_EQ(OnnxFile(content("m.onnx")).nodes.size(), 5U);
}

// A tiny penalty makes a difference of large neurons: 0.001 x is what is left of two that are a thousand times as
// large.
TEST_F(ExportTool, ComputesInDoubleWhatFloat32WouldLose) {
  Model model = load_model(trained(line_file(), {"--task", "regression"}));
  model.networks = {Network{Matrix{{1000.0}, {999.999}}, Vector{{1e6, 1e6}}, Vector{{1.0, -1.0}}, 0}};
  model.preprocessing = {};
  save_model(model, path("hard.json"));
  EXPECT_TRUE(contains(run_tool({"export", path("hard.json"), path("m.onnx")}).err, "in double, between two Cast"));
  const OnnxFile file(content("m.onnx"));
  EXPECT_EQ(file.inputs.at(0).type, 1U) << "FLOAT";
  EXPECT_EQ(file.outputs.at(0).type, 1U) << "FLOAT";
  const Matrix rows{{0.5}, {-0.25}, {3.0}};
  EXPECT_LE((file.evaluate(rows) - model.scores(rows)).cwiseAbs().maxCoeff(), 1e-6 * 3e-3);
}

}  // namespace
}  // namespace conelu
