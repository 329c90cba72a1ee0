#include <malloc.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/npy_builder.hpp"
#include "data/temporary_files.hpp"
#include "data/zip_builder.hpp"

namespace conelu {
namespace {

using Method = ZipBuilder::Method;

constexpr std::size_t rows = 4000, columns = 1000, matrix_kb = rows * columns * 8 / 1024;

/// A line of /proc/self/status, in KB; the pages of this process, or the most that it ever had.
std::size_t status_kb(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(key + ":")) return std::stoul(line.substr(key.size() + 1));
  }
  return 0;
}

/// Gives back what the process does not use, too: it would be used first.
bool forget_peak() {
  ::malloc_trim(0);
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << "5" << std::flush);
}

class ReaderMemory : public TemporaryFiles {
 public:
  ReaderMemory() {
    std::vector<double> numbers(rows * columns);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i / columns) + 0.5;
    array_ = npy_file("'<f8'", "(4000, 1000)", raw(numbers));
  }

  /// The last column is the target of a table, and one more array in an archive.
  void expect_one_matrix(const std::string& name) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer has memory of its own for every byte";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    GTEST_SKIP() << "a sanitizer has memory of its own for every byte";
#endif
#endif
    if (!forget_peak()) GTEST_SKIP() << "this system does not tell how much memory was used";
    const std::size_t before = status_kb("VmRSS");
    const Dataset data = read_dataset(path(name), {.task = Task::regression});
    const std::size_t used = status_kb("VmHWM") - before;
    ASSERT_EQ(data.samples(), static_cast<Index>(rows));
    EXPECT_EQ(data.X(3999, 7), 3999.5);
    EXPECT_LT(used, matrix_kb + 12288) << "KB, for a matrix of " << matrix_kb;
    EXPECT_GT(used, matrix_kb / 2) << "KB: not what is measured here";
  }

  std::string archive(Method method) const {
    const std::string y = npy_file("'<f8'", "(4000,)", raw(std::vector<double>(rows, 1.5)));
    return ZipBuilder().add("X.npy", array_, method).add("y.npy", y, method).bytes();
  }

  std::string array_;
};

TEST_F(ReaderMemory, IsOneMatrixForAnArray) {
  write("table.npy", array_);
  expect_one_matrix("table.npy");
}

TEST_F(ReaderMemory, IsOneMatrixForAPackedArray) {
  gzFile file = ::gzopen(path("table.npy.gz").c_str(), "wb1");
  ::gzwrite(file, array_.data(), static_cast<unsigned>(array_.size()));
  ::gzclose(file);
  expect_one_matrix("table.npy.gz");
}

TEST_F(ReaderMemory, IsOneMatrixForAnArchive) {
  write("data.npz", archive(Method::stored));
  expect_one_matrix("data.npz");
}

TEST_F(ReaderMemory, IsOneMatrixForADeflatedArchive) {
  write("data.npz", archive(Method::deflated));
  expect_one_matrix("data.npz");
}

TEST_F(ReaderMemory, IsOneMatrixForNumbersOfAnIdxFile) {
  std::string big_endian(array_.substr(array_.size() - rows * columns * 8));
  for (std::size_t at = 0; at < big_endian.size(); at += 8) {
    std::reverse(big_endian.begin() + static_cast<std::ptrdiff_t>(at),
                 big_endian.begin() + static_cast<std::ptrdiff_t>(at + 8));
  }
  write("images", std::string("\0\0\x0e\x02\0\0\x0f\xa0\0\0\x03\xe8", 12) + big_endian);
  write("labels", std::string("\0\0\x08\x01\0\0\x0f\xa0", 8) + std::string(rows, '\x05'));
  big_endian = {};
  expect_one_matrix("images");
}

}  // namespace
}  // namespace conelu
