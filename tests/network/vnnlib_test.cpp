#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "conelu/export_model.hpp"
#include "conelu/verify.hpp"
#include "data/temporary_files.hpp"
#include "network/export_problems.hpp"
#include "network/onnx_reader.hpp"
#include "network/vnnlib_reader.hpp"

namespace conelu {
namespace {

using test::OnnxFile;
using test::random_model;
using test::random_rows;
using test::VnnlibFile;

/// Random rows, labelled as the model does; in regression its outputs, rounded.
Dataset random_data(const Model& model, Index n, std::uint64_t seed) {
  Dataset data;
  data.X = random_rows(model, n, seed);
  data.features = model.features;
  data.classes = model.classes;
  const Matrix scores = model.scores(data.X);
  data.y = scores.col(0).array().round();
  for (Index k = 0; k < n && model.task == Task::classification; ++k) {
    const Index label = model.predicted_classes(scores)[static_cast<std::size_t>(k)];
    data.y(k) = model.classes.size() > 2 ? static_cast<double>(label) : label == 1 ? 1.0 : -1.0;
  }
  return data;
}

VnnlibSettings settings_of(const Model& model, double eps) {
  VnnlibSettings settings;
  const auto d = static_cast<Index>(model.features.size());
  settings.threat.radii = raw_radii(Vector::Constant(d, eps), model.preprocessing);
  settings.max_error = 2;
  return settings;
}

/// The question in words: inside the box, and another class is at least as high, or the error as large.
bool is_counterexample(const Model& model, const Dataset& data, Index row, const VnnlibSettings& settings,
                       const Vector& x, const Vector& y) {
  const Vector size = (x - data.X.row(row).transpose()).cwiseAbs();
  if ((size.array() > settings.threat.radii.array()).any()) return false;
  if (model.task == Task::regression) return std::abs(y(0) - data.y(row)) >= settings.max_error;
  const Index label = data.class_of(row);
  for (Index k = 0; k < y.size(); ++k) {
    if (k != label && y(k) >= y(label)) return true;
  }
  return false;
}

TEST(Vnnlib, BoundsEveryInputOnBothSides) {
  const Model model = random_model(3, 4, 5, true, 1);
  const Dataset data = random_data(model, 1, 2);
  const VnnlibFile file(vnnlib_property(model, data, 0, settings_of(model, 0.5)));
  EXPECT_EQ(file.variables, (std::vector<std::string>{"X_0", "X_1", "X_2", "X_3", "Y_0", "Y_1", "Y_2"}));
  ASSERT_EQ(file.assertions.size(), 2U * 4 + 1);
  for (std::size_t a = 0; a < 4; ++a) {
    EXPECT_EQ(file.assertions[2 * a].list.at(0).word, ">=");
    EXPECT_EQ(file.assertions[2 * a + 1].list.at(0).word, "<=");
    for (const std::size_t side : {0, 1}) {
      EXPECT_EQ(file.assertions[2 * a + side].list.at(1).word, "X_" + std::to_string(a));
    }
  }
}

TEST(Vnnlib, HoldsForCounterexamplesAndNothingElse) {
  for (const Index classes : {0, 2, 4}) {
    const Model model = random_model(classes, 3, 12, true, 3);
    const OnnxFile network(onnx_bytes(model));
    const Dataset data = random_data(model, 20, 4);
    const VnnlibSettings settings = settings_of(model, 0.7);
    std::mt19937_64 random(5);
    int found = 0;
    int outside = 0;
    for (Index row = 0; row < 20; ++row) {
      const VnnlibFile property(vnnlib_property(model, data, row, settings));
      for (int trial = 0; trial < 100; ++trial) {
        std::uniform_real_distribution<> share(-1.05, 1.05);
        const Vector step = settings.threat.radii.unaryExpr([&](double r) { return r * share(random); });
        const Vector x = data.X.row(row).transpose() + step;
        const Vector y = network.evaluate(x.transpose()).row(0).transpose();
        const bool expected = is_counterexample(model, data, row, settings, x, y);
        EXPECT_EQ(property.holds(x, y), expected);
        found += expected;
        outside += ((x - data.X.row(row).transpose()).cwiseAbs().array() > settings.threat.radii.array()).any();
      }
    }
    EXPECT_GT(found, 20);
    EXPECT_GT(outside, 20);
  }
}

// What verify() proves of the exported weights is the answer to the property: its worst point for broken rows, and for
// robust ones nothing that a search finds.
TEST(Vnnlib, AgreesWithVerifyOnTheExportedNetwork) {
  for (const Index classes : {2, 3}) {
    const Model model = random_model(classes, 3, 10, true, 6);
    const Model exported = float32_model(model);
    const OnnxFile network(onnx_bytes(model));
    const Dataset data = random_data(model, 30, 7);
    const VnnlibSettings settings = settings_of(model, 0.4);
    VerifySettings verify_settings;
    verify_settings.threat = settings.threat;
    std::vector<Index> labels;
    for (Index k = 0; k < 30; ++k) labels.push_back(data.class_of(k));
    const std::vector<Verification> verdicts = classes == 2
                                                   ? verify(exported.network(), data.X, data.y, verify_settings)
                                                   : verify(exported.networks, data.X, labels, verify_settings);
    std::mt19937_64 random(8);
    int broken = 0;
    for (Index row = 0; row < 30; ++row) {
      const Verification& verdict = verdicts[static_cast<std::size_t>(row)];
      const VnnlibFile property(vnnlib_property(model, data, row, settings));
      ASSERT_NE(verdict.verdict, Verdict::unknown);
      if (verdict.verdict == Verdict::broken) {
        EXPECT_TRUE(property.holds(verdict.worst, network.evaluate(verdict.worst.transpose()).row(0).transpose()));
        ++broken;
        continue;
      }
      for (int trial = 0; trial < 300; ++trial) {
        std::uniform_int_distribution<> side(-1, 1);
        const Vector step = settings.threat.radii.unaryExpr([&](double r) { return r * side(random); });
        const Vector x = data.X.row(row).transpose() + step;
        EXPECT_FALSE(property.holds(x, network.evaluate(x.transpose()).row(0).transpose()));
      }
    }
    EXPECT_GT(broken, 3);
    EXPECT_LT(broken, 27);
  }
}

// Multiples of 2^-58 below 1: their sums are exact in the 64 bits of long double, and mostly not in double.
TEST(Vnnlib, RoundsBoundsOutwards) {
  Model model = random_model(0, 1, 2, false, 9);
  Dataset data{Matrix(1, 1), Vector::Zero(1), {}, model.features, {}};
  std::mt19937_64 random(10);
  int inexact = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const double x = std::ldexp(static_cast<double>(random() >> 34), -30) - 0.5;
    const double r = std::ldexp(static_cast<double>(random() >> 34), -58);
    data.X(0, 0) = x;
    VnnlibSettings settings;
    settings.threat.radii = Vector{{r}};
    const VnnlibFile file(vnnlib_property(model, data, 0, settings));
    const double lower = std::stod(file.assertions.at(0).list.at(2).word);
    const double upper = std::stod(file.assertions.at(1).list.at(2).word);
    const auto exact_x = static_cast<long double>(x);
    EXPECT_LE(static_cast<long double>(lower), exact_x - static_cast<long double>(r));
    EXPECT_GE(static_cast<long double>(upper), exact_x + static_cast<long double>(r));
    EXPECT_GT(static_cast<long double>(std::nextafter(lower, 1e9)), exact_x - static_cast<long double>(r));
    EXPECT_LT(static_cast<long double>(std::nextafter(upper, -1e9)), exact_x + static_cast<long double>(r));
    inexact += static_cast<long double>(upper) != exact_x + static_cast<long double>(r);
  }
  EXPECT_GT(inexact, 100);
}

TEST(Vnnlib, WritesNumbersOfAnySizeAsPlainDecimals) {
  Model model = random_model(0, 6, 2, false, 11);
  Dataset data{Matrix{{1e300, -1e-300, 5e-324, 0.1, -0.0, 3}}, Vector{{1e20}}, {}, model.features, {}};
  VnnlibSettings settings;
  settings.max_error = 1e-7;
  const VnnlibFile file(vnnlib_property(model, data, 0, settings));
  for (Index a = 0; a < 6; ++a) {
    for (const std::size_t side : {0, 1}) {
      const std::string& number = file.assertions.at(2 * static_cast<std::size_t>(a) + side).list.at(2).word;
      EXPECT_EQ(number.find_first_not_of("-.0123456789"), std::string::npos) << number;
      EXPECT_NE(number.find('.'), std::string::npos) << number;
      EXPECT_EQ(std::strtod(number.c_str(), nullptr), data.X(0, a));
    }
  }
}

TEST(Vnnlib, KeepsFeaturesWithinTheirRange) {
  const Model model = random_model(2, 3, 4, false, 12);
  Dataset data{Matrix{{0.125, 0.5, 1.5}}, Vector{{1}}, {}, model.features, model.classes};
  VnnlibSettings settings;
  settings.threat.radii = Vector::Constant(3, 0.25);
  settings.lowest = 0;
  settings.highest = 1;
  const VnnlibFile file(vnnlib_property(model, data, 0, settings));
  const double expected[] = {0, 0.375, 0.25, 0.75, 1.5, 1.5};  // what is outside stays as it is
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(std::stod(file.assertions.at(i).list.at(2).word), expected[i]);
}

TEST(Vnnlib, WritesTheNewerVersionWithTheSameBounds) {
  const Model model = random_model(3, 2, 4, true, 13);
  const Dataset data = random_data(model, 1, 14);
  VnnlibSettings settings = settings_of(model, 0.1);
  std::string expected = vnnlib_property(model, data, 0, settings);
  settings.version = VnnlibVersion::two;
  const std::string text = vnnlib_property(model, data, 0, settings);
  EXPECT_NE(text.find("(vnnlib-version <2.0>)\n(declare-network f\n  (declare-input X real [1, 2])\n"
                      "  (declare-output Y real [1, 3])\n)\n"),
            std::string::npos)
      << text;
  expected = expected.substr(expected.find("; X_0"));
  for (const char kind : {'X', 'Y'}) {
    for (int i = 0; i < 3; ++i) {
      const std::string old_name = fmt::format("{}_{}", kind, i);
      for (std::size_t at; (at = expected.find(old_name)) != std::string::npos;) {
        expected.replace(at, 3, fmt::format("{}[0,{}]", kind, i));
      }
    }
  }
  EXPECT_EQ(text.substr(text.find("; X[0,0]")), expected);
}

TEST(Vnnlib, IsNotBrokenByNames) {
  Model model = random_model(2, 2, 4, false, 15);
  model.features = {"a\n(assert (<= X_0 0.0))", "b"};
  model.classes = {"no\r\n(", "yes"};
  Dataset data = random_data(model, 1, 16);
  const VnnlibFile file(vnnlib_property(model, data, 0, settings_of(model, 0.1)));
  EXPECT_EQ(file.assertions.size(), 5U);
}

TEST(Vnnlib, RefusesWhatItCannotSay) {
  const Model model = random_model(2, 2, 4, false, 17);
  const Dataset data = random_data(model, 3, 18);
  VnnlibSettings settings = settings_of(model, 0.1);
  expect_refusal([&] { vnnlib_property(model, data, 3, settings); }, {"row", "3 rows"});
  settings.threat.norm = Norm::two;
  expect_refusal([&] { vnnlib_property(model, data, 0, settings); }, {"norm", "inf", "found 2"});
  settings = settings_of(model, 0.1);
  settings.threat.radii.resize(3);
  settings.threat.radii.setConstant(0.1);
  expect_refusal([&] { vnnlib_property(model, data, 0, settings); }, {"eps", "3 radii", "2"});
  settings.threat.radii = Vector::Constant(2, 1.7e308);
  Dataset far = data;
  far.X.setConstant(1.7e308);
  expect_refusal([&] { vnnlib_property(model, far, 0, settings); }, {"not finite"});
  settings = settings_of(model, 0.1);
  Dataset other = data;
  other.classes = {"x", "y"};
  expect_refusal([&] { vnnlib_property(model, other, 0, settings); }, {"classes"});
  other.y.resize(0);
  expect_refusal([&] { vnnlib_property(model, other, 0, settings); }, {"target"});
}

class VnnlibFolder : public TemporaryFiles {};

TEST_F(VnnlibFolder, HoldsTheNetworkAFileForEachRowAndTheirIndex) {
  const Model model = random_model(3, 2, 4, true, 19);
  const Dataset data = random_data(model, 4, 20);
  const VnnlibSettings settings = settings_of(model, 0.1);
  save_vnnlib(model, data, settings, path("a/b"));
  EXPECT_EQ(content("a/b/model.onnx"), onnx_bytes(model));
  for (Index row = 0; row < 4; ++row) {
    EXPECT_EQ(content(fmt::format("a/b/row_{}.vnnlib", row)), vnnlib_property(model, data, row, settings));
  }
  EXPECT_EQ(content("a/b/instances.csv"),
            "model.onnx,row_0.vnnlib,60\nmodel.onnx,row_1.vnnlib,60\nmodel.onnx,row_2.vnnlib,60\n"
            "model.onnx,row_3.vnnlib,60\n");
  const std::filesystem::directory_iterator entries(path("a/b"));
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 6);

