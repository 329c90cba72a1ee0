#include "conelu/patterns.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "conelu/program.hpp"
#include "data_options.hpp"
#include "options.hpp"
#include "output.hpp"
#include "threat_options.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

struct PatternsOptions {
  DataOptions data;
  ThreatOptions threat;
  TrainSettings settings;
  double psi = 0.1;
  double xi = 0.1;
  bool json = false;
  std::string output;
};

/// The data as the convex program sees them. Targets are for sources that can use them and may be of any kind.
struct Inputs {
  Matrix X;
  Vector labels;
  Threat threat;
};

Inputs read_inputs(const PatternsOptions& options, TrainSettings& settings) {
  ReadSettings read = options.data.read;
  read.target_required = false;
  const Dataset data = read_dataset(options.data.path, read);
  options.threat.apply_to(settings, data.features);
  const bool file = settings.patterns.ends_with(".npy");  // has a column for every row
  const Dataset used = file ? data : drop_zero_weights(data);
  const Preprocessing preprocessing = preprocessing_for(used, settings);
  const Matrix X = preprocessing.apply(used.X);
  // Of more than two classes every one is trained against the rest, with labels of its own.
  const Vector labels = used.classes.size() > 2 ? Vector() : used.y;
  return {settings.bias ? with_bias(X) : X, labels, make_threat(settings, X.cols(), preprocessing)};
}

nlohmann::ordered_json describe(const PatternsOptions& options, const Matrix& X, const Threat& threat,
                                const std::string& source, const SampledPatterns& sampled) {
  // The program decides which patterns get a block; labels and beta play no part in that.
  const Program program(X, Vector::Ones(X.rows()), Vector(), make_loss("hinge"), 1.0, sampled.patterns, threat);
  nlohmann::ordered_json facts;
  facts["n"] = X.rows();
  facts["d"] = X.cols() - (options.settings.bias ? 1 : 0);
  facts["rank"] = pattern_rank(X);
  if (threat.active()) {
    const Vector radii = threat.radii.head(facts["d"].get<Index>());
    facts["eps"] = radii.maxCoeff();
    if (radii.minCoeff() != radii.maxCoeff()) {
      facts["eps_per_feature"] = std::vector<double>(radii.begin(), radii.end());
    }
    facts["norm"] = to_string(threat.norm);
  }
  facts["source"] = source;
  facts["patterns"] = sampled.patterns.count();
  facts["live_patterns"] = program.blocks() / 2;
  facts["thin_patterns"] = program.thin_patterns();
  facts["narrow_patterns"] = program.narrow_patterns();
  const std::vector<PatternSet::Word> nowhere(PatternSet::words_for(X.rows()), 0);
  const Index inactive = sampled.patterns.contains(nowhere) ? 1 : 0;
  facts["inactive_patterns"] = inactive;
  facts["zero_patterns"] =
      program.given_patterns() - program.blocks() / 2 - program.thin_patterns() - program.narrow_patterns() - inactive;
  const PatternDifferences differences = pattern_differences(sampled.patterns);
  if (differences.compared > 1) {
    facts["compared_patterns"] = differences.compared;
    facts["least_difference"] = differences.least;
    facts["mean_difference"] = differences.mean;
    facts["most_difference"] = differences.most;
  }
  facts["complete"] = sampled.patterns.complete();
  facts["upper_bound"] = pattern_count_bound(X);
  if (sampled.draws > 0) {
    facts["draws"] = sampled.draws;
    facts["exhausted"] = sampled.exhausted;
  }
  // Theorem 2 counts independent draws: those made, or those that would be made.
  const Index theorem_draws = source == "gaussian" ? sampled.draws : options.settings.request.count;
  facts["theorem_draws"] = theorem_draws;
  facts["psi_xi"] = sampling_confidence(X.rows(), theorem_draws);
  facts["psi"] = options.psi;
  facts["xi"] = options.xi;
  facts["draws_needed"] = sampled_patterns_needed(X.rows(), options.psi, options.xi);
  return facts;
}

std::string attack_of(const nlohmann::ordered_json& facts) {
  if (!facts.contains("eps")) return "none";
  return fmt::format("radius {}{:g} in the {} norm", facts.contains("eps_per_feature") ? "up to " : "",
                     facts["eps"].get<double>(), facts["norm"].get<std::string>());
}

std::string difference_of(const nlohmann::ordered_json& facts) {
  const bool all = facts["compared_patterns"] == facts["patterns"];
  return fmt::format("on {} to {} samples, {:.4g} on average{}", facts["least_difference"].dump(),
                     facts["most_difference"].dump(), facts["mean_difference"].get<double>(),
                     all ? "" : fmt::format(" (of {} patterns)", facts["compared_patterns"].dump()));
}

