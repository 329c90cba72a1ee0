#pragma once

#include <cctype>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "conelu/linear_algebra.hpp"

/// Reads VNN-LIB 1.0 and evaluates it at a point: is it one that the property asks for?
namespace conelu::test {

/// A word, or a list in brackets.
struct Expression {
  std::string word;
  std::vector<Expression> list;
};

class VnnlibFile {
 public:
  explicit VnnlibFile(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const bool comment = line.starts_with(";");
      if (!comment && line.find(';') != std::string::npos) throw std::runtime_error("a comment after code: " + line);
      if (!comment) code_ += line + "\n";
    }
    while (skip_blanks(), at_ < code_.size()) {
      const Expression statement = read();
      const std::string& keyword = statement.list.at(0).word;
      if (keyword == "declare-const") {
        variables.push_back(statement.list.at(1).word);
      } else if (keyword == "assert") {
        assertions.push_back(statement.list.at(1));
      } else {
        throw std::runtime_error("unknown statement " + keyword);
      }
    }
  }

  bool holds(const Vector& x, const Vector& y) const {
    std::map<std::string, double> values;
    for (Index a = 0; a < x.size(); ++a) values["X_" + std::to_string(a)] = x(a);
    for (Index k = 0; k < y.size(); ++k) values["Y_" + std::to_string(k)] = y(k);
    for (const Expression& assertion : assertions) {
      if (!holds(assertion, values)) return false;
    }
    return true;
  }

  std::vector<std::string> variables;
  std::vector<Expression> assertions;

 private:
  void skip_blanks() {
    while (at_ < code_.size() && std::isspace(static_cast<unsigned char>(code_[at_]))) ++at_;
  }

  Expression read() {
    skip_blanks();
    Expression expression;
    if (code_.at(at_) == '(') {
      for (++at_; skip_blanks(), code_.at(at_) != ')';) expression.list.push_back(read());
      ++at_;
      return expression;
    }
    const std::size_t end = code_.find_first_of("() \n", at_);
    expression.word = code_.substr(at_, end - at_);
    at_ = end;
    return expression;
  }

  static double value_of(const std::string& word, const std::map<std::string, double>& values) {
    const auto found = values.find(word);
    if (found != values.end()) return found->second;
    if (word.find_first_not_of("-.0123456789") != std::string::npos) throw std::runtime_error("not plain: " + word);
    return std::strtod(word.c_str(), nullptr);
  }

  static bool holds(const Expression& expression, const std::map<std::string, double>& values) {
    const std::vector<Expression>& list = expression.list;
    const std::string& operation = list.at(0).word;
    if (operation == "and" || operation == "or") {
      bool all = true;
      bool any = false;
      for (std::size_t i = 1; i < list.size(); ++i) {
        const bool held = holds(list[i], values);
        all = all && held;
        any = any || held;
      }
      return operation == "and" ? all : any;
    }
    const double left = value_of(list.at(1).word, values);
    const double right = value_of(list.at(2).word, values);
    if (operation == "<=") return left <= right;
    if (operation == ">=") return left >= right;
    throw std::runtime_error("an operation that is not expected: " + operation);
  }

  std::string code_;
  std::size_t at_ = 0;
};

}  // namespace conelu::test
