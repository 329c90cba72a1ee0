#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "conelu/export_model.hpp"
#include "data/file.hpp"
#include "require.hpp"

namespace conelu {
namespace {

namespace fs = std::filesystem;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kSeconds = 60;

void check(const Model& model, const Dataset& data, const VnnlibSettings& settings) {
  const auto inputs = static_cast<Index>(model.features.size());
  const Threat& threat = settings.threat;
  require(
      !threat.active() || threat.norm == Norm::infinity,
      fmt::format("norm: VNN-LIB bounds every input by itself, which describes a ball of the inf norm only; found {}",
                  to_string(threat.norm)));
  require(threat.radii.size() == 0 || threat.radii.size() == inputs,
          fmt::format("eps: has {} radii, expected {}, one per feature", threat.radii.size(), inputs));
  require(data.X.cols() == inputs, fmt::format("data: has {} columns, expected {}", data.X.cols(), inputs));
  require(data.y.size() == data.samples(), "data: has no target, which the property is about");
  const bool unnamed = data.classes.empty() && model.classes.size() == 2;
  require(unnamed || data.classes == model.classes, "data: the classes are not those of the model");
  const double last = static_cast<double>(model.classes.size()) - 1;
  require(model.classes.size() <= 2 || ((data.y.array() >= 0).all() && (data.y.array() <= last).all()),
          fmt::format("data: classes must be numbers from 0 to {}", last));
  require(settings.max_error >= 0, fmt::format("max_error: is {}, expected at least 0", settings.max_error));
}

/// x + r rounded up: the sum, or its neighbour if the sum lost something (Knuth's exact error of an addition).
double sum_above(double x, double r) {
  const double sum = x + r;
  const double part = sum - x;
  const double lost = (x - (sum - part)) + (r - part);
  return lost > 0 ? std::nextafter(sum, kInfinity) : sum;
}

double sum_below(double x, double r) { return -sum_above(-x, -r); }

/// The shortest decimal that reads back as this double, without an exponent and with a point.
std::string decimal(double value) {
  std::string text(400, '\0');
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value + 0.0, std::chars_format::fixed);
  if (error != std::errc()) throw std::logic_error("a number has more than 400 digits");
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

/// Comments end with the line.
std::string one_line(std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return text;
}

/// The variables' names, which the versions do not agree on.
class Variables {
 public:
  explicit Variables(VnnlibVersion version) : version_(version) {}

  std::string input(Index a) const { return name('X', a); }
  std::string output(Index k) const { return name('Y', k); }

  std::string declarations(Index inputs, Index outputs) const {
    if (version_ == VnnlibVersion::two) {
      return fmt::format(
          "(vnnlib-version <2.0>)\n"
          "(declare-network f\n"
          "  (declare-input X real [1, {}])\n"
          "  (declare-output Y real [1, {}])\n"
          ")\n",
          inputs, outputs);
    }
    std::string text;
    for (Index a = 0; a < inputs; ++a) text += fmt::format("(declare-const {} Real)\n", input(a));
    for (Index k = 0; k < outputs; ++k) text += fmt::format("(declare-const {} Real)\n", output(k));
    return text;
  }

 private:
  std::string name(char kind, Index i) const {
    return version_ == VnnlibVersion::two ? fmt::format("{}[0,{}]", kind, i) : fmt::format("{}_{}", kind, i);
  }

