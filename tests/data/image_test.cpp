#include "data/image.hpp"

#include <string>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

using Names = std::vector<std::string>;

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::string idx(char type, const std::vector<std::uint32_t>& shape, const std::string& data) {
  std::string bytes = {0, 0, type, static_cast<char>(shape.size())};
  for (const std::uint32_t length : shape) bytes += big_endian(length);
  return bytes + data;
}

class Images : public TemporaryFiles {
 public:
  /// Two images of 2 x 3 bytes, labels 3 and 8.
  std::string mnist() {
    write("t-labels-idx1-ubyte", idx(8, {2}, "\x03\x08"));
    return write("t-images-idx3-ubyte", idx(8, {2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, '\xff'}));
  }
};

TEST_F(Images, OfIdxFilesFindTheirLabels) {
  const Dataset data = read_dataset(mnist());
  EXPECT_EQ(data.X, (Matrix{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 255}}));
  EXPECT_EQ(data.y, (Vector{{-1, 1}}));
  EXPECT_EQ(data.classes, (Names{"3", "8"}));
  const std::string other = write("other", idx(8, {2}, std::string("\x01\x00", 2)));
  EXPECT_EQ(read_dataset(path("t-images-idx3-ubyte"), {.target = other}).y, (Vector{{1, -1}}));
}

TEST_F(Images, OfIdxFilesNeedNoLabelsForPrediction) {
  const std::string file = write("pictures", idx(8, {1, 1, 2}, "ab"));
  EXPECT_EQ(read_dataset(file, {.target_required = false}).X, (Matrix{{97, 98}}));
  expect_refusal([&] { read_dataset(file); }, {"no file with their labels", "--target"});
}

TEST_F(Images, OfIdxFilesHaveNumbersOfEveryType) {
  const auto read = [&](char type, const std::string& data) {
    return read_dataset(write("a", idx(type, {1, 2}, data)), {.target_required = false}).X;
  };
  EXPECT_EQ(read(0x08, "\xff\x01"), (Matrix{{255, 1}}));
  EXPECT_EQ(read(0x09, "\xff\x01"), (Matrix{{-1, 1}}));
  EXPECT_EQ(read(0x0b, std::string("\xff\xfe\x01\x00", 4)), (Matrix{{-2, 256}}));
  EXPECT_EQ(read(0x0c, big_endian(0xfffffffd) + big_endian(70000)), (Matrix{{-3, 70000}}));
  EXPECT_EQ(read(0x0d, big_endian(0x3fc00000) + big_endian(0xc0000000)), (Matrix{{1.5, -2}}));
  EXPECT_EQ(read(0x0e, big_endian(0x3ff80000) + big_endian(0) + big_endian(0xc0000000) + big_endian(0)),
            (Matrix{{1.5, -2}}));
}

TEST_F(Images, OfDamagedIdxFilesAreRefused) {
  const std::string file = mnist(), whole = content("t-images-idx3-ubyte");
  for (std::size_t size = 4; size < whole.size(); ++size) {
    expect_refusal([&] { read_dataset(write("cut", whole.substr(0, size)), {.target_required = false}); }, {"cut"});
  }
  expect_refusal([&] { read_dataset(write("long", whole + "x")); }, {"13 bytes", "expected 12", "(2, 2, 3)"});
  expect_refusal(
      [&] {
        read_dataset(write("huge", idx(8, {0xffffffff, 0xffffffff, 0xffffffff}, "abc")));
      },
      {"huge", "more than 2^64"});
  expect_refusal([&] { read_dataset(path("t-labels-idx1-ubyte")); }, {"(2,)", "expected images"});
  const std::vector<std::uint32_t> none = {0, 0xffffffff, 0xffffffff};
  expect_refusal([&] { read_dataset(write("none", idx(8, none, ""))); },
                 {"(0, 4294967295, 4294967295)", "at least one"});
  write("t-labels-idx1-ubyte", idx(8, {3}, "abc"));
  expect_refusal([&] { read_dataset(file); }, {"(2, 2, 3)", "(3,)", "labels"});
  expect_refusal([&] { read_dataset(write("none", "abc"), {.format = "idx"}); }, {"not an IDX file"});
}

