#include <nlohmann/json.hpp>

#include "apps/tool.hpp"
#include "conelu/model.hpp"

namespace conelu {
namespace {

using nlohmann::json;

class InfoTool : public test::Tool {
 protected:
  std::string trained(const Arguments& words) const {
    const ProcessResult result = run_tool(words + Arguments{"--quiet", "--model", path("m.json")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path("m.json");
  }

  std::string table_of(const std::string& model) const {
    const ProcessResult result = run_tool({"info", model});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }
};

TEST_F(InfoTool, TellsWhatAClassifierIsAndWhatWasProven) {
  const std::string file =
      trained({"train", xor_file(), "--standardize", "--eps", "0.1", "--method", "reduced", "--beta", "1e-4"});
  const Model model = load_model(file);
  const std::string table = table_of(file);
  for (const std::string& part : std::vector<std::string>{
           "classification, 2 classes: other, same", "2: a, b",
           fmt::format("neurons        {}\n", model.network().neurons()),
           "on 12 samples, hinge loss, beta 0.0001, method reduced, against an attacker within 0.1 in the inf norm",
           "certificate    no perturbation within eps = 0.1 in the inf norm, after standardisation,",
           fmt::format("objective          {:.8g}\n", model.training.objective), "status             optimal",
           fmt::format("{:.8g}\n", model.preprocessing.scale(1))}) {
    EXPECT_TRUE(contains(table, part)) << "no '" << part << "' in:\n" << table;
  }

  const json facts = json::parse(run_tool({"info", file, "--json"}).out);
  const json saved = json::parse(content("m.json"));
  for (const char* field : {"task", "classes", "features", "training"}) EXPECT_EQ(facts.at(field), saved.at(field));
  EXPECT_EQ(facts.at("preprocessing"), saved.at("preprocessing"));
  EXPECT_EQ(facts.at("neurons"), json({model.network().neurons()}));
  EXPECT_EQ(facts.at("certified"), true);
  EXPECT_TRUE(contains(table, facts.at("certificate").get<std::string>()));
  EXPECT_FALSE(facts.contains("hidden"));
}

TEST_F(InfoTool, ListsSeveralClasses) {
  const std::string data =
      write("three.csv", "a,b,kind\n-3,0,left\n3,0,right\n0,3,top\n-2,0,left\n2,0,right\n0,2,top\n");
  const std::string file = trained({"train", data});
  const Model model = load_model(file);
  const std::string table = table_of(file);
  EXPECT_TRUE(contains(table, "3 classes: left, right, top")) << table;
  EXPECT_TRUE(contains(table, "in 3 networks, one for each class")) << table;
  EXPECT_TRUE(contains(table, "preprocessing  no scaling")) << table;
  EXPECT_TRUE(contains(table, class_table(model.classes, model.class_trainings))) << table;
  const json facts = json::parse(run_tool({"info", file, "--json"}).out);
  ASSERT_EQ(facts.at("neurons").size(), 3U);
  EXPECT_EQ(facts.at("class_trainings").at(2).at("objective"), model.class_trainings[2].objective);
}

TEST_F(InfoTool, KnowsARegression) {
  const std::string file = trained({"train", write("line.csv", "x,y\n0,0\n1,2\n2,4\n"), "--task", "regression"});
  const std::string table = table_of(file);
  EXPECT_TRUE(contains(table, "task           regression\n")) << table;
  EXPECT_TRUE(contains(table, "without an attacker")) << table;
  EXPECT_TRUE(json::parse(run_tool({"info", file, "--json"}).out).at("classes").is_null());
}

TEST_F(InfoTool, TellsHowColumnsOfTextAreRead) {
  const std::string file =
      trained({"train", write("cars.csv", "colour,size,y\nred,1,0\nblue,2,1\nred,3,1\nblue,4,0\n")});
  const std::string table = table_of(file);
  EXPECT_TRUE(contains(table, "encoded        colour: blue, red\n")) << table;
  const json facts = json::parse(run_tool({"info", file, "--json"}).out);
  EXPECT_EQ(facts.at("preprocessing"), json::parse(content("m.json")).at("preprocessing"));
}

TEST_F(InfoTool, ClaimsNothingForGradientDescent) {
  const std::string file = trained({"baseline", xor_file(), "--method", "gd-std", "--epochs", "5"});
  const std::string table = table_of(file);
  EXPECT_TRUE(contains(table, "certificate    none: method gd-std proves nothing")) << table;
  EXPECT_FALSE(contains(table, "nan")) << table;
  EXPECT_EQ(json::parse(run_tool({"info", file, "--json"}).out).at("certified"), false);
}

TEST_F(InfoTool, ShortensLongLists) {
  std::string text;
  for (int row = 0; row < 4; ++row) {
    for (int a = 0; a < 30; ++a) text += fmt::format("{},", (row * 7 + a * 3) % 11);
    text += row % 2 == 0 ? "0\n" : "1\n";
  }
  const std::string table = table_of(trained({"train", write("wide.csv", text), "--standardize"}));
  EXPECT_TRUE(contains(table, "30: x1, x2, ")) << table;
  EXPECT_TRUE(contains(table, "x12, ...\n")) << table;
  EXPECT_TRUE(contains(table, "... 30 in all\n")) << table;
}

TEST_F(InfoTool, RefusesOtherFiles) {
  expect_tool_refuses({"info", xor_file()}, {"xor.csv", "not a model file"});
  expect_tool_refuses({"info", path("none.json")}, {"none.json"});
  expect_tool_refuses({"info"}, {"MODEL is missing"});
}

}  // namespace
}  // namespace conelu
