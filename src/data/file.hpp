#pragma once

#include <string>
#include <string_view>

namespace conelu {

/// What the system says about its last refusal (errno).
std::string last_error();

/// All bytes of a file. Throws std::invalid_argument naming the path and the reason: not there, a directory, no
/// permission.
std::string read_file(const std::string& path);

/// Writes to a file without a name that takes this one once all bytes are on the disk: readers see the old file or the
/// new one, never half of one, and a process that is killed leaves nothing else behind but, in the moment of replacing
/// an old file, a second name of the whole new one. (On file systems that know no files without a name it is a temporary
/// file beside `path`.) Special files such as /dev/stdout are written directly.
/// On failure std::invalid_argument names the path and the reason.
void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace conelu
