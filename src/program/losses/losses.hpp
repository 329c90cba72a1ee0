#pragma once

#include "conelu/loss.hpp"

namespace conelu {

LossPointer make_hinge_loss(const LossSettings&);
LossPointer make_squared_hinge_loss(const LossSettings&);
LossPointer make_logistic_loss(const LossSettings&);
LossPointer make_squared_loss(const LossSettings&);
LossPointer make_absolute_loss(const LossSettings&);
LossPointer make_huber_loss(const LossSettings& settings);

}  // namespace conelu
