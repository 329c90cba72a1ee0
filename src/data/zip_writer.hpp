#pragma once

#include <string>
#include <string_view>

namespace conelu {

/// Makes a zip archive of members that are stored as they are; what numpy.savez makes, too.
class ZipWriter {
 public:
  /// Throws std::invalid_argument if the archive would have 4 GB or more.
  void add(std::string_view name, std::string_view content);

  std::string bytes() const;

 private:
  std::string members_;
  std::string directory_;
  std::size_t count_ = 0;
};

}  // namespace conelu
