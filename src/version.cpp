#include "conelu/version.hpp"

namespace conelu {

const char* version() { return CONELU_VERSION; }

}  // namespace conelu
