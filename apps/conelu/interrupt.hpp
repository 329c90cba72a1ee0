#pragma once

namespace conelu::tool {

/// From here on the first Ctrl-C asks the run to stop with what it has; the second ends the process at once.
void catch_interrupts();
bool interrupt_requested();

}  // namespace conelu::tool
