#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

using Names = std::vector<std::string>;

Matrix matrix(std::initializer_list<std::initializer_list<double>> rows) { return Matrix(rows); }

Vector vector(std::initializer_list<double> entries) {
  return Eigen::Map<const Vector>(entries.begin(), static_cast<Index>(entries.size()));
}

class Csv : public TemporaryFiles {
 public:
  Dataset read(const std::string& text, const ReadSettings& settings = {}) {
    return read_dataset(write("data.csv", text), settings);
  }
};

// Every spelling of the same table: two features, labels 0 and 1 in the last column.
class EverySpelling : public Csv, public ::testing::WithParamInterface<std::string> {};

TEST_P(EverySpelling, GivesTheSameData) {
  const Dataset data = read(GetParam());
  EXPECT_EQ(data.X, matrix({{1.5, -2}, {3, 4e-3}}));
  EXPECT_EQ(data.y, vector({1, -1}));
  EXPECT_EQ(data.weights.size(), 0);
  EXPECT_EQ(data.features, (Names{"x1", "x2"}));
  EXPECT_EQ(data.classes, (Names{"0", "1"}));
}

INSTANTIATE_TEST_SUITE_P(Csv, EverySpelling,
                         ::testing::Values("x1,x2,y\n1.5,-2,1\n3,4e-3,0\n",            // header
                                           "1.5,-2,1\n3,4e-3,0\n",                     // none
                                           "1.5,-2,1\n3,4e-3,0",                       // no newline at the end
                                           "1.5;-2;1\n3;4e-3;0\n",                     // semicolons
                                           "x1\tx2\ty\n1.5\t-2\t1\n3\t4e-3\t0\n",      // tabs
                                           "x1,x2,y\r\n1.5,-2,1\r\n3,4e-3,0\r\n",      // CRLF
                                           "1.5,-2,1\r3,4e-3,0\r",                     // CR
                                           "\xef\xbb\xbfx1,x2,y\n1.5,-2,1\n3,4e-3,0",  // byte order mark
                                           "\n\nx1,x2,y\n\n1.5,-2,1\n  \n3,4e-3,0\n\n\n",
                                           "x1, x2, y\n  1.5 , -2,1 \n+3,+4E-3, 0\n",
                                           "\"x1\",\"x2\",\"y\"\n\"1.5\",\"-2\",\"1\"\n3,4e-3,\"0\"\n"));

TEST_F(Csv, QuotesProtectDelimitersLineBreaksAndQuotes) {
  const Dataset data = read("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",kind\n1,2,3,\"yes, it is\"\n4,5,6,no\n");
  EXPECT_EQ(data.features, (Names{"a,b", "say \"hi\"", "two\nlines"}));
  EXPECT_EQ(data.classes, (Names{"no", "yes, it is"}));
  EXPECT_EQ(data.y, vector({1, -1}));
}

TEST_F(Csv, LinesAreCountedThroughQuotesAndBlankLines) {
  expect_refusal([&] { read("\"a\nb\",c,y\n\n1,2,0\n1,oops,1\n"); }, {"line 5", "row 2"});
}

TEST_F(Csv, DelimiterIsTheOneThatRowsAgreeOn) {
  EXPECT_EQ(read("a;b,c,y\n1,2,0\n3,4,1\n").features, (Names{"a;b", "c"}));
  EXPECT_EQ(read("a,b;c;y\n1;2;0\n3;4;1\n").features, (Names{"a,b", "c"}));
}

// Labels.

TEST_F(Csv, LargerNumberIsThePositiveClass) {
  const Dataset data = read("1,10\n2,9\n3,10.0\n4,+9\n");
  EXPECT_EQ(data.classes, (Names{"9", "10"}));
  EXPECT_EQ(data.y, vector({1, -1, 1, -1}));
}

