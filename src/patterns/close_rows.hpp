#pragma once

#include <optional>
#include <utility>

#include "conelu/threat.hpp"

namespace conelu {

/// Two rows k and l of S (k = l: one row alone) that an attacker can bring together: |(S_k + S_l) / radii|_p < 2. The
/// radii are those of the leading columns; in the others the rows must cancel exactly.
///
/// For S = E X these are two samples on different sides of a neuron and closer to each other than twice the radius.
/// No direction keeps both out of reach, and with real data most dead patterns have such a pair. Rows are sorted by the
/// column that tells most, so that few pairs are compared; beyond `budget` compared numbers the search gives up.
std::optional<std::pair<Index, Index>> find_close_rows(const Matrix& S, const Threat& threat, Index budget);

}  // namespace conelu
