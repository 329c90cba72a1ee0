#include "facts.hpp"

#include <fmt/format.h>

#include "conelu/record.hpp"

namespace conelu::tool {

std::string facts_table(const nlohmann::ordered_json& facts) {
  TableRows rows;
  for (const auto& [name, value] : facts.items()) {
    const std::string number = value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
    rows.emplace_back(name, value.is_string() ? value.get<std::string>() : number);
  }
  return to_table(rows);
}

}  // namespace conelu::tool
