#pragma once

#include "conelu/certificate.hpp"

namespace conelu {

/// n: which share each sample has in the attack on its cell, in proportion to the mu that pays for it. A dual point of a
/// program with more patterns, which cut the cell, needs them.
Vector attack_shares(const Program& program, const DualPoint& dual);

}  // namespace conelu
