#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "conelu/cross_validation.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "training_options.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

constexpr const char* kBetas = "0.1max,0.03max,0.01max,0.003max,0.001max";

struct CvOptions {
  TrainingOptions training;
  std::vector<std::string> betas;
  std::vector<std::string> eps;  ///< a radius, or radii by name, each
  CrossValidationSettings settings;
  std::vector<std::string> words;  ///< of `conelu train` for the same, beyond DATA, --beta and --eps
  bool json = false;
  bool quiet = false;
};

/// 1e-4,1e-3 are two points of the grid; a=1,b=2 is one, with a radius for each of two features. Empty parts stay, for
/// somebody to complain about.
std::vector<std::string> points_of(const std::vector<std::string>& given) {
  std::vector<std::string> points;
  for (const std::string& text : given) {
    const char separator = text.find('=') == std::string::npos ? ',' : '\0';
    for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
      end = std::min(text.find(separator, begin), text.size());
      points.push_back(text.substr(begin, end - begin));
    }
  }
  return points;
}

std::string problem_with_betas(const std::string& text) {
  for (const std::string& part : points_of({text})) {
    if (const std::string problem = beta_problem(part); !problem.empty()) return problem;
  }
  return {};
}

std::string problem_with_radii(const std::string& text) {
  try {
    for (const std::string& point : points_of({text})) parse_radii(point);
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

void refuse_repetitions(const std::string& option, std::vector<std::string> points) {
  std::sort(points.begin(), points.end());
  const auto twice = std::adjacent_find(points.begin(), points.end());
  if (twice != points.end()) throw UsageError(fmt::format("{}: {} is given twice", option, *twice));
}

void add_grid_options(CLI::App& command, CvOptions& options) {
  const std::string group = "Grid";
  command
      .add_option(
          "--beta", options.betas,
          "weights of the penalty on the network's size to compare, as in train: numbers or shares of beta_max, which "
          "is that of all rows")
      ->option_text("NUMBER|SHAREmax,...")
      ->default_str(kBetas)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->check(problem_with_betas)
      ->group(group);
  command
      .add_option("--eps", options.eps,
                  "radii to compare, each for all features; NAME=R,... is one point of the grid, with radii for some "
                  "features. More points by giving the option again")
      ->option_text("R,...|NAME=R,...")
      ->default_str("0, standard training")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->check(problem_with_radii)
      ->group(group);
  add_number<Index>(command, "--folds", options.settings.folds, 2, std::numeric_limits<Index>::max(),
                    "parts of the data, each of which is tested on once; classes keep their shares in all of them")
      ->group(group);
  add_number(command, "--row-limit", options.settings.row_limit, 0.0, std::numeric_limits<double>::max(),
             "seconds for the proof that a row is robust; without one it counts as not certified")
      ->group(group);
}

std::string quoted(const std::string& word) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// What was said, by hand or by --config, that `conelu train` is to be told as well.
std::vector<std::string> words_for_train(const CLI::App& command) {
  const std::vector<std::string> own = {"beta", "eps", "folds", "row-limit", "json", "quiet", "config"};
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = option->get_lnames().front();
    if (std::find(own.begin(), own.end(), name) != own.end()) continue;
    if (option->get_expected_min() > 0) {
      words.push_back(fmt::format("--{} {}", name, quoted(fmt::format("{}", fmt::join(option->results(), ",")))));
    } else if (option->results().back() == "true") {
      words.push_back("--" + name);
    } else if (option->get_lnames().size() > 1) {
      words.push_back("--" + option->get_lnames().back());
    }
  }
  return words;
}

std::string train_command(const CvOptions& options, std::size_t point) {
  const std::size_t betas = options.betas.size();
  std::string command =
      fmt::format("conelu train {} --beta {}", quoted(options.training.data.path), options.betas[point % betas]);
  if (!options.eps.empty() && options.eps[point / betas] != "0") {
    command += fmt::format(" --eps {}", quoted(options.eps[point / betas]));
  }
  for (const std::string& word : options.words) command += " " + word;
  return command;
}

/// The library's object, and for each point the command that trains it on all rows.
std::string json_with_commands(const CvOptions& options, const CrossValidation& result) {
  nlohmann::ordered_json object = nlohmann::ordered_json::parse(to_json(result));
  for (std::size_t i = 0; i < result.grid.size(); ++i) object["grid"][i]["command"] = train_command(options, i);
  return object.dump(2) + "\n";
}

void settle_grid(CvOptions& options, const Dataset& data) {
  std::optional<double> unit;
  for (const std::string& text : options.betas) {
    const BetaText beta = parse_beta(text);
    if (beta.of_max && !unit) unit = beta_max(data, options.settings.training);
    options.settings.betas.push_back(beta.of_max ? beta.value * *unit : beta.value);
  }
  for (const std::string& eps : options.eps) {
    options.settings.eps.push_back(radii_of(parse_radii(eps), data.features));
  }
}

CrossValidationCallback report_folds(LiveLine& line) {
  return [&line](const CrossValidationProgress& news) {
    line.show_at_times(fmt::format("fold {} of {}  {} of {} networks done  {}", news.fold, news.folds, news.finished,
                                   news.networks, news.step));
    return !interrupt_requested();
  };
}

void write_cv(const CvOptions& options, const CrossValidation& result) {
  print_result(options.json ? json_with_commands(options, result) : to_table(result));
  if (!result.finished) {
    fmt::print(stderr, "{} interrupted: the means are over the folds that are done, and none is marked as the best\n",
               paint(Colour::yellow, "warning:", stderr));
    return;
  }
  Index uncertain = 0, unsolved = 0;
  for (const GridPoint& point : result.grid) {
    for (const FoldScore& score : point.folds) {
      uncertain += score.uncertain;
      unsolved += score.relative_gap > options.settings.training.solver.tolerance ? 1 : 0;
    }
  }
  if (unsolved > 0) {
    fmt::print(stderr, "{} {} of {} trainings ended with a certified gap above the tolerance; see the column gap\n",
               paint(Colour::yellow, "warning:", stderr), unsolved,
               static_cast<Index>(result.grid.size()) * result.folds);
  }
  if (uncertain > 0) {
    fmt::print(stderr, "{} {} times a row was neither proven nor broken and counts as not certified; --row-limit\n",
               paint(Colour::yellow, "warning:", stderr), uncertain);
  }
  if (options.quiet) return;
  fmt::print(stderr, "{} train on all rows with the best beta{}:\n", paint(Colour::green, "next:", stderr),
             result.grid.size() > options.betas.size() ? " of each radius" : "");
  for (std::size_t i = 0; i < result.grid.size(); ++i) {
    if (result.grid[i].best) fmt::print(stderr, "  {} --model model.json\n", train_command(options, i));
  }
}

int run(CvOptions options) {
  TrainSettings& training = options.settings.training;
  settle_task_and_loss(options.training, training);
  check_pattern_options(training);
  if (options.betas.empty()) options.betas = {kBetas};
  options.betas = points_of(options.betas);
  options.eps = points_of(options.eps);
  refuse_repetitions("--beta", options.betas);
  refuse_repetitions("--eps", options.eps);
  catch_interrupts();

  LiveLine line(!options.quiet);
  line.show("reading " + options.training.data.path);
  const Dataset data = read_training_data(options.training, 0).train;
  options.training.threat.apply_to(training, data.features);
  options.settings.betas.clear();
  settle_grid(options, data);
  options.settings.seed = training.request.seed;
  const CrossValidation result = cross_validate(data, options.settings, report_folds(line));
  line.erase();
  write_cv(options, result);
  return result.finished ? done : interrupted;
}

}  // namespace

