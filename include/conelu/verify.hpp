#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "conelu/dataset.hpp"
#include "conelu/export.hpp"
#include "conelu/network.hpp"

namespace CONELU_API conelu {

enum class Verdict {
  robust,   ///< proven: no perturbation does it
  broken,   ///< proven: here is one
  unknown,  ///< the time ran out between the two bounds, or they met at the threshold
};
const char* to_string(Verdict verdict);

struct VerifySettings {
  Threat threat;  ///< one radius per input
  Task task = Task::classification;
  double max_error = 0;      ///< regression: a row is robust if |f - y| stays at or below this
  bool exact = false;        ///< go on after the verdict until the bounds meet to `tolerance`
  double tolerance = 1e-10;  ///< of the bounds, relative to the size of the terms that an output is the sum of
  double time_limit = 60;    ///< seconds a row
  /// Parts of the ball to look at, a row. Unlike a limit of time it leads to the same on every machine.
  long branch_limit = std::numeric_limits<long>::max();
  Vector lower, upper;  ///< values that a feature can take; empty: any. A feature of a row outside stays as it is
  int threads = 0;      ///< 0: OpenMP's choice. Rows are shared out; the results do not depend on it
};

/// What is known about one row. `lower` and `upper` enclose the smallest margin y f over the ball, or in regression the
/// largest error |f - y|, in spite of rounding; without `exact` they are as far apart as the verdict allows.
struct Verification {
  Verdict verdict = Verdict::unknown;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  Vector worst;  ///< the worst point found, inside the ball; for `broken` it is misclassified when evaluated again;
                 ///< empty if the row was not looked at
  double seconds = 0;
  long branches = 0;  ///< parts of the ball that were looked at
};

/// Called on the calling thread a few times a second and at the end; return false to stop, with the rest `unknown`.
using VerifyProgress = std::function<bool(Index finished, Index all)>;

/// The worst that an attacker can do to each row, exactly: not what an attack happens to find, not a bound that may be
/// loose.
///
/// A neuron that cannot change sides within the ball is linear there. One that can, but pushes the output away from the
/// attacker's aim, is convex in his problem. What is left are the unstable neurons that help him: their (z)_+ is
/// replaced by its chord, which leaves a convex problem whose dual bounds the output; where that does not decide, the
/// ball is cut in two along such a neuron, and again. The parts shrink quickly, because only points below the threshold
/// (below the best point known, with `exact`) are of interest. A row takes less than a millisecond if the first bound
/// decides, and the number of parts can grow exponentially with the number of such neurons if nothing does.
///
/// A row is broken if a point of its ball is put into the wrong class, where an output of at least 0 means +1, or has
/// an error above `max_error`. Bounds allow for rounding, that of whoever evaluates the network included: no point of
/// the ball breaks a row that is called robust, in exact or in double arithmetic. The ball are the points for which
/// Threat::size is at most 1.
///
/// Throws std::invalid_argument naming the argument that does not fit.
std::vector<Verification> verify(const Network& network, const MatrixView& X, const VectorView& y,
                                 const VerifySettings& settings, const VerifyProgress& progress = {});

/// The same for one network a class, of which the largest output wins, the first of equal ones: the margin is
/// f_label - max of the others. `labels` are numbers of classes from 0.
std::vector<Verification> verify(const std::vector<Network>& networks, const MatrixView& X,
                                 const std::vector<Index>& labels, const VerifySettings& settings,
                                 const VerifyProgress& progress = {});

/// What the largest radius is known to be, as a factor on the threat's radii. Both bounds are proven, however short the
/// search was cut.
struct RadiusBounds {
  /// Proven robust up to here; 0 where the row itself is wrong.
  double lower = 0;
  /// Broken here: the size of a perturbation that does it. Infinity if none of a size up to `largest` was found.
  double upper = std::numeric_limits<double>::infinity();

  /// Known to this relative tolerance. If not, a limit was reached, the output comes as near to the threshold as can be
  /// told apart, or the row is robust up to `largest`, which is where the search ends.
  bool is_closed(double tolerance) const { return upper <= lower * (1 + tolerance); }
};

/// The factors to a relative `tolerance`, none above `largest`, by trying some with verify. The limits of time
/// and branches are for all tries of a row, and each gets a share: one that takes too long makes way for smaller
/// factors.
///
/// The first try is factor 1, with half of what there is. `known` spares that: what verify found for the same rows and
/// settings, `exact` and limits aside. Then a row that is known to be robust has a lower bound of at least 1.
std::vector<RadiusBounds> robust_radius(const Network& network, const MatrixView& X, const VectorView& y,
                                        const VerifySettings& settings, double tolerance = 1e-3, double largest = 1e3,
                                        const VerifyProgress& progress = {},
                                        const std::vector<Verification>& known = {});
std::vector<RadiusBounds> robust_radius(const std::vector<Network>& networks, const MatrixView& X,
                                        const std::vector<Index>& labels, const VerifySettings& settings,
                                        double tolerance = 1e-3, double largest = 1e3,
                                        const VerifyProgress& progress = {},
                                        const std::vector<Verification>& known = {});

/// CSV with the columns row (from 0), verdict, lower, upper, radius (empty without `radii`), seconds. Rows that a stop
/// kept from being looked at are left out. Numbers round-trip.
std::string verification_csv(const std::vector<Verification>& rows, const std::vector<double>& radii = {});

/// Writes that CSV atomically. Throws std::invalid_argument naming a path that cannot be written.
void save_verification(const std::vector<Verification>& rows, const std::vector<double>& radii,
                       const std::string& path);

}  // namespace conelu
