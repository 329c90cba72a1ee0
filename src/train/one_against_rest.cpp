#include "train/one_against_rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "train/notes.hpp"

namespace conelu {
namespace {

void check_class_numbers(const Dataset& data) {
  const auto count = static_cast<double>(data.classes.size());
  for (Index k = 0; k < data.y.size(); ++k) {
    const double y = data.y(k);
    if (y >= 0 && y < count && y == std::trunc(y)) continue;
    throw std::invalid_argument(fmt::format(
        "data: the class of sample {} is {}, expected a whole number from 0 to {}, one for each of the classes", k, y,
        data.classes.size() - 1));
  }
}

/// What all classes say is said once.
Notes merged(const std::vector<std::string>& classes, const std::vector<Notes>& each) {
  const auto shared = [&](const std::string& note) {
    const auto holds = [&](const Notes& notes) { return std::find(notes.begin(), notes.end(), note) != notes.end(); };
    return std::all_of(each.begin(), each.end(), holds);
  };
  Notes notes = {fmt::format("classes: {}, a network for each against the rest", classes.size())};
  std::copy_if(each.front().begin(), each.front().end(), std::back_inserter(notes), shared);
  for (std::size_t k = 0; k < each.size(); ++k) {
    for (const std::string& note : each[k]) {
      if (!shared(note)) notes.push_back(fmt::format("class {}: {}", classes[k], note));
    }
  }
  return notes;
}

}  // namespace

TrainResult train_one_against_rest(const Dataset& data, const TrainSettings& settings,
                                   const ProgressCallback& progress) {
  check_class_numbers(data);
  const InteriorPoint whole(settings.solver);  // complains of the limit given, not of a class's share of it
  const auto count = static_cast<int>(data.classes.size());
  TrainResult result;
  Model& model = result.model;
  std::vector<Notes> notes;
  // One penalty for all classes: their scores are compared.
  const double beta = settled_beta(settings, settings.beta ? 0.0 : beta_max(data, settings));
  double time_left = settings.solver.time_limit;
  bool cancelled = false;
  for (int k = 0; k < count; ++k) {
    const auto report = [&](Progress news) {
      news.network = k + 1;
      news.networks = count;
      cancelled = cancelled || (progress && !progress(news));
      return !cancelled;
    };
    TrainSettings of_class = settings;
    of_class.beta = beta;
    of_class.solver.time_limit = time_left / (count - k);
    if (settings.validation) {
      of_class.validation = std::make_shared<Dataset>(one_against_rest(*settings.validation, k));
    }
    TrainResult part = train(one_against_rest(data, k), of_class, report);
    time_left = std::max(time_left - part.solution().seconds, 0.0);

    if (k == 0) {
      model.features = part.model.features;
      model.target = part.model.target;
      model.preprocessing = part.model.preprocessing;  // does not depend on the labels
    }
    model.networks.push_back(std::move(part.model.networks.front()));
    model.class_trainings.push_back(part.model.training);
    result.solutions.push_back(std::move(part.solutions.front()));
    notes.push_back(std::move(part.notes));
  }
  model.task = Task::classification;
  model.classes = data.classes;
  model.training = sum_of_classes(model.class_trainings);
  model.training.train_accuracy = accuracy(model, drop_zero_weights(data));
  result.notes = merged(data.classes, notes);
  return result;
}

}  // namespace conelu