Command add_cv(CLI::App& tool) {
  const auto options = std::make_shared<CvOptions>();
  CLI::App& command = *tool.add_subcommand("cv", "Compare settings by cross-validation and name the best");
  command.allow_extras();
  TrainSettings& training = options->settings.training;
  add_training_data_options(command, options->training, training);
  add_loss_options(command, options->training, training);
  add_program_options(command, training);
  add_norm_options(command, options->training.threat);
  add_grid_options(command, *options);
  add_pattern_options(command, training);
  command.get_option("--seed")->description("of everything random, the folds among it");
  add_solver_options(command, training.solver);

  const std::string output = "Output";
  command.add_flag("--json", options->json, "print one JSON object instead of a table")->group(output);
  command.add_flag("--quiet", options->quiet, "no notes, no progress; the table, warnings and errors only")
      ->group(output);
  command.footer(
      "Every point of the grid is trained on all folds but one and scored on that one.\n"
      "Columns are means over the folds, +- their standard deviations: clean, the share\n"
      "of rows that are right; pgd, right in spite of this attack within eps;\n"
      "certified, proven right whatever an attacker does within eps; objective, gap and\n"
      "seconds of the training. Regressions have mean squared errors, mse, and the mean\n"
      "absolute error, mae. * marks the best beta of each radius: by certified, by\n"
      "clean where eps is 0; of equal ones the larger. Scores under different radii do\n"
      "not compare.\n\n"
      "Examples:\n"
      "  conelu cv tumours.csv --standardize --beta 1e-4,1e-3,1e-2 --eps 0,0.1\n"
      "  conelu cv houses.csv --target price --task regression --standardize --json\n\n"
      "Ctrl-C stops with the folds that are done. Exit codes: 0 done, 1 internal error,\n"
      "2 bad input, 130 interrupted.");
  return {&command, [options, &command] {
            options->words = words_for_train(command);
            return run(*options);
          }};
}

}  // namespace conelu::tool
