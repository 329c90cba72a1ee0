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
constexpr std::uint64_t kInt = 2;  // AttributeProto.AttributeType

/// TensorProto.DataType, of weights and of inputs and outputs.
constexpr std::uint64_t kFloat = 1, kDouble = 11;
std::uint64_t weight_type(Precision precision) { return precision == Precision::float32 ? kFloat : kDouble; }
std::uint64_t row_type(Precision precision) { return precision == Precision::float64 ? kDouble : kFloat; }

template <class Bits>
void add_little_endian(std::string& raw, Bits bits) {
  for (std::size_t shift = 0; shift < 8 * sizeof bits; shift += 8) raw += static_cast<char>(bits >> shift & 0xff);
}

/// Row by row.
ProtobufMessage tensor(const std::string& name, const std::vector<Index>& shape, const MatrixView& values,
                       Precision precision) {
  std::string raw;
  raw.reserve((precision == Precision::float32 ? 4 : 8) * static_cast<std::size_t>(values.size()));
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      const double value = values(i, j);
      if (precision == Precision::float32) {
        add_little_endian(raw, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
      } else {
        add_little_endian(raw, std::bit_cast<std::uint64_t>(value));
      }
    }
  }
  ProtobufMessage message;
  for (const Index size : shape) message.add_number(1, static_cast<std::uint64_t>(size));
  message.add_number(2, weight_type(precision));
  message.add_bytes(8, name);
  message.add_bytes(9, raw);
  return message;
}

ProtobufMessage matrix(const std::string& name, const Matrix& values, Precision precision) {
  return tensor(name, {values.rows(), values.cols()}, values, precision);
}

ProtobufMessage vector(const std::string& name, const Vector& values, Precision precision) {
  return tensor(name, {values.size()}, values, precision);
}

struct Attribute {
  std::string name;
  std::uint64_t value;
};

ProtobufMessage node(const std::string& type, const std::vector<std::string>& inputs, const std::string& output,
                     const std::string& name, const std::vector<Attribute>& attributes = {}) {
  ProtobufMessage message;
  for (const std::string& input : inputs) message.add_bytes(1, input);
  message.add_bytes(2, output);
  message.add_bytes(3, name);
  message.add_bytes(4, type);
  for (const Attribute& attribute : attributes) {
    ProtobufMessage entry;
    entry.add_bytes(1, attribute.name);
    entry.add_number(3, attribute.value);
    entry.add_number(20, kInt);
    message.add_message(5, entry);
  }
  return message;
}

/// A row of numbers.
ProtobufMessage value_info(const std::string& name, Index size, Precision precision) {
  ProtobufMessage shape;
  for (const Index entries : {Index{1}, size}) {
    ProtobufMessage dimension;
    dimension.add_number(1, static_cast<std::uint64_t>(entries));
    shape.add_message(1, dimension);
  }
  ProtobufMessage tensor_type;
  tensor_type.add_number(1, row_type(precision));
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

ProtobufMessage graph_of(const Model& model, Precision precision) {
  const Model exported = precision == Precision::float32 ? float32_model(model) : folded_model(model);
  StackedNetwork network = stack(exported.networks);
  if (model.task == Task::classification && network.outputs() == 1) {
    // One logit a class is what tools expect.
    network.output = Matrix{{-1.0}, {1.0}} * network.output;
    network.output_bias = Vector{{-network.output_bias(0), network.output_bias(0)}};
  }
  const bool mixed = precision == Precision::mixed;
  const std::string first = mixed ? "wide_input" : "input", last = mixed ? "wide_output" : "output";
  const std::vector<Attribute> transposed = {{"transB", 1}};
  ProtobufMessage graph;
  if (mixed) graph.add_message(1, node("Cast", {"input"}, first, "widen", {{"to", kDouble}}));
  graph.add_message(1, node("Gemm", {first, "fc1.weight", "fc1.bias"}, "preactivation", "fc1", transposed));
  graph.add_message(1, node("Relu", {"preactivation"}, "activation", "relu"));
  graph.add_message(1, node("Gemm", {"activation", "fc2.weight", "fc2.bias"}, last, "fc2", transposed));
  if (mixed) graph.add_message(1, node("Cast", {last}, "output", "narrow", {{"to", kFloat}}));
  graph.add_bytes(2, "conelu");
  graph.add_message(5, matrix("fc1.weight", network.hidden, precision));
  graph.add_message(5, vector("fc1.bias", network.hidden_bias, precision));
  graph.add_message(5, matrix("fc2.weight", network.output, precision));
  graph.add_message(5, vector("fc2.bias", network.output_bias, precision));
  graph.add_message(11, value_info("input", network.inputs(), precision));
  graph.add_message(12, value_info("output", network.output.rows(), precision));
  return graph;
}

}  // namespace

std::string onnx_bytes(const Model& model, Precision precision) {
  ProtobufMessage opset;
  opset.add_bytes(1, "");
  opset.add_number(2, kOpset);
  ProtobufMessage file;
  file.add_number(1, kIrVersion);
  file.add_bytes(2, "conelu");
  file.add_bytes(3, version());
  file.add_message(7, graph_of(model, precision));
  file.add_message(8, opset);
  file.add_message(14, names_entry("features", model.features));
  if (!model.classes.empty()) file.add_message(14, names_entry("classes", model.classes));
  constexpr std::size_t kLargest = std::numeric_limits<std::int32_t>::max();
  if (file.bytes().size() > kLargest) {
    throw std::invalid_argument("the model is too large for ONNX, whose files hold at most 2 GiB");
  }
  return file.bytes();
}

void save_onnx(const Model& model, const std::string& path, Precision precision) {
  write_file_atomically(path, onnx_bytes(model, precision));
}

}  // namespace conelu
