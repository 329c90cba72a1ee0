#include <cmath>

#include "command.hpp"
#include "conelu/model.hpp"
#include "conelu/read_data.hpp"
#include "output.hpp"

namespace conelu::tool {
namespace {

struct PredictOptions {
  std::string model;
  std::string data;
  std::string output;
};

int run(const PredictOptions& options) {
  check_outputs({{"--output", options.output}}, {options.model, options.data});
  const Model model = load_model(options.model);
  ReadSettings read;
  read.target_required = false;
  read.task = model.task;
  read.expected_features = model.features;
  read.expected_classes = model.classes;
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
  command.add_option("DATA", options->data, "a .csv or .npz file with the model's features; a target is not needed");
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
