#pragma once

#include <set>
#include <string>

#include "bindings.hpp"
#include "conelu/train.hpp"

namespace conelu::python {

/// What a setting of this type should be, in words.
template <class Value>
std::string expected() {
  if constexpr (std::is_same_v<Value, std::string>) return "a string";
  if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, std::optional<bool>>) return "True or False";
  if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, std::optional<int>>) return "a whole number";
  if constexpr (std::is_floating_point_v<Value> || std::is_same_v<Value, std::optional<double>>) return "a number";
  return "numbers";
}

/// Settings by name, as keyword arguments are. None leaves one to the library.
class SettingsReader {
 public:
  explicit SettingsReader(const nb::dict& given) : given_(given) {}

  template <class Value>
  void take(const char* name, Value& value) {
    known_.insert(name);
    if (!given_.contains(name) || given_[name].is_none()) return;
    try {
      value = nb::cast<Value>(given_[name]);
    } catch (const nb::cast_error&) {
      const auto found = nb::cast<std::string>(nb::repr(given_[name]));
      throw nb::type_error((std::string(name) + ": is " + found + ", expected " + expected<Value>()).c_str());
    }
  }

  void refuse_unknown() const {
    for (const auto& [name, value] : given_) {
      const auto text = nb::cast<std::string>(name);
      if (!known_.contains(text)) throw nb::type_error(("unknown setting '" + text + "'").c_str());
    }
  }

 private:
  const nb::dict& given_;
  std::set<std::string> known_;
};

/// What is trained, and how; other settings are left to be read by the caller.
TrainSettings read_training(SettingsReader& reader);

/// Samples as Python gives them.
Dataset to_dataset(const AnyMatrix& X, const VectorView& y, const std::optional<Vector>& weights,
                   std::vector<std::string> features, std::vector<std::string> classes);

}  // namespace conelu::python
