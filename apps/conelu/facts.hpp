#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace conelu::tool {

/// The fields of an object as a table of two columns: numbers rounded, texts as they are. What has `--json` builds one
/// object and prints either.
std::string facts_table(const nlohmann::ordered_json& facts);

}  // namespace conelu::tool