TEST_F(Csv, LaterTextIsThePositiveClass) {
  const Dataset data = read("1,M\n2,B\n3,M\n");
  EXPECT_EQ(data.classes, (Names{"B", "M"}));
  EXPECT_EQ(data.y, vector({1, -1, 1}));
}

TEST_F(Csv, LabelsOfWhichOneIsTextAreAllText) {
  const Dataset data = read("1,10\n2,9a\n");
  EXPECT_EQ(data.classes, (Names{"10", "9a"}));
}

TEST_F(Csv, ClassesOfAModelDecideEvenIfOneIsAbsent) {
  const ReadSettings settings{.expected_classes = {"9", "10"}};
  EXPECT_EQ(read("1,10\n2,1e1\n", settings).y, vector({1, 1}));
  EXPECT_EQ(read("1,10\n2,1e1\n", settings).classes, (Names{"9", "10"}));
  expect_refusal([&] { read("1,10\n2,8\n", settings); }, {"'8'", "row 2", "'9'", "'10'", "model"});
}

TEST_F(Csv, RegressionKeepsTheTargetAsNumbers) {
  const Dataset data = read("1,0.25\n2,-7\n3,0.25\n", {.task = Task::regression});
  EXPECT_EQ(data.y, vector({0.25, -7, 0.25}));
  EXPECT_TRUE(data.classes.empty());
}

// Headers.

TEST_F(Csv, TextLabelInTheFirstRowMakesNoHeader) {
  const Dataset data = read("1.5,2,cat\n3,4,dog\n");
  EXPECT_EQ(data.samples(), 2);
  EXPECT_EQ(data.features, (Names{"x1", "x2"}));
}

TEST_F(Csv, ColumnsNumberedByTheirWriterAreAHeader) {
  EXPECT_EQ(read("0,1,label\n5,6,0\n7,8,1\n").features, (Names{"0", "1"}));
  EXPECT_EQ(read("1,2,label\n5,6,0\n7,8,1\n").samples(), 2);
  EXPECT_EQ(read("0,1,cat\n5,6,dog\n").samples(), 2) << "text labels: the first row is data";
}

TEST_F(Csv, ColumnWithoutANameIsCalledByItsNumber) {
  EXPECT_EQ(read(",b,y\n1,2,0\n3,4,1\n").features, (Names{"column 1", "b"}));
}

TEST_F(Csv, HeaderMayHoldNumbersIfItHoldsTheTargetsName) {
  EXPECT_EQ(read("x,2020,y\n1,2,0\n3,4,1\n", {.target = "y"}).features, (Names{"x", "2020"}));
}

TEST_F(Csv, NameAboveNumbersIsNotTakenForALabel) {
  expect_refusal([&] { read("2019,2020,y\n1,2,0\n3,4,1\n"); }, {"first row is 'y'", "--header", "--no-header"});
  EXPECT_EQ(read("2019,2020,y\n1,2,0\n3,4,1\n", {.header = true}).features, (Names{"2019", "2020"}));
  EXPECT_EQ(read("2019,2020,y\n1,2,0\n3,4,1\n", {.header = false}).classes, (Names{"0", "1", "y"}));
}

// Columns.

TEST_F(Csv, TargetIsFoundByNameOrIndexFromEitherEnd) {
  const std::string text = "a,b,c\n0,5,6\n1,7,8\n";
  for (const std::string target : {"a", "0", "-3"}) {
    const Dataset data = read(text, {.target = target});
    EXPECT_EQ(data.features, (Names{"b", "c"})) << target;
    EXPECT_EQ(data.X, matrix({{5, 6}, {7, 8}})) << target;
    EXPECT_EQ(data.y, vector({-1, 1})) << target;
  }
  EXPECT_EQ(read("M,1,2\nB,3,4\n", {.target = "0"}).X, matrix({{1, 2}, {3, 4}}));
}

