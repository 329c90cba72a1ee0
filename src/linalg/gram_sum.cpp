#include "linalg/gram_sum.hpp"

#include <algorithm>
#include <utility>

namespace conelu {
namespace {

constexpr Index kRowsAtOnce = 1024;  // that stay in the cache while they are weighted and squared
constexpr Index kWide = 64;          // columns from which single precision is faster

template <class Rows, class Weights, class Center, class Part>
void weigh(const Rows& A, const Weights& w, const Center& c, Part part) {
  for (Index a = 0; a < A.cols(); ++a) part.col(a).array() = w.array() * (A.col(a).array() - c(a));
}

}  // namespace

GramSum::GramSum(Matrix A) : A_(std::move(A)), part_(std::min(A_.rows(), kRowsAtOnce), A_.cols()) {
  if (A_.cols() < kWide) return;
  single_ = A_.cast<float>();
  single_part_.resize(part_.rows(), A_.cols());
  single_sum_.resize(A_.cols(), A_.cols());
}

void GramSum::add(bool exact, const Vector& w, const Vector& c, Eigen::Ref<Matrix> C) {
  const bool single = !exact && single_.size() > 0;
  for (Index first = 0; first < A_.rows(); first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, A_.rows() - first);
    if (!single) {
      auto part = part_.topRows(count);
      weigh(A_.middleRows(first, count), w.segment(first, count), c, part);
      dense::rank_update(1.0, dense::Op::transpose, part, 1.0, C);
      continue;
    }
    auto part = single_part_.topRows(count);
    weigh(single_.middleRows(first, count), w.segment(first, count).cast<float>().eval(), c.cast<float>().eval(), part);
    dense::set_gram(part, single_sum_);
    for (Index b = 0; b < C.cols(); ++b) {
      C.col(b).tail(C.rows() - b) += single_sum_.col(b).tail(C.rows() - b).cast<double>();
    }
  }
}

}  // namespace conelu
