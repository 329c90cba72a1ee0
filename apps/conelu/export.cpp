#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "clip_option.hpp"
#include "command.hpp"
#include "conelu/export_model.hpp"
#include "conelu/read_data.hpp"
#include "data_options.hpp"
#include "facts.hpp"
#include "output.hpp"
#include "raw_threat.hpp"
#include "terminal.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

struct ExportOptions {
  std::string model;
  std::string output;
  bool vnnlib = false;
  std::string vnnlib_version = "1.0";
  std::string precision = "auto";
  std::string data;
  ReadSettings read;
  ThreatOptions threat;
  ClipOption clip;
  std::optional<double> max_error;
  bool json = false;
};

enum class ExportFormat { onnx, c_header, vnnlib };

constexpr double kReach = 3;  ///< of standardised features few are further out
constexpr Index kMadeUpRows = 500;
constexpr double kUsual = 1e-5;        ///< share of the largest score that outputs may be off by
constexpr double kUsualMadeUp = 7e-6;  ///< what random rows say is less than certain

ExportFormat export_format(const ExportOptions& options) {
  const bool onnx = options.output.ends_with(".onnx");
  const bool header = options.output.ends_with(".h");
  if (options.vnnlib && (onnx || header)) {
    throw UsageError(fmt::format("OUT: --vnnlib writes a folder, with an ONNX file in it; {} is the name of a file",
                                 options.output));
  }
  if (!options.vnnlib && !onnx && !header) {
    throw UsageError(
        fmt::format("OUT: the name must end in .onnx or .h, not {}; a folder needs --vnnlib", options.output));
  }
  return options.vnnlib ? ExportFormat::vnnlib : onnx ? ExportFormat::onnx : ExportFormat::c_header;
}

/// What was asked for; nothing if the network decides.
std::optional<Precision> asked_precision(const ExportOptions& options, ExportFormat format) {
  const bool is_auto = options.precision == "auto";
  if (format == ExportFormat::vnnlib) {
    if (is_auto || options.precision == "float32") return Precision::float32;
    throw UsageError("--precision: verifiers expect float32, so --vnnlib has nothing else");
  }
  if (format == ExportFormat::c_header) {
    if (is_auto || options.precision == "double") return Precision::float64;
    throw UsageError("--precision: the C header computes in double");
  }
  if (is_auto) return std::nullopt;
  return options.precision == "float32" ? Precision::float32
         : options.precision == "mixed" ? Precision::mixed
                                        : Precision::float64;
}

void check_export_options(const ExportOptions& options) {
  if (!options.vnnlib) {
    if (!options.threat.eps.empty() || options.threat.units != ThreatOptions().units || !options.clip.text.empty() ||
        options.max_error || options.vnnlib_version != ExportOptions().vnnlib_version) {
      throw UsageError("--eps, --eps-units, --clip, --max-error and --vnnlib-version are for --vnnlib");
    }
    return;
  }
  if (options.data.empty()) throw UsageError("--data is missing: the rows to write a property of each");
  if (options.threat.eps.empty()) throw UsageError("--eps is missing: how far an attacker may move a sample");
  if (make_norm(options.threat.norm) != Norm::infinity) {
    throw UsageError(
        fmt::format("--norm: VNN-LIB has bounds for each input by itself, so for a ball of the inf norm only, not of "
                    "the norm {}; conelu certify takes all of them",
                    options.threat.norm));
  }
}

Dataset read_export_data(const ExportOptions& options, const Model& model) {
  ReadSettings read = for_model(options.read, model);
  read.target_required = options.vnnlib;
  return read_dataset(options.data, read);
}

