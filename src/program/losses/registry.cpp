#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mutex>
#include <stdexcept>

#include "program/losses/losses.hpp"

namespace conelu {
namespace {

struct Entry {
  std::string name;
  LossFactory make;
};

struct Registry {
  std::mutex mutex;
  std::vector<Entry> entries = {
      {"hinge", make_hinge_loss},     {"squared-hinge", make_squared_hinge_loss}, {"logistic", make_logistic_loss},
      {"squared", make_squared_loss}, {"absolute", make_absolute_loss},           {"huber", make_huber_loss},
  };

  const Entry* find(const std::string& name) const {
    for (const Entry& entry : entries) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }
};

Registry& registry() {
  static Registry losses;
  return losses;
}

}  // namespace

void register_loss(const std::string& name, LossFactory factory) {
  if (name.empty()) throw std::invalid_argument("name: a loss needs one");
  if (!factory) throw std::invalid_argument(fmt::format("factory: nothing makes the loss '{}'", name));
  Registry& losses = registry();
  const std::lock_guard lock(losses.mutex);
  if (losses.find(name) != nullptr)
    throw std::invalid_argument(fmt::format("name: there is a loss '{}' already", name));
  losses.entries.push_back({name, std::move(factory)});
}

std::vector<std::string> loss_names() {
  Registry& losses = registry();
  const std::lock_guard lock(losses.mutex);
  std::vector<std::string> names;
  for (const Entry& entry : losses.entries) names.push_back(entry.name);
  return names;
}

LossPointer make_loss(const std::string& name, const LossSettings& settings) {
  LossSettings::visit(settings, [](const char* field, double value, double lowest, double highest) {
    if (!(value >= lowest && value <= highest)) {
      throw std::invalid_argument(
          fmt::format("{}: is {}, expected a number from {} to {}", field, value, lowest, highest));
    }
  });
  LossFactory make;
  {
    Registry& losses = registry();
    const std::lock_guard lock(losses.mutex);
    if (const Entry* entry = losses.find(name)) make = entry->make;
  }
  if (make) {
    if (LossPointer loss = make(settings)) return loss;
    throw std::invalid_argument(fmt::format("loss: '{}' was registered with a function that returns none", name));
  }
  throw std::invalid_argument(
      fmt::format("loss: unknown name '{}', expected one of {}", name, fmt::join(loss_names(), ", ")));
}

}  // namespace conelu