std::string to_text(const nlohmann::ordered_json& facts) {
  TableRows rows = {
      {"samples", facts["n"].dump()},
      {"features", facts["d"].dump()},
      {"rank of X", facts["rank"].dump()},
      {"attack", attack_of(facts)},
      {"distinct patterns", fmt::format("{} from {}{}", facts["patterns"].dump(), facts["source"].get<std::string>(),
                                        facts["complete"].get<bool>() ? ", all there are" : "")},
      {"  live", facts["live_patterns"].dump()},
      {"  thin", facts["thin_patterns"].dump()},
      {"  narrow", facts["narrow_patterns"].dump()},
      {"  zero", facts["zero_patterns"].dump()},
      {"  active nowhere", facts["inactive_patterns"].dump()},
  };
  if (facts.contains("compared_patterns")) rows.emplace_back("two of them differ", difference_of(facts));
  rows.emplace_back("at most", fmt::format("{:.10g} = 2 sum C(n-1, k)", facts["upper_bound"].get<double>()));
  if (facts.contains("draws")) {
    rows.emplace_back("draws",
                      facts["draws"].dump() + (facts["exhausted"].get<bool>() ? ", no new pattern in sight" : ""));
  }
  const double psi_xi = facts["psi_xi"];
  rows.emplace_back("Theorem 2", fmt::format("{} draws give psi xi = {:.4g}{}", facts["theorem_draws"].dump(), psi_xi,
                                             psi_xi < 1 ? "" : ": nothing, with so many samples"));
  rows.emplace_back("", fmt::format("psi = {:g}, xi = {:g} need {} draws", facts["psi"].get<double>(),
                                    facts["xi"].get<double>(), facts["draws_needed"].dump()));
  return to_table(rows);
}

int run(const PatternsOptions& options) {
  check_outputs({{"--output", options.output}},
                {options.data.path, options.data.read.weights, options.settings.patterns});
  if (!options.output.empty() && !options.output.ends_with(".npy")) {
    throw UsageError(fmt::format("--output: the name must end in .npy, not {}", options.output));
  }
  check_pattern_options(options.settings);
  TrainSettings settings = options.settings;
  const auto [X, labels, threat] = read_inputs(options, settings);
  std::string source = settings.patterns.empty() ? choose_pattern_source(X, threat) : settings.patterns;
  if (source == "priced") {
    if (!settings.patterns.empty()) {
      throw UsageError("--patterns priced: prices come from a solution, so these patterns are found in training alone");
    }
    source = "gaussian";
  }
  const SampledPatterns sampled = make_patterns(source, X, pattern_request(settings, threat, labels));
  const nlohmann::ordered_json facts = describe(options, X, threat, source, sampled);
  if (!options.output.empty()) write_npy(options.output, sampled.patterns.to_matrix());
  print_result(options.json ? facts.dump(2) + "\n" : to_text(facts));
  return done;
}

}  // namespace

Command add_patterns(CLI::App& tool) {
  const auto options = std::make_shared<PatternsOptions>();
  CLI::App& command = *tool.add_subcommand("patterns", "Count activation patterns and say what sampling them buys");
  command.allow_extras();
  add_data_options(command, options->data);
  add_reading_options(command, options->data.read);
  add_input_options(command, options->settings);
  add_threat_options(command, options->threat);
  add_pattern_options(command, options->settings);
  const std::string theorem = "Theorem 2";
  add_number(command, "--psi", options->psi, 0.0, 1.0, "chance that one more draw would help", true)->group(theorem);
  add_number(command, "--xi", options->xi, 0.0, 1.0, "chance that the statement fails", true)->group(theorem);
  command.add_flag("--json", options->json, "print one JSON object instead of a table")->group("Output");
  command.add_option("--output", options->output, "write the patterns, for conelu train --patterns")
      ->option_text("FILE.npy")
      ->group("Output");
  command.footer(
      "Two patterns differ on the samples where one is active and the other is not; of\n"
      "more than 2000 patterns every second, third and so on is compared.\n"
      "Theorem 2 of the paper: after so many independent gaussian draws, with\n"
      "probability 1 - xi, one more lowers the optimum with probability at most psi.\n\n"
      "Example:\n"
      "  conelu patterns houses.csv --pattern-count 500 --output patterns.npy");
  return {&command, [options] { return run(*options); }};
}

}  // namespace conelu::tool
