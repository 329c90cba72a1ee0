#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "branch_limit_option.hpp"
#include "clip_option.hpp"
#include "command.hpp"
#include "conelu/evaluation.hpp"
#include "conelu/export_model.hpp"
#include "conelu/model.hpp"
#include "conelu/read_data.hpp"
#include "conelu/train.hpp"
#include "conelu/verify.hpp"
#include "data_options.hpp"
#include "facts.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "raw_threat.hpp"
#include "terminal.hpp"
#include "threat_options.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

struct CertifyOptions {
  std::string model;
  std::string data;
  std::string target;
  ReadSettings read;
  ThreatOptions threat;
  ClipOption clip;
  bool float32 = false;
  std::optional<double> max_error;
  VerifySettings settings;
  std::optional<bool> radius;  ///< empty: where there is one to be found
  long radius_branches = EvaluationSettings().radius_branches;
  std::string output;
  bool json = false;
  bool quiet = false;
};

/// Rows in the network's units, and what they are certified against. Exported networks take raw units.
struct CertifyProblem {
  Model model;
  Matrix X;
  Vector y;
  std::vector<Index> labels;  ///< of more than two classes
  VerifySettings settings;
  bool radius;
  Threat asked;                              ///< in the units of the model as it was trained
  std::optional<double> largest_difference;  ///< of the exported network to it, on these rows
};

struct CertifyResult {
  std::vector<Verification> rows;
  std::vector<double> radii;  ///< proven; empty: not asked for
  int open_radii = 0;         ///< of these, not known to a thousandth
  double seconds = 0;
};

void check_certify_options(const CertifyOptions& options, Task task) {
  if (task == Task::classification) {
    if (options.max_error) throw UsageError("--max-error is for regression, and MODEL classifies");
  } else if (!options.max_error && (options.radius.value_or(false) || !options.settings.exact)) {
    throw UsageError("--max-error is missing: up to which error a row is robust (or --exact, for the largest error)");
  }
}

CertifyProblem read_certify_problem(const CertifyOptions& options) {
  CertifyProblem problem;
  const Model trained = load_model(options.model);
  check_certify_options(options, trained.task);
  problem.model = options.float32 ? float32_model(trained) : trained;
  const Model& model = problem.model;
  const auto features = static_cast<Index>(model.features.size());
  TrainSettings train;
  train.bias = false;  // nobody reaches it
  options.threat.apply_to(train, model.features);
  problem.settings = options.settings;
  problem.settings.task = model.task;
  problem.asked = make_threat(train, features, trained.preprocessing);
  problem.settings.threat = options.float32 ? raw_threat(options.threat, trained) : problem.asked;
  problem.settings.max_error = options.max_error.value_or(0);
  const bool threatened = problem.settings.threat.active();
  if (options.radius.value_or(false) && !threatened) {
    throw UsageError("--radius needs an --eps above 0, of which it is a multiple");
  }
  problem.radius = options.radius.value_or(threatened && (model.task == Task::classification || options.max_error));
  options.clip.apply_to(problem.settings.lower, problem.settings.upper, features, model.preprocessing);

  ReadSettings read = for_model(options.read, trained);
  read.target = options.target;
  const Dataset data = read_dataset(options.data, read);
  problem.X = model.preprocessing.apply(data.X);
  if (options.float32) problem.largest_difference = largest_difference(trained, model, data.X);
  problem.y = data.y;
  for (Index k = 0; model.networks.size() > 1 && k < data.samples(); ++k) problem.labels.push_back(data.class_of(k));
  return problem;
}

/// Rows done, and the time that the others will take at this pace.
VerifyProgress report_pace(LiveLine& line, const std::string& what) {
  using Clock = std::chrono::steady_clock;
  return [&line, what, start = Clock::now()](Index finished, Index all) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::string text = fmt::format("{} {} of {} rows  {:.1f} s", what, finished, all, seconds);
    if (finished > 0 && finished < all) {
      text += fmt::format(", about {:.0f} s left",
                          seconds * static_cast<double>(all - finished) / static_cast<double>(finished));
    }
    line.show(text);
    return !interrupt_requested();
  };
}

