#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/dense.hpp"
#include "solvers/ipm/coupling.hpp"

namespace conelu::ipm {

using dense::Op;

namespace {

constexpr double kFlatSum = 1e-5;  // ratio of pivots below which a sum of inverses has lost too many digits

/// du_j = H_j^-1 (R_j - sigma_j X'D_j dnu), given Y_j = H_j^-1 R_j in du.
void back_substitute(const ScaledProblem& problem, const BlockFactors& blocks, const Vector& dnu, Matrix& F, Matrix& G,
                     Matrix& scratch, Matrix& du) {
  transposed_outputs(problem, dnu, F, G);
  for (Index j = 0; j < problem.blocks(); ++j) scratch.col(j) = (j % 2 == 0 ? 1.0 : -1.0) * G.col(j / 2);
  blocks.solve(scratch);
  du -= scratch;
}

/// n-sided: (I + T G T) q = T b + T^-1 kappa with T = theta^1/2, dnu = T q and
/// G = sum_j D_j X H_j^-1 X' D_j. Eigenvalues are at least 1, so the factor exists whatever theta does.
class SampleCoupling final : public Coupling {
 public:
  SampleCoupling(const ScaledProblem& problem, int threads)
      : problem_(problem),
        gathers_(problem.dimension() >= 24),
        system_(problem.groups(), problem.groups()),
        Z_(problem.dimension(), problem.patterns()),
        F_(problem.groups(), problem.patterns()),
        root_(problem.groups()),
        b_(problem.groups()) {
    const Index d = problem.dimension();
    batch_ = std::min(problem.patterns(), gathers_ ? 8 * Index{threads} : std::max<Index>(1, 384 / d));
    roots_.resize(d, d * batch_);
    pairs_.resize(static_cast<std::size_t>(threads));
    for (Pair& pair : pairs_) {
      pair.inverses.resize(2 * d, d);
      pair.work.resize(65 * d);
    }
    if (!gathers_) {
      panel_.resize(problem.groups(), d * batch_);
      return;
    }
    for (Index i = 0; i < problem.patterns(); ++i) {
      std::vector<Index> rows;
      for (Index k = 0; k < problem.groups(); ++k) {
        if (problem.activations(k, i) > 0) rows.push_back(k);
      }
      active_.push_back(std::move(rows));
    }
    std::size_t most = 0;
    for (const auto& rows : active_) most = std::max(most, rows.size());
    panel_.resize(static_cast<Index>(most), d);
    gram_.resize(static_cast<Index>(most), static_cast<Index>(most));
  }

  bool factor(const BlockFactors& blocks, const Vector& theta, double regularization) override {
    root_ = theta.cwiseSqrt();
    system_.setZero();
    if (gathers_) {
      add_gathered(blocks);
    } else {
      add_stacked(blocks);
    }
    system_.diagonal().array() += 1.0;
    system_.diagonal() *= 1.0 + regularization;
    return dense::cholesky(system_);
  }

  void solve(const BlockFactors& blocks, Matrix& R, const Vector& kappa, Matrix& du, Vector& dnu) override {
    du = R;
    blocks.solve(du);
    outputs(problem_, du, Z_, F_, b_);
    b_.array() = root_.array() * b_.array() + kappa.array() / root_.array();
    dense::solve_cholesky(system_, b_);
    dnu = root_.cwiseProduct(b_);
    back_substitute(problem_, blocks, dnu, F_, Z_, R, du);
  }

 private:
  struct Pair {
    Matrix inverses;
    Vector work;
  };

  /// Those of the factors of a pattern's two blocks, one below the other.
  static void set_inverses(const BlockFactors& blocks, Index pattern, Pair& pair) {
    const Index d = pair.inverses.cols();
    for (Index side = 0; side < 2; ++side) {
      auto inverse = pair.inverses.middleRows(side * d, d);
      inverse.triangularView<Eigen::StrictlyUpper>().setZero();
      inverse.triangularView<Eigen::Lower>() = blocks.lower(2 * pattern + side);
      dense::invert_lower(inverse);
    }
  }