TEST_F(Csv, WeightsAreAColumnOrAFile) {
  const Vector weights = vector({2, 0.5, 0});
  const std::string text = "a,w,y\n1,2,0\n3,0.5,1\n5,0,1\n";
  for (const std::string column : {"w", "1", "-2"}) {
    const Dataset data = read(text, {.weights = column});
    EXPECT_EQ(data.weights, weights) << column;
    EXPECT_EQ(data.features, Names{"a"}) << column;
  }
  write_npy(path("w.npy"), weights);
  for (const std::string& file :
       {write("w.csv", "2\n0.5\n0\n"), write("named.csv", "weight\n2\n0.5\n0\n"), path("w.npy")}) {
    EXPECT_EQ(read("1,0\n3,1\n5,1\n", {.weights = file}).weights, weights) << file;
  }
}

TEST_F(Csv, DefaultTargetIsTheLastColumnThatIsNotTheWeights) {
  const Dataset data = read("a,y,w\n1,0,2\n3,1,3\n", {.weights = "w"});
  EXPECT_EQ(data.features, Names{"a"});
  EXPECT_EQ(data.y, vector({-1, 1}));
}

// Prediction: the model has features a and b.

class Prediction : public Csv {
 public:
  ReadSettings settings{.target_required = false, .expected_features = {"a", "b"}, .expected_classes = {"no", "yes"}};
};

