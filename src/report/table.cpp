#include <fmt/format.h>

#include <algorithm>

#include "conelu/record.hpp"

namespace conelu {

namespace {

std::string text(double value) { return fmt::format("{:.8g}", value); }
std::string text(std::int64_t value) { return fmt::format("{}", value); }
std::string text(std::uint64_t value) { return fmt::format("{}", value); }
std::string text(const std::string& value) { return value; }

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

}  // namespace conelu
