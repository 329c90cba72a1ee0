#pragma once

namespace conelu {

/// The library's version, "major.minor.patch".
const char* version();

}  // namespace conelu
