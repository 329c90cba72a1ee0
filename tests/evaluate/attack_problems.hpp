#pragma once

#include "conelu/attack.hpp"
#include "evaluate/verify_problems.hpp"
#include "problems/problems.hpp"

namespace conelu::test {

/// Rows, a network and an attacker of any kind: radii for all, some or few features; in every other problem features
/// have a range, which some rows are outside of.
struct AttackProblem {
  Network network;
  Matrix X;
  Vector y;
  AttackSettings settings;

  AttackProblem(Norm norm, Task task, Index n, std::uint64_t seed) {
    Random random(seed, 50);
    const Index d = 2 + static_cast<Index>(seed % 5);
    network = random_network(static_cast<Index>(seed % 13), d, random);
    X = Matrix::NullaryExpr(n, d, [&] { return random.normal(); });
    if (seed % 4 == 3) X.array() += 1e6;  // radii of few digits
    settings.threat =
        problems::random_threat(norm, std::pow(10.0, -2.0 + 0.5 * static_cast<double>(seed % 6)), d, seed);
    settings.task = task;
    settings.seed = seed;
    if (seed % 2 == 1) {
      settings.lower = Vector::Constant(d, X.mean() - 1);
      settings.upper = Vector::Constant(d, X.mean() + 1.5);
    }
    y = Vector::NullaryExpr(n, [&] { return random.normal(); });
    if (task == Task::classification) y = (y.array() >= 0).select(Vector::Ones(n), -1.0);
  }

  AttackResult run(const std::string& name) const { return attack(name, network, X, y, settings); }

  VerifySettings as_verify_settings() const {
    VerifySettings result;
    result.threat = settings.threat;
    result.task = settings.task;
    result.lower = settings.lower;
    result.upper = settings.upper;
    return result;
  }
};

}  // namespace conelu::test