VnnlibSettings vnnlib_settings(const ExportOptions& options, const Model& model) {
  if (model.task == Task::classification && options.max_error) {
    throw UsageError("--max-error is for regression, and MODEL classifies");
  }
  if (model.task == Task::regression && !options.max_error) {
    throw UsageError("--max-error is missing: the error from which on a prediction is wrong");
  }
  VnnlibSettings settings;
  settings.version = options.vnnlib_version == "2.0" ? VnnlibVersion::two : VnnlibVersion::one;
  settings.threat = raw_threat(options.threat, model);
  settings.max_error = options.max_error.value_or(0);
  if (!options.clip.text.empty()) {
    settings.lowest = options.clip.range().lowest;
    settings.highest = options.clip.range().highest;
  }
  return settings;
}

/// Rows that are counterexamples to their own property.
Index count_wrong(const Model& exported, const Dataset& data, double max_error) {
  const Matrix scores = exported.scores(data.X);
  if (exported.task == Task::regression) {
    return ((scores.col(0) - data.y).array().abs() >= max_error).count();
  }
  const std::vector<Index> predicted = exported.predicted_classes(scores);
  Index wrong = 0;
  for (Index k = 0; k < data.samples(); ++k) wrong += predicted[static_cast<std::size_t>(k)] != data.class_of(k);
  return wrong;
}

/// Raw features as they may come, if there are no rows to look at: within the range of the training data; of models
/// that do not know it, as far out as standardised features are.
Matrix made_up_rows(const Model& model) {
  std::mt19937_64 random(1);
  const auto features = static_cast<Index>(model.features.size());
  const Preprocessing& scaling = model.preprocessing;
  Matrix raw(kMadeUpRows, features);
  if (scaling.seen.mean.size() > 0) {
    std::uniform_real_distribution<double> share;
    for (Index a = 0; a < features; ++a) {
      for (Index k = 0; k < kMadeUpRows; ++k) {
        const double above = share(random);  // so that a range too large for a number is none for its parts
        raw(k, a) = (1 - above) * scaling.seen.lowest(a) + above * scaling.seen.highest(a);
      }
    }
    return raw;
  }
  std::normal_distribution<double> normal;
  for (Index a = 0; a < features; ++a) {
    for (Index k = 0; k < kMadeUpRows; ++k) raw(k, a) = std::clamp(normal(random), -kReach, kReach);
    if (scaling.scale.size() > 0) raw.col(a) *= scaling.scale(a);
    if (scaling.center.size() > 0) raw.col(a).array() += scaling.center(a);
  }
  return raw;
}

/// What float32 costs, on the rows of --data or on made-up ones.
class Rounding {
 public:
  Rounding(const Model& model, const std::optional<Dataset>& data)
      : model_(model),
        made_up_(!data),
        rows_(data ? data->X : made_up_rows(model)),
        scores_(model.scores(rows_)),
        largest_(scores_.cwiseAbs().maxCoeff()) {
    // Made-up rows are often further from the training data than real ones, and their scores then too large.
    const auto& target = model.preprocessing.target;
    if (made_up_ && target) largest_ = std::min(largest_, std::abs(target->center) + kReach * target->scale);
  }

  /// The largest difference to the outputs of the model.
  double difference(Precision precision) const {
    if (precision == Precision::float64) return 0;
    const Matrix outputs = precision == Precision::float32
                               ? float32_scores(float32_model(model_), rows_)
                               : Matrix(model_.scores(rows_.cast<float>().cast<double>()).cast<float>().cast<double>());
    return (outputs - scores_).cwiseAbs().maxCoeff();
  }
  double share(double difference) const { return difference / std::max(largest_, 1e-300); }
  bool is_usual(double difference) const { return share(difference) <= (made_up_ ? kUsualMadeUp : kUsual); }

  /// The form that every program loads, if it is precise enough.
  Precision choose() const { return is_usual(difference(Precision::float32)) ? Precision::float32 : Precision::mixed; }

  bool made_up() const { return made_up_; }

 private:
  const Model& model_;
  bool made_up_;
  Matrix rows_, scores_;
  double largest_;
};

