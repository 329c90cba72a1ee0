#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/npy_builder.hpp"
#include "data/temporary_files.hpp"
#include "data/zip_builder.hpp"

namespace conelu {
namespace {

using Names = std::vector<std::string>;
using Method = ZipBuilder::Method;

const std::string stored_X = npy_file("'<f8'", "(3, 2)", raw<double>({1, 2, 3, 4, 5, 6}));
const std::string y = npy_file("'<i8'", "(3,)", raw<std::int64_t>({7, 5, 7}));
const std::string stored_weights = npy_file("'<f4'", "(3,)", raw<float>({1, 2, 0.5}));

class Npz : public TemporaryFiles {
 public:
  Dataset read(const ZipBuilder& archive, const ReadSettings& settings = {}) {
    return read_dataset(write("data.npz", archive.bytes()), settings);
  }
  void refuse(const ZipBuilder& archive, std::vector<std::string> parts, const ReadSettings& settings = {}) {
    parts.push_back(path("data.npz"));
    expect_refusal([&] { read(archive, settings); }, parts);
  }
};

class EveryArchive : public Npz, public ::testing::WithParamInterface<std::pair<Method, bool>> {};

TEST_P(EveryArchive, HoldsFeaturesTargetAndWeights) {
  const auto [method, zip64] = GetParam();
  ZipBuilder archive;
  archive.add("weights.npy", stored_weights, method, zip64)
      .add("X.npy", stored_X, method, zip64)
      .add("y.npy", y, method, zip64);
  const Dataset data = read(archive);
  EXPECT_EQ(data.X, (Matrix{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(data.y, Vector({{1, -1, 1}}));
  EXPECT_EQ(data.weights, Vector({{1, 2, 0.5}}));
  EXPECT_EQ(data.features, (Names{"x1", "x2"}));
  EXPECT_EQ(data.classes, (Names{"5", "7"}));
}

INSTANTIATE_TEST_SUITE_P(Npz, EveryArchive,
                         ::testing::Values(std::pair{Method::stored, false}, std::pair{Method::deflated, false},
                                           std::pair{Method::stored, true}, std::pair{Method::deflated, true}));

// Compressible, so that deflate uses its window and not only literals.
TEST_F(Npz, LargeDeflatedArrayIsReadExactly) {
  Matrix large(5000, 7);
  for (Index k = 0; k < large.rows(); ++k) {
    for (Index j = 0; j < large.cols(); ++j) large(k, j) = static_cast<double>((k * 31 + j * 17) % 101) / 7;
  }
  std::vector<double> targets(5000, 0.5);
  targets[4321] = -2;
  write_npy(path("large.npy"), large);
  ZipBuilder archive;
  archive.add("X.npy", content("large.npy"), Method::deflated);
  archive.add("y.npy", npy_file("'<f8'", "(5000,)", raw(targets)), Method::deflated);
  const Dataset data = read(archive, {.task = Task::regression});
  EXPECT_EQ(data.X, large);
  EXPECT_EQ(data.y[4321], -2);
  EXPECT_EQ(data.y[4320], 0.5);
}

TEST_F(Npz, ArchiveMayEndInACommentAndHaveAnyName) {
  const std::string bytes = ZipBuilder().add("X.npy", stored_X).add("y.npy", y).bytes("a comment");
  EXPECT_EQ(read_dataset(write("data.npz", bytes)).samples(), 3);
  EXPECT_EQ(read_dataset(write("data", bytes)).samples(), 3);
}

TEST_F(Npz, TargetsMayBeTextOrAColumn) {
  const std::string text = npy_file("'|S3'", "(3,)", std::string("yesno\0yes", 9));
  EXPECT_EQ(read(ZipBuilder().add("X.npy", stored_X).add("y.npy", text)).classes, (Names{"no", "yes"}));
  const std::string three = npy_file("'<U1'", "(3,)", raw<char32_t>({U'c', U'a', U'b'}));
  EXPECT_EQ(read(ZipBuilder().add("X.npy", stored_X).add("y.npy", three)).classes, (Names{"a", "b", "c"}));
  EXPECT_EQ(read(ZipBuilder().add("X.npy", stored_X).add("y.npy", three)).y, Vector({{2, 0, 1}}));
  const std::string integers = npy_file("'<i4'", "(3,)", raw<std::int32_t>({7, -3, 5}));
  EXPECT_EQ(read(ZipBuilder().add("X.npy", stored_X).add("y.npy", integers)).classes, (Names{"-3", "5", "7"}));
  EXPECT_EQ(read(ZipBuilder().add("X.npy", stored_X).add("y.npy", integers)).y, Vector({{2, 0, 1}}));
  const std::string column = npy_file("'<f8'", "(3, 1)", raw<double>({0.1, 0.2, 0.3}));
  const Dataset data = read(ZipBuilder().add("X.npy", stored_X).add("y.npy", column), {.task = Task::regression});
  EXPECT_EQ(data.y, Vector({{0.1, 0.2, 0.3}}));
}

TEST_F(Npz, TargetAndWeightsMayBeOtherArraysOrFiles) {
  ZipBuilder archive;
  archive.add("X.npy", stored_X).add("t.npy", y).add("w.npy", stored_weights);
  EXPECT_EQ(read(archive, {.target = "t"}).weights.size(), 0);
  EXPECT_EQ(read(archive, {.target = "t", .weights = "w"}).weights, Vector({{1, 2, 0.5}}));
  const std::string file = write("w.csv", "3\n2\n1\n");
  EXPECT_EQ(read(archive, {.target = "t", .weights = file}).weights, Vector({{3, 2, 1}}));
}

TEST_F(Npz, PredictionNeedsNoTargetAndTakesTheModelsNames) {
  const ReadSettings settings{.target_required = false, .expected_features = {"a", "b"}};
  const Dataset data = read(ZipBuilder().add("X.npy", stored_X), settings);
  EXPECT_EQ(data.features, (Names{"a", "b"}));
  EXPECT_EQ(data.y.size(), 0);
  refuse(ZipBuilder().add("X.npy", stored_X), {"X has 2 columns", "3 features"},
         {.target_required = false, .expected_features = {"a", "b", "c"}});
}

TEST_F(Npz, ArraysThatAreMissingOrDoNotFitAreRefused) {
  const auto with_y = [](const std::string& array) { return ZipBuilder().add("X.npy", stored_X).add("y.npy", array); };
  const auto with_X = [](const std::string& array) { return ZipBuilder().add("X.npy", array).add("y.npy", y); };
  const auto with_weights = [](const std::string& array) {
    return ZipBuilder().add("X.npy", stored_X).add("y.npy", y).add("weights.npy", array);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();

  refuse(ZipBuilder().add("y.npy", y).add("Z.npy", stored_X), {"no array 'X'", "'y', 'Z'"});
  refuse(ZipBuilder(), {"no array 'X'", "holds none"});
  refuse(ZipBuilder().add("X.npy", stored_X), {"no array 'y'", "'X'"});
  refuse(ZipBuilder().add("X.npy", stored_X).add("y.npy", y), {"no array 't'", "'X', 'y'"}, {.target = "t"});
  refuse(ZipBuilder().add("X.npy", stored_X).add("y.npy", y), {"no array 'w'", "'X', 'y'"}, {.weights = "w"});

  refuse(with_X(npy_file("'<f8'", "(3,)", raw<double>({1, 2, 3}))), {"array X", "(3,)", "two dimensions"});
  refuse(with_X(npy_file("'<f8'", "(0, 2)", "")), {"array X", "(0, 2)", "at least one"});
  refuse(with_X(npy_file("'<f8'", "(3, 0)", "")), {"array X", "(3, 0)", "at least one"});
  refuse(with_X(npy_file("'|O'", "(3, 2)", "pickle")), {"array X", "pickled"});
  refuse(with_X(npy_file("'<c8'", "(3, 1)", raw<float>({1, 2, 3, 4, 5, 6}))), {"array X", "complex"});
  refuse(with_X(stored_X.substr(0, stored_X.size() - 8)), {"array X", "truncated"});
  refuse(with_X(npy_file("'<f8'", "(3, 2)", raw<double>({1, 2, 3, nan, 5, 6}))),
         {"X[1, 1]", "row 2", "column 2", "NaN"});
  refuse(with_X(npy_file("'<f8'", "(3, 2)", raw<double>({1, 2, 3, 4, -infinity, 6}))),
         {"X[2, 0]", "row 3", "column 1", "infinity"});

  refuse(with_y(npy_file("'<f8'", "(2,)", raw<double>({0, 1}))), {"array y", "2 targets", "3 rows"});
  refuse(with_y(npy_file("'<f8'", "(1, 3)", raw<double>({0, 1, 0}))), {"array y", "(1, 3)", "one dimension"});
  refuse(with_y(npy_file("'<f8'", "(3,)", raw<double>({0, nan, 1}))), {"y[1]", "row 2", "NaN"});
  refuse(with_y(npy_file("'<f8'", "(3,)", raw<double>({1, 1, 1}))), {"array y", "two classes", "'1'"});
  refuse(with_y(npy_file("'<f8'", "(3,)", raw<double>({1, 2, 3.5}))), {"array y", "3 different numbers in 3 rows"});
  refuse(with_y(npy_file("'|S1'", "(3,)", "aba")), {"y[0]", "'a'", "regression"}, {.task = Task::regression});

  refuse(with_weights(npy_file("'<f8'", "(2,)", raw<double>({1, 1}))), {"array weights", "2 weights", "3 rows"});
  refuse(with_weights(npy_file("'<f8'", "(3,)", raw<double>({1, -1, 1}))), {"array weights", "row 2", "negative"});
  refuse(with_weights(npy_file("'<f8'", "(3,)", raw<double>({0, 0, 0}))), {"array weights", "all weights are zero"});
  refuse(with_weights(npy_file("'<f8'", "(3,)", raw<double>({1, 0, 1}))), {"every class", "'5'", "weight 0"});
}

TEST_F(Npz, DamagedArchivesAreRefused) {
  const std::string good = ZipBuilder().add("X.npy", stored_X, Method::deflated).add("y.npy", y).bytes();
  const auto refuse_bytes = [&](const std::string& bytes, const std::vector<std::string>& parts) {
    expect_refusal([&] { read_dataset(write("data.npz", bytes)); }, parts);
  };
  refuse_bytes("", {"is empty"});
  refuse_bytes("1,2,0\n", {"not a zip archive"});
  refuse_bytes(good.substr(0, good.size() - 30), {"truncated"});

  ZipBuilder encrypted;
  encrypted.flags = 1;
  refuse(encrypted.add("X.npy", stored_X), {"'X.npy'", "encrypted"});
  refuse(ZipBuilder().add("X.npy", stored_X, static_cast<Method>(12)), {"'X.npy'", "method 12"});

  std::string changed = good;
  changed[good.rfind("y.npy", good.find("PK\x01\x02")) + y.size()] ^= 1;  // in the data of y
  refuse_bytes(changed, {"'y.npy'", "checksum"});

  std::string moved = good;
  moved[good.size() - 6] = '\x7f';  // the directory's offset
  refuse_bytes(moved, {"damaged"});
}

TEST_F(Npz, MembersAreFoundAsNumpyFindsThem) {
  const std::string other = npy_file("'<f8'", "(3, 2)", raw<double>({6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(read(ZipBuilder().add("X.npy", stored_X).add("y.npy", y).add("X.npy", other)).X,
            (Matrix{{6, 5}, {4, 3}, {2, 1}}));
  EXPECT_EQ(read(ZipBuilder().add("X", stored_X).add("y", y)).X, (Matrix{{1, 2}, {3, 4}, {5, 6}}));
}

// Whatever a wrong byte makes of the header, it is damage.
TEST_F(Npz, DamagedHeadersAreCalledDamaged) {
  const std::string good = ZipBuilder().add("X.npy", stored_X).add("y.npy", y).bytes();
  for (const char* part : {"NUMPY", "'<f8'", "fortran", "(3, 2)"}) {
    std::string changed = good;
    changed[good.find(part) + 1] ^= 4;
    expect_refusal([&] { read_dataset(write("data.npz", changed)); }, {"'X.npy'", "checksum"});
  }
}

// A packed array may be far longer than it looks; nobody needs its numbers.
TEST_F(Npz, ArraysOfTheWrongLengthAreNotRead) {
  const std::string zeros = npy_file("'|S1'", "(50000000,)", std::string(50000000, '\0'));
  refuse(ZipBuilder().add("X.npy", stored_X).add("y.npy", zeros, Method::deflated), {"50000000 targets", "3 rows"});
}

TEST_F(Npz, LabelsThatDoublesMixUpAreRefused) {
  const std::int64_t large = std::int64_t{1} << 53;
  const std::string labels = npy_file("'<i8'", "(3,)", raw<std::int64_t>({large, large + 1, large}));
  refuse(ZipBuilder().add("X.npy", stored_X).add("y.npy", labels), {"array y", "2^53", "text"});
  EXPECT_EQ(read(ZipBuilder().add("X.npy", stored_X).add("y.npy", labels), {.task = Task::regression}).y(0), 0x1p53);
  EXPECT_EQ(read(ZipBuilder().add("X.npy", stored_X).add("y.npy", labels), {.target_required = false}).samples(), 3);
}

// Reads either something or a refusal, and never beyond the bytes: the sanitizers are the judges here.
TEST_F(Npz, NoSingleWrongByteDoesWorseThanARefusal) {
  const std::string good = ZipBuilder().add("X.npy", stored_X, Method::deflated).add("y.npy", y).bytes();
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string changed = good;
    changed[at] = static_cast<char>(~changed[at]);
    try {
      EXPECT_EQ(read_dataset(write("data.npz", changed)).X, (Matrix{{1, 2}, {3, 4}, {5, 6}})) << "byte " << at;
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(good.size()) / 2);
}

}  // namespace
}  // namespace conelu
