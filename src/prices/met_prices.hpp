#pragma once

#include "conelu/prices.hpp"
#include "prices/folded_price.hpp"

namespace conelu {

/// Follows the price, or its negative, uphill from a direction of the row space until it does not rise any more.
Vector climb_from(const FoldedPrice& price, Vector a, bool negative);

/// The best directions met, each with a pattern of its own: those above `worth`, and the largest in any case.
class MetPrices {
 public:
  MetPrices(const MatrixView& X, const VectorView& nu, const Matrix& Q, double worth)
      : X_(X), nu_(nu), Q_(Q), worth_(worth) {}

  /// A direction of the row space.
  void add(const VectorView& a);
  double largest() const { return largest_; }
  PricedDirections sorted();

 private:
  static constexpr std::size_t kMost = 400;
  struct Met {
    double price;
    Vector u;
  };

  void thin_out();

  const MatrixView& X_;
  const VectorView& nu_;
  const Matrix& Q_;
  double worth_;
  double largest_ = 0;
  std::vector<Met> met_;
};

}  // namespace conelu
