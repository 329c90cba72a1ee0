#include "solvers/ipm/near_rows.hpp"

#include <algorithm>
#include <limits>

#include "linalg/dense.hpp"
#include "solvers/ipm/centers.hpp"

namespace conelu::ipm {
namespace {

constexpr Index kNearRows = 8;    // for every feature: 7.6 hold all vertices that random objectives end at
constexpr Index kWorthwhile = 2;  // times as many rows must there be
constexpr Index kMostNumbers = Index{1} << 26;  // in all near rows together: half a gigabyte
constexpr double kFurther = 2;                  // how much further than the step rows are met
// A row about as far as another that ends the step anyway keeps part of its slack: the step stops short of both.
constexpr double kInTheWay = 0.99;

}  // namespace

NearRows::NearRows(ScaledProblem& problem) : problem_(problem) {}

void NearRows::choose() {
  work_with({});
  const Index rows = problem_.unit_rows.rows();
  const Index patterns = problem_.patterns();
  const Index count = kNearRows * problem_.dimension();
  if (problem_.worst_case() || patterns == 0 || rows < kWorthwhile * count ||
      count * problem_.dimension() * patterns > kMostNumbers) {
    return;
  }
  problem_.witnesses = analytic_centers(problem_).directions;
  is_near_.assign(static_cast<std::size_t>(patterns), std::vector<char>(static_cast<std::size_t>(rows), 0));
  IndexMatrix near(count, patterns);
  for (Index i = 0; i < patterns; ++i) {
    const std::vector<Index> chosen = nearest(i, count);
    std::copy(chosen.begin(), chosen.end(), near.col(i).begin());
  }
  work_with(near);
}

std::vector<Index> NearRows::nearest(Index pattern, Index count) const {
  const Vector slack = (problem_.unit_rows * problem_.witnesses.col(pattern)).cwiseProduct(problem_.signs.col(pattern));
  const std::vector<char>& is_near = is_near_[static_cast<std::size_t>(pattern)];
  std::vector<Index> rows;
  for (Index k = 0; k < slack.size(); ++k) {
    if (is_near[static_cast<std::size_t>(k)] == 0) rows.push_back(k);
  }
  const auto nearer = [&](Index k, Index l) { return slack(k) != slack(l) ? slack(k) < slack(l) : k < l; };
  std::partial_sort(rows.begin(), rows.begin() + count, rows.end(), nearer);
  rows.resize(static_cast<std::size_t>(count));
  return rows;
}

void NearRows::work_with(const IndexMatrix& near) {
  const Index d = problem_.dimension();
  const Index rows = problem_.unit_rows.rows();
  problem_.near = near;
  problem_.signed_rows.resize(near.rows(), d * near.cols());
  is_near_.assign(static_cast<std::size_t>(near.cols()), std::vector<char>(static_cast<std::size_t>(rows), 0));
  met_.resize(static_cast<std::size_t>(near.cols()));
  products_.resize(std::min(kRowsAtOnce, rows), problem_.blocks());
  changes_.resize(std::min(kRowsAtOnce, rows), problem_.blocks());
  for (Index i = 0; i < near.cols(); ++i) {
    for (Index r = 0; r < near.rows(); ++r) {
      const Index k = near(r, i);
      is_near_[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] = 1;
      problem_.signed_rows.row(r).segment(i * d, d) = problem_.signs(k, i) * problem_.unit_rows.row(k);
    }
  }
}

/// Calls use(step, row, pattern) for every row left out that a step shorter than `limit` reaches.
template <class Use>
void NearRows::for_each_meeting(const Iterate& at, const Iterate& direction, double limit, Use&& use) {
  const Index all = problem_.unit_rows.rows();
  const double share = static_cast<double>(problem_.dimension()) * std::numeric_limits<double>::epsilon();
  for (Index first = 0; first < all; first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, all - first);
    const auto x = problem_.unit_rows.middleRows(first, count);
    dense::multiply(1.0, dense::Op::none, x, dense::Op::none, at.U, 0.0, products_.topRows(count));
    dense::multiply(1.0, dense::Op::none, x, dense::Op::none, direction.U, 0.0, changes_.topRows(count));
    for (Index j = 0; j < problem_.blocks(); ++j) {
      const Index i = problem_.pattern_of(j);
      const double rounding = share * at.U.col(j).norm();
      const char* is_near = is_near_[static_cast<std::size_t>(i)].data() + first;
      for (Index k = 0; k < count; ++k) {
        const double sign = problem_.signs(first + k, i);
        const double slack = sign * products_(k, j), fall = -sign * changes_(k, j);
        if (fall > 0 && slack < limit * fall && is_near[k] == 0) use(std::max(rounding, slack) / fall, first + k, i);
      }
    }
  }
}

