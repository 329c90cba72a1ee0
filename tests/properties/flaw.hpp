#pragma once

#include <string>
#include <vector>

#include "properties/instance.hpp"

namespace conelu::properties {

/// Something wrong with a problem, and the argument that the message must name.
struct Flaw {
  std::string name;
  std::string argument;
  void (*spoil)(Instance& instance);
};

const std::vector<Flaw>& flaws();
std::vector<std::string> flaw_names();
const Flaw& find_flaw(const std::string& name);

}  // namespace conelu::properties
