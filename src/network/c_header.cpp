#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <stdexcept>

#include "conelu/export_model.hpp"
#include "conelu/version.hpp"
#include "data/file.hpp"
#include "network/stacked.hpp"

namespace conelu {
namespace {

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool begins_with_digit(const std::string& name) { return std::isdigit(static_cast<unsigned char>(name.front())) != 0; }

void check_name(const std::string& name) {
  const bool usable = !name.empty() && std::all_of(name.begin(), name.end(), is_word_character);
  if (!usable || begins_with_digit(name)) {
    throw std::invalid_argument(
        fmt::format("name: '{}' is not a name in C; expected letters, digits and _, not a digit first", name));
  }
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// A name for a comment: no line ends, nothing that begins or ends a comment, and none of the characters that turn the
/// direction of writing (U+2000 to U+207F has them), about which compilers complain.
std::string in_quotes(const std::string& text) {
  std::string safe = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char last = safe.back();
    if ((c == '/' && last == '*') || (c == '*' && last == '/')) safe += ' ';
    const bool punctuation = text.compare(i, 2, "\xe2\x80") == 0 || text.compare(i, 2, "\xe2\x81") == 0;
    if (punctuation) i += 2;
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    safe += punctuation || control ? '?' : c;
  }
  return safe + '"';
}

std::string list_of(const VectorView& values) {
  constexpr std::size_t kWidth = 118;
  std::string list;
  std::size_t line_begin = 0;
  for (const double value : values) {
    const std::string number = fmt::format("{}", value);
    if (!list.empty()) list += list.size() + number.size() - line_begin > kWidth ? "," : ", ";
    if (!list.empty() && list.back() == ',') {
      line_begin = list.size();
      list += "\n      ";
    }
    list += number;
  }
  return list;
}

std::string describe(const Model& model, const std::string& result) {
  std::string text;
  const auto out = std::back_inserter(text);
  if (model.task == Task::regression) {
    fmt::format_to(out, "   A regression: the result of {} is the prediction.\n", result);
  } else if (model.networks.size() == 1) {
    fmt::format_to(out, "   Two classes: a score of at least 0 means {}, else {}.\n", in_quotes(model.classes.at(1)),
                   in_quotes(model.classes.at(0)));
  } else {
    fmt::format_to(out, "   {} classes, the largest score wins; {} returns the winner's number:\n",
                   model.classes.size(), result);
    for (std::size_t k = 0; k < model.classes.size(); ++k) {
      fmt::format_to(out, "     scores[{}]  {}\n", k, in_quotes(model.classes[k]));
    }
  }
  text += "   Features, in their own units; any scaling is part of the weights:\n";
  for (std::size_t a = 0; a < model.features.size(); ++a) {
    fmt::format_to(out, "     features[{}]  {}\n", a, in_quotes(model.features[a]));
  }
  return text;
}

std::string weights_of(const StackedNetwork& network) {
  std::string text =
      fmt::format("  static const CONELU_REAL hidden[{}][{}] = {{\n", network.neurons(), network.inputs());
  for (Index j = 0; j < network.neurons(); ++j) {
    text +=
        fmt::format("    {{{}}}{}\n", list_of(network.hidden.row(j).transpose()), j + 1 < network.neurons() ? "," : "");
  }
  const Vector output = network.output.colwise().sum();  // of each neuron, the only one that is not 0
  return text + fmt::format(
                    "  }};\n"
                    "  static const CONELU_REAL hidden_bias[{0}] = {{\n      {1}}};\n"
                    "  static const CONELU_REAL output[{0}] = {{\n      {2}}};\n",
                    network.neurons(), list_of(network.hidden_bias), list_of(output));
}

/// A neuron whose input is not a number is not skipped: the score shows it.
std::string loop_of(const StackedNetwork& network, const std::string& score) {
  return fmt::format(
      "  for (j = 0; j < {}; ++j) {{\n"
      "    CONELU_REAL z = hidden_bias[j];\n"
      "    for (a = 0; a < {}; ++a) z += hidden[j][a] * features[a];\n"
      "    if (!(z <= 0)) {} += output[j] * z;\n"
      "  }}\n",
      network.neurons(), network.inputs(), score);
}

std::string single_output(const StackedNetwork& network, const std::string& function) {
  return fmt::format(
      "static inline CONELU_REAL {}(const CONELU_REAL *features) {{\n"
      "{}"
      "  CONELU_REAL score = (CONELU_REAL){};\n"
      "  int j, a;\n"
      "{}"
      "  return score;\n"
      "}}\n",
      function, weights_of(network), network.output_bias(0), loop_of(network, "score"));
}

std::string several_outputs(const StackedNetwork& network, const std::string& function) {
  return fmt::format(
      "static inline int {0}(const CONELU_REAL *features, CONELU_REAL *scores) {{\n"
      "{1}"
      "  static const CONELU_REAL output_bias[{2}] = {{\n      {3}}};\n"
      "  static const int score_of[{4}] = {{{5}}};\n"
      "  int j, a, k, winner = 0;\n"
      "  for (k = 0; k < {2}; ++k) scores[k] = output_bias[k];\n"
      "{6}"
      "  for (k = 1; k < {2}; ++k) {{\n"
      "    if (scores[k] > scores[winner]) winner = k;\n"
      "  }}\n"
      "  return winner;\n"
      "}}\n",
      function, weights_of(network), network.outputs(), list_of(network.output_bias), network.neurons(),
      list_of(Eigen::Map<const Eigen::Matrix<Index, Eigen::Dynamic, 1>>(network.owner.data(), network.neurons())
                  .cast<double>()),
      loop_of(network, "scores[score_of[j]]"));
}

}  // namespace

std::string c_header(const Model& model, const std::string& name) {
  check_name(name);
  const StackedNetwork network = stack(folded_model(model).networks);
  const bool several = network.outputs() > 1;
  const std::string function = name + (several ? "_scores" : "_score");
  return fmt::format(
      "/* A ReLU network with one hidden layer of {neurons} neurons, written by conelu {version}.\n"
      "{description}"
      "   Weights and arithmetic are double, or float if CONELU_REAL is defined as float. */\n"
      "#ifndef {guard}\n"
      "#define {guard}\n\n"
      "#ifndef CONELU_REAL\n"
      "#define CONELU_REAL double\n"
      "#endif\n\n"
      "{function}\n"
      "#endif /* {guard} */\n",
      fmt::arg("neurons", network.neurons()), fmt::arg("version", version()),
      fmt::arg("description", describe(model, function)), fmt::arg("guard", upper_case(name) + "_H"),
      fmt::arg("function", several ? several_outputs(network, function) : single_output(network, function)));
}

void save_c_header(const Model& model, const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name) c = is_word_character(c) ? c : '_';
  if (name.empty() || begins_with_digit(name)) name = "model_" + name;
  write_file_atomically(path, c_header(model, name));
}

}  // namespace conelu
