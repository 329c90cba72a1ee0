#include "solvers/attack_shares.hpp"

namespace conelu {

Vector attack_shares(const Program& program, const DualPoint& dual) {
  const Vector mu = dual.mu.size() > 0 ? dual.mu : Vector(dual.nu.cwiseAbs());
  Vector of_cell = Vector::Zero(program.cells());
  for (Index k = 0; k < program.samples(); ++k) of_cell(program.cell_of()[static_cast<std::size_t>(k)]) += mu(k);
  Vector shares = Vector::Zero(program.samples());
  for (Index k = 0; k < program.samples(); ++k) {
    const double paid = of_cell(program.cell_of()[static_cast<std::size_t>(k)]);
    if (paid > 0) shares(k) = mu(k) / paid;
  }
  return shares;
}

}  // namespace conelu
