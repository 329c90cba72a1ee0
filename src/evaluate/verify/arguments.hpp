#pragma once

#include "conelu/verify.hpp"

namespace conelu::verification {

/// Throws std::invalid_argument naming the argument that does not fit.
void check_arguments(const Network& network, const MatrixView& X, const VectorView& y, const VerifySettings& settings);
void check_arguments(const std::vector<Network>& networks, const MatrixView& X, const std::vector<Index>& labels,
                     const VerifySettings& settings);

}  // namespace conelu::verification
