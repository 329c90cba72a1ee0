// What our certificate says about a point of a program that somebody else found.
//
//   bench_judge '{"folder": ..., "loss": ..., "beta": ..., "eps": ..., "norm": ...}'
//
// The folder has data.npz and patterns.npy, and in files NAME.bin numbers column by column: `blocks` (d x 2P, of all
// patterns that were given, dead ones, too) and, where known, the multipliers `nu`, `mu` (n), `lambda` (n x 2P),
// `block_attacks` (d x 2P) and `sample_attacks` (d x n). Prints a JSON object.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "conelu/certificate.hpp"
#include "conelu/patterns.hpp"
#include "conelu/read_data.hpp"

using namespace conelu;

namespace {

/// Zeros if there is no such file.
Matrix read_numbers(const std::string& path, Index rows, Index columns) {
  Matrix numbers = Matrix::Zero(rows, columns);
  if (!std::filesystem::exists(path)) return numbers;
  const auto bytes = static_cast<std::streamsize>(numbers.size()) * static_cast<std::streamsize>(sizeof(double));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(numbers.data()), bytes);
  if (file.gcount() != bytes || file.peek() != EOF) throw std::invalid_argument(path + ": has the wrong size");
  return numbers;
}

bool is_pattern(const PatternSet& patterns, Index which, const Eigen::Ref<const Vector>& activation) {
  for (Index k = 0; k < activation.size(); ++k) {
    if (patterns.active(which, k) != (activation(k) > 0)) return false;
  }
  return true;
}

/// For each block of the program, the one among those of all given patterns.
std::vector<Index> places_of_blocks(const Program& program, const PatternSet& patterns) {
  std::vector<Index> places;
  Index given = 0;
  for (Index i = 0; i < program.patterns(); ++i, ++given) {
    while (!is_pattern(patterns, given, program.activations().col(i))) ++given;
    places.push_back(2 * given);
    places.push_back(2 * given + 1);
  }
  return places;
}

Matrix sum_by_cell(const Program& program, const Matrix& of_samples) {
  Matrix sums = Matrix::Zero(of_samples.rows(), program.cells());
  for (Index k = 0; k < program.samples(); ++k) {
    sums.col(program.cell_of()[static_cast<std::size_t>(k)]) += of_samples.col(k);
  }
  return sums;
}

nlohmann::json judge(const nlohmann::json& question) {
  const std::string folder = question.at("folder").get<std::string>() + "/";
  const LossPointer loss = make_loss(question.at("loss"));
  ReadSettings read;
  read.task = loss->is_margin_loss() ? Task::classification : Task::regression;
  const Dataset data = read_dataset(folder + "data.npz", read);
  const PatternSet patterns = make_patterns(folder + "patterns.npy", data.X).patterns;
  const Index n = data.samples(), d = data.X.cols(), J = 2 * patterns.count();
  const Program program(data.X, data.y, data.weights, loss, question.at("beta"), patterns,
                        Threat::uniform(make_norm(question.at("norm")), question.at("eps"), d, false));
  const std::vector<Index> places = places_of_blocks(program, patterns);

  const Matrix given = read_numbers(folder + "blocks.bin", d, J);
  Matrix U = given(Eigen::all, places);
  const double left_out = std::max(0.0, given.squaredNorm() - U.squaredNorm());
  DualPoint dual;
  dual.nu = read_numbers(folder + "nu.bin", n, 1);
  dual.mu = read_numbers(folder + "mu.bin", n, 1);
  dual.lambda = read_numbers(folder + "lambda.bin", n, J)(Eigen::all, places).cwiseMax(0.0);
  if (program.robust()) {
    dual.block_attacks = read_numbers(folder + "block_attacks.bin", d, J)(Eigen::all, places);
    dual.cell_attacks = sum_by_cell(program, read_numbers(folder + "sample_attacks.bin", d, n));
  }
  const Certificate certificate = certify(program, U, dual);
  return {{"objective", certificate.objective},
          {"lower_bound", certificate.lower_bound},
          {"violation", certificate.violation},
          {"live_patterns", program.patterns()},
          // Blocks of dead patterns must be 0; of what is not, this is the share in the length of all.
          {"in_dead_patterns", given.norm() > 0 ? std::sqrt(left_out) / given.norm() : 0.0}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_judge QUESTION\n", stderr);
    return 2;
  }
  try {
    std::puts(judge(nlohmann::json::parse(argv[1])).dump().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_judge: %s\n", error.what());
    return 1;
  }
}
