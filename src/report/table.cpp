#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "conelu/record.hpp"

namespace conelu {

namespace {

std::string text(double value) { return fmt::format("{:.8g}", value); }
std::string text(std::int64_t value) { return fmt::format("{}", value); }
std::string text(std::uint64_t value) { return fmt::format("{}", value); }
std::string text(const std::string& value) { return value; }
std::string text(const std::vector<double>& values) {
  constexpr std::size_t kShown = 8;
  const auto last = values.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, values.size()));
  const std::string shown = fmt::format("{:.8g}", fmt::join(values.begin(), last, ", "));
  return values.size() <= kShown ? shown : fmt::format("{}, ... ({} in all)", shown, values.size());
}
std::string text(const Phases& phases) {
  std::string parts;
  Phases::visit(phases, [&](const char* name, double value) {
    parts += fmt::format("{}{} {:.2g}", parts.empty() ? "" : ", ", name, value);
  });
  return parts;
}

struct RowWriter {
  TableRows& rows;

  template <class T>
  void operator()(const char* name, const T& field) const {
    rows.emplace_back(name, text(field));
  }
  template <class T>
  void operator()(const char* name, const std::optional<T>& field) const {
    if (field) (*this)(name, *field);
  }
};

}  // namespace

TableRows table_rows(const RunRecord& record) {
  TableRows rows;
  RunRecord::visit(record, RowWriter{rows});
  return rows;
}

std::string to_table(const TableRows& rows) {
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, name.size());
  std::string table;
  for (const auto& [name, value] : rows) table += fmt::format("{:<{}}  {}\n", name, width, value);
  return table;
}

std::string class_table(const std::vector<std::string>& classes, const std::vector<RunRecord>& records) {
  std::size_t width = 5;
  for (const std::string& label : classes) width = std::max(width, label.size());
  std::string table = fmt::format("{:<{}}  {:>14}  {:>9}  {:>7}\n", "class", width, "objective", "gap", "neurons");
  for (std::size_t k = 0; k < records.size(); ++k) {
    table += fmt::format("{:<{}}  {:>14.8g}  {:>9.2g}  {:>7}\n", classes.at(k), width, records[k].objective,
                         records[k].relative_gap, records[k].neurons);
  }
  return table;
}

}  // namespace conelu
