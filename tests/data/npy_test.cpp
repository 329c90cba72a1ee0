#include "data/npy.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>

#include "conelu/read_data.hpp"
#include "data/byte_stream.hpp"
#include "data/npy_builder.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

class Npy : public TemporaryFiles {
 public:
  Matrix read(const std::string& bytes) { return read_npy(write("a.npy", bytes)); }
  std::vector<std::string> texts_in(const std::string& bytes) {
    ByteStream file(write("a.npy", bytes));
    return NpyArray(file, "a").texts();
  }
};

const Matrix small{{1, 2, 3}, {4, 5, 6}};

std::string reversed_items(std::string bytes, std::size_t item) {
  for (std::size_t at = 0; at < bytes.size(); at += item) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + item));
  }
  return bytes;
}


template <class Number>
class EveryType : public Npy {};

using Types = ::testing::Types<double, float, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                               std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(EveryType, Types);

TYPED_TEST(EveryType, IsReadInEitherByteOrderAndLayout) {
  constexpr char kind = std::is_floating_point_v<TypeParam> ? 'f' : std::is_signed_v<TypeParam> ? 'i' : 'u';
  const std::string rows = raw<TypeParam>({1, 2, 3, 4, 5, 6});
  const std::string columns = raw<TypeParam>({1, 4, 2, 5, 3, 6});
  const auto type = [&](char order) {
    return std::string("'") + order + kind + std::to_string(sizeof(TypeParam)) + "'";
  };
  EXPECT_EQ(this->read(npy_file(type('<'), "(2, 3)", rows)), small);
  EXPECT_EQ(this->read(npy_file(type('<'), "(2, 3)", columns, "True")), small);
  EXPECT_EQ(this->read(npy_file(type('>'), "(2, 3)", reversed_items(rows, sizeof(TypeParam)))), small);
}

TYPED_TEST(EveryType, KeepsItsExtremes) {
  using Limits = std::numeric_limits<TypeParam>;
  constexpr char kind = std::is_floating_point_v<TypeParam> ? 'f' : std::is_signed_v<TypeParam> ? 'i' : 'u';
  const std::string type = std::string("'<") + kind + std::to_string(sizeof(TypeParam)) + "'";
  const Matrix read = this->read(npy_file(type, "(1, 2)", raw<TypeParam>({Limits::lowest(), Limits::max()})));
  EXPECT_EQ(read(0, 0), static_cast<double>(Limits::lowest()));
  EXPECT_EQ(read(0, 1), static_cast<double>(Limits::max()));
}

TEST_F(Npy, BooleansAndHalvesAreNumbersToo) {
  EXPECT_EQ(read(npy_file("'|b1'", "(1, 3)", std::string("\x01\x00\x01", 3))), (Matrix{{1, 0, 1}}));
  // IEEE half precision: 1.0, -2.0, 65504, infinity.
  const Matrix halves = read(npy_file("'<f2'", "(1, 4)", raw<std::uint16_t>({0x3c00, 0xc000, 0x7bff, 0x7c00})));
  EXPECT_EQ(halves, (Matrix{{1, -2, 65504, std::numeric_limits<double>::infinity()}}));
}

TEST_F(Npy, LongDoublesAreNumbersToo) {
  if (sizeof(long double) != 16) GTEST_SKIP() << "this machine has no such type";
  EXPECT_EQ(read(npy_file("'<f16'", "(1, 2)", raw<long double>({1.5L, -1e300L}))), (Matrix{{1.5, -1e300}}));
}

TEST_F(Npy, LaterVersionsOfTheFormatAreRead) {
  for (const char version : {'\x02', '\x03'}) {
    EXPECT_EQ(read(npy_file("'<f8'", "(2, 3)", raw<double>({1, 2, 3, 4, 5, 6}), "False", version)), small);
  }
}

TEST_F(Npy, WhatIsWrittenReadsBackExactly) {
  const Matrix values{{0.1, -0.0, 5e-324}, {1e308, 1.0 / 3, std::numeric_limits<double>::infinity()}};
  write_npy(path("a.npy"), values);
  EXPECT_EQ(read_npy(path("a.npy")), values);
  write_npy(path("a.npy"), Matrix(0, 4));
  EXPECT_EQ(read_npy(path("a.npy")).cols(), 4);
}

// As numpy.save writes np.array([[1., 2.]]): 128 bytes of preamble ending in a newline, then the data.
TEST_F(Npy, FilesAreWrittenAsNumpyWritesThem) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
  const std::string preamble = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header;
  write_npy(path("a.npy"), Matrix{{1, 2}});
  EXPECT_EQ(content("a.npy"), preamble + std::string(127 - preamble.size(), ' ') + '\n' + raw<double>({1, 2}));
}