nlohmann::ordered_json export_facts(const ExportOptions& options, ExportFormat format, const Model& model,
                                    Precision precision, const std::optional<Dataset>& data, const Rounding& rounding) {
  const bool header = format == ExportFormat::c_header;
  const Model exported = precision == Precision::float32 ? float32_model(model) : folded_model(model);
  Index neurons = 0;
  for (const Network& network : model.networks) neurons += network.neurons();
  nlohmann::ordered_json facts;
  facts["output"] = options.output;
  facts["format"] = header ? "C99 header" : format == ExportFormat::onnx ? "ONNX" : "VNN-LIB " + options.vnnlib_version;
  facts["inputs"] = precision == Precision::float64 ? "double" : "float32";
  facts["weights"] = precision == Precision::float32 ? "float32" : "double";
  facts["features"] = model.features.size();
  facts["neurons"] = neurons;
  facts["outputs"] = header ? model.networks.size() : std::max<std::size_t>(model.classes.size(), 1);
  if (options.vnnlib) {
    facts["properties"] = data->samples();
    facts["already_wrong"] = count_wrong(exported, *data, options.max_error.value_or(0));
  }
  facts["largest_difference"] =
      data ? largest_difference(model, exported, data->X) : difference_bound(model, exported, kReach);
  facts["difference_on"] = data ? fmt::format("{} rows of {}", data->samples(), options.data)
                                : fmt::format("features from -{0} to {0} as the network sees them, a bound", kReach);
  if (precision != Precision::float64) {
    const double difference = rounding.difference(precision);
    facts["difference_in_float32"] = difference;
    facts["share_of_largest_score"] = rounding.share(difference);
    if (rounding.made_up()) facts["in_float32_on"] = fmt::format("{} random rows; --data for real ones", kMadeUpRows);
  }
  return facts;
}

/// float32 has seven digits, and some networks need more of them.
void note_imprecision(const ExportOptions& options, ExportFormat format, Precision precision,
                      const Rounding& rounding) {
  if (format == ExportFormat::c_header || precision == Precision::float64) return;
  const double narrow = rounding.difference(Precision::float32);
  if (rounding.is_usual(narrow)) return;
  const auto note = [](const std::string& text) {
    fmt::print(stderr, "{} {}\n", paint(Colour::grey, "note:", stderr), text);
  };
  const std::string share =
      fmt::format("{}{:.2g} of the largest score", rounding.made_up() ? "about " : "", rounding.share(narrow));
  const std::string reason = "the network, or its scaling, is a difference of large numbers";
  if (precision == Precision::float32) {
    note(fmt::format(
        "in float32 the outputs are off by {}: {}. ONNX with --precision mixed or double and the C header have more "
        "digits; a larger --beta needs fewer",
        share, reason));
  } else if (options.precision == "auto") {
    note(fmt::format(
        "in float32 the outputs would be off by {}: {}. So it is computed in double, between two Cast nodes; verifiers "
        "and accelerators want --precision float32, and a larger --beta needs fewer digits",
        share, reason));
  }
  const double input = rounding.difference(Precision::mixed);
  if (precision == Precision::mixed && !rounding.is_usual(input)) {
    note(fmt::format("float32 inputs alone cost {:.2g} of the largest score; --precision double takes them as double",
                     rounding.share(input)));
  }
}

int run(const ExportOptions& options) {
  const ExportFormat format = export_format(options);
  check_export_options(options);
  const std::optional<Precision> asked = asked_precision(options, format);
  if (!options.vnnlib) check_outputs({{"OUT", options.output}}, {options.model, options.data});
  const Model model = load_model(options.model);
  if (asked != Precision::float64) float32_model(model);  // says which weight float32 cannot hold
  std::optional<VnnlibSettings> settings;
  if (options.vnnlib) settings = vnnlib_settings(options, model);
  std::optional<Dataset> data;
  if (!options.data.empty()) data = read_export_data(options, model);
  const Rounding rounding(model, data);
  const Precision precision = asked ? *asked : rounding.choose();
  const nlohmann::ordered_json facts = export_facts(options, format, model, precision, data, rounding);

  if (format == ExportFormat::onnx) save_onnx(model, options.output, precision);
  if (format == ExportFormat::c_header) save_c_header(model, options.output);
  if (format == ExportFormat::vnnlib) save_vnnlib(model, *data, *settings, options.output);
  print_result(options.json ? facts.dump(2) + "\n" : facts_table(facts));
  note_imprecision(options, format, precision, rounding);
  return done;
}

