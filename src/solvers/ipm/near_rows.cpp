#include "solvers/ipm/near_rows.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/dense.hpp"
#include "solvers/ipm/centers.hpp"

namespace conelu::ipm {
namespace {

// Vertices of cones of standard programs (n from 600 to 10,000, d of 10 and 20) lie on rows among the nearest 7 d.
constexpr Index kNearRows = 8;    // for every feature
constexpr Index kWorthwhile = 2;  // times as many rows must there be
constexpr double kFurther = 2;    // how much further than the step rows are met

}  // namespace

NearRows::NearRows(ScaledProblem& problem) : problem_(problem) {
  const Index rows = problem.unit_rows.rows();
  const Index count = kNearRows * problem.dimension();
  if (problem.worst_case() || problem.blocks() == 0 || rows < kWorthwhile * count) return;
  problem.witnesses = analytic_centers(problem).directions;
  const auto patterns = static_cast<std::size_t>(problem.patterns());
  near_.assign(patterns, std::vector<char>(static_cast<std::size_t>(rows), 0));
  met_.resize(patterns);
  products_.resize(kRowsAtOnce, problem.blocks());
  changes_.resize(kRowsAtOnce, problem.blocks());
  IndexMatrix near(count, problem.patterns());
  for (Index i = 0; i < problem.patterns(); ++i) {
    const std::vector<Index> chosen = nearest(i, count);
    std::copy(chosen.begin(), chosen.end(), near.col(i).begin());
  }
  work_with(near);
}

std::vector<Index> NearRows::nearest(Index pattern, Index count) const {
  const Vector slack = (problem_.unit_rows * problem_.witnesses.col(pattern)).cwiseProduct(problem_.signs.col(pattern));
  const std::vector<char>& near = near_[static_cast<std::size_t>(pattern)];
  std::vector<Index> rows;
  for (Index k = 0; k < slack.size(); ++k) {
    if (!near[static_cast<std::size_t>(k)]) rows.push_back(k);
  }
  const auto nearer = [&](Index k, Index l) { return slack(k) != slack(l) ? slack(k) < slack(l) : k < l; };
  std::partial_sort(rows.begin(), rows.begin() + count, rows.end(), nearer);
  rows.resize(static_cast<std::size_t>(count));
  return rows;
}

void NearRows::work_with(const IndexMatrix& near) {
  const Index d = problem_.dimension();
  problem_.near = near;
  for (auto& rows : near_) std::fill(rows.begin(), rows.end(), 0);
  problem_.near_rows.resize(near.rows(), d * near.cols());
  for (Index i = 0; i < near.cols(); ++i) {
    for (Index r = 0; r < near.rows(); ++r) {
      const Index k = near(r, i);
      near_[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] = 1;
      problem_.near_rows.row(r).segment(i * d, d) = problem_.signs(k, i) * problem_.unit_rows.row(k);
    }
  }
}

/// Calls use(step, row, pattern) for every row left out that a step of at most `limit` reaches.
template <class Use>
void NearRows::for_each_meeting(const Iterate& at, const Iterate& direction, double limit, Use&& use) {
  const Index all = problem_.unit_rows.rows();
  for (Index first = 0; first < all; first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, all - first);
    const auto x = problem_.unit_rows.middleRows(first, count);
    dense::multiply(1.0, dense::Op::none, x, dense::Op::none, at.U, 0.0, products_.topRows(count));
    dense::multiply(1.0, dense::Op::none, x, dense::Op::none, direction.U, 0.0, changes_.topRows(count));
    for (Index j = 0; j < problem_.blocks(); ++j) {
      const Index i = problem_.pattern_of(j);
      const char* near = near_[static_cast<std::size_t>(i)].data() + first;
      for (Index k = 0; k < count; ++k) {
        const double sign = problem_.signs(first + k, i);
        const double slack = sign * products_(k, j), fall = -sign * changes_(k, j);
        if (slack < limit * fall && near[k] == 0) use(std::max(0.0, slack / fall), first + k, i);
      }
    }
  }
}

double NearRows::longest_step(const Iterate& at, const Iterate& direction, double longest) {
  most_met_ = 0;
  if (!problem_.selective()) return longest;
  double nearest = longest;
  for_each_meeting(at, direction, longest, [&](double step, Index, Index) { nearest = std::min(nearest, step); });
  if (nearest == longest) return longest;
  for (auto& rows : met_) rows.clear();
  for_each_meeting(at, direction, kFurther * nearest, [&](double, Index row, Index pattern) {
    auto& rows = met_[static_cast<std::size_t>(pattern)];
    // Both blocks of a pattern may meet it.
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    most_met_ = std::max(most_met_, static_cast<Index>(rows.size()));
  });
  return nearest;
}

void NearRows::extend(double mu, Iterate& at) {
  const Index before = problem_.cone_rows();
  IndexMatrix near(before + most_met_, problem_.patterns());
  near.topRows(before) = problem_.near;
  for (Index i = 0; i < problem_.patterns(); ++i) {
    std::vector<Index> rows = met_[static_cast<std::size_t>(i)];
    for (const Index k : rows) near_[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] = 1;
    const std::vector<Index> others = nearest(i, most_met_ - static_cast<Index>(rows.size()));
    rows.insert(rows.end(), others.begin(), others.end());
    std::copy(rows.begin(), rows.end(), near.col(i).tail(most_met_).begin());
  }
  work_with(near);
  at.s.conservativeResize(near.rows(), Eigen::NoChange);
  at.lambda.conservativeResize(near.rows(), Eigen::NoChange);
  for (Index j = 0; j < problem_.blocks(); ++j) {
    at.s.col(j).tail(most_met_) = problem_.near_rows_of(j).bottomRows(most_met_) * at.U.col(j);
    at.lambda.col(j).tail(most_met_) = mu * at.s.col(j).tail(most_met_).cwiseInverse();
  }
  most_met_ = 0;
}

}  // namespace conelu::ipm
