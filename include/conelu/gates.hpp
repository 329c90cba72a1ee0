#pragma once

#include <cstdint>
#include <functional>

#include "conelu/export.hpp"
#include "conelu/program.hpp"

namespace CONELU_API conelu {

/// Gates (n x blocks, 0 or 1) that bound the worst case of the blocks U at each sample as well as one gate after
/// another can: the better of three first choices (as at x, closed where a neuron may change sides, as at the worst
/// point of the first choice), then changes while the bound gets better. `gated` leaves those closed that push against
/// the bound. Blocks that are 0 keep the gates of `before`, if there are any, and no sample ends worse than with them.
///
/// U satisfies a program with these gates as it is, at the price of a few forward passes. Throws std::invalid_argument
/// naming what does not fit.
Matrix choose_gates(const MatrixView& X, const VectorView& y, const Loss& loss, const Threat& threat,
                    const MatrixView& U, Method method, const MatrixView& before = Matrix());

struct DescentSettings {
  Index blocks = 72;
  Index steps = 0;  ///< of `batch` samples each; 0: 50 per sample, 4,000 at least and 160,000 at most
  Index batch = 50;
  std::uint64_t seed = 1;
};

/// Blocks from which gates are worth choosing: descent (Adam) on the certified worst case itself, with gates that
/// follow the blocks, and radii that grow to their full size over the first half of the way.
///
/// The objective is not convex and nothing is proven of the result but its bound. Learning rates are relative to the
/// size of each feature, so units do not matter. `loss_weights` are those of Program. `go_on` is asked now and then;
/// once it says no the blocks are what they are.
Matrix descend(const MatrixView& X, const VectorView& y, const VectorView& loss_weights, const Loss& loss, double beta,
               const Threat& threat, Method method, const DescentSettings& settings = {},
               const std::function<bool()>& go_on = {});

}  // namespace conelu
