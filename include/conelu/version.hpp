#pragma once

#include "conelu/export.hpp"

namespace CONELU_API conelu {

/// The library's version, "major.minor.patch".
const char* version();

}  // namespace conelu
