#pragma once

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "conelu/linear_algebra.hpp"

/// Reads and evaluates ONNX files of four kinds of nodes. It shares nothing with the writer but onnx.proto.
namespace conelu::test {

struct WireField {
  int number = 0;
  std::uint64_t value = 0;  ///< of wire type 0
  std::string bytes = {};   ///< of wire type 2
};

inline std::vector<WireField> wire_fields(const std::string& message) {
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(message.at(at++));
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  std::vector<WireField> fields;
  while (at < message.size()) {
    const std::uint64_t key = varint();
    WireField field{static_cast<int>(key >> 3)};
    if ((key & 7) == 0) {
      field.value = varint();
    } else if ((key & 7) == 2) {
      const std::uint64_t size = varint();
      if (size > message.size() - at) throw std::runtime_error("a field ends after its message");
      field.bytes = message.substr(at, size);
      at += size;
    } else {
      throw std::runtime_error("a wire type that ONNX files of this kind do not need");
    }
    fields.push_back(field);
  }
  return fields;
}

struct OnnxTensor {
  std::vector<Index> shape;
  std::uint64_t type = 0;
  std::vector<double> values;
};

struct OnnxValue {
  std::string name;
  std::uint64_t type = 0;
  std::vector<Index> shape;
};

struct OnnxNode {
  std::string type;
  std::vector<std::string> inputs, outputs;
  std::map<std::string, std::uint64_t> integers;
};

struct OnnxFile {
  std::uint64_t ir_version = 0;
  std::map<std::string, std::uint64_t> opsets;
  std::map<std::string, std::string> metadata;
  std::vector<OnnxNode> nodes;
  std::map<std::string, OnnxTensor> initializers;
  std::vector<OnnxValue> inputs, outputs;

  explicit OnnxFile(const std::string& bytes) {
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number == 1) ir_version = field.value;
      if (field.number == 7) read_graph(field.bytes);
      if (field.number == 8) {
        const auto opset = wire_fields(field.bytes);
        opsets[opset.at(0).bytes] = opset.at(1).value;
      }
      if (field.number == 14) {
        const auto entry = wire_fields(field.bytes);
        metadata[entry.at(0).bytes] = entry.at(1).bytes;
      }
    }
  }

  /// Outputs for rows of inputs, in double precision.
  Matrix evaluate(const Matrix& X) const {
    std::map<std::string, Matrix> values = {{inputs.at(0).name, X}};
    for (const OnnxNode& node : nodes) {
      const Matrix input = values.at(node.inputs.at(0));
      Matrix& result = values[node.outputs.at(0)];
      if (node.type == "Relu") {
        result = input.cwiseMax(0.0);
      } else if (node.type == "Gemm" && node.integers.at("transB") == 1) {
        result = (input * matrix(node.inputs.at(1)).transpose()).rowwise() + matrix(node.inputs.at(2)).row(0);
      } else if (node.type == "Cast") {
        result = node.integers.at("to") == 1 ? Matrix(input.cast<float>().cast<double>()) : input;
      } else {
        throw std::runtime_error("a node that is not expected: " + node.type);
      }
    }
    return values.at(outputs.at(0).name);
  }

 private:
  /// Vectors are rows.
  Matrix matrix(const std::string& name) const {
    const OnnxTensor& tensor = initializers.at(name);
    const Index rows = tensor.shape.size() == 1 ? 1 : tensor.shape.at(0);
    const Index columns = tensor.shape.back();
    if (static_cast<std::size_t>(rows * columns) != tensor.values.size()) throw std::runtime_error("sizes of " + name);
    Matrix result(rows, columns);
    for (Index i = 0; i < result.size(); ++i) {
      result(i / columns, i % columns) = tensor.values[static_cast<std::size_t>(i)];
    }
    return result;
  }

  void read_graph(const std::string& bytes) {
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number == 1) nodes.push_back(read_node(field.bytes));
      if (field.number == 5) read_tensor(field.bytes);
      if (field.number == 11) inputs.push_back(read_value(field.bytes));
      if (field.number == 12) outputs.push_back(read_value(field.bytes));
    }
  }

  static OnnxNode read_node(const std::string& bytes) {
    OnnxNode node;
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number == 1) node.inputs.push_back(field.bytes);
      if (field.number == 2) node.outputs.push_back(field.bytes);
      if (field.number == 4) node.type = field.bytes;
      if (field.number == 5) {
        const auto attribute = wire_fields(field.bytes);
        node.integers[attribute.at(0).bytes] = attribute.at(1).value;
      }
    }
    return node;
  }

  template <class Number>
  static std::vector<double> numbers(const std::string& bytes) {
    std::vector<Number> values(bytes.size() / sizeof(Number));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return {values.begin(), values.end()};
  }

  void read_tensor(const std::string& bytes) {
    OnnxTensor tensor;
    std::string name;
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number == 1) tensor.shape.push_back(static_cast<Index>(field.value));
      if (field.number == 2) tensor.type = field.value;
      if (field.number == 8) name = field.bytes;
      if (field.number == 9) {
        tensor.values = tensor.type == 1 ? numbers<float>(field.bytes) : numbers<double>(field.bytes);
      }
    }
    initializers[name] = tensor;
  }

  static OnnxValue read_value(const std::string& bytes) {
    OnnxValue value;
    value.name = wire_fields(bytes).at(0).bytes;
    const std::string type = wire_fields(bytes).at(1).bytes;
    const auto tensor = wire_fields(wire_fields(type).at(0).bytes);
    value.type = tensor.at(0).value;
    for (const WireField& dimension : wire_fields(tensor.at(1).bytes)) {
      value.shape.push_back(static_cast<Index>(wire_fields(dimension.bytes).at(0).value));
    }
    return value;
  }
};

}  // namespace conelu::test
