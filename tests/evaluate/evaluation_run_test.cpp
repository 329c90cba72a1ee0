#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "evaluate/evaluation_problems.hpp"
#include "evaluate/summary/closed_form.hpp"
#include "evaluate/summary/severity_range.hpp"
#include "evaluate/summary/verdicts.hpp"

namespace conelu {
namespace {

using nlohmann::json;
using test::EvaluationProblem;
using test::expect_order;
using test::random_network;

/// Many neurons in many dimensions, none of which stays on its side, and a threshold in the middle of what the output
/// can be: rows that no search decides in a second.
EvaluationProblem hard_problem(Index rows) {
  constexpr Index d = 16;
  EvaluationProblem problem(Norm::infinity, "hinge", 2, 0);
  Random random(1, 91);
  Network& network = problem.model.networks.front();
  network = random_network(6 * d, d, random);
  network.hidden_bias *= 0.1;
  network.output_bias = 0;
  problem.settings.threat = Threat::uniform(Norm::infinity, 0.5, d, false);
  VerifySettings settings = problem.verify_settings();
  settings.exact = true;
  settings.time_limit = 0.5;
  const Verification range = verify(network, Matrix::Zero(1, d), Vector::Ones(1), settings).front();
  EXPECT_GT(range.upper - range.lower, 1);
  network.output_bias = -0.5 * (range.lower + range.upper);
  problem.data.X = Matrix::Zero(rows, d);
  problem.data.y = Vector::Ones(rows);
  return problem;
}

TEST(EvaluationRun, CountsRowsThatTimeLeavesUndecidedInTheUpperShareOnly) {
  EvaluationProblem problem = hard_problem(2);
  problem.data.y(1) = -1;  // wrong as it is
  problem.settings.time_limit = 0.2;
  problem.settings.radius = true;
  const Evaluation e = evaluate(problem.model, problem.data, problem.settings);
  EXPECT_TRUE(e.finished);
  EXPECT_EQ(e.unknown, 1);
  EXPECT_EQ(e.verified_lower, 0);
  EXPECT_EQ(e.verified_upper, 0.5);
  EXPECT_EQ(e.strong, 0.5);
  EXPECT_GT(*e.objective, *e.objective_lower + 0.1) << "and so is its worst loss";
  EXPECT_GE(*e.mean_radius, 0);
  EXPECT_LT(*e.mean_radius, 0.5);
  EXPECT_EQ(e.radius_open, 1);
  EXPECT_EQ(e.radius_capped, 0);
  expect_order(e, "hard");

  problem.model.task = Task::regression;
  problem.model.classes.clear();
  problem.data.classes.clear();
  problem.model.training.loss = "squared";
  const Evaluation errors = evaluate(problem.model, problem.data, problem.settings);
  EXPECT_EQ(errors.unknown, 2);
  EXPECT_GT(*errors.verified_upper, *errors.verified_lower * 1.01);
  expect_order(errors, "hard regression");
}

TEST(EvaluationRun, TellsItsStepsInOrder) {
  EvaluationProblem problem(Norm::two, "hinge", 3, 1);
  problem.data.weights.resize(0);
  problem.settings.radius = true;
  std::vector<std::string> steps;
  Index last = 0;
  evaluate(problem.model, problem.data, problem.settings, [&](const EvaluationProgress& progress) {
    if (steps.empty() || steps.back() != progress.step) {
      steps.push_back(progress.step);
      last = 0;
    }
    EXPECT_GE(progress.finished, last) << progress.step;
    EXPECT_LE(progress.finished, progress.all) << progress.step;
    last = progress.finished;
    return true;
  });
  EXPECT_EQ(steps, (std::vector<std::string>{"fgsm", "pgd", "strong", "verify", "objective", "radius"}));
}

// What a step has not finished is left out, and what is there holds.
TEST(EvaluationRun, StopsAtAnyStepWithWhatItKnows) {
  EvaluationProblem problem = hard_problem(3);
  problem.settings.radius = true;
  problem.settings.time_limit = 0.3;
  const Evaluation full = evaluate(problem.model, problem.data, problem.settings);
  for (const std::string step : {"fgsm", "pgd", "strong", "verify", "objective", "radius"}) {
    const Evaluation e = evaluate(problem.model, problem.data, problem.settings,
                                  [&](const EvaluationProgress& progress) { return progress.step != step; });
    const bool attacked = step != "fgsm" && step != "pgd" && step != "strong";
    EXPECT_FALSE(e.finished) << step;
    EXPECT_EQ(e.clean.has_value(), step != "fgsm");
    EXPECT_EQ(e.pgd.has_value(), step != "fgsm" && step != "pgd");
    EXPECT_EQ(e.strong.has_value(), attacked);
    EXPECT_EQ(e.verified_lower.has_value(), attacked);
    EXPECT_EQ(e.verified_upper.has_value(), attacked);
    EXPECT_EQ(e.certified_bound.has_value(), attacked);
    EXPECT_EQ(e.objective.has_value(), step == "objective" || step == "radius") << step;
    EXPECT_FALSE(e.mean_radius);
    if (attacked) expect_order(e, step);
    if (e.objective) {
      EXPECT_GE(*e.objective, *full.objective_lower);
      EXPECT_LE(*e.objective_lower, *full.objective);
    }
  }
}

TEST(EvaluationRun, DoesNotDependOnTheNumberOfThreads) {
  for (const Index classes : {0, 2, 4}) {
    EvaluationProblem problem(Norm::infinity, "squared", classes, 4);
    problem.settings.radius = true;
    // More rows than are attacked at once.
    const Matrix X = problem.data.X.replicate(40, 1) + 0.1 * Matrix::Random(320, 2);
    problem.data.y = problem.data.y.replicate(40, 1).eval();
    problem.data.X = X;
    problem.data.weights.resize(0);
    std::vector<json> found;
    for (const int threads : {1, 2, 3}) {
      problem.settings.threads = threads;
      found.push_back(json::parse(to_json(evaluate(problem.model, problem.data, problem.settings))));
      found.back().erase("seconds");
      EXPECT_EQ(found.back(), found.front()) << threads << " threads";
    }
  }
}

/// The hard network for all tasks: itself, its values, or the first of several that are as hard.
EvaluationProblem hard_problem_of(Index classes, Index rows) {
  EvaluationProblem problem = hard_problem(rows);
  const Index d = problem.data.X.cols();
  Random random(2, 91);
  problem.data.X = Matrix::NullaryExpr(rows, d, [&] { return 0.05 * random.normal(); });
  if (classes == 2) return problem;
  problem.model.classes.clear();
  for (Index c = 0; c < classes; ++c) problem.model.classes.push_back(std::to_string(c));
  for (Index c = 1; c < classes; ++c) problem.model.networks.push_back(random_network(6 * d, d, random));
  for (std::size_t c = 1; c < problem.model.networks.size(); ++c) {
    problem.model.networks[c].output_bias = -10 * static_cast<double>(c);
  }
  problem.data.classes = problem.model.classes;
  problem.data.y = Vector::Zero(rows);
  problem.model.task = classes == 0 ? Task::regression : Task::classification;
  if (classes == 0) problem.model.training.loss = "squared";
  return problem;
}

// Neither the clock nor the threads have a say in rows that are left undecided.
TEST(EvaluationRun, RepeatsWithALimitOfBranches) {
  for (const Index classes : {0, 2, 3}) {
    EvaluationProblem problem = hard_problem_of(classes, 5);
    problem.settings.radius = true;
    problem.settings.branch_limit = 20;
    std::vector<json> found;
    for (const auto& [threads, seconds] : {std::pair{1, 600.0}, {1, 600.0}, {2, 600.0}, {2, 1e6}}) {
      problem.settings.threads = threads;
      problem.settings.time_limit = seconds;
      const Evaluation e = evaluate(problem.model, problem.data, problem.settings);
      EXPECT_GT(*e.unknown, 0) << "too easy for this test";
      expect_order(e, std::to_string(classes) + " classes");
      found.push_back(json::parse(to_json(e)));
      found.back().erase("seconds");
      EXPECT_EQ(found.back(), found.front()) << classes << " classes, " << threads << " threads, " << seconds << " s";
    }
  }
}

/// Rows around 0 that are, in the worst case, as near to the threshold as the first of them, which is at 0 and at it:
/// they take some branches to decide, and not too many.
EvaluationProblem problem_of_many_branches(Index classes) {
  constexpr Index d = 4, rows = 12;
  EvaluationProblem problem(Norm::infinity, classes == 0 ? "squared" : "hinge", classes, 0);
  std::vector<Network>& networks = problem.model.networks;
  Random random(3, 91);
  for (Network& network : networks) {
    network = random_network(classes == 2 ? 10 * d : 4 * d, d, random);
    network.hidden_bias *= 0.1;
  }
  problem.data.X = Matrix::NullaryExpr(rows, d, [&] { return 0.05 * random.normal(); });
  problem.data.X.row(0).setZero();
  problem.data.y = classes == 2 ? Vector::Ones(rows) : Vector::Zero(rows);
  problem.settings.threat = Threat::uniform(Norm::infinity, 0.5, d, false);
  VerifySettings settings = problem.verify_settings();
  settings.task = Task::classification;
  settings.exact = true;
  const Matrix zero = Matrix::Zero(1, d);
  const std::vector<Verification> worst =
      classes > 2 ? verify(networks, zero, {0}, settings) : verify(networks[0], zero, Vector::Ones(1), settings);
  networks[0].output_bias -= worst[0].lower;
  return problem;
}

// A search with more branches begins with the same ones: it knows no less, and what it knew before was true.
TEST(EvaluationRun, KnowsMoreWithMoreBranches) {
  for (const Index classes : {0, 2, 3}) {
    EvaluationProblem problem = problem_of_many_branches(classes);
    problem.settings.time_limit = 600;
    std::vector<Evaluation> found;
    for (const long branches : {0L, 1L, 4L, 16L, 64L, 1000000L}) {
      problem.settings.branch_limit = branches;
      found.push_back(evaluate(problem.model, problem.data, problem.settings));
      const Evaluation& e = found.back();
      const std::string what = std::to_string(classes) + " classes, " + std::to_string(branches) + " branches";
      expect_order(e, what);
      if (branches == 0) continue;
      const Evaluation& before = found[found.size() - 2];
      EXPECT_LE(*e.unknown, *before.unknown) << what;
      EXPECT_GE(*e.verified_lower, *before.verified_lower) << what;
      EXPECT_LE(*e.verified_upper, *before.verified_upper) << what;
      EXPECT_GE(*e.objective_lower, *before.objective_lower) << what;
      EXPECT_LE(*e.objective, *before.objective) << what;
    }
    EXPECT_GT(*found[1].unknown, 0) << "too easy for this test";
    EXPECT_LE(*found.back().unknown, 1) << "the first row alone may be too near to its threshold";
  }
}

TEST(EvaluationRun, LeavesOutWhatWasNotAskedForOrIsNotKnown) {
  EvaluationProblem problem(Norm::infinity, "hinge", 2, 2);
  problem.settings.objective = false;
  EXPECT_FALSE(evaluate(problem.model, problem.data, problem.settings).objective);
  problem.settings.objective = true;
  for (const char* loss : {"", "somebody's own"}) {
    problem.model.training.loss = loss;
    const Evaluation e = evaluate(problem.model, problem.data, problem.settings);
    EXPECT_FALSE(e.objective);
    EXPECT_TRUE(e.verified_lower);
  }
  EvaluationProblem regression(Norm::infinity, "hinge", 0, 2);
  EXPECT_FALSE(evaluate(regression.model, regression.data, regression.settings).objective) << "a loss of margins";
}

TEST(EvaluationReport, HasTheNamesOfTheContract) {
  EvaluationProblem problem(Norm::one, "hinge", 2, 3);
  problem.settings.threat = Threat::uniform(Norm::one, 0.3, 2, false);
  const Evaluation e = evaluate(problem.model, problem.data, problem.settings);
  const auto facts = nlohmann::ordered_json::parse(to_json(e));
  const std::vector<std::string> extra = {"objective_lower", "unknown", "eps", "norm", "seed", "finished", "seconds"};
  std::vector<std::string> expected = {"n",           "clean",          "fgsm",           "pgd",
                                       "strong",      "verified_lower", "verified_upper", "certified_bound",
                                       "mean_radius", "radius_open",    "radius_capped",  "objective"};
  expected.insert(expected.end(), extra.begin(), extra.end());
  std::vector<std::string> names;
  for (const auto& [name, value] : facts.items()) names.push_back(name);
  EXPECT_EQ(names, expected);
  EXPECT_EQ(facts.at("clean").get<double>(), *e.clean);
  EXPECT_EQ(facts.at("objective").get<double>(), *e.objective);
  EXPECT_TRUE(facts.at("mean_radius").is_null());
  EXPECT_EQ(facts.at("eps"), 0.3);
  EXPECT_EQ(facts.at("norm"), "1");
  EXPECT_EQ(facts.at("seed"), 3);
  EXPECT_EQ(facts.at("finished"), true);

  const std::string table = to_table(table_rows(e));
  for (const std::string& name : names) EXPECT_NE(table.find(name + " "), std::string::npos) << name;
  EXPECT_NE(table.find("mean_radius      -\n"), std::string::npos) << table;
}

TEST(EvaluationReport, CallsErrorsByTheirName) {
  EvaluationProblem problem(Norm::two, "squared", 0, 3);
  problem.settings.threat.radii = Vector{{0.1, 0.2}};
  const Evaluation e = evaluate(problem.model, problem.data, problem.settings);
  const json facts = json::parse(to_json(e));
  for (const char* name : {"clean", "fgsm", "pgd", "strong", "verified_lower", "verified_upper", "certified_bound"}) {
    EXPECT_FALSE(facts.contains(name));
    EXPECT_TRUE(facts.at(std::string("mse_") + name).is_number_float()) << name;
  }
  EXPECT_TRUE(facts.at("objective").is_number_float());
  EXPECT_TRUE(facts.at("mean_radius").is_null());
  EXPECT_EQ(facts.at("eps_per_feature"), (std::vector<double>{0.1, 0.2}));
  EXPECT_NE(to_table(table_rows(e)).find("0.1, 0.2"), std::string::npos);

  const std::string path = testing::TempDir() + "conelu-evaluation.json";
  save_evaluation(e, path);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), to_json(e));
  std::remove(path.c_str());
}

