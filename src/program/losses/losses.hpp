#pragma once

#include "conelu/loss.hpp"

namespace conelu {

LossPointer make_hinge_loss();
LossPointer make_squared_loss();

}  // namespace conelu