  /// Lower triangular, root root' = H_v^-1 + H_w^-1: both blocks of a pattern enter as one. A sum whose pivots differ
  /// too much has lost digits that the rows of the pattern may depend on; then the root is found without the sum.
  static void set_root(const BlockFactors& blocks, Index pattern, Pair& pair, Eigen::Ref<Matrix> root) {
    const Index d = root.rows();
    set_inverses(blocks, pattern, pair);
    dense::square_lower(pair.inverses.topRows(d));
    dense::square_lower(pair.inverses.bottomRows(d));
    root = pair.inverses.topRows(d) + pair.inverses.bottomRows(d);
    if (dense::cholesky(root) && root.diagonal().minCoeff() > kFlatSum * root.diagonal().maxCoeff()) return;
    set_inverses(blocks, pattern, pair);
    dense::triangularize(pair.inverses, pair.work);
    root = pair.inverses.topRows(d).transpose();
  }

  Pair& own_pair() { return pairs_[static_cast<std::size_t>(omp_get_thread_num())]; }

  /// Few features: all rows of many patterns side by side, zeros where inactive.
  void add_stacked(const BlockFactors& blocks) {
    const Index d = problem_.dimension();
    for (Index first = 0; first < problem_.patterns(); first += batch_) {
      const Index count = std::min(batch_, problem_.patterns() - first);
#pragma omp parallel for schedule(static)
      for (Index i = 0; i < count; ++i) {
        auto root = roots_.middleCols(i * d, d);
        set_root(blocks, first + i, own_pair(), root);
        auto rows = panel_.middleCols(i * d, d);
        for (Index a = 0; a < d; ++a) {
          rows.col(a).array() = problem_.X.col(a).array() * root_.array() * problem_.activations.col(first + i).array();
        }
        dense::multiply_lower_right(root, rows);
      }
      dense::rank_update(1.0, Op::none, panel_.leftCols(count * d), 1.0, system_);
    }
  }

  /// Many features: active rows only, one pattern at a time, a quarter of the work.
  void add_gathered(const BlockFactors& blocks) {
    const Index d = problem_.dimension();
    for (Index first = 0; first < problem_.patterns(); first += batch_) {
      const Index count = std::min(batch_, problem_.patterns() - first);
#pragma omp parallel for schedule(static)
      for (Index i = 0; i < count; ++i) set_root(blocks, first + i, own_pair(), roots_.middleCols(i * d, d));
      for (Index i = 0; i < count; ++i) add_active_rows(first + i, roots_.middleCols(i * d, d));
    }
  }

  void add_active_rows(Index pattern, const Eigen::Ref<const Matrix>& root) {
    const std::vector<Index>& rows = active_[static_cast<std::size_t>(pattern)];
    const Index m = static_cast<Index>(rows.size());
    auto B = panel_.topRows(m);
    // b_ is free until the next solve.
    for (Index k = 0; k < m; ++k) b_(k) = root_(rows[static_cast<std::size_t>(k)]);
    for (Index a = 0; a < problem_.dimension(); ++a) {
      const double* x = problem_.X.col(a).data();
      for (Index k = 0; k < m; ++k) B(k, a) = x[rows[static_cast<std::size_t>(k)]] * b_(k);
    }
    dense::multiply_lower_right(root, B);
    auto gram = gram_.topLeftCorner(m, m);
    dense::rank_update(1.0, Op::none, B, 0.0, gram);
    for (Index l = 0; l < m; ++l) {
      double* column = system_.col(rows[static_cast<std::size_t>(l)]).data();
      for (Index k = l; k < m; ++k) column[rows[static_cast<std::size_t>(k)]] += gram(k, l);
    }
  }

  const ScaledProblem& problem_;
  bool gathers_;
  Index batch_ = 1;                         // patterns whose roots are there at a time
  std::vector<std::vector<Index>> active_;  // rows of each pattern, if gathering
  std::vector<Pair> pairs_;                 // one per thread
  Matrix roots_;                            // of a batch
  Matrix panel_, gram_;
  Matrix system_;
  Matrix Z_, F_;
  Vector root_, b_;
};

}  // namespace

std::unique_ptr<Coupling> make_sample_coupling(const ScaledProblem& problem, int threads) {
  return std::make_unique<SampleCoupling>(problem, threads);
}

}  // namespace conelu::ipm
