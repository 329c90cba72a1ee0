#pragma once

#include <string>
#include <string_view>

namespace conelu {

/// What the system says about its last refusal (errno).
std::string last_error();

/// All bytes of a file. Throws std::invalid_argument naming the path and the reason: not there, a directory, no
/// permission.
std::string read_file(const std::string& path);

/// Writes to a temporary file beside `path` that takes its name once all bytes are on the disk: readers see the old
/// file or the new one, never half of one. Special files such as /dev/stdout are written directly. On failure the
/// temporary file is removed and std::invalid_argument names the path and the reason.
void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace conelu
