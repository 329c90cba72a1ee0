#include <fmt/format.h>

#include "conelu/verify.hpp"
#include "data/file.hpp"
#include "data/text.hpp"

namespace conelu {

std::string verification_csv(const std::vector<Verification>& rows, const std::vector<double>& radii) {
  std::string csv = "row,verdict,lower,upper,radius,seconds\n";
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Verification& row = rows[k];
    if (row.worst.size() == 0) continue;
    csv += fmt::format("{},{},{},{},{},{:.6f}\n", k, to_string(row.verdict), format_number(row.lower),
                       format_number(row.upper), radii.empty() ? "" : format_number(radii.at(k)), row.seconds);
  }
  return csv;
}

void save_verification(const std::vector<Verification>& rows, const std::vector<double>& radii,
                       const std::string& path) {
  write_file_atomically(path, verification_csv(rows, radii));
}

}  // namespace conelu
