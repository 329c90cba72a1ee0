#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "conelu/preprocessing.hpp"
#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

using Names = std::vector<std::string>;

class Table : public TemporaryFiles {
 public:
  Dataset read(const std::string& text, const ReadSettings& settings = {}) {
    return read_dataset(write("data.txt", text), settings);
  }
};

// Delimiters.

class EveryDelimiter : public Table, public ::testing::WithParamInterface<std::pair<std::string, std::string>> {};

TEST_P(EveryDelimiter, GivesTheSameData) {
  const Dataset data = read(GetParam().second, {.delimiter = GetParam().first});
  EXPECT_EQ(data.X, (Matrix{{1.5, -2}, {3, 4}}));
  EXPECT_EQ(data.y, (Vector{{1, -1}}));
}

INSTANTIATE_TEST_SUITE_P(
    Table, EveryDelimiter,
    ::testing::Values(std::pair("", "1.5 -2 1\n3 4 0\n"),                   // blanks, found
                      std::pair("", "   1.5    -2 1  \r\n 3 4    0 \r\n"),  // runs of them, on both sides
                      std::pair("", "a   b y\n1.5 -2 1\n3 4 0\n"),          // with a header
                      std::pair("", "1.5   -2\t\"1\"\n3   4\t\"0\"\n"),     // blanks and a tab, as in Auto MPG
                      std::pair("", "1.5\t-2\t1\n3\t4\t0\n"), std::pair("", "1.5|-2|1\n3|4|0\n"),
                      std::pair("blanks", "1.5 \t -2 1\n3 4\t0\n"), std::pair("tab", "1.5\t-2\t1\n3\t4\t0\n"),
                      std::pair("\\t", "1.5\t-2\t1\n3\t4\t0\n"), std::pair(":", "1.5:-2:1\n3:4:0\n"),
                      std::pair("|", "1.5|-2|1\n3|4|0\n"), std::pair(";", "1.5; -2;1\n3;4 ;0\n"),
                      std::pair("#", "a#b#y\n1.5#-2#1\n3#4#0\n"), std::pair("comma", "1.5,-2,1\n3,4,0\n")));

TEST_F(Table, TabsWithEmptyCellsBetweenThemAreNotBlanks) {
  const ReadSettings settings{.task = Task::regression, .missing_policy = MissingPolicy::drop};
  EXPECT_EQ(read("a\tb\ty\n1\t\t0\n2\t3\t1\n", settings).X, (Matrix{{2, 3}}));
}

TEST_F(Table, DelimiterThatIsNoneIsRefused) {
  for (const char* bad : {"\"", "two", "\n"}) {
    expect_refusal([&] { read("1,2\n3,4\n", {.delimiter = bad}); }, {"delimiter", "one character"});
  }
}

TEST_F(Table, RowsMayBeLongerThanAnyBuffer) {
  // 100,000 cells a row, of 400 kB: more than is read at once. Quotes hold line breaks.
  std::string text;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 100000; ++column) text += std::to_string((row + column) % 1000) + ",";
    text += row == 1 ? "\"one\nline\"\n" : "other\r\n";
  }
  const Dataset data = read(text);
  EXPECT_EQ(data.X.rows(), 3);
  EXPECT_EQ(data.X.cols(), 100000);
  for (Index k = 0; k < 3; ++k) {
    for (Index j : {0, 1, 65535, 65536, 99999}) EXPECT_EQ(data.X(k, j), (k + j) % 1000);
  }
  EXPECT_EQ(data.classes, (Names{"one\nline", "other"}));
}

// The same rows however the end of a buffer cuts them: line ends, quotes, blanks at every offset.
TEST_F(Table, NoCutThroughTheFileChangesIt) {
  const std::string tail = "1,\"a\"\"b\",0\r\n\r\n  \r\n2,\"c,\nd\",1\r\n3,\"a\"\"b\",0\r\n";
  for (std::size_t fill = 65536 - tail.size() - 2; fill <= 65536; ++fill) {
    std::string text = "x,t,y\r\n";
    text += std::string(fill - text.size(), ' ') + "\r\n";
    const Dataset data = read(text + tail);
    ASSERT_EQ(data.X, (Matrix{{1, 1, 0}, {2, 0, 1}, {3, 1, 0}})) << fill;
    ASSERT_EQ(data.features, (Names{"x", "t=a\"b", "t=c,\nd"}));
    expect_refusal([&] { read(text + tail + "4,5\r\n"); }, {"line 9", "2 fields"});
  }
}

