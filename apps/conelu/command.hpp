#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace conelu::tool {

/// What the shell gets to see; part of the contract.
enum ExitCode : int { done = 0, internal_error = 1, bad_input = 2, not_optimal = 3, interrupted = 130 };

/// A subcommand: its options and what to do once they are parsed.
struct Command {
  CLI::App* options;
  std::function<int()> run;
};

// Adding a subcommand: a file with one such function and a line in main.cpp.
Command add_train(CLI::App& tool);
Command add_cv(CLI::App& tool);
Command add_baseline(CLI::App& tool);
Command add_predict(CLI::App& tool);
Command add_evaluate(CLI::App& tool);
Command add_attack(CLI::App& tool);
Command add_certify(CLI::App& tool);
Command add_export(CLI::App& tool);
Command add_info(CLI::App& tool);
Command add_patterns(CLI::App& tool);
Command add_demo(CLI::App& tool);
Command add_help(CLI::App& tool);

}  // namespace conelu::tool