  VnnlibVersion version_;
};

std::string bounds_of(double x, double radius, const std::string& variable, const VnnlibSettings& settings) {
  double lower = sum_below(x, -radius);
  double upper = sum_above(x, radius);
  if (settings.lowest <= x && x <= settings.highest) {
    lower = std::max(lower, settings.lowest);
    upper = std::min(upper, settings.highest);
  } else {
    lower = upper = x;
  }
  require(std::isfinite(lower) && std::isfinite(upper),
          fmt::format("eps: the bounds of {} are not finite: {} and {}", variable, lower, upper));
  return fmt::format("(assert (>= {0} {1}))\n(assert (<= {0} {2}))\n", variable, decimal(lower), decimal(upper));
}

std::string any_of(const std::vector<std::string>& conditions) {
  if (conditions.size() == 1) return fmt::format("(assert {})\n", conditions.front());
  std::string text = "(assert (or\n";
  for (const std::string& condition : conditions) text += fmt::format("  (and {})\n", condition);
  return text + "))\n";
}

/// What the outputs of a counterexample satisfy.
std::string wrong_outputs(const Model& model, const Dataset& data, Index row, const VnnlibSettings& settings,
                          const Variables& variables) {
  if (model.task == Task::regression) {
    // Rounded towards the target: no counterexample may be missing.
    const double above = sum_below(data.y(row), settings.max_error);
    const double below = sum_above(data.y(row), -settings.max_error);
    return any_of({fmt::format("(>= {} {})", variables.output(0), decimal(above)),
                   fmt::format("(<= {} {})", variables.output(0), decimal(below))});
  }
  const Index label = data.class_of(row);
  std::vector<std::string> conditions;
  for (Index k = 0; k < static_cast<Index>(model.classes.size()); ++k) {
    if (k != label) conditions.push_back(fmt::format("(>= {} {})", variables.output(k), variables.output(label)));
  }
  return any_of(conditions);
}

std::string question(const Model& model, const Dataset& data, Index row, const VnnlibSettings& settings) {
  if (model.task == Task::regression) {
    return fmt::format("where the network has an error of {} or more? The target is {}.", settings.max_error,
                       data.y(row));
  }
  const auto label = static_cast<std::size_t>(data.class_of(row));
  return fmt::format("that the network puts into another class than {} (output {})?", one_line(model.classes[label]),
                     label);
}

std::string property_of(const Model& model, const Dataset& data, Index row, const VnnlibSettings& settings) {
  const Variables variables(settings.version);
  const Index inputs = data.X.cols();
  const Index outputs = model.classes.empty() ? 1 : static_cast<Index>(model.classes.size());
  std::string text = fmt::format(
      "; Row {}: is there an input within these bounds\n; {}\n"
      "; sat: yes, a counterexample. unsat: no, the row is robust.\n",
      row, question(model, data, row, settings));
  text += variables.declarations(inputs, outputs);
  for (Index a = 0; a < inputs; ++a) {
    const double radius = settings.threat.radii.size() > 0 ? settings.threat.radii(a) : 0.0;
    text += fmt::format("; {}: {}\n", variables.input(a), one_line(model.features[static_cast<std::size_t>(a)]));
    text += bounds_of(data.X(row, a), radius, variables.input(a), settings);
  }
  return text + wrong_outputs(model, data, row, settings, variables);
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) {
    throw std::invalid_argument(fmt::format("cannot make the folder '{}': {}", folder,
                                            error ? error.message() : "there is a file of that name"));
  }
}

/// Of an earlier export with more rows: whoever takes all files of the folder would take them for rows of this one.
void remove_properties(const fs::path& place) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(place, ignored)) {
    const std::string stem = entry.path().stem().string();
    const bool ours = entry.is_regular_file(ignored) && entry.path().extension() == ".vnnlib" &&
                      stem.starts_with("row_") && stem.size() > 4 &&
                      std::all_of(stem.begin() + 4, stem.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (ours) fs::remove(entry.path(), ignored);
  }
}

}  // namespace

std::string vnnlib_property(const Model& model, const Dataset& data, Index row, const VnnlibSettings& settings) {
  check(model, data, settings);
  require(row >= 0 && row < data.samples(), fmt::format("row: is {}, the data has {} rows", row, data.samples()));
  return property_of(model, data, row, settings);
}

void save_vnnlib(const Model& model, const Dataset& data, const VnnlibSettings& settings, const std::string& folder) {
  check(model, data, settings);
  const std::string network = onnx_bytes(model);
  make_folder(folder);
  const fs::path place(folder);
  const std::string index_path = (place / "instances.csv").string();
  std::error_code ignored;
  fs::remove(index_path, ignored);  // of files that are about to change
  remove_properties(place);
  write_file_atomically((place / "model.onnx").string(), network);
  std::string index;
  for (Index row = 0; row < data.samples(); ++row) {
    const std::string name = fmt::format("row_{}.vnnlib", row);
    write_file_atomically((place / name).string(), property_of(model, data, row, settings));
    fmt::format_to(std::back_inserter(index), "model.onnx,{},{}\n", name, kSeconds);
  }
  write_file_atomically(index_path, index);
}

}  // namespace conelu