TEST_F(Npy, TextIsReadAsUtf8) {
  // "no" and "straße€𝄞" in UTF-32, padded with zeros.
  const std::u32string texts = std::u32string(U"no\0\0\0\0\0\0\0", 9) + U"stra\u00dfe\u20ac\U0001d11e" + U'\0';
  const std::string data(reinterpret_cast<const char*>(texts.data()), texts.size() * 4);
  const std::string bytes = npy_file("'<U9'", "(2,)", data);
  const std::vector<std::string> expected = {"no",
                                             "stra\xc3\x9f"
                                             "e\xe2\x82\xac\xf0\x9d\x84\x9e"};
  EXPECT_EQ(texts_in(bytes), expected);
  const std::string big = npy_file("'>U9'", "(2,)", reversed_items(data, 4));
  EXPECT_EQ(texts_in(big), expected);
  const std::string plain = npy_file("'|S3'", "(2,)", std::string("no\0yes", 6));
  EXPECT_EQ(texts_in(plain), (std::vector<std::string>{"no", "yes"}));
}

TEST_F(Npy, DamagedAndForeignFilesAreRefused) {
  const std::string data = raw<double>({1, 2, 3, 4, 5, 6});
  const std::string good = npy_file("'<f8'", "(2, 3)", data);
  const auto refuse = [&](const std::string& bytes, std::vector<std::string> parts) {
    parts.push_back(path("a.npy"));
    expect_refusal([&] { read(bytes); }, parts);
  };
  refuse("", {"is empty"});
  refuse("hello, world", {"not a NumPy array"});
  refuse("\x93NUMPY", {"truncated in its header"});
  refuse(good.substr(0, 40), {"truncated in its header"});
  refuse(good.substr(0, good.size() - 1), {"truncated", "(2, 3)", "48 bytes", "47"});
  refuse(good + "x", {"1 bytes more"});
  refuse(npy_file("'<f8'", "(2, 3)", data, "False", 9), {"version 9"});
  refuse(npy_file("'<f8'", "(6,)", data), {"(6,)", "two dimensions"});
  refuse(npy_file("'<f8'", "(1, 2, 3)", data), {"(1, 2, 3)", "two dimensions"});
  refuse(npy_file("'<f8'", "()", data.substr(0, 8)), {"()", "two dimensions"});
  refuse(npy_file("'<f8'", "(2, -3)", data), {"damaged shape"});
  refuse(npy_file("'<f8'", "(2, x)", data), {"damaged shape"});
  refuse(npy_file("'<f8'", "2, 3", data), {"damaged header"});
  refuse(npy_file("'<f8'", "(4294967296, 4294967296)", data), {"truncated", "2^64"});
  refuse(npy_file("'|O'", "(2, 3)", data), {"pickled Python objects"});
  refuse(npy_file("'<c16'", "(1, 3)", data), {"complex", "<c16"});
  refuse(npy_file("'<f3'", "(1, 3)", data), {"'<f3'", "expected floats"});
  refuse(npy_file("'<M8[ns]'", "(2, 3)", data), {"'<M8[ns]'", "expected floats"});
  refuse(npy_file("'<i3'", "(2, 8)", data), {"'<i3'"});
  refuse(npy_file("'<'", "(2, 3)", data), {"'<'"});
  refuse(npy_file("'<U4'", "(1, 3)", data), {"holds text"});
  refuse(npy_file("'<U4611686018427387904'", "(3,)", data), {"'<U4611686018427387904'"});
  refuse(npy_file("[('a', '<f8')]", "(6,)", data), {"structured"});
  expect_refusal([&] { read_npy(path("missing.npy")); }, {path("missing.npy"), "No such file"});
}

// Without a word about sizes from the system, a header could promise anything.
TEST_F(Npy, PipesAreReadToTheirEnd) {
  const auto read_pipe = [&](const std::string& bytes) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    std::thread writer([&] { write("pipe", bytes); });
    Matrix found;
    std::string refusal;
    try {
      found = read_npy(path("pipe"));
    } catch (const std::invalid_argument& error) {
      refusal = error.what();
    }
    writer.join();
    std::filesystem::remove(path("pipe"));
    if (refusal.empty()) {
      EXPECT_EQ(found, small);
    } else {
      EXPECT_NE(refusal.find("needs 80000000000 bytes, 48 are there"), std::string::npos) << refusal;
    }
  };
  const std::string data = raw<double>({1, 2, 3, 4, 5, 6});
  read_pipe(npy_file("'<f8'", "(2, 3)", data));
  read_pipe(npy_file("'<f8'", "(1000000000, 10)", data));
}

TEST_F(Npy, NothingNeedsNoRoom) {
  EXPECT_EQ(read(npy_file("'<f8'", "(9223372036854775807, 0)", "")).cols(), 0);
  EXPECT_EQ(read(npy_file("'<f8'", "(0, 9223372036854775807)", "")).rows(), 0);
}

TEST_F(Npy, EveryPrefixOfAFileIsRefusedWithoutReadingBeyondIt) {
  write_npy(path("whole.npy"), small);
  const std::string whole = content("whole.npy");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    expect_refusal([&] { read(whole.substr(0, size)); }, {path("a.npy")});
  }
}

}  // namespace
}  // namespace conelu
