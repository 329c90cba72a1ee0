#include <cmath>
#include <cstdlib>

#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

class WriteNpz : public TemporaryFiles {
 protected:
  Dataset sample() const {
    Dataset data;
    data.X = Matrix{{0.1, 1.0 / 3}, {-1e308, 5e-324}, {123456789.123456789, -0.0}};
    data.y = Vector{{1, -1, 1}};
    data.features = {"x1", "x2"};
    return data;
  }

  Dataset back(const ReadSettings& settings = {}) const { return read_dataset(path("out.npz"), settings); }
};

TEST_F(WriteNpz, NumbersReadBackExactly) {
  Dataset data = sample();
  data.y = Vector{{0.1, -7, 1e-300}};
  write_npz(path("out.npz"), data);
  const Dataset same = back({.task = Task::regression});
  EXPECT_EQ(same.X, data.X);
  EXPECT_TRUE(std::signbit(same.X(2, 1)));
  EXPECT_EQ(same.y, data.y);
}

TEST_F(WriteNpz, LabelsReadBackAsTheyWere) {
  Dataset data = sample();
  for (const std::vector<std::string>& classes :
       std::vector<std::vector<std::string>>{{"0", "1"},
                                             {"-1", "2.5"},
                                             {"no", "yes"},
                                             {"1", "zwei"},
                                             {"gr\xc3\xbc\xc3\x9f", "\xe6\x97\xa5\xf0\x9f\x98\x80"}}) {
    data.classes = classes;
    write_npz(path("out.npz"), data);
    EXPECT_EQ(back().y, data.y);
    EXPECT_EQ(back().classes, classes);
  }
  data.classes = {"a", "b", "c"};
  data.y = Vector{{2, 0, 1}};
  write_npz(path("out.npz"), data);
  EXPECT_EQ(back().y, data.y);
  EXPECT_EQ(back().classes, data.classes);
}

TEST_F(WriteNpz, TargetsCanBeMissing) {
  Dataset data = sample();
  data.y.resize(0);
  write_npz(path("out.npz"), data);
  expect_refusal([&] { back(); }, {"no array 'y'"});
  EXPECT_EQ(back({.target_required = false}).X, data.X);
  expect_refusal([&] { write_npz(path("no/out.npz"), data); }, {path("no/out.npz"), "cannot write"});
}

// What the format is for: NumPy reads it.
TEST_F(WriteNpz, NumPyReadsIt) {
  if (std::system("python3 -c 'import numpy' 2> /dev/null") != 0) GTEST_SKIP() << "no python3 with NumPy";
  Dataset data = sample();
  data.classes = {"gr\xc3\xbcn", "rot"};
  write_npz(path("out.npz"), data);
  const std::string script =
      "import numpy, sys\n"
      "data = numpy.load(sys.argv[1])\n"
      "assert data.files == ['X', 'y'], data.files\n"
      "assert data['X'].shape == (3, 2) and data['X'].dtype == float\n"
      "assert data['X'][0, 1] == 1 / 3 and data['X'][1, 1] == 5e-324\n"
      "assert list(data['y']) == ['rot', 'gr\\u00fcn', 'rot'], data['y']\n";
  EXPECT_EQ(std::system(("python3 " + write("check.py", script) + " " + path("out.npz")).c_str()), 0);
}

TEST_F(WriteNpz, CsvKeepsTheNameOfTheTarget) {
  const Dataset data = read_dataset(write("in.csv", "a,\"kind, of\",b\n1,x,2\n3,y,4\n"), {.target = "kind, of"});
  EXPECT_EQ(data.target, "kind, of");
  EXPECT_EQ(data.target_position, 1);
  write_csv(path("out.csv"), data);
  EXPECT_EQ(content("out.csv"), "a,b,\"kind, of\"\n1,2,x\n3,4,y\n");
  EXPECT_EQ(read_dataset(write("bare.csv", "1,2,0\n3,4,1\n")).target, "");
}

}  // namespace
}  // namespace conelu
