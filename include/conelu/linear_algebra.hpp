#pragma once

#include <Eigen/Core>

#include "conelu/export.hpp"

namespace CONELU_API conelu {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;  ///< column-major; samples are rows
using Vector = Eigen::VectorXd;

using MatrixView = Eigen::Ref<const Matrix>;
using VectorView = Eigen::Ref<const Vector>;

}  // namespace conelu
