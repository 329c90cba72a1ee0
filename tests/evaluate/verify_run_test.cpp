#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "evaluate/verify_problems.hpp"

namespace conelu {
namespace {

using test::exactly;
using test::output_at;
using test::random_network;

/// Many unstable neurons in many dimensions: the bounds are far apart for long.
Network hard_network(Random& random) {
  Network network = random_network(120, 20, random);
  network.hidden_bias *= 0.1;
  network.output_bias = 0;
  return network;
}

TEST(VerifyRun, HonoursTheTimeLimitWithValidBounds) {
  Random random(1, 47);
  const Network network = hard_network(random);
  VerifySettings settings = exactly(Threat::uniform(Norm::infinity, 0.5, 20, false));
  settings.time_limit = 0.3;
  const Verification row = verify(network, Matrix::Zero(1, 20), Vector::Constant(1, 1.0), settings)[0];
  EXPECT_LT(row.lower, row.upper - 1) << "too easy to show anything";
  EXPECT_TRUE(std::isfinite(row.lower));
  EXPECT_LT(row.seconds, 2);
  EXPECT_GE(row.seconds, 0.3);
  for (int i = 0; i < 3000; ++i) {
    EXPECT_GE(output_at(network, test::random_point(Vector::Zero(20), settings, random)), row.lower);
  }
  // A threshold between the bounds is one that cannot be decided.
  settings.exact = false;
  Network raised = network;
  raised.output_bias -= 0.5 * (row.lower + row.upper);
  const Verification unknown = verify(raised, Matrix::Zero(1, 20), Vector::Constant(1, 1.0), settings)[0];
  EXPECT_EQ(unknown.verdict, Verdict::unknown);
  EXPECT_LT(unknown.lower, 0);
  EXPECT_GT(unknown.upper, 0);
  EXPECT_LT(unknown.seconds, 2);
}

TEST(VerifyRun, DoesNotDependOnTheNumberOfThreads) {
  Random random(2, 48);
  const Network network = random_network(25, 6, random);
  const Matrix X = Matrix::NullaryExpr(40, 6, [&] { return random.normal(); });
  const Vector y = Vector::NullaryExpr(40, [&] { return random.uniform() < 0.5 ? -1.0 : 1.0; });
  for (const std::string& norm : norm_names()) {
    for (const bool exact : {false, true}) {
      VerifySettings settings;
      settings.threat = Threat::uniform(make_norm(norm), 0.3, 6, false);
      settings.exact = exact;
      settings.threads = 1;
      const std::vector<Verification> one = verify(network, X, y, settings);
      settings.threads = 3;
      const std::vector<Verification> three = verify(network, X, y, settings);
      for (std::size_t k = 0; k < one.size(); ++k) {
        EXPECT_EQ(one[k].verdict, three[k].verdict);
        EXPECT_EQ(one[k].lower, three[k].lower);
        EXPECT_EQ(one[k].upper, three[k].upper);
        EXPECT_EQ(one[k].worst, three[k].worst);
        EXPECT_EQ(one[k].branches, three[k].branches);
      }
    }
  }
}

TEST(VerifyRun, ReportsOnTheCallingThreadAndStopsWhenAsked) {
  Random random(3, 49);
  const Network network = hard_network(random);
  const Matrix X = Matrix::NullaryExpr(6, 20, [&] { return 0.1 * random.normal(); });
  VerifySettings settings = exactly(Threat::uniform(Norm::infinity, 0.5, 20, false));
  settings.time_limit = 0.4;
  settings.threads = 2;
  const std::thread::id caller = std::this_thread::get_id();
  Index last = 0;
  int calls = 0;
  verify(network, X, Vector::Ones(6), settings, [&](Index finished, Index all) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(all, 6);
    EXPECT_GE(finished, last);
    last = finished;
    ++calls;
    return true;
  });
  EXPECT_EQ(last, 6);
  EXPECT_GT(calls, 6) << "a long row leaves nobody in the dark";