TEST_F(Prediction, FindsFeaturesByNameInAnyOrderAmongOthers) {
  const Dataset data = read("id,b,a,y\nk1,2,1,yes\nk2,4,3,no\n", settings);
  EXPECT_EQ(data.features, (Names{"a", "b"}));
  EXPECT_EQ(data.X, matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(data.y, vector({1, -1}));
}

TEST_F(Prediction, FindsFeaturesByPositionWithoutAHeader) {
  EXPECT_EQ(read("1,2\n3,4\n", settings).X, matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(read("1,2\n3,4\n", settings).y.size(), 0);
  EXPECT_EQ(read("1,2,yes\n3,4,yes\n", settings).y, vector({1, 1}));
  settings.target = "0";
  EXPECT_EQ(read("yes,1,2\nno,3,4\n", settings).X, matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(read("1,2\n3,4\n", settings).X, matrix({{1, 2}, {3, 4}}));
}

TEST_F(Prediction, FindsFeaturesByPositionIfTheModelNeverKnewNames) {
  settings.expected_features = {"x1", "x2"};
  EXPECT_EQ(read("a,b\n1,2\n3,4\n", settings).X, matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(read("x2,x1\n1,2\n3,4\n", settings).X, matrix({{2, 1}, {4, 3}}));
  // One of its names is enough to know that names count.
  expect_refusal([&] { read("x2,other\n1,2\n3,4\n", settings); }, {"lacks 1 of the 2", "'x1'", "'x2', 'other'"});
}

TEST_F(Prediction, TargetIsTheOnlyColumnThatIsNoFeature) {
  EXPECT_EQ(read("y,a,b\nno,1,2\nyes,3,4\n", settings).y, vector({-1, 1}));
}

// The model was trained on a target that came first, and was called y if it had a name.
TEST_F(Prediction, FindsTheTargetWhereTheModelHadIt) {
  settings.expected_target = "y";
  settings.expected_target_position = 0;
  EXPECT_EQ(read("yes,1,2\nno,3,4\n", settings).X, matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(read("yes,1,2\nno,3,4\n", settings).y, vector({1, -1}));
  EXPECT_EQ(read("1,2\n3,4\n", settings).X, matrix({{1, 2}, {3, 4}})) << "no target";
  EXPECT_EQ(read("b,y,a,id\n2,yes,1,k1\n4,no,3,k2\n", settings).y, vector({1, -1})) << "by name, among others";
  settings.drop = {"0"};
  EXPECT_EQ(read("k1,yes,1,2\nk2,no,3,4\n", settings).X, matrix({{1, 2}, {3, 4}})) << "after a dropped column";
  settings.drop.clear();
  settings.target = "2";
  EXPECT_EQ(read("1,2,yes\n3,4,no\n", settings).y, vector({1, -1})) << "unless told otherwise";
  settings.target.clear();
  settings.target_required = true;
  expect_refusal([&] { read("id,a,other,b\n7,1,5,2\n", settings); }, {"no target", "--target"});
}

TEST_F(Prediction, NeedsNoTargetAndIgnoresOneItCannotUse) {
  EXPECT_EQ(read("a,b\n1,2\n", settings).y.size(), 0);
  for (const std::string useless : {"", "?", "maybe", "nan"}) {
    const Dataset data = read("a,b,y\n1,2,yes\n3,4," + useless + "\n", settings);
    EXPECT_EQ(data.y.size(), 0) << useless;
    EXPECT_EQ(data.X, matrix({{1, 2}, {3, 4}})) << useless;
  }
}

TEST_F(Prediction, RefusesFilesThatLackWhatItNeeds) {
  expect_refusal([&] { read("a,c,y\n1,2,no\n", settings); }, {"lacks 1 of the 2", "'b'", "'a', 'c', 'y'"});
  expect_refusal([&] { read("1\n2\n", settings); }, {"1 columns", "2 features"});
  expect_refusal([&] { read("1,2,3,4\n", settings); }, {"4 columns", "2 features"});
  settings.target_required = true;
  expect_refusal([&] { read("1,2\n3,4\n", settings); }, {"no target", "2 features"});
  expect_refusal([&] { read("a,b\n1,2\n", settings); }, {"no target", "2 features"});
  settings.target = "a";
  expect_refusal([&] { read("a,b,y\n1,2,no\n", settings); }, {"'a'", "is a feature of the model"});
  settings.target = "z";
  expect_refusal([&] { read("a,b,y\n1,2,no\n", settings); }, {"no target column 'z'", "'a', 'b', 'y'"});
}

// What is refused, and what the message must say.

struct Refusal {
  std::string name;
  std::string text;
  std::vector<std::string> parts;
  ReadSettings settings = {};
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.text; }

class BadCsv : public Csv, public ::testing::WithParamInterface<Refusal> {};

TEST_P(BadCsv, IsRefusedByName) {
  std::vector<std::string> parts = GetParam().parts;
  parts.push_back(path("data.csv"));
  expect_refusal([&] { read(GetParam().text, GetParam().settings); }, parts);
}

const ReadSettings regression{.task = Task::regression};

INSTANTIATE_TEST_SUITE_P(
    Csv, BadCsv,
    ::testing::Values(
        Refusal{"Empty", "", {"is empty"}}, Refusal{"BlankLinesOnly", " \n\r\n", {"is empty"}},
        Refusal{"HeaderOnly", "a,b,y\n", {"header", "no rows"}},
        Refusal{"OneColumn", "1\n2\n", {"1 column", "comma, semicolon or tab"}},
        Refusal{"NotText", std::string("\x01\0\x02", 3), {"not a text file", "byte 1 is zero"}},
        Refusal{"NameInLatin1",
                "gr\xf6\xdf"
                "e,y\n1,0\n2,1\n",
                {"line 1", "column 1", "'gr??e'", "UTF-8"}},
        Refusal{"LevelInLatin1", "a,b,y\n1,u,0\n2,\xe4,1\n", {"line 3", "column 2", "'?'", "UTF-8"}},
        Refusal{"LabelInLatin1", "1,a\n2,\xe4\n", {"line 2", "column 2", "'?'", "UTF-8"}},
        Refusal{"NothingButNA", "a,b,y\n1,NA,0\n2,NA,1\n", {"column 2 ('b')", "every value is 'NA'", "--drop b"}},
        Refusal{"CommentFirst", "# made by me\na,b,y\n1,2,0\n", {"1 column(s) in its first row, '# made by me',"}},
        Refusal{"OneField", "1,0\n2\n", {"line 2", "1 field,", "expected 2"}},
        Refusal{"ShortRow", "a,b,y\n1,2,0\n3,1\n", {"line 3", "2 fields", "expected 3", "line 1"}},
        Refusal{"LongRow", "1,2,0\n\n3,4,1,5\n", {"line 3", "4 fields", "expected 3"}},
        Refusal{
            "TextInANumber", "a,b,y\n1,2,0\n3,4x,1\n", {"line 3", "row 2", "column 2", "'b'", "'4x'", "not a number"}},
        Refusal{"MarkOfNothing", "a,b,y\n1,2,0\n3,?,1\n", {"line 3", "'?' is not a number", "--na '?'"}},
        Refusal{"MarkOfNothingFirst", "a,b,y\n1,NA,0\n3,4,1\n", {"line 2", "'NA' is not a number", "--na 'NA'"}},
        Refusal{"MarkOfNothingAtOnce", "1,NA,0\n3,4,1\n", {"line 1", "'NA' is not a number", "--na 'NA'"}},
        Refusal{"TextInTheFirstRow", "1,2x,0\n3,4,1\n", {"line 1", "column 2", "'2x'", "no header either"}},
        Refusal{"LongText", "1,0\n" + std::string(500, 'z') + ",1\n", {"line 2", std::string(40, 'z') + "...'"}},
        Refusal{"ControlCharacter", "1,0\n\x1b[31m,1\n", {"'?[31m'"}},
        Refusal{"DecimalComma", "1,5;0\n2,5;1\n", {"'1,5'", "decimals need a point"}},
        Refusal{"TwoSigns", "1,0\n+-1,1\n", {"'+-1'", "not a number"}},
        Refusal{"EmptyField", "a,b,y\n1,,0\n3,4,1\n", {"line 2", "column 2 ('b')", "empty"}},
        Refusal{"Nan", "a,b,y\n1,2,0\n3,nan,1\n", {"line 3 (row 2)", "column 2 ('b')", "NaN"}},
        Refusal{"NanInTheFirstRow", "nan,2,0\n3,4,1\n", {"line 1 (row 1)", "column 1", "NaN"}},
        Refusal{"Infinity", "1,2,0\n3,-Inf,1\n", {"line 2 (row 2)", "column 2", "infinity"}},
        Refusal{"BeyondDouble", "1,0\n1e400,1\n", {"line 2", "column 1", "infinity"}},
        Refusal{"OpenQuote", "a,b,y\n1,\"2,0\n3,4,1\n", {"line 2", "quote is not closed"}},
        Refusal{"TextAfterQuote", "a,y\n\"1\"2,0\n3,1\n", {"line 2", "closing quote", "field 1"}},
        Refusal{"OneClass", "1,a\n2,a\n", {"column 2", "two classes", "'a'"}},
        Refusal{"EmptyLabel", "1,a\n2,\n", {"line 2", "column 2", "target is empty"}},
        Refusal{"NanLabel", "1,0\n2,NaN\n3,1\n", {"line 2", "column 2", "NaN"}},
        Refusal{"TextTarget", "1,2.5\n2,high\n", {"line 2", "column 2", "'high'", "regression"}, regression},
        Refusal{"NanTarget", "1,2.5\n2,nan\n", {"line 2", "column 2", "NaN"}, regression},
        Refusal{"UnknownTarget", "a,b,y\n1,2,0\n", {"target", "'z'", "'a', 'b', 'y'"}, {.target = "z"}},
        Refusal{"NamedTargetWithoutHeader", "1,2,0\n", {"target", "'z'", "no header", "0 to 2"}, {.target = "z"}},
        Refusal{"TargetOutOfRange", "1,2,0\n", {"target", "3", "0 to 2"}, {.target = "3"}},
        Refusal{"UnknownWeights", "a,b,y\n1,2,0\n", {"weights", "'z'", "'a', 'b', 'y'"}, {.weights = "z"}},
        Refusal{"TargetAsWeights", "a,b\n1,0\n2,1\n", {"same column"}, {.target = "b", .weights = "b"}},
        Refusal{"EqualNames", "a,a,y\n1,2,0\n", {"columns 1 and 2", "'a'"}},
        Refusal{"NegativeWeight",
                "a,w,y\n1,1,0\n2,-3,1\n",
                {"column 2 ('w')", "row 2", "-3", "negative"},
                {.weights = "w"}},
        Refusal{"InfiniteWeight", "a,w,y\n1,1,0\n2,inf,1\n", {"column 2 ('w')", "row 2", "infinity"}, {.weights = "w"}},
        Refusal{"ZeroWeights", "a,w,y\n1,0,0\n2,0,1\n", {"column 2 ('w')", "all weights are zero"}, {.weights = "w"}},
        Refusal{"WeightlessClass", "a,w,y\n1,0,n\n2,1,p\n", {"every class", "'n'", "weight 0"}, {.weights = "w"}}),
    [](const auto& refusal) { return refusal.param.name; });

TEST_F(Csv, WeightFilesThatDoNotFitAreRefusedByTheirOwnName) {
  const auto refuse = [&](const std::string& weights, std::vector<std::string> parts) {
    const std::string file = write("w.csv", weights);
    parts.push_back(file);
    expect_refusal([&] { read("1,0\n3,1\n", {.weights = file}); }, parts);
  };
  refuse("1\n2\n3\n", {"3 weights", "expected 2"});
  refuse("1\n-2\n", {"row 2", "negative"});
  refuse("1\nnan\n", {"row 2", "NaN"});
  refuse("1\nheavy\n", {"line 2", "'heavy'"});
  refuse("1,2\n3,4\n", {"line 1", "2 fields"});
  refuse("", {"0 weights"});
  expect_refusal([&] { read("1,0\n3,1\n", {.weights = path("none.csv")}); }, {path("none.csv"), "No such file"});
}

TEST_F(Csv, MissingFileAndDirectoryAreRefused) {
  expect_refusal([&] { read_dataset(path("missing.csv")); }, {path("missing.csv"), "No such file"});
  expect_refusal([&] { read_dataset(path("")); }, {"directory"});
}

TEST_F(Csv, NumbersTooSmallForADoubleAreZero) { EXPECT_EQ(read("1e-400,0\n2,1\n").X, matrix({{0}, {2}})); }

// Writing.

TEST_F(Csv, WhatIsWrittenReadsBackExactly) {
  Dataset data;
  data.X = matrix({{0.1, 1.0 / 3}, {-1e308, 5e-324}, {123456789.123456789, -0.0}});
  data.y = vector({1, -1, 1});
  data.features = {"plain", "with \"quotes\", and a comma"};
  data.classes = {"no; never", "yes"};
  write_csv(path("out.csv"), data);
  const Dataset back = read_dataset(path("out.csv"));
  EXPECT_EQ(back.X, data.X);
  EXPECT_TRUE(std::signbit(back.X(2, 1)));
  EXPECT_EQ(back.y, data.y);
  EXPECT_EQ(back.features, data.features);
  EXPECT_EQ(back.classes, data.classes);
}

TEST_F(Csv, RegressionTargetsAndMissingOnesAreWrittenToo) {
  Dataset data{matrix({{1}, {2}}), vector({0.1, 0.7}), {}, {"y"}, {}};
  write_csv(path("out.csv"), data);
  EXPECT_EQ(content("out.csv"), "y,y_\n1,0.1\n2,0.7\n");
  data.y.resize(0);
  write_csv(path("out.csv"), data);
  EXPECT_EQ(content("out.csv"), "y\n1\n2\n");
  expect_refusal([&] { write_csv(path("no/out.csv"), data); }, {path("no/out.csv"), "cannot write"});
}

}  // namespace
}  // namespace conelu
