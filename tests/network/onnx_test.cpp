#include <gtest/gtest.h>

#include "conelu/export_model.hpp"
#include "data/temporary_files.hpp"
#include "network/export_problems.hpp"
#include "network/onnx_reader.hpp"

namespace conelu {
namespace {

using test::OnnxFile;
using test::OnnxNode;
using test::OnnxTensor;
using test::random_model;
using test::random_rows;

constexpr std::uint64_t kFloat = 1, kDouble = 11;

std::vector<Index> shape_of(const OnnxFile& file, const std::string& name) { return file.initializers.at(name).shape; }

TEST(Onnx, HasTheLayoutThatVerifiersLoad) {
  for (const Index classes : {0, 2, 4}) {
    const Index outputs = std::max<Index>(classes, 1);
    const Index neurons = classes == 4 ? 5 + 6 + 7 + 8 : 5;
    const OnnxFile file(onnx_bytes(random_model(classes, 3, 5, true, 1)));
    EXPECT_EQ(file.ir_version, 7U);
    EXPECT_EQ(file.opsets, (std::map<std::string, std::uint64_t>{{"", 13}}));
    ASSERT_EQ(file.inputs.size(), 1U) << "initialisers are not among them";
    EXPECT_EQ(file.inputs[0].type, kFloat);
    EXPECT_EQ(file.inputs[0].shape, (std::vector<Index>{1, 3}));
    ASSERT_EQ(file.outputs.size(), 1U);
    EXPECT_EQ(file.outputs[0].type, kFloat);
    EXPECT_EQ(file.outputs[0].shape, (std::vector<Index>{1, outputs}));

    ASSERT_EQ(file.nodes.size(), 3U);
    for (const std::size_t gemm : {0, 2}) {
      const OnnxNode& node = file.nodes[gemm];
      EXPECT_EQ(node.type, "Gemm");
      EXPECT_EQ(node.integers, (std::map<std::string, std::uint64_t>{{"transB", 1}}));
      EXPECT_EQ(node.inputs.size(), 3U) << "with a bias";
    }
    EXPECT_EQ(file.nodes[1].type, "Relu");
    EXPECT_EQ(file.initializers.size(), 4U);
    for (const auto& [name, tensor] : file.initializers) EXPECT_EQ(tensor.type, kFloat) << name;
    EXPECT_EQ(shape_of(file, file.nodes[0].inputs[1]), (std::vector<Index>{neurons, 3}));
    EXPECT_EQ(shape_of(file, file.nodes[0].inputs[2]), (std::vector<Index>{neurons}));
    EXPECT_EQ(shape_of(file, file.nodes[2].inputs[1]), (std::vector<Index>{outputs, neurons}));
    EXPECT_EQ(shape_of(file, file.nodes[2].inputs[2]), (std::vector<Index>{outputs}));
  }
}

TEST(Onnx, InDoubleGivesTheOutputsOfTheModel) {
  for (const Index classes : {0, 2, 4}) {
    const Model model = random_model(classes, 6, 15, true, 2);
    const Matrix raw = random_rows(model, 40, 3);
    const OnnxFile file(onnx_bytes(model, Precision::float64));
    EXPECT_EQ(file.inputs.at(0).type, kDouble);
    EXPECT_EQ(file.outputs.at(0).type, kDouble);
    for (const auto& [name, tensor] : file.initializers) EXPECT_EQ(tensor.type, kDouble) << name;
    Matrix expected = test::scores_by_hand(model, raw);
    if (classes == 2) expected = (Matrix(40, 2) << -expected, expected).finished();
    EXPECT_LE((file.evaluate(raw) - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
  }
}

// Between the two casts all digits count: what is lost is the rounding of the input and of the output.
TEST(Onnx, MixedTakesAndGivesFloat32AndComputesInDouble) {
  for (const Index classes : {0, 2, 4}) {
    const Model model = random_model(classes, 6, 15, true, 2);
    const Matrix raw = random_rows(model, 40, 3).cast<float>().cast<double>();
    const OnnxFile file(onnx_bytes(model, Precision::mixed));
    EXPECT_EQ(file.inputs.at(0).type, kFloat);
    EXPECT_EQ(file.outputs.at(0).type, kFloat);
    for (const auto& [name, tensor] : file.initializers) EXPECT_EQ(tensor.type, kDouble) << name;
    ASSERT_EQ(file.nodes.size(), 5U);
    EXPECT_EQ(file.nodes[0].integers.at("to"), kDouble);
    EXPECT_EQ(file.nodes[4].integers.at("to"), kFloat);
    Matrix expected = test::scores_by_hand(model, raw);
    if (classes == 2) expected = (Matrix(40, 2) << -expected, expected).finished();
    EXPECT_LE((file.evaluate(raw) - expected).cwiseAbs().maxCoeff(), 6e-8 * expected.cwiseAbs().maxCoeff());
  }
}

TEST(Onnx, GivesTheOutputsOfTheFloat32Model) {
  for (const Index classes : {0, 2, 4}) {
    const Model model = random_model(classes, 6, 15, true, 2);
    const Matrix raw = random_rows(model, 40, 3);
    const Matrix outputs = OnnxFile(onnx_bytes(model)).evaluate(raw);
    Matrix expected = test::scores_by_hand(float32_model(model), raw);
    if (classes == 2) expected = (Matrix(40, 2) << -expected, expected).finished();
    ASSERT_EQ(outputs.cols(), expected.cols());
    EXPECT_LE((outputs - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
  }
}

TEST(Onnx, WritesANetworkWithoutNeurons) {
  Model model = random_model(0, 2, 0, false, 4);
  model.networks.front().output_bias = 0.25;
  const OnnxFile file(onnx_bytes(model));
  EXPECT_EQ(file.evaluate(Matrix::Random(3, 2)), Matrix::Constant(3, 1, 0.25));
}

TEST(Onnx, TellsTheNames) {
  Model model = random_model(2, 2, 3, false, 5);
  model.features = {"größe", "a \"b\", c"};
  model.classes = {"no", "y\xff"};
  const OnnxFile file(onnx_bytes(model));
  EXPECT_EQ(file.metadata.at("features"), R"(["größe","a \"b\", c"])");
  EXPECT_EQ(file.metadata.at("classes"), "[\"no\",\"y\xef\xbf\xbd\"]") << "UTF-8, as the format asks for";
}

// Gigabytes of weights have lengths of five bytes; a hundred thousand show that lengths of three work.
TEST(Onnx, WritesLongTensors) {
  const Model model = random_model(2, 100, 1000, false, 6);
  const Matrix raw = random_rows(model, 2, 7);
  const Matrix outputs = OnnxFile(onnx_bytes(model)).evaluate(raw);
  EXPECT_LE((outputs.col(1) - model.scores(raw)).cwiseAbs().maxCoeff(), 1e-3);
}

class OnnxFileOnDisk : public TemporaryFiles {};

TEST_F(OnnxFileOnDisk, IsWrittenWhole) {
  const Model model = random_model(2, 3, 4, true, 8);
  save_onnx(model, path("model.onnx"));
  EXPECT_EQ(content("model.onnx"), onnx_bytes(model));
  EXPECT_EQ(files(), 1U) << "nothing temporary is left";
  expect_refusal([&] { save_onnx(model, path("nowhere/model.onnx")); }, {"nowhere/model.onnx"});
}

}  // namespace
}  // namespace conelu
