#include <cmath>

#include "command.hpp"
#include "conelu/model.hpp"
#include "conelu/read_data.hpp"
#include "data_options.hpp"
#include "output.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

struct PredictOptions {
  std::string model;
  std::string data;
  ReadSettings read;
  std::string output;
};

int run(const PredictOptions& options) {
  check_outputs({{"--output", options.output}}, {options.model, options.data});
  const Model model = load_model(options.model);
  if (options.read.missing_policy == MissingPolicy::drop) {
    throw UsageError("--na-policy drop: predictions are for every row, in their order; error or mean can be used");
  }
  ReadSettings read = for_model(options.read, model);
  read.target_required = false;
  const Dataset data = read_dataset(options.data, read);
  const Matrix scores = model.scores(data.X);
  if (options.output.empty()) {
    print_result(predictions_csv(model, scores));
  } else {
    save_predictions(model, scores, options.output);
  }
  return done;
}

}  // namespace

Command add_predict(CLI::App& tool) {
  const auto options = std::make_shared<PredictOptions>();
  CLI::App& command = *tool.add_subcommand("predict", "Predict with a trained network; CSV with prediction and score");
  command.allow_extras();
  command.add_option("MODEL", options->model, "a file written by conelu train --model");
  command.add_option("DATA", options->data, "a file with the model's features, of any kind; a target is not needed");
  command
      .add_option("--target", options->read.target,
                  "column that is not a feature, by name or by number from 0, if a file without names has one")
      ->option_text("COLUMN")
      ->default_str("the last, if it is left over")
      ->group("Data");
  add_reading_options(command, options->read);
  command.add_option("--output", options->output, "write the CSV to this file")
      ->option_text("FILE")
      ->default_str("stdout");
  command.footer(
      "Columns: prediction, score (of more than two classes, the winner's) and, for\n"
      "models of the logistic loss, probability_CLASS for each class.\n\n"
      "Example:\n"
      "  conelu predict houses.json new_houses.csv --output prices.csv");
  return {&command, [options] { return run(*options); }};
}

}  // namespace conelu::tool
