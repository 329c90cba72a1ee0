#include <zlib.h>

#include <string>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/byte_stream.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

class Gzip : public TemporaryFiles {
 public:
  std::string write_packed(const std::string& name, const std::string& bytes, const char* mode = "wb") {
    gzFile file = ::gzopen(path(name).c_str(), mode);
    ::gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    ::gzclose(file);
    return path(name);
  }
};

TEST_F(Gzip, FilesOfEveryKindAreUnpackedOnTheWay) {
  EXPECT_EQ(read_dataset(write_packed("a.csv.gz", "a,y\n1,0\n2,1\n")).X, (Matrix{{1}, {2}}));
  EXPECT_EQ(read_dataset(write_packed("any name", "1 2:5\n0 1:1\n")).X, (Matrix{{0, 5}, {1, 0}}));
  EXPECT_EQ(
      read_dataset(write_packed("a.bin.gz", "\1" + std::string(3072, 'a') + "\2" + std::string(3072, 'b'))).X(1, 0),
      98);
  write_npy(path("plain.npy"), Matrix{{1, 2}, {3, 4}});
  EXPECT_EQ(read_npy(write_packed("a.npy.gz", content("plain.npy"))), (Matrix{{1, 2}, {3, 4}}));
  write_npz(path("plain.npz"), read_dataset(path("a.csv.gz")));
  EXPECT_EQ(read_dataset(write_packed("a.npz.gz", content("plain.npz"))).X, (Matrix{{1}, {2}}));
  write_packed("b-labels-idx1-ubyte.gz", std::string("\0\0\x08\x01\0\0\0\x02\0\x01", 10));
  EXPECT_EQ(
      read_dataset(write_packed("b-images-idx3-ubyte.gz", std::string("\0\0\x08\x02\0\0\0\x02\0\0\0\x01zz", 14))).y,
      (Vector{{-1, 1}}));
  EXPECT_EQ(read_dataset(path("a.csv.gz"), {.weights = write_packed("w.gz", "1\n3\n")}).weights, (Vector{{1, 3}}));
}

TEST_F(Gzip, PromisesOfHeadersAreNotBelieved) {
  write_npy(path("plain.npy"), Matrix{{1, 2}, {3, 4}});
  std::string lie = content("plain.npy");
  lie.replace(lie.find("(2, 2), }        "), 17, "(100000, 200000)}");
  expect_refusal([&] { read_npy(write_packed("lie.npy.gz", lie)); }, {"needs 160000000000 bytes, 32 are there"});
  const std::string images("\0\0\x08\x03\0\0\0\x02\0\0\x10\0\0\0\x10\0zzz", 19);
  expect_refusal([&] { read_dataset(write_packed("images.gz", images)); },
                 {"has 3 bytes behind its header", "expected 33554432"});
}

TEST_F(Gzip, SeveralPartsAreOneFile) {
  write_packed("a.gz", "a,y\n1,0\n");
  EXPECT_EQ(read_dataset(write_packed("a.gz", "2,1\n", "ab")).samples(), 2);
}

TEST_F(Gzip, LargeFilesComeOutWhole) {
  std::string bytes;
  for (unsigned i = 0; bytes.size() < 3000000; ++i) bytes += std::to_string(i * 2654435761u);
  EXPECT_EQ(ByteStream(write_packed("large.gz", bytes)).read_rest(), bytes);
  EXPECT_EQ(ByteStream(write("large", bytes)).read_rest(), bytes);
}

TEST_F(Gzip, DamageIsRefusedByItsByte) {
  std::string text = "a,y\n";
  for (unsigned i = 0; i < 20000; ++i) text += std::to_string(i * 2654435761u) + "," + std::to_string(i % 2) + "\n";
  write_packed("a.gz", text);
  const std::string whole = content("a.gz");
  expect_refusal([&] { read_dataset(write("cut.gz", whole.substr(0, whole.size() / 2))); },
                 {"cut.gz", "truncated", "byte"});
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 0x55;
  expect_refusal([&] { read_dataset(write("damaged.gz", damaged)); }, {"damaged.gz"});
  damaged = whole;
  damaged[whole.size() - 6] ^= 1;  // the checksum
  expect_refusal([&] { read_dataset(write("damaged.gz", damaged)); }, {"damaged.gz", "damaged near byte"});
}

}  // namespace
}  // namespace conelu