double NearRows::longest_step(const Iterate& at, const Iterate& direction, double longest) {
  met_some_ = false;
  if (!problem_.selective()) return longest;
  double nearest = longest;
  for_each_meeting(at, direction, kInTheWay * longest, [&](double step, Index, Index) {
    nearest = std::min(nearest, step);
    met_some_ = true;
  });
  if (!met_some_) return longest;
  for (auto& meetings : met_) meetings.clear();
  for_each_meeting(at, direction, std::max(kFurther * nearest, longest), [&](double step, Index row, Index pattern) {
    met_[static_cast<std::size_t>(pattern)].push_back({step, row});
  });
  return nearest;
}

std::vector<Index> NearRows::met_rows(Index pattern) {
  auto& meetings = met_[static_cast<std::size_t>(pattern)];
  // Both blocks of a pattern may have met the same one.
  const auto by_row = [](const Meeting& a, const Meeting& b) {
    return a.row != b.row ? a.row < b.row : a.step < b.step;
  };
  std::sort(meetings.begin(), meetings.end(), by_row);
  const auto same = [](const Meeting& a, const Meeting& b) { return a.row == b.row; };
  meetings.erase(std::unique(meetings.begin(), meetings.end(), same), meetings.end());
  std::stable_sort(meetings.begin(), meetings.end(),
                   [](const Meeting& a, const Meeting& b) { return a.step < b.step; });
  std::vector<Index> rows;
  for (const Meeting& meeting : meetings) {
    if (static_cast<Index>(rows.size()) < kNearRows * problem_.dimension()) rows.push_back(meeting.row);
  }
  return rows;
}

Vector NearRows::slacks(const Matrix& U, Index block) const {
  const double rounding =
      static_cast<double>(problem_.dimension()) * std::numeric_limits<double>::epsilon() * U.col(block).norm();
  const Index i = problem_.pattern_of(block);
  const Vector slack = problem_.selective() ? Vector(problem_.near_rows_of(i) * U.col(block))
                                            : (problem_.unit_rows * U.col(block)).cwiseProduct(problem_.signs.col(i));
  return slack.cwiseMax(rounding);
}

void NearRows::extend(double mu, Iterate& at) {
  met_some_ = false;
  const Index before = problem_.cone_rows(), all = problem_.unit_rows.rows();
  std::vector<std::vector<Index>> added;
  std::size_t most = 0;
  for (Index i = 0; i < problem_.patterns(); ++i) {
    added.push_back(met_rows(i));
    most = std::max(most, added.back().size());
  }
  const IndexMatrix near_before = problem_.near;
  const Matrix s_before = at.s, lambda_before = at.lambda;
  const Index count = static_cast<Index>(most);
  IndexMatrix near;
  if (2 * (before + count) <= all) {
    near.resize(before + count, problem_.patterns());
    near.topRows(before) = near_before;
    for (Index i = 0; i < problem_.patterns(); ++i) {
      std::vector<Index>& rows = added[static_cast<std::size_t>(i)];
      for (const Index k : rows) is_near_[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] = 1;
      const std::vector<Index> others = nearest(i, count - static_cast<Index>(rows.size()));
      rows.insert(rows.end(), others.begin(), others.end());
      std::copy(rows.begin(), rows.end(), near.col(i).tail(count).begin());
    }
  }
  work_with(near);
  at.s.resize(problem_.cone_rows(), Eigen::NoChange);
  at.lambda.resize(problem_.cone_rows(), Eigen::NoChange);
  for (Index j = 0; j < problem_.blocks(); ++j) {
    at.s.col(j) = slacks(at.U, j);
    at.lambda.col(j) = mu * at.s.col(j).cwiseInverse();
    // What was worked with stays as it was.
    for (Index r = 0; r < before; ++r) {
      const Index k = problem_.selective() ? r : near_before(r, problem_.pattern_of(j));
      at.s(k, j) = s_before(r, j);
      at.lambda(k, j) = lambda_before(r, j);
    }
  }
}

}  // namespace conelu::ipm