TEST(EvaluationRun, NamesTheArgumentThatDoesNotFit) {
  const auto message = [](const std::function<void(EvaluationProblem&)>& spoil, Index classes = 2) -> std::string {
    EvaluationProblem problem(Norm::infinity, "hinge", classes, 0);
    spoil(problem);
    try {
      evaluate(problem.model, problem.data, problem.settings);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing thrown";
  };
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(message([](auto& p) { p.model.networks.clear(); }), "model");
  says(message([](auto& p) { p.data.y.resize(0); }), "targets");
  says(message([](auto& p) { p.data.weights = Vector::Ones(3); }), "weights");
  says(message([](auto& p) { p.data.weights = Vector::Zero(8); }), "weight 0");
  says(message([](auto& p) { p.data.classes = {"b", "a"}; }), "classes");
  says(message([](auto& p) { p.data.y(2) = 0.5; }), "y");
  says(message([](auto& p) { p.data.y(2) = 3; }, 3), "row 2");
  says(message([](auto& p) { p.data.y(2) = 0.5; }, 3), "row 2");
  says(message([](auto& p) { p.data.X(2, 1) = NAN; }), "X");
  says(message([](auto& p) { p.data.X.conservativeResize(8, 1); }), "X");
  says(message([](auto& p) { p.settings.threat.radii = Vector::Ones(3); }), "eps");
  says(message([](auto& p) { p.settings.threat.radii(0) = -1; }), "eps");
  says(message([](auto& p) { p.settings.restarts = -1; }), "restarts");
  says(message([](auto& p) { p.settings.lower = Vector::Ones(5); }), "lower");
  says(message([](auto& p) { p.settings.time_limit = -1; }), "time_limit");
  says(message([](auto& p) { p.settings.branch_limit = -1; }), "branch_limit");
  says(message([](auto& p) { p.settings.threads = -1; }), "threads");
}

// ---- parts

TEST(Verdicts, ContradictNobody) {
  summary::Verdicts verdicts(3);
  EXPECT_EQ(verdicts.unknown(), 3);
  verdicts.record(0, Verdict::robust, "one");
  verdicts.record(0, Verdict::unknown, "another");
  verdicts.record(0, Verdict::robust, "another");
  EXPECT_EQ(verdicts.of(0), Verdict::robust);
  verdicts.record(1, Verdict::broken, "an attack");
  EXPECT_THROW(verdicts.record(0, Verdict::broken, "an attack"), std::logic_error);
  EXPECT_THROW(verdicts.record(1, Verdict::robust, "the closed form"), std::logic_error);
  EXPECT_EQ(verdicts.unknown(), 1);
}

TEST(SeverityRange, ThrowsIfAProofIsBroken) {
  const EvaluationProblem problem(Norm::infinity, "hinge", 2, 1);
  const std::vector<summary::Question> questions = summary::prediction_questions(problem.model, problem.data);
  const auto cost = [](double severity) { return severity; };
  const auto go_on = [](Index, Index) { return true; };
  summary::SeverityRange range{Vector::Constant(8, 1.0), Vector::Constant(8, 0.5)};
  EXPECT_THROW(narrow(questions[0], cost, problem.verify_settings(), go_on, range), std::logic_error);
  // Also if exact verification finds the worse point.
  range = {Vector::Constant(8, -1e3), Vector::Constant(8, -1e2)};
  EXPECT_THROW(narrow(questions[0], cost, problem.verify_settings(), go_on, range), std::logic_error);
}

// In double arithmetic, whatever the order of summation: here and in the library's own.
TEST(ClosedForm, HoldsForWhoeverEvaluates) {
  Random random(7, 92);
  for (std::uint64_t seed = 0; seed < problems::repetitions(60, 1000); ++seed) {
    const test::AttackProblem problem(make_norm(norm_names()[seed % 3]),
                                      seed % 2 == 0 ? Task::classification : Task::regression, 4, seed);
    summary::Question question{problem.network, problem.settings.task, {0, 1, 2, 3}, problem.X, problem.y};
    const Vector bounds = summary::severity_bounds(question, problem.settings.threat);
    for (Index k = 0; k < 4; ++k) {
      for (int i = 0; i < 200; ++i) {
        const Vector p = test::random_point(problem.X.row(k).transpose(), problem.as_verify_settings(), random);
        for (const double f : {problem.network.predict(p.transpose())(0), test::output_at(problem.network, p)}) {
          const double y = problem.y(k);
          EXPECT_LE(question.task == Task::classification ? -y * f : std::abs(f - y), bounds(k)) << "seed " << seed;
        }
      }
    }
  }
}

}  // namespace
}  // namespace conelu
