#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conelu/export_model.hpp"
#include "conelu/version.hpp"
#include "data/file.hpp"
#include "network/protobuf.hpp"
#include "network/stacked.hpp"

// Field numbers are those of onnx.proto.

namespace conelu {
namespace {

constexpr std::uint64_t kIrVersion = 7;
constexpr std::uint64_t kOpset = 13;
constexpr std::uint64_t kFloat = 1;  // TensorProto.DataType
constexpr std::uint64_t kInt = 2;    // AttributeProto.AttributeType

/// Row by row, little-endian.
ProtobufMessage tensor(const std::string& name, const std::vector<Index>& shape, const MatrixView& values) {
  std::string raw;
  raw.reserve(4 * static_cast<std::size_t>(values.size()));
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values(i, j)));
      for (int shift = 0; shift < 32; shift += 8) raw += static_cast<char>(bits >> shift & 0xff);
    }
  }
  ProtobufMessage message;
  for (const Index size : shape) message.add_number(1, static_cast<std::uint64_t>(size));
  message.add_number(2, kFloat);
  message.add_bytes(8, name);
  message.add_bytes(9, raw);
  return message;
}

ProtobufMessage matrix(const std::string& name, const Matrix& values) {
  return tensor(name, {values.rows(), values.cols()}, values);
}

ProtobufMessage vector(const std::string& name, const Vector& values) { return tensor(name, {values.size()}, values); }

ProtobufMessage node(const std::string& type, const std::vector<std::string>& inputs, const std::string& output,
                     const std::string& name) {
  ProtobufMessage message;
  for (const std::string& input : inputs) message.add_bytes(1, input);
  message.add_bytes(2, output);
  message.add_bytes(3, name);
  message.add_bytes(4, type);
  if (type == "Gemm") {
    ProtobufMessage transposed;
    transposed.add_bytes(1, "transB");
    transposed.add_number(3, 1);
    transposed.add_number(20, kInt);
    message.add_message(5, transposed);
  }
  return message;
}

/// A row of floats.
ProtobufMessage value_info(const std::string& name, Index size) {
  ProtobufMessage shape;
  for (const Index entries : {Index{1}, size}) {
    ProtobufMessage dimension;
    dimension.add_number(1, static_cast<std::uint64_t>(entries));
    shape.add_message(1, dimension);
  }
  ProtobufMessage tensor_type;
  tensor_type.add_number(1, kFloat);
  tensor_type.add_message(2, shape);
  ProtobufMessage type;
  type.add_message(1, tensor_type);
  ProtobufMessage message;
  message.add_bytes(1, name);
  message.add_message(2, type);
  return message;
}

ProtobufMessage names_entry(const std::string& key, const std::vector<std::string>& names) {
  using Json = nlohmann::json;
  ProtobufMessage message;
  message.add_bytes(1, key);
  message.add_bytes(2, Json(names).dump(-1, ' ', false, Json::error_handler_t::replace));
  return message;
}

ProtobufMessage graph_of(const Model& model) {
  StackedNetwork network = stack(float32_model(model).networks);
  if (model.task == Task::classification && network.outputs() == 1) {
    // One logit a class is what tools expect.
    network.output = Matrix{{-1.0}, {1.0}} * network.output;
    network.output_bias = Vector{{-network.output_bias(0), network.output_bias(0)}};
  }
  ProtobufMessage graph;
  graph.add_message(1, node("Gemm", {"input", "fc1.weight", "fc1.bias"}, "preactivation", "fc1"));
  graph.add_message(1, node("Relu", {"preactivation"}, "activation", "relu"));
  graph.add_message(1, node("Gemm", {"activation", "fc2.weight", "fc2.bias"}, "output", "fc2"));
  graph.add_bytes(2, "conelu");
  graph.add_message(5, matrix("fc1.weight", network.hidden));
  graph.add_message(5, vector("fc1.bias", network.hidden_bias));
  graph.add_message(5, matrix("fc2.weight", network.output));
  graph.add_message(5, vector("fc2.bias", network.output_bias));
  graph.add_message(11, value_info("input", network.inputs()));
  graph.add_message(12, value_info("output", network.output.rows()));
  return graph;
}

}  // namespace

std::string onnx_bytes(const Model& model) {
  ProtobufMessage opset;
  opset.add_bytes(1, "");
  opset.add_number(2, kOpset);
  ProtobufMessage file;
  file.add_number(1, kIrVersion);
  file.add_bytes(2, "conelu");
  file.add_bytes(3, version());
  file.add_message(7, graph_of(model));
  file.add_message(8, opset);
  file.add_message(14, names_entry("features", model.features));
  if (!model.classes.empty()) file.add_message(14, names_entry("classes", model.classes));
  constexpr std::size_t kLargest = std::numeric_limits<std::int32_t>::max();
  if (file.bytes().size() > kLargest) {
    throw std::invalid_argument("the model is too large for ONNX, whose files hold at most 2 GiB");
  }
  return file.bytes();
}

void save_onnx(const Model& model, const std::string& path) { write_file_atomically(path, onnx_bytes(model)); }

}  // namespace conelu
