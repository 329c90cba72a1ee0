#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conelu/record.hpp"

namespace conelu {

/// The fields in the order of RunRecord::visit.
nlohmann::ordered_json to_json_object(const RunRecord& record);

/// Fields that are not there keep their defaults and unknown ones are ignored, so that files of other versions load.
/// Throws std::invalid_argument naming a field of the wrong type.
RunRecord record_from_json(const nlohmann::ordered_json& json);

}  // namespace conelu