// Missing values.

TEST_F(Table, DelimiterMayBeWhatNumbersAreMadeOf) {
  EXPECT_EQ(read("1-2-0\n3-4-1\n", {.delimiter = "-"}).X, (Matrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(read("1.2.0\n3.4.1\n", {.delimiter = "."}).X, (Matrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(read("12520\n32421\n", {.delimiter = "2"}).X, (Matrix{{1, 5}, {3, 4}}));
}

// A short number is known before anybody asks whether it stands for a missing one.
TEST_F(Table, NumbersMayStandForMissingValues) {
  const ReadSettings mean{.missing = {"-9"}, .missing_policy = MissingPolicy::mean};
  EXPECT_EQ(read("1,2,0\n-9,4,1\n5,-9,1\n", mean).X, (Matrix{{1, 2}, {3, 4}, {5, 3}}));
  expect_refusal([&] { read("1,2,0\n-9,4,1\n", {.missing = {"-9"}}); }, {"line 2", "column 1", "'-9' stands for"});
}

// Rows of small whole numbers are kept in fewer bytes; others, -0 among them, begin in the middle of the file.
TEST_F(Table, NumbersOfManyRowsAreKeptExactly) {
  const std::vector<std::string> others = {"-0", "32768", "-32768", "0.5", "1e300", "-1e-300", "?"};
  for (const std::string& other : others) {
    const int rows = 100000, at = 54321;
    std::string text;
    for (int k = 0; k < rows; ++k) {
      text +=
          (k == at ? other : std::to_string(k % 32768)) + ',' + std::to_string(-k % 32768) + (k % 2 ? ",1\n" : ",0\n");
    }
    const Dataset data = read(text, {.missing = {"?"}, .missing_policy = MissingPolicy::mean});
    ASSERT_EQ(data.samples(), rows);
    for (int k = 0; k < rows; ++k) {
      ASSERT_EQ(data.X(k, 1), -k % 32768);
      ASSERT_TRUE(k == at || data.X(k, 0) == k % 32768) << k;
    }
    if (other == "?") {
      EXPECT_NEAR(data.X(at, 0), (data.X.col(0).sum() - data.X(at, 0)) / (rows - 1), 1e-6);
    } else {
      EXPECT_EQ(data.X(at, 0), std::strtod(other.c_str(), nullptr));
      EXPECT_EQ(std::signbit(data.X(at, 0)), other.starts_with('-'));
    }
  }
}

TEST_F(Table, MissingValuesAreRefusedByPlace) {
  const ReadSettings question{.missing = {"?"}};
  expect_refusal([&] { read("a,b,y\n1,2,0\n3,?,1\n", question); },
                 {"line 3 (row 2)", "'b'", "'?'", "missing", "--na-policy"});
  expect_refusal([&] { read("a,b,y\n1,2,0\n3,,1\n"); }, {"line 3", "'b'", "empty"});
  expect_refusal([&] { read("a,b,y\n1,2,0\n3,?,1\n"); }, {"line 3", "'?' is not a number", "--na '?'"});
}

TEST_F(Table, RowsWithMissingValuesAreDropped) {
  const ReadSettings drop{.weights = "w", .missing = {"?", "-999"}, .missing_policy = MissingPolicy::drop};
  const Dataset data = read("a,w,t,y\n1,1,u,0\n?,1,v,1\n2,?,u,0\n3,1,,1\n4,1,u,?\n-999,1,u,0\n5,2,u,1\n", drop);
  EXPECT_EQ(data.X, (Matrix{{1, 1}, {5, 1}}));
  EXPECT_EQ(data.y, (Vector{{-1, 1}}));
  EXPECT_EQ(data.weights, (Vector{{1, 2}}));
  EXPECT_EQ(data.features, (Names{"a", "t=u"})) << "a level of dropped rows is not there";
  EXPECT_EQ(data.missing, (Names{"?", "-999"}));
  EXPECT_EQ(data.fill.size(), 0);
  expect_refusal([&] { read("a,y\n?,1\n,0\n", {.missing = {"?"}, .missing_policy = MissingPolicy::drop}); },
                 {"none of the 2 rows", "lacks a value"});
}

TEST_F(Table, MeansTakeThePlaceOfMissingValues) {
  const ReadSettings mean{.missing = {"?"}, .missing_policy = MissingPolicy::mean};
  const std::string text = "a,t,y\n1,u,0\n?,v,1\n2,,0\n6,u,1\n";
  const Dataset data = read(text, mean);
  EXPECT_EQ(data.X.col(0), (Vector{{1, 3, 2, 6}}));
  EXPECT_TRUE(data.fill.isApprox(Vector{{3, 2.0 / 3, 1.0 / 3}}, 1e-15)) << "shares of the levels";
  EXPECT_EQ(data.X.row(2).tail(2), data.fill.tail(2).transpose());
  expect_refusal([&] { read("a,b,y\n?,1,0\n?,2,1\n", mean); }, {"every value of 'a' is missing"});
  ReadSettings categorical = mean;
  categorical.categorical = {"a"};
  expect_refusal([&] { read("a,b,y\n?,1,0\n?,2,1\n", categorical); }, {"every value of 'a' is missing"});
  expect_refusal([&] { read("a,y\n1,0\n2,?\n", mean); }, {"line 3", "target is empty"});

  // A model's means, not those of the file that is predicted for.
  ReadSettings predict = mean;
  predict.expected_features = data.features;
  predict.expected_encodings = data.encodings;
  predict.expected_fill = data.fill;
  predict.target_required = false;
  EXPECT_EQ(read("t,a\nv,?\n,100\n", predict).X, (Matrix{{3, 0, 1}, {100, data.fill(1), data.fill(2)}}));
}

TEST_F(Table, MeanOfHugeNumbersIsFinite) {
  const ReadSettings mean{.task = Task::regression, .missing_policy = MissingPolicy::mean};
  EXPECT_NEAR(read("a,y\n1.5e308,0\n1.5e308,1\n,2\n", mean).X(2, 0) / 1.5e308, 1, 1e-15);
}

// Columns left out.

TEST_F(Table, DroppedColumnsAreNotRead) {
  const std::string text = "id,a,note,y\nq1,1,good,0\nq2,2,,1\n";
  const Dataset data = read(text, {.drop = {"id", "2"}});
  EXPECT_EQ(data.features, Names{"a"});
  EXPECT_EQ(data.X, (Matrix{{1}, {2}}));
  EXPECT_EQ(read("7,0,1\n8,1,2\n", {.drop = {"-1"}}).y, (Vector{{-1, 1}})) << "the last that is left is the target";
  expect_refusal([&] { read(text, {.drop = {"none"}}); }, {"dropped", "'none'", "'id', 'a'"});
  expect_refusal([&] { read(text, {.target = "y", .drop = {"y"}}); }, {"target", "dropped"});
  expect_refusal([&] { read("1,2,0\n3,4,1\n", {.drop = {"5"}}); }, {"dropped column 5", "0 to 2"});
}

TEST_F(Table, DecimalCommasAreNoCategories) {
  expect_refusal([&] { read("a;y\n1,5;0\n2,5;1\n"); }, {"line 2", "'1,5'", "decimals need a point"});
}

// Columns of text.

TEST_F(Table, ColumnsOfTextBecomeOneForEachLevel) {
  const Dataset data = read("size,colour,price,y\nL,red,1,0\nS,blue,2,1\nL,green,3,0\nM,red,4,1\n");
  EXPECT_EQ(data.features, (Names{"size=L", "size=M", "size=S", "colour=blue", "colour=green", "colour=red", "price"}));
  EXPECT_EQ(data.X,
            (Matrix{{1, 0, 0, 0, 0, 1, 1}, {0, 0, 1, 1, 0, 0, 2}, {1, 0, 0, 0, 1, 0, 3}, {0, 1, 0, 0, 0, 1, 4}}));
  const std::vector<Encoding> expected = {{"size", 0, {"L", "M", "S"}}, {"colour", 3, {"blue", "green", "red"}}};
  EXPECT_EQ(data.encodings, expected);
}

TEST_F(Table, RowsOfTextWithEqualCellsAreNoHeader) {
  const Dataset data = read("x,x,o,win\no,x,o,lose\nx,o,o,win\n");
  EXPECT_EQ(data.samples(), 3);
  EXPECT_EQ(data.features, (Names{"x1=o", "x1=x", "x2=o", "x2=x", "x3=o"}));
  EXPECT_EQ(read("p,q,r\ns,t,u\nv,w,z\n", {.header = false}).samples(), 3);
  EXPECT_EQ(read("1,2,3\n4,5,6\n7,8,9\n", {.header = true}).features, (Names{"1", "2"}));
}

TEST_F(Table, NumbersAreCategoriesOnRequest) {
  const Dataset data = read("a,b,y\n10,1,0\n9,2,1\n10,3,1\n", {.categorical = {"a"}});
  EXPECT_EQ(data.features, (Names{"a=9", "a=10", "b"})) << "levels in the order of numbers";
  EXPECT_EQ(data.X, (Matrix{{0, 1, 1}, {1, 0, 2}, {0, 1, 3}}));
}

TEST_F(Table, NumbersAmongTextAndTextAmongNumbersAreRefused) {
  expect_refusal([&] { read("a,b,y\nred,1,0\n7,2,1\n"); },
                 {"line 2,", "'a'", "'red' is not a number", "'7' in line 3"});
  expect_refusal([&] { read("a,b,y\n7,1,0\nred,2,1\n"); }, {"line 3 (row 2)", "'a'", "'red' is not a number"});
}

TEST_F(Table, NamesAndIdsAreNotTakenForCategories) {
  std::string text = "name,a,y\n";
  for (int k = 0; k < 20; ++k)
    text += "person" + std::to_string(k) + "," + std::to_string(k) + "," + (k % 2 ? "n" : "p") + "\n";
  expect_refusal([&] { read(text); }, {"'name'", "20 different texts in 20 rows", "--drop name"});
  EXPECT_EQ(read(text, {.categorical = {"name"}}).X.cols(), 21);
}

class TextPrediction : public Table {
 public:
  Dataset training = read("colour,a,y\nred,1,0\nblue,2,1\nred,3,0\n");
  ReadSettings settings{.target_required = false,
                        .expected_features = training.features,
                        .expected_classes = training.classes,
                        .expected_encodings = training.encodings};
};

TEST_F(TextPrediction, FindsColumnsByNameInAnyOrder) {
  EXPECT_EQ(read("a,other,colour\n5,x,blue\n6,y,red\n", settings).X, (Matrix{{1, 0, 5}, {0, 1, 6}}));
  EXPECT_EQ(read("red,5\nblue,6\n", settings).X, (Matrix{{0, 1, 5}, {1, 0, 6}})) << "by position without names";
}

TEST_F(TextPrediction, RefusesLevelsItDoesNotKnowAndColumnsThatAreMissing) {
  expect_refusal([&] { read("a,colour\n5,red\n6,green\n", settings); },
                 {"line 3 (row 2)", "'colour'", "'green'", "'blue', 'red'"});
  expect_refusal([&] { read("a,colours\n5,red\n", settings); }, {"lacks 1 of the 2", "'colour'", "'a', 'colours'"});
  expect_refusal([&] { read("colour,a\nred,blue\n", settings); }, {"line 2", "'a'", "'blue' is not a number"});
}

TEST_F(TextPrediction, WrittenTableReadsBackAsText) {
  write_csv(path("out.csv"), training);
  EXPECT_EQ(content("out.csv"), "colour,a,y\nred,1,0\nblue,2,1\nred,3,0\n");
  EXPECT_EQ(read_dataset(path("out.csv"), settings).X, training.X);
  training.X(0, 0) = 0.5;  // half a category is no text
  write_csv(path("out.csv"), training);
  EXPECT_EQ(content("out.csv").substr(0, 25), "colour=blue,colour=red,a,");
}

TEST_F(TextPrediction, SelectionsKeepTheEncodings) {
  EXPECT_EQ(select_rows(training, {1}).encodings, training.encodings);
  EXPECT_EQ(Preprocessing::standardize(training).encodings, training.encodings);
  EXPECT_EQ(Preprocessing::of(training).encodings, training.encodings);
}

// Classes.

TEST_F(Table, OfSomeClassesOnlyIsRead) {
  const Dataset data = read("1,a\n2,b\n3,c\n4,a\n", {.classes = {"c", "a"}});
  EXPECT_EQ(data.X, (Matrix{{1}, {3}, {4}}));
  EXPECT_EQ(data.classes, (Names{"a", "c"}));
  EXPECT_EQ(read("1,1.0\n2,2\n3,7\n", {.classes = {"1", "7"}}).X, (Matrix{{1}, {3}}));
  expect_refusal([&] { read("1,a\n2,b\n", {.classes = {"a", "z"}}); }, {"'z'", "--classes"});
}

}  // namespace
}  // namespace conelu
