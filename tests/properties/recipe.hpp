#pragma once

#include <rapidcheck.h>

#include <string>

#include "conelu/loss.hpp"

namespace conelu::properties {

/// How to make one problem: choices that RapidCheck draws and shrinks. 0 and the first names are the simplest, so that
/// what is left of a shrunk counterexample is what it takes. The bulk of the numbers comes from `seed`.
///
/// In text, fields that are at their simplest are left out; CONELU_PROBLEM="n=3 loss=huber ..." runs one problem alone.
struct Recipe {
  int n = 1;
  int d = 1;     ///< features, without the bias
  int bias = 0;  ///< append a column of ones
  std::string loss = "hinge";
  int huber_delta = 0;  ///< exponent of ten
  std::string method = "cones";
  int beta = 0;  ///< tenths of the exponent of ten

  std::string radii = "none";  ///< none zero scalar features some bias: one each, some of them 0, of the bias too
  std::string norm = "inf";
  int eps = 0;  ///< tenths of the exponent of ten, in units of the features

  int scale = 0;    ///< of X: exponent of ten
  int columns = 0;  ///< they differ by up to this exponent of ten either way
  int rows = 0;     ///< the same of rows
  int shift = 0;    ///< distance of the features from 0, an exponent of ten in units of their spread; 0: none
  int grid = 0, rank_one = 0, equal_columns = 0, constant_column = 0, zero_column = 0;
  int duplicates = 0;  ///< rows that repeat; 2: nearly
  int opposites = 0, zero_rows = 0;

  std::string targets = "rule";  ///< rule noise equal zero outlier
  int target_scale = 0, target_offset = 0;
  std::string weights = "none";  ///< none usual zeros ratios tiny huge single

  std::string patterns = "gaussian";  ///< gaussian gaps perturbed all random mixed none
  int count = 1;
  std::string flaw = "none";  ///< something that must be refused
  int seed = 0;

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor&& field) {
    field("n", s.n), field("d", s.d), field("bias", s.bias);
    field("loss", s.loss), field("huber_delta", s.huber_delta), field("method", s.method), field("beta", s.beta);
    field("radii", s.radii), field("norm", s.norm), field("eps", s.eps);
    field("scale", s.scale), field("columns", s.columns), field("rows", s.rows), field("shift", s.shift);
    field("grid", s.grid), field("rank_one", s.rank_one), field("equal_columns", s.equal_columns);
    field("constant_column", s.constant_column), field("zero_column", s.zero_column);
    field("duplicates", s.duplicates), field("opposites", s.opposites), field("zero_rows", s.zero_rows);
    field("targets", s.targets), field("target_scale", s.target_scale), field("target_offset", s.target_offset);
    field("weights", s.weights), field("patterns", s.patterns), field("count", s.count);
    field("flaw", s.flaw), field("seed", s.seed);
  }

  /// Throws std::invalid_argument naming a field that it does not know or cannot read.
  static Recipe from_text(const std::string& text);
  std::string text() const;

  LossPointer make_loss() const;
};

void showValue(const Recipe& recipe, std::ostream& out);

/// Every registered loss, norm, method and pattern source, with every degeneracy now and then.
rc::Gen<Recipe> any_recipe();

}  // namespace conelu::properties

template <>
struct rc::Arbitrary<conelu::properties::Recipe> {
  static Gen<conelu::properties::Recipe> arbitrary() { return conelu::properties::any_recipe(); }
};