/// With --eps R a radius is a multiple of R and given as such; with a list, as the factor on it.
double radius_unit(const ThreatOptions& threat) {
  const std::vector<NamedRadius> given = parse_radii(threat.eps);
  return given.size() == 1 && given.front().name.empty() ? given.front().radius : 1.0;
}

CertifyResult certify(const CertifyOptions& options, const CertifyProblem& problem, LiveLine& line) {
  const auto& [model, X, y, labels, settings, radius, asked, difference] = problem;
  const auto start = std::chrono::steady_clock::now();
  const bool several = model.networks.size() > 1;
  CertifyResult result;
  VerifyProgress progress = report_pace(line, "certified");
  result.rows = several ? verify(model.networks, X, labels, settings, progress)
                        : verify(model.network(), X, y, settings, progress);
  if (radius && !interrupt_requested()) {
    constexpr double kTolerance = 1e-3;
    constexpr double kLargest = 1e3;
    VerifySettings limited = settings;
    limited.branch_limit = std::min(settings.branch_limit, options.radius_branches);
    progress = report_pace(line, "radius found of");
    const std::vector<RadiusBounds> radii =
        several ? robust_radius(model.networks, X, labels, limited, kTolerance, kLargest, progress, result.rows)
                : robust_radius(model.network(), X, y, limited, kTolerance, kLargest, progress, result.rows);
    for (const RadiusBounds& bounds : radii) {
      result.open_radii += !bounds.is_closed(kTolerance) && bounds.lower < kLargest ? 1 : 0;
    }
    // After a stop nobody knows which of them were found.
    for (Index k = 0; !interrupt_requested() && k < X.rows(); ++k) {
      result.radii.push_back(radius_unit(options.threat) * radii[static_cast<std::size_t>(k)].lower);
    }
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

nlohmann::ordered_json summarize(const CertifyProblem& problem, const CertifyResult& result) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(result.rows.begin(), result.rows.end(),
                         [&](const Verification& row) { return row.worst.size() > 0 && row.verdict == verdict; });
  };
  const auto robust = count(Verdict::robust);
  const auto broken = count(Verdict::broken);
  const auto unknown = count(Verdict::unknown);
  const auto rows = static_cast<double>(robust + broken + unknown);
  nlohmann::ordered_json facts;
  facts["n"] = result.rows.size();
  facts["robust"] = robust;
  facts["broken"] = broken;
  facts["unknown"] = unknown;
  if (rows > 0) {
    facts["share_robust"] = static_cast<double>(robust) / rows;
    facts["share_broken"] = static_cast<double>(broken) / rows;
  }
  if (!result.radii.empty()) {
    facts["mean_radius"] =
        Eigen::Map<const Vector>(result.radii.data(), static_cast<Index>(result.radii.size())).mean();
    facts["radius_open"] = result.open_radii;
  }
  facts["eps"] = problem.asked.active() ? problem.asked.radii.maxCoeff() : 0.0;
  facts["norm"] = to_string(problem.asked.norm);
  if (problem.largest_difference) {
    facts["weights"] = "float32";
    facts["largest_difference"] = *problem.largest_difference;
  }
  facts["seconds"] = result.seconds;
  return facts;
}

/// The rows go to stdout or into a file, the summary to stdout if that is free.
void write_certified(const CertifyOptions& options, const CertifyProblem& problem, const CertifyResult& result) {
  const bool rows_to_stdout = options.output.empty() && !options.json;
  if (!options.output.empty()) save_verification(result.rows, result.radii, options.output);
  if (rows_to_stdout) print_result(verification_csv(result.rows, result.radii));
  const nlohmann::ordered_json facts = summarize(problem, result);
  if (options.json) {
    print_result(facts.dump(2) + "\n");
  } else if (!options.quiet && rows_to_stdout) {
    fmt::print(stderr, "{}", facts_table(facts));
  } else if (!options.quiet) {
    print_result(facts_table(facts));
  }
}

int run(const CertifyOptions& options) {
  if (options.threat.eps.empty()) throw UsageError("--eps is missing: how far the attacker may move a sample");
  check_outputs({{"--output", options.output}}, {options.model, options.data});
  catch_interrupts();
  LiveLine line(!options.quiet);
  line.show("reading " + options.data);
  const CertifyProblem problem = read_certify_problem(options);
  const CertifyResult result = certify(options, problem, line);
  line.erase();
  if (interrupt_requested()) {
    fmt::print(stderr, "{} interrupted: rows that were not reached{} are left out\n",
               paint(Colour::yellow, "warning:", stderr), problem.radius ? " and all radii" : "");
  }
  write_certified(options, problem, result);
  return interrupt_requested() ? interrupted : done;
}

}  // namespace

