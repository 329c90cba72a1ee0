#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "conelu/export_model.hpp"
#include "data/temporary_files.hpp"
#include "network/export_problems.hpp"

namespace conelu {
namespace {

using test::random_model;
using test::random_rows;

class CHeader : public TemporaryFiles {
 protected:
  /// Exit code of a command in the test's folder.
  int shell(const std::string& command) const {
    return std::system(fmt::format("cd '{}' && {}", path(""), command).c_str());
  }

  /// Compiles model.h as C99 and calls its function for every row.
  Matrix scores_in_c(const Matrix& raw, Index outputs, const std::string& type = "double") const {
    std::string rows;
    for (Index k = 0; k < raw.rows(); ++k) {
      rows += "{";
      for (const double x : raw.row(k)) rows += fmt::format("{}, ", x);
      rows += "},\n";
    }
    const std::string call = outputs == 1 ? "scores[0] = model_score(rows[k]);"
                                          : "if (model_scores(rows[k], scores) != largest(scores)) return 1;";
    write("main.c", fmt::format("#define CONELU_REAL {0}\n#include \"model.h\"\n#include \"model.h\"\n"
                                "#include <stdio.h>\n"
                                "static const {0} rows[{1}][{2}] = {{\n{3}}};\n"
                                "static inline int largest(const {0} *scores) {{\n"
                                "  int k, best = 0;\n"
                                "  for (k = 0; k < {4}; ++k) if (scores[k] > scores[best]) best = k;\n"
                                "  return best;\n}}\n"
                                "int main(void) {{\n  int k, c;\n  for (k = 0; k < {1}; ++k) {{\n"
                                "    {0} scores[{4}];\n    {5}\n"
                                "    for (c = 0; c < {4}; ++c) printf(\"%.17g\\n\", (double)scores[c]);\n"
                                "  }}\n  return 0;\n}}\n",
                                type, raw.rows(), raw.cols(), rows, outputs, call));
    EXPECT_EQ(shell("cc -std=c99 -pedantic -Wall -Wextra -Werror main.c -o main 2> messages"), 0)
        << content("messages") << content("model.h");
    EXPECT_EQ(shell("./main > scores"), 0);
    std::istringstream numbers(content("scores"));
    Matrix scores(raw.rows(), outputs);
    for (Index k = 0; k < raw.rows(); ++k) {
      for (Index c = 0; c < outputs; ++c) numbers >> scores(k, c);
    }
    EXPECT_TRUE(numbers) << content("scores");
    return scores;
  }
};

TEST_F(CHeader, CompilesAndGivesTheScoresOfTheModel) {
  for (const Index classes : {0, 2, 4}) {
    const Model model = random_model(classes, 6, 15, true, 1);
    save_c_header(model, path("model.h"));
    const Matrix raw = random_rows(model, 25, 2);
    const Matrix expected = test::scores_by_hand(model, raw);
    const Matrix scores = scores_in_c(raw, expected.cols());
    EXPECT_LE((scores - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
  }
}

TEST_F(CHeader, ComputesInFloatIfAsked) {
  const Model model = random_model(3, 4, 10, false, 3);
  save_c_header(model, path("model.h"));
  const Matrix raw = random_rows(model, 10, 4);
  const Matrix expected = test::scores_by_hand(model, raw);
  const Matrix scores = scores_in_c(raw, 3, "float");
  EXPECT_LE((scores - expected).cwiseAbs().maxCoeff(), 1e-4 * expected.cwiseAbs().maxCoeff());
  EXPECT_EQ(scores, scores.cast<float>().cast<double>());
}

TEST_F(CHeader, CompilesWhateverTheNamesAreAndWithoutNeurons) {
  Model model = random_model(3, 5, 0, true, 5);
  model.networks.resize(1, model.networks.front());
  model.networks.push_back(model.networks.front());
  model.networks.push_back(model.networks.front());
  model.features = {"*/ int x; /*", "line\nend\\", "/**/", "\xe2\x80\xae turned",
                    "größe ?"
                    "?/"};
  model.classes = {"/*", "\"", "*/"};
  save_c_header(model, path("model.h"));
  EXPECT_NE(content("model.h").find("größe"), std::string::npos);
  const Matrix raw = random_rows(model, 3, 6);
  EXPECT_EQ(scores_in_c(raw, 3), test::scores_by_hand(model, raw));
}

TEST_F(CHeader, KeepsTheExtremesOfDouble) {
  Model model = random_model(0, 2, 2, false, 7);
  model.networks.front() = {Matrix{{1e300, 5e-324}, {-1, 1.0 / 3}}, Vector{{0, 0.1}}, Vector{{1e-300, -2.0 / 3}},
                            -1e-5};
  save_c_header(model, path("model.h"));
  const Matrix raw{{1.0, 2.0}, {-1.0, 3.0}};
  const Matrix expected = test::scores_by_hand(model, raw);
  EXPECT_LE((scores_in_c(raw, 1) - expected).cwiseAbs().maxCoeff(), 1e-15);
}

TEST_F(CHeader, PassesOnWhatIsNotANumber) {
  save_c_header(random_model(2, 2, 3, true, 8), path("model.h"));
  write("nan.c",
        "#include <math.h>\n#include \"model.h\"\n"
        "int main(void) { double x[2] = {1, 0}; x[1] /= 0.0 * x[1]; return isnan(model_score(x)) ? 0 : 1; }\n");
  EXPECT_EQ(shell("cc -std=c99 -Wall -Werror nan.c -o nan && ./nan"), 0);
}

TEST_F(CHeader, IsNamedAfterItsFile) {
  const Model model = random_model(2, 2, 3, false, 9);
  const auto has = [&](const std::string& file, const std::string& part) {
    save_c_header(model, path(file));
    EXPECT_NE(content(file).find(part), std::string::npos) << content(file);
  };
  has("tumour-size.v2.h", " tumour_size_v2_score(const CONELU_REAL *features)");
  has("tumour-size.v2.h", "#ifndef TUMOUR_SIZE_V2_H");
  has("3d.h", " model_3d_score(");
  has("größe.h", "_score(");
  expect_refusal([&] { c_header(model, "3d"); }, {"3d", "digit"});
  expect_refusal([&] { c_header(model, "a b"); }, {"a b"});
  expect_refusal([&] { c_header(model, ""); }, {"name"});
}

TEST_F(CHeader, ExplainsScoresAndFeatures) {
  Model model = random_model(2, 2, 3, false, 10);
  model.classes = {"benign", "malignant"};
  model.features = {"age", "radius"};
  const std::string header = c_header(model, "tumour");
  EXPECT_NE(header.find("at least 0 means \"malignant\", else \"benign\""), std::string::npos) << header;
  EXPECT_NE(header.find("features[1]  \"radius\""), std::string::npos) << header;
}

}  // namespace
}  // namespace conelu
