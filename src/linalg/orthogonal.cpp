#include "linalg/orthogonal.hpp"

#include <Eigen/QR>

namespace conelu {

OrthogonalBasis orthogonal_basis(const Matrix& A, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(threshold);
  qr.compute(A);
  return {qr.householderQ(), qr.rank()};
}

}  // namespace conelu
