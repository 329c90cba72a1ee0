#include "conelu/verify.hpp"

#include "evaluate/verify/arguments.hpp"
#include "evaluate/verify/rows.hpp"

namespace conelu {
namespace {

using namespace verification;

ContestsOfRow contests_of(const Forward& network, const VectorView& y) {
  return [&network, y = Vector(y)](Index k) { return std::vector<Contest>{{&network, y(k)}}; };
}

ContestsOfRow contests_of(const Contests& contests, const std::vector<Index>& labels) {
  return [&contests, labels](Index k) { return contests.of_class(labels[static_cast<std::size_t>(k)]); };
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::robust:
      return "robust";
    case Verdict::broken:
      return "broken";
    case Verdict::unknown:
      break;
  }
  return "unknown";
}

std::vector<Verification> verify(const Network& network, const MatrixView& X, const VectorView& y,
                                 const VerifySettings& settings, const VerifyProgress& progress) {
  check_arguments(network, X, y, settings);
  const Forward forward(network);
  return verify_rows(X, contests_of(forward, y), settings, progress);
}

std::vector<Verification> verify(const std::vector<Network>& networks, const MatrixView& X,
                                 const std::vector<Index>& labels, const VerifySettings& settings,
                                 const VerifyProgress& progress) {
  check_arguments(networks, X, labels, settings);
  const Contests contests(networks);
  return verify_rows(X, contests_of(contests, labels), settings, progress);
}

std::vector<RadiusBounds> robust_radius(const Network& network, const MatrixView& X, const VectorView& y,
                                        const VerifySettings& settings, double tolerance, double largest,
                                        const VerifyProgress& progress, const std::vector<Verification>& known) {
  check_arguments(network, X, y, settings);
  const Forward forward(network);
  return find_radii(X, contests_of(forward, y), settings, {tolerance, largest, known}, progress);
}

std::vector<RadiusBounds> robust_radius(const std::vector<Network>& networks, const MatrixView& X,
                                        const std::vector<Index>& labels, const VerifySettings& settings,
                                        double tolerance, double largest, const VerifyProgress& progress,
                                        const std::vector<Verification>& known) {
  check_arguments(networks, X, labels, settings);
  const Contests contests(networks);
  return find_radii(X, contests_of(contests, labels), settings, {tolerance, largest, known}, progress);
}

}  // namespace conelu
