#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "program/losses/losses.hpp"

namespace conelu {
namespace {

const std::vector<LossPointer>& registry() {
  static const std::vector<LossPointer> losses = {make_hinge_loss(), make_squared_loss()};
  return losses;
}

}  // namespace

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for (const LossPointer& loss : registry()) names.push_back(loss->name());
  return names;
}

LossPointer make_loss(const std::string& name) {
  for (const LossPointer& loss : registry()) {
    if (loss->name() == name) return loss;
  }
  throw std::invalid_argument(
      fmt::format("loss: unknown name '{}', expected one of {}", name, fmt::join(loss_names(), ", ")));
}

}  // namespace conelu