  // Fewer rows leave nothing of the others behind, and what is not ours alone.
  write("a/b/row_of_mine.vnnlib", "");
  save_vnnlib(model, random_data(model, 2, 20), settings, path("a/b"));
  const std::filesystem::directory_iterator left(path("a/b"));
  EXPECT_EQ(std::distance(begin(left), end(left)), 5);

  write("file", "");
  expect_refusal([&] { save_vnnlib(model, data, settings, path("file")); }, {"file", "folder"});
  expect_refusal([&] { save_vnnlib(model, data, settings, path("file/deeper")); }, {"file/deeper"});
}

// The index is of the folder's files or not there.
TEST_F(VnnlibFolder, HasNoIndexOfFilesThatCouldNotBeWritten) {
  const Model model = random_model(2, 2, 4, true, 21);
  const Dataset data = random_data(model, 2, 22);
  save_vnnlib(model, data, settings_of(model, 0.1), path("folder"));
  std::filesystem::remove(path("folder/row_1.vnnlib"));
  std::filesystem::create_directory(path("folder/row_1.vnnlib"));
  expect_refusal([&] { save_vnnlib(model, data, settings_of(model, 0.2), path("folder")); }, {"row_1.vnnlib"});
  EXPECT_FALSE(std::filesystem::exists(path("folder/instances.csv")));
}

}  // namespace
}  // namespace conelu
