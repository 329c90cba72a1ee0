#include "data/svmlight.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "data/csv_rows.hpp"
#include "data/sample_list.hpp"
#include "data/text.hpp"

namespace conelu {
namespace {

struct Entry {
  Index row, column;
  double value;
};

struct Pair {
  std::string_view index, value;
};

std::optional<Pair> split_pair(std::string_view field) {
  const std::size_t colon = field.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return Pair{field.substr(0, colon), field.substr(colon + 1)};
}

/// Behind the label, and behind the query that a row of a ranking belongs to, which is of no use here.
std::size_t first_pair(std::span<const std::string_view> fields) {
  constexpr std::string_view query = "qid:";
  return fields.size() > 1 && fields[1].starts_with(query) && parse_integer(fields[1].substr(query.size())) ? 2 : 1;
}

class SvmlightReader {
 public:
  SvmlightReader(std::string begin, ByteStream* source, const std::string& path, const ReadSettings& settings)
      : path_(path),
        settings_(settings),
        rows_(std::move(begin), source, path, "blanks", CsvRows::Quotes::are_plain),
        samples_(path, settings),
        known_(static_cast<Index>(settings.expected_features.size())) {
    if (known_ == 0) known_ = settings.feature_count;
  }

  Dataset read() {
    while (rows_.next()) {
      if (!rows_.fields()[0].starts_with('#')) read_row();
    }
    const Index columns = known_ > 0 ? known_ : columns_;
    if (count_ > 0 && columns == 0) samples_.fail("mentions no feature at all");
    check_memory(columns);
    Matrix X = Matrix::Zero(count_, columns);
    for (const Entry& entry : entries_) X(entry.row, entry.column) = entry.value;
    entries_ = {};
    samples_.set_matrix(std::move(X));
    return samples_.finish(true);
  }

 private:
  /// A sparse file of a few megabytes can be a matrix that no machine holds.
  void check_memory(Index columns) const {
    const double needed = 8e-9 * static_cast<double>(count_) * static_cast<double>(columns);
    const double there =
        1e-9 * static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (needed < there) return;
    samples_.fail(
        fmt::format("needs {:.3g} GB as a matrix of {} x {}, more than this machine has", needed, count_, columns));
  }

  void read_row() {
    const auto fields = rows_.fields();
    if (split_pair(fields[0])) fail(fmt::format("begins with {}; expected a label", in_quotes(fields[0])));
    if (!samples_.add(fields[0], fmt::format("line {}", rows_.line()))) return;
    Index last = -1;
    for (std::size_t i = first_pair(fields); i < fields.size() && !fields[i].starts_with('#'); ++i) {
      const Entry entry = read_entry(fields[i]);
      if (entry.column <= last) {
        fail(fmt::format("{} stands behind a feature of the same or a larger index; expected growing ones",
                         in_quotes(fields[i])));
      }
      last = entry.column;
      columns_ = std::max(columns_, last + 1);
      if (entry.value != 0) entries_.push_back(entry);
    }
    ++count_;
  }

  Entry read_entry(std::string_view field) const {
    constexpr Index most = Index{1} << 24;  // beyond, not even a few rows fit into memory as a matrix
    const auto pair = split_pair(field);
    if (!pair) fail(fmt::format("{} is not of the form index:value", in_quotes(field)));
    const auto index = parse_integer(pair->index);
    if (!index) fail(fmt::format("the index of {} is not a whole number", in_quotes(field)));
    const Index least = settings_.zero_based ? 0 : 1;
    if (*index < least || *index > most) {
      fail(fmt::format("the index of {} is out of range, {} to {}{}", in_quotes(field), least, most,
                       *index == 0 ? "; --zero-based is for files that begin with 0" : ""));
    }
    if (known_ > 0 && *index - least >= known_) {
      fail(fmt::format("the index of {} is beyond the {} features {}", in_quotes(field), known_,
                       settings_.expected_features.empty() ? "that --features says" : "of the model"));
    }
    const auto value = parse_number(pair->value);
    if (!value) fail(fmt::format("the value of {} is not a number", in_quotes(field)));
    if (!std::isfinite(*value)) fail(fmt::format("{}: {}", in_quotes(field), not_finite(*value)));
    return {count_, *index - least, *value};
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw std::invalid_argument(fmt::format("{}, line {}: {}", path_, rows_.line(), problem));
  }

  std::string path_;
  const ReadSettings& settings_;
  CsvRows rows_;
  SampleList samples_;
  Index known_;  ///< number of features that is not for the file to say; 0: it is
  Index columns_ = 0;
  Index count_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace

bool looks_like_svmlight(std::string_view text) {
  // A row that is cut off by the end of `text` must not be judged.
  const std::size_t end = text.rfind('\n');
  CsvRows rows(std::string(end == std::string_view::npos ? text : text.substr(0, end + 1)), nullptr, "", "blanks",
               CsvRows::Quotes::are_plain);
  bool pairs = false;
  for (int seen = 0; seen < 5 && rows.next();) {
    const auto fields = rows.fields();
    if (fields[0].starts_with('#')) continue;
    if (!parse_number(fields[0])) return false;
    for (std::size_t i = first_pair(fields); i < fields.size() && !fields[i].starts_with('#'); ++i) {
      const auto pair = split_pair(fields[i]);
      if (!pair || !parse_integer(pair->index) || !parse_number(pair->value)) return false;
      pairs = true;
    }
    ++seen;
  }
  return pairs;
}

Dataset read_svmlight(std::string begin, ByteStream* source, const std::string& path, const ReadSettings& settings) {
  return SvmlightReader(std::move(begin), source, path, settings).read();
}

}  // namespace conelu
