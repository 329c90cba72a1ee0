#include <string>

#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

using Foreign = TemporaryFiles;

TEST_F(Foreign, FilesAreCalledWhatTheyAre) {
  const auto refuse = [&](const std::string& bytes, const std::vector<std::string>& parts) {
    expect_refusal([&] { read_dataset(write("file", bytes)); }, parts);
  };
  refuse(std::string("\xd0\xcf\x11\xe0\0\0", 6), {"Excel", "CSV"});
  refuse("PAR1....", {"Parquet"});
  refuse(std::string("SQLite format 3\0", 16), {"database"});
  refuse("\x89PNG\r\n", {"picture"});
  refuse("%PDF-1.7", {"PDF"});
  refuse("BZh91AY", {"bzip2"});
  refuse(
      "\xfd"
      "7zXZ",
      {"xz"});
  refuse(std::string("\xff\xfe"
                     "a\0,\0b\0\n\0",
                     10),
         {"UTF-16"});
  refuse(std::string("\x01\0\x02\0", 4), {"not a text file"});
  refuse("", {"is empty"});
}

TEST_F(Foreign, FormatsThatAreNoneAreRefused) {
  expect_refusal([&] { read_dataset(write("a.csv", "1,0\n2,1\n"), {.format = "xml"}); }, {"'xml'", "'svmlight'"});
}

TEST_F(Foreign, OptionsThatWouldDoNothingAreRefused) {
  const std::string table = write("a.csv", "1,0\n2,1\n");
  expect_refusal([&] { read_dataset(table, {.downsample = {2, 2}}); }, {"--downsample", "images", "csv"});
  expect_refusal([&] { read_dataset(table, {.feature_count = 3}); }, {"--features", "svmlight"});
  expect_refusal([&] { read_dataset(table, {.task = Task::regression, .classes = {"0"}}); },
                 {"--classes", "classification"});
  expect_refusal([&] { read_dataset(write("a", "1 1:2\n0 1:3\n"), {.target = "0"}); }, {"--target", "svmlight"});
  write_npy(path("a.npy"), Matrix::Ones(2, 2));
  expect_refusal([&] { read_dataset(path("a.npy"), {.delimiter = ";"}); }, {"--delimiter", "text tables", "npy"});
}

}  // namespace
}  // namespace conelu