Command add_certify(CLI::App& tool) {
  const auto options = std::make_shared<CertifyOptions>();
  CLI::App& command =
      *tool.add_subcommand("certify", "Prove, row by row, what an attacker can do to a network's prediction");
  command.allow_extras();
  command.add_option("MODEL", options->model, "a file written by conelu train --model");
  command.add_option("DATA", options->data,
                     "a table (.csv), .npz, .npy, svmlight, IDX or CIFAR-10 file, gzipped or not");
  command.add_option("--target", options->target, "column to compare with, by name or by number from 0")
      ->option_text("COLUMN")
      ->default_str("the last; in .npz the array y")
      ->group("Data");
  add_reading_options(command, options->read);
  add_threat_options(command, options->threat);
  command.get_option("--eps")->default_str("none; has to be given");

  const std::string group = "Certificate";
  VerifySettings& settings = options->settings;
  constexpr double kLargest = std::numeric_limits<double>::max();
  command
      .add_flag("--exact", settings.exact,
                "find the smallest margin (the largest error), not only on which side of the threshold it is")
      ->group(group);
  command
      .add_flag_function(
          "--radius,!--no-radius", [options](std::int64_t count) { options->radius = count > 0; },
          "find the largest radius at which a row is robust, too, to one part in 1000: a radius if --eps is one "
          "number, else a factor on all of them; at most 1000 times --eps.")
      ->default_str("--radius, where there is one to be found")
      ->group(group);
  add_number(command, "--radius-branches", options->radius_branches, 0L, std::numeric_limits<long>::max(),
             "parts of the ball to look at for the radius of a row; more makes more radii sharp")
      ->group(group);
  command
      .add_option("--max-error", options->max_error, "regression: a row is robust if its error stays at or below this")
      ->option_text("NUMBER")
      ->check([](const std::string& text) { return range_problem(text, 0.0, kLargest); })
      ->group(group);
  add_clip_option(command, options->clip)->group(group);
  command
      .add_flag("--float32", options->float32,
                "certify MODEL with its weights rounded to float32, as conelu export --precision float32 and --vnnlib "
                "write them, instead of its own. The bounds are for these weights in exact arithmetic; the rounding of a runtime that "
                "computes in float32 is not covered")
      ->group(group);
  add_number(command, "--time-limit", settings.time_limit, 0.0, kLargest,
             "seconds for the verdict on a row, and again for its radius; after that it is unknown, with the bounds "
             "reached")
      ->group(group);
  add_branch_limit(command, settings.branch_limit, "the verdict on a row, and again for its radius")->group(group);
  add_number(command, "--threads", settings.threads, 0, std::numeric_limits<int>::max(),
             "threads to share the rows out to; 0: as many as there are cores")
      ->group(group);

  const std::string output = "Output";
  command.add_option("--output", options->output, "write the CSV to this file")
      ->option_text("FILE")
      ->default_str("stdout")
      ->group(output);
  command.add_flag("--json", options->json, "print a summary as one JSON object, and no CSV unless --output is given")
      ->group(output);
  command.add_flag("--quiet", options->quiet, "no summary, no progress; the CSV, warnings and errors only")
      ->group(output);
  command.footer(
      "Columns: row, from 0; verdict: robust (proven), broken (a perturbation is known\n"
      "that does it) or unknown; lower, upper: between them lies the smallest margin\n"
      "within reach, in regression the largest error; radius; seconds.\n\n"
      "Examples:\n"
      "  conelu certify tumours.json tumours.csv --eps 0.12\n"
      "  conelu certify digits.json digits.npz --eps 0.1 --clip 0,1 --no-radius \\\n"
      "      --output rows.csv\n\n"
      "Ctrl-C stops with the rows that are done. Exit codes: 0 done, 1 internal error,\n"
      "2 bad input, 130 interrupted.");
  return {&command, [options] { return run(*options); }};
}

}  // namespace conelu::tool
