#include "conelu/read_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "data/byte_stream.hpp"
#include "data/cifar10.hpp"
#include "data/csv.hpp"
#include "data/idx.hpp"
#include "data/npy.hpp"
#include "data/npy_table.hpp"
#include "data/npz.hpp"
#include "data/svmlight.hpp"
#include "data/text.hpp"

namespace conelu {
namespace {

/// Files that people hand over by mistake, by their first bytes.
struct Foreign {
  std::string_view begin;
  const char* what;
};
constexpr Foreign foreign_files[] = {
    {"\xd0\xcf\x11\xe0", "an Excel workbook (.xls); save its sheet as CSV and read that"},
    {"PAR1", "a Parquet file; convert it to CSV or .npz"},
    {"\x89HDF", "an HDF5 file; convert it to CSV or .npz"},
    {"SQLite format 3", "a database; export a table of it as CSV"},
    {"\x89PNG", "a picture; expected data"},
    {"%PDF", "a PDF document; expected data"},
    {"BZh", "compressed by bzip2; unpack it first, or use gzip"},
    {"\xfd"
     "7zXZ",
     "compressed by xz; unpack it first, or use gzip"},
    {"\x28\xb5\x2f\xfd", "compressed by zstd; unpack it first, or use gzip"},
    {"\xff\xfe", "UTF-16 text; save it as UTF-8"},
    {"\xfe\xff", "UTF-16 text; save it as UTF-8"},
};

bool has_ending(std::string path, std::string_view ending) {
  if (path.ends_with(".gz")) path.resize(path.size() - 3);
  return path.ends_with(ending);
}

std::string find_format(std::string_view begin, const std::string& path) {
  if (has_ending(path, ".npz") || begin.starts_with("PK\x03\x04")) return "npz";
  if (has_ending(path, ".npy") || begin.starts_with(npy_magic)) return "npy";
  if (has_ending(path, ".bin")) return "cifar10";
  if (looks_like_idx(begin)) return "idx";
  for (const Foreign& foreign : foreign_files) {
    if (begin.starts_with(foreign.begin)) throw std::invalid_argument(fmt::format("{}: is {}", path, foreign.what));
  }
  if (has_ending(path, ".svm") || has_ending(path, ".libsvm") || has_ending(path, ".svmlight")) return "svmlight";
  const bool text = begin.substr(0, 4096).find('\0') == std::string_view::npos;
  return text && looks_like_svmlight(begin) ? "svmlight" : "csv";
}

/// An option that would do nothing is a mistake.
void check_settings(const ReadSettings& settings, const std::string& format, const std::string& path) {
  const auto require = [&](bool unused, const char* option, const char* kinds) {
    if (unused) return;
    throw std::invalid_argument(fmt::format("{}: {} is for {}, and this file is {}", path, option, kinds, format));
  };
  const bool table = format == "csv";
  require(table || settings.delimiter.empty(), "--delimiter", "text tables");
  require(table || !settings.header, "--header", "text tables");
  require(table || settings.categorical.empty(), "--categorical", "text tables");
  require(table || format == "npy" || settings.drop.empty(), "--drop", "tables");
  const bool has_labels = format == "svmlight" || format == "cifar10";
  require(!has_labels || settings.target.empty(), "--target", "files that do not say themselves where labels are");
  require(format == "svmlight" || !settings.zero_based, "--zero-based", "svmlight files");
  require(format == "svmlight" || settings.feature_count == 0, "--features", "svmlight files");
  const bool images = format == "idx" || format == "cifar10";
  require(images || (settings.downsample.height == 0 && settings.downsample.width == 0), "--downsample", "images");
  if (settings.task == Task::regression) require(settings.classes.empty(), "--classes", "classification");
}

Dataset read_as(const std::string& format, std::string begin, ByteStream& source, const std::string& path,
                const ReadSettings& settings) {
  if (format == "csv") return read_csv(std::move(begin), &source, path, settings);
  if (format == "svmlight") return read_svmlight(std::move(begin), &source, path, settings);
  source.put_back(std::move(begin));
  if (format == "npz") return read_npz(source, settings);
  if (format == "npy") return read_npy_table(source, settings);
  if (format == "idx") return read_idx(source, settings);
  if (format == "cifar10") return read_cifar10(source, settings);
  throw std::invalid_argument(
      fmt::format("format: {} is none; expected {}", in_quotes(format), listed(format_names(), 9)));
}

/// A class that only rows of weight 0 belong to is not there.
void check_every_class_weighs(const Dataset& data, const std::string& path) {
  if (data.weights.size() == 0) return;
  std::vector<bool> weighs(data.classes.size(), false);
  for (Index k = 0; k < data.samples(); ++k) {
    if (data.weights(k) > 0) weighs[static_cast<std::size_t>(data.class_of(k))] = true;
  }
  const auto missing = std::find(weighs.begin(), weighs.end(), false);
  if (missing == weighs.end()) return;
  throw std::invalid_argument(
      fmt::format("{}: classification needs rows of every class, but every row with label {} has weight 0", path,
                  in_quotes(data.classes[static_cast<std::size_t>(missing - weighs.begin())])));
}

}  // namespace

std::vector<std::string> format_names() { return {"csv", "svmlight", "npy", "npz", "idx", "cifar10"}; }

Dataset read_dataset(const std::string& path, const ReadSettings& settings) {
  ByteStream source(path);
  std::string begin(std::size_t{1} << 16, '\0');
  begin.resize(source.read(begin.data(), begin.size()));
  const std::string format = settings.format.empty() ? find_format(begin, path) : settings.format;
  check_settings(settings, format, path);
  Dataset data = read_as(format, std::move(begin), source, path, settings);
  const bool training = settings.task == Task::classification && settings.target_required;
  if (training && settings.expected_classes.empty()) check_every_class_weighs(data, path);
  return data;
}

}  // namespace conelu