  settings.time_limit = 60;
  const std::vector<Verification> stopped =
      verify(network, X, Vector::Ones(6), settings, [&](Index, Index) { return ++calls < 12; });
  EXPECT_EQ(stopped.size(), 6);
  EXPECT_EQ(stopped.back().verdict, Verdict::unknown);
  EXPECT_EQ(stopped.back().lower, -INFINITY);
  EXPECT_EQ(stopped.back().upper, INFINITY);
}

TEST(VerifyRun, PassesOnWhatTheCallbackThrows) {
  Random random(4, 50);
  const Network network = random_network(3, 2, random);
  const VerifyProgress fails = [](Index, Index) -> bool { throw std::runtime_error("enough"); };
  EXPECT_THROW(verify(network, Matrix::Zero(3, 2), Vector::Ones(3), {}, fails), std::runtime_error);
}

TEST(VerifyRun, NamesTheArgumentThatDoesNotFit) {
  Random random(5, 51);
  const Network network = random_network(3, 2, random);
  const Matrix X = Matrix::Zero(2, 2);
  const Vector y = Vector::Ones(2);
  const auto expect_refused = [&](const std::string& argument, const Network& f, const Matrix& rows,
                                  const Vector& targets, const VerifySettings& settings) {
    try {
      verify(f, rows, targets, settings);
      ADD_FAILURE() << "took " << argument;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, argument.size() + 1), argument + ":") << error.what();
    }
  };
  expect_refused("X", network, Matrix::Zero(2, 3), y, {});
  expect_refused("X", network, Matrix::Constant(2, 2, NAN), y, {});
  expect_refused("y", network, X, Vector::Ones(3), {});
  expect_refused("y", network, X, Eigen::Vector2d(1, 0.5), {});
  const auto with = [](const auto& change) {
    VerifySettings settings;
    change(settings);
    return settings;
  };
  expect_refused("y", network, X, Eigen::Vector2d(1, INFINITY), with([](auto& s) { s.task = Task::regression; }));
  expect_refused("eps", network, X, y, with([](auto& s) { s.threat.radii = Vector::Ones(3); }));
  expect_refused("eps", network, X, y, with([](auto& s) { s.threat.radii = Eigen::Vector2d(1, -1); }));
  expect_refused("eps", network, X, y, with([](auto& s) { s.threat.radii = Eigen::Vector2d(1, NAN); }));
  expect_refused("eps", network, X, y, with([](auto& s) { s.threat.radii = Eigen::Vector2d(1, 1e308); }));
  expect_refused("eps", network, X, y, with([](auto& s) { s.threat.radii = Eigen::Vector2d(1e-100, 0); }));
  expect_refused("branch_limit", network, X, y, with([](auto& s) { s.branch_limit = -1; }));
  expect_refused("lower", network, X, y, with([](auto& s) { s.lower = Vector::Ones(1); }));
  expect_refused("upper", network, X, y, with([](auto& s) { s.upper = Vector::Constant(2, NAN); }));
  expect_refused("lower", network, X, y, with([](auto& s) {
                   s.lower = Vector::Ones(2);
                   s.upper = Vector::Zero(2);
                 }));
  expect_refused("max_error", network, X, y, with([](auto& s) { s.max_error = -1; }));
  expect_refused("tolerance", network, X, y, with([](auto& s) { s.tolerance = 0; }));
  expect_refused("time_limit", network, X, y, with([](auto& s) { s.time_limit = -1; }));
  expect_refused("threads", network, X, y, with([](auto& s) { s.threads = -1; }));
  Network odd = network;
  odd.hidden_bias = Vector::Zero(2);
  expect_refused("network", odd, X, y, {});
  odd = network;
  odd.output(1) = NAN;
  expect_refused("network", odd, X, y, {});
}

}  // namespace
}  // namespace conelu
