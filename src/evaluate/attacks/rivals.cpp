#include <fmt/format.h>

#include <limits>

#include "conelu/attack.hpp"
#include "evaluate/verify/contests.hpp"
#include "require.hpp"

namespace conelu {
namespace {

std::vector<std::vector<Index>> rows_by_class(const std::vector<Index>& labels, Index classes) {
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(classes));
  for (std::size_t k = 0; k < labels.size(); ++k) {
    require(labels[k] >= 0 && labels[k] < classes,
            fmt::format("labels: that of row {} is {}, expected a class from 0 to {}", k, labels[k], classes - 1));
    rows[static_cast<std::size_t>(labels[k])].push_back(static_cast<Index>(k));
  }
  return rows;
}

/// By how much each point loses to the strongest of its rivals: the one that was aimed at need not be that.
Vector worst_loss(const std::vector<verification::Contest>& rivals, const Matrix& points) {
  Vector worst = Vector::Constant(points.rows(), -std::numeric_limits<double>::infinity());
  for (const verification::Contest& rival : rivals) {
    worst = worst.cwiseMax(-rival.y * rival.network->network().predict(points));
  }
  return worst;
}

}  // namespace

AttackResult attack(const std::string& name, const std::vector<Network>& networks, const MatrixView& X,
                    const std::vector<Index>& labels, const AttackSettings& settings) {
  const Index n = X.rows();
  const auto classes = static_cast<Index>(networks.size());
  require(classes > 1, fmt::format("networks: {} given, expected one for each class", classes));
  require(static_cast<Index>(labels.size()) == n,
          fmt::format("labels: has {} entries, expected {}, one per row of X", labels.size(), n));
  require(settings.task == Task::classification, "task: expected classification for one network a class");
  const verification::Contests contests(networks);
  const std::vector<std::vector<Index>> rows = rows_by_class(labels, classes);

  constexpr double kFar = std::numeric_limits<double>::infinity();
  AttackResult worst{X, Vector::Constant(n, kFar), Vector::Constant(n, -kFar), Vector::Constant(n, kFar)};
  for (Index label = 0; label < classes; ++label) {
    const std::vector<Index>& mine = rows[static_cast<std::size_t>(label)];
    if (mine.empty()) continue;
    const Matrix own_X = X(mine, Eigen::all);
    const std::vector<verification::Contest> rivals = contests.of_class(label);
    for (const verification::Contest& contest : rivals) {
      const AttackResult found =
          attack(name, contest.network->network(), own_X, Vector::Constant(own_X.rows(), contest.y), settings);
      const Vector severity = found.severity.cwiseMax(worst_loss(rivals, found.points));
      for (Index i = 0; i < own_X.rows(); ++i) {
        const Index k = mine[static_cast<std::size_t>(i)];
        worst.clean(k) = std::min(worst.clean(k), contest.y * found.clean(i));
        if (severity(i) <= worst.severity(k)) continue;
        worst.points.row(k) = found.points.row(i);
        worst.severity(k) = severity(i);
        worst.outputs(k) = -severity(i);
      }
    }
  }
  return worst;
}

}  // namespace conelu