void add_vnnlib_options(CLI::App& command, ExportOptions& options) {
  const std::string group = "Properties";
  command
      .add_flag("--vnnlib", options.vnnlib,
                "write the folder OUT: model.onnx, a VNN-LIB property for each row of --data, and their index "
                "instances.csv")
      ->group(group);
  add_choice(command, "--vnnlib-version", options.vnnlib_version, {"1.0", "2.0"},
             "of the language; most verifiers read 1.0")
      ->option_text("VERSION")
      ->capture_default_str()
      ->group(group);
  add_threat_options(command, options.threat);
  for (const char* name : {"--eps", "--eps-units", "--norm"}) command.get_option(name)->group(group);
  command.get_option("--eps")->default_str("none; has to be given");
  command.get_option("--norm")->description("norm that measures a perturbation; VNN-LIB has words for inf only");
  command.add_option("--max-error", options.max_error, "regression: the error from which on a prediction is wrong")
      ->option_text("NUMBER")
      ->check([](const std::string& text) { return range_problem(text, 0.0, std::numeric_limits<double>::max()); })
      ->group(group);
  add_clip_option(command, options.clip)->group(group);
}

}  // namespace

Command add_export(CLI::App& tool) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App& command =
      *tool.add_subcommand("export", "Write a network as ONNX, as a C header or with VNN-LIB properties");
  command.allow_extras();
  command.add_option("MODEL", options->model, "a file written by conelu train --model");
  command.add_option("OUT", options->output, "NAME.onnx, NAME.h, or the folder of --vnnlib");
  command
      .add_option("--data", options->data,
                  "rows to compare the exported network with MODEL on, and for --vnnlib to write properties of")
      ->option_text("DATA")
      ->group("Data");
  command
      .add_option("--target", options->read.target, "column that holds the right answer, by name or by number from 0")
      ->option_text("COLUMN")
      ->default_str("the last; in .npz the array y")
      ->group("Data");
  add_reading_options(command, options->read);
  add_choice(command, "--precision", options->precision, {"auto", "float32", "mixed", "double"},
             "of ONNX: float32, the form that verifiers read; mixed, the same inputs and outputs with double between "
             "them; double, all digits of MODEL; auto: float32 if that gives MODEL's outputs to 1e-5, else mixed")
      ->option_text("TYPE")
      ->capture_default_str()
      ->group("Output");
  add_vnnlib_options(command, *options);
  command.add_flag("--json", options->json, "print one JSON object instead of a table")->group("Output");
  command.footer(
      "All of them take raw features: scaling is folded into the hidden layer. ONNX\n"
      "is float32 where that is precise enough (--precision), and two classes have two\n"
      "outputs, -f and f. The header has one C99 function, in double, and no\n"
      "dependencies. A property asks for a counterexample: unsat means that the row is\n"
      "robust; its network is float32.\n\n"
      "largest_difference is between the outputs of the exported weights and those of\n"
      "MODEL, both in double. A runtime that computes in float32 adds rounding of its\n"
      "own; difference_in_float32 gives an idea of it, on the rows of --data or on\n"
      "random ones, and share_of_largest_score relates it to the outputs. conelu\n"
      "certify --float32 certifies the weights of --precision float32.\n\n"
      "Examples:\n"
      "  conelu export tumours.json tumours.onnx --data tumours.csv\n"
      "  conelu export tumours.json tumours.h\n"
      "  conelu export tumours.json --vnnlib folder --data tumours.csv --eps 0.12");
  return {&command, [options] { return run(*options); }};
}

}  // namespace conelu::tool
