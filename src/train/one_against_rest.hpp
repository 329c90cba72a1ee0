#pragma once

#include "conelu/train.hpp"

namespace conelu {

/// train() for data of more than two classes.
TrainResult train_one_against_rest(const Dataset& data, const TrainSettings& settings,
                                   const ProgressCallback& progress);

}  // namespace conelu