std::string record(int label, const std::vector<int>& planes) {
  std::string bytes(1, static_cast<char>(label));
  for (const int plane : planes) bytes += std::string(1024, static_cast<char>(plane));
  return bytes;
}

TEST_F(Images, OfCifarHaveThreePlanes) {
  const Dataset data = read_dataset(write("batch.bin", record(1, {10, 20, 255}) + record(7, {1, 2, 3})));
  ASSERT_EQ(data.X.cols(), 3072);
  EXPECT_EQ(data.X(0, 0), 10);
  EXPECT_EQ(data.X(0, 1023), 10);
  EXPECT_EQ(data.X(0, 1024), 20);
  EXPECT_EQ(data.X(0, 3071), 255);
  EXPECT_EQ(data.X(1, 3071), 3);
  EXPECT_EQ(data.classes, (Names{"1", "7"}));
}

TEST_F(Images, OfSomeClassesOnlyAreRead) {
  const std::string file =
      write("batch.bin", record(1, {10, 20, 30}) + record(5, {0, 0, 0}) + record(7, {1, 2, 3}) + record(0, {0, 0, 0}));
  const Dataset data = read_dataset(file, {.classes = {"1", "7"}, .downsample = {7, 7}});
  EXPECT_EQ(data.X.rows(), 2);
  EXPECT_EQ(data.X.cols(), 147);
  EXPECT_TRUE(data.X.row(1).segment(49, 49).isApproxToConstant(2, 1e-14));
  EXPECT_EQ(read_dataset(mnist(), {.expected_classes = {"3", "8"}, .classes = {"8"}}).X.rows(), 1);
}

TEST_F(Images, OfDamagedCifarFilesAreRefusedByTheirByte) {
  const std::string one = record(1, {1, 2, 3});
  expect_refusal([&] { read_dataset(write("a.bin", one + "x")); }, {"3074 bytes", "3073", "ends at byte 3073"});
  expect_refusal([&] { read_dataset(write("a.bin", "")); }, {"is empty"});
  expect_refusal(
      [&] {
        read_dataset(write("a.bin", one + record(10, {1, 2, 3})));
      },
      {"record 2 (byte 3073)", "label 10"});
  expect_refusal([&] { read_dataset(write("a.bin", one)); }, {"two classes"});
  expect_refusal([&] { read_dataset(write("a.bin", one + one), {.downsample = {33, 33}}); }, {"32x32", "33x33"});
  const ReadSettings model{.expected_features = Names(147, "x"), .expected_classes = {"1", "7"}};
  expect_refusal([&] { read_dataset(write("a.bin", one), model); }, {"3072 features", "147 of the model"});
}

// Against the definition: the mean of a function that is constant on old pixels, over the area of a new one, summed up
// on a grid so fine that both sizes divide it.
TEST(AreaAverage, IsTheMeanOverTheAreaOfThePixel) {
  for (const auto& [from, to] :
       {std::pair<ImageSize, ImageSize>{{32, 32}, {7, 7}}, {{5, 3}, {2, 3}}, {{6, 4}, {3, 1}}, {{4, 4}, {4, 3}}}) {
    const Matrix plane = Matrix::Random(from.width, from.height);  // columns are rows of the picture
    Matrix result(to.width, to.height), expected = Matrix::Zero(to.width, to.height);
    AreaAverage(from, to, "test").apply(plane.data(), result.data());
    for (Index y = 0; y < from.height * to.height; ++y) {
      for (Index x = 0; x < from.width * to.width; ++x) {
        expected(x / from.width, y / from.height) += plane(x / to.width, y / to.height);
      }
    }
    expected /= static_cast<double>(from.height * from.width);
    EXPECT_LT((result - expected).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(result.mean(), plane.mean(), 1e-12);
  }
}

TEST(AreaAverage, LeavesPicturesOfTheSameSizeAsTheyAre) {
  const Matrix plane = Matrix::Random(3, 2);
  Matrix result(3, 2);
  AreaAverage({2, 3}, {}, "test").apply(plane.data(), result.data());
  EXPECT_EQ(result, plane);
}

}  // namespace
}  // namespace conelu
