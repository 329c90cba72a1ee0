// How fast tables of numbers are read, in megabytes of text per second of CPU: the aim is 100 or more on a core of
// one's own, whatever the numbers look like. The shorter they are, the more of them, and of the matrix, there is in a
// megabyte: single digits are the worst case. The table that comes back is compared with the one that was written, bit
// for bit, before a time is printed.
//
// Speeds depend on the machine and on what else it does. So the same run reads the same files in the plainest way, the
// C library's strtod from field to field into an array, without a check: `ratio` is how many times faster read_dataset
// is.
//
//   bench_csv [--megabytes N] [--columns N]

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conelu/read_data.hpp"

using namespace conelu;

namespace {

struct Sizes {
  double megabytes = 50;
  Index columns = 20;
};

/// A value and its text, as different programs write numbers.
struct Kind {
  const char* name;
  double (*value)(std::mt19937_64&);
  std::string (*text)(double);
};

double normal(std::mt19937_64& random) { return std::normal_distribution<double>()(random); }

const Kind kinds[] = {
    {"single digits", [](std::mt19937_64& random) { return static_cast<double>(random() % 10); },
     [](double value) { return fmt::format("{:.0f}", value); }},
    {"pixels, 0 to 255", [](std::mt19937_64& random) { return static_cast<double>(random() % 256); },
     [](double value) { return fmt::format("{:.0f}", value); }},
    {"four decimals", normal, [](double value) { return fmt::format("{:.4f}", value); }},
    {"six digits and an exponent", normal, [](double value) { return fmt::format("{:.5e}", value); }},
    {"every digit of a double", normal, [](double value) { return fmt::format("{}", value); }},
};

/// A file that is there as long as this is.
class Table {
 public:
  Table(const Kind& kind, const Sizes& sizes) {
    path_ = (std::filesystem::temp_directory_path() / fmt::format("bench_csv_{}.csv", ::getpid())).string();
    std::FILE* file = std::fopen(path_.c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + path_);
    std::mt19937_64 random(1);
    for (std::string line; static_cast<double>(bytes_) < 1e6 * sizes.megabytes; bytes_ += line.size()) {
      line.clear();
      for (Index j = 0; j < sizes.columns; ++j) line += kind.text(kind.value(random)) + ',';
      line += random() % 2 ? "1\n" : "-1\n";
      std::fwrite(line.data(), 1, line.size(), file);
    }
    std::fclose(file);
  }
  ~Table() { std::remove(path_.c_str()); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::string& path() const { return path_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::string path_;
  std::size_t bytes_ = 0;
};

bool holds_what_was_written(const Dataset& data, const Kind& kind) {
  std::mt19937_64 random(1);
  for (Index k = 0; k < data.X.rows(); ++k) {
    for (Index j = 0; j < data.X.cols(); ++j) {
      if (data.X(k, j) != std::strtod(kind.text(kind.value(random)).c_str(), nullptr)) return false;
    }
    if (data.y[k] != (random() % 2 ? 1 : -1)) return false;
  }
  return data.X.rows() > 0;
}

/// The plainest reader: correct for these files, and for no others.
std::vector<double> read_by_strtod(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "r");
  std::string text(std::filesystem::file_size(path), '\0');
  if (file == nullptr || std::fread(text.data(), 1, text.size(), file) != text.size()) {
    throw std::runtime_error("cannot read " + path);
  }
  std::fclose(file);
  std::vector<double> values;
  for (char* at = text.data(); *at != '\0'; ++at) values.push_back(std::strtod(at, &at));
  return values;
}

/// Seconds of CPU that `read` takes, the median of five runs.
template <class Read>
double seconds(Read&& read) {
  std::vector<double> times;
  for (int run = 0; run < 5; ++run) {
    const std::clock_t start = std::clock();
    read();
    times.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main(int count, char** words) {
  Sizes sizes;
  for (int i = 1; i < count; ++i) {
    const std::string_view option = words[i];
    const double value = i + 1 < count ? std::atof(words[++i]) : 0;
    if (option == "--megabytes" && value > 0) {
      sizes.megabytes = value;
    } else if (option == "--columns" && value >= 1) {
      sizes.columns = static_cast<Index>(value);
    } else {
      fmt::print(stderr, "usage: bench_csv [--megabytes N] [--columns N]\n");
      return 2;
    }
  }
  fmt::print("{:<28} {:>6} {:>6} {:>12} {:>6}\n", "numbers", "MB", "MB/s", "strtod MB/s", "ratio");
  for (const Kind& kind : kinds) {
    const Table table(kind, sizes);
    if (!holds_what_was_written(read_dataset(table.path()), kind)) {
      fmt::print(stderr, "bench_csv: {}: the table is not what was written\n", kind.name);
      return 1;
    }
    const double ours = seconds([&] { return read_dataset(table.path()); });
    const double plain = seconds([&] { return read_by_strtod(table.path()); });
    const double megabytes = static_cast<double>(table.bytes()) / 1e6;
    fmt::print("{:<28} {:>6.0f} {:>6.0f} {:>12.0f} {:>6.1f}\n", kind.name, megabytes, megabytes / ours,
               megabytes / plain, plain / ours);
  }
}
