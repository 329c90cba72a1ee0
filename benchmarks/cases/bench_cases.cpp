// Solves every reference case that the library has a method for, each in a process of its own so that peak memory is
// that case's, and prints time in seconds and in units of one 2000 x 2000 x 2000 matrix product measured in the same
// run.
//
//   bench_cases [--threads N] [--tolerance T] [NAME...]

#include <cblas.h>
#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conelu/interior_point.hpp"
#include "conelu/patterns.hpp"
#include "conelu/read_data.hpp"

using namespace conelu;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The unit: best of five, on as many threads as the solves get; CPU time as for the solves, since others may use the
/// machine, too.
double dgemm2000() {
  constexpr int n = 2000;
  const std::vector<double> A(n * n, 0.5), B(n * n, 0.25);
  std::vector<double> C(n * n);
  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    const double start = cpu_seconds();
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, A.data(), n, B.data(), n, 0.0, C.data(), n);
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

struct Result {
  double read, build, solve, cpu, objective, gap, peak_mb;
  int iterations;
  Index patterns, live;
};

Result run_case(const std::string& folder, const nlohmann::json& entry, const InteriorPointSettings& settings) {
  const std::string name = entry.at("name");
  const double t0 = now();
  ReadSettings read;
  const LossPointer loss = make_loss(entry.at("loss"));
  read.task = loss->is_margin_loss() ? Task::classification : Task::regression;
  const Dataset data = read_dataset(folder + name + ".npz", read);
  const PatternSet patterns = make_patterns(folder + name + ".patterns.npy", data.X).patterns;
  const double t1 = now();
  const double cpu = cpu_seconds();
  // X as given: no bias is appended and every column is perturbed.
  const Program program(data.X, data.y, data.weights, loss, entry.at("beta"), patterns,
                        Threat::uniform(make_norm(entry.at("norm")), entry.at("eps"), data.X.cols(), false));
  const double t2 = now();
  const Solution solution = InteriorPoint(settings).solve(program);
  const double t3 = now();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {t1 - t0,
          t2 - t1,
          t3 - t2,
          cpu_seconds() - cpu,
          solution.certificate.objective,
          solution.certificate.relative_gap(),
          static_cast<double>(usage.ru_maxrss) / 1024,
          solution.iterations,
          program.given_patterns(),
          program.patterns()};
}

/// Runs in a child, so that its peak memory is its own; the result comes back through a pipe.
bool run_in_child(const nlohmann::json& entry, const InteriorPointSettings& settings, const std::string& self,
                  Result& result) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], 3);
    const std::string threads = std::to_string(settings.threads);
    const std::string tolerance = fmt::format("{}", settings.tolerance);
    const std::string name = entry.at("name");
    execl(self.c_str(), self.c_str(), "--child", "--threads", threads.c_str(), "--tolerance", tolerance.c_str(),
          name.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  const bool complete = read(ends[0], &result, sizeof result) == static_cast<ssize_t>(sizeof result);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return complete && status == 0;
}

}  // namespace

int main(int argc, char** argv) {
  InteriorPointSettings settings;
  settings.threads = 1;
  bool child = false;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--threads" && i + 1 < argc) {
      settings.threads = std::atoi(argv[++i]);
    } else if (argument == "--tolerance" && i + 1 < argc) {
      settings.tolerance = std::atof(argv[++i]);
    } else if (argument == "--child") {
      child = true;
    } else if (argument.rfind("--", 0) == 0) {
      fmt::print(stderr, "usage: bench_cases [--threads N] [--tolerance T] [NAME...]\n");
      return 2;
    } else {
      names.push_back(argument);
    }
  }
  omp_set_num_threads(settings.threads);

  const std::string folder = std::string(CONELU_SHARED_DIR) + "/cases/";
  std::ifstream file(folder + "index.json");
  if (!file) {
    fmt::print("No reference cases at {}: nothing to run.\n", folder);
    return 0;
  }
  const nlohmann::json cases = nlohmann::json::parse(file);
  const auto wanted = [&](const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  if (child) {
    for (const auto& entry : cases) {
      if (!wanted(entry.at("name"))) continue;
      const Result result = run_case(folder, entry, settings);
      return write(3, &result, sizeof result) == static_cast<ssize_t>(sizeof result) ? 0 : 1;
    }
    return 1;
  }

  const double unit = dgemm2000();
  fmt::print(
      "one dgemm2000 = {:.3f} s on {} thread(s), tolerance {:g}; CPU time of liveness, solve and certificate\n\n", unit,
      settings.threads, settings.tolerance);
  fmt::print("{:36} {:>9} {:>4} {:>8} {:>8} {:>9} {:>8} {:>9} {:>8} {:>7} {:>9}\n", "case", "patterns", "it", "gap",
             "CPU s", "dgemm2000", "peer", "ratio", "peak MB", "peer", "objective");
  bool sound = true;
  for (const auto& entry : cases) {
    const std::string name = entry.at("name");
    if (!wanted(name)) continue;
    Result r{};
    if (!run_in_child(entry, settings, argv[0], r)) {
      fmt::print("{:36} failed\n", name);
      sound = false;
      continue;
    }
    const double units = r.cpu / unit;
    const double peer = entry.at("best_peer_cpu_in_dgemm2000");
    fmt::print("{:36} {:>9} {:>4} {:>8.1e} {:>8.3f} {:>9.2f} {:>8.2f} {:>8.1f}x {:>8.1f} {:>7.1f} {:>9.6g}\n", name,
               fmt::format("{}/{}", r.live, r.patterns), r.iterations, r.gap, r.cpu, units, peer, peer / units,
               r.peak_mb, entry.at("best_peer_peak_mb").get<double>(), r.objective);
    // Answers before times: outside the interval that independent solvers proved, a time means nothing.
    if (r.objective > entry.at("objective").get<double>() * (1 + 1e-6) ||
        r.objective < entry.at("proven_lower_bound").get<double>() * (1 - 1e-6)) {
      fmt::print("{:36} WRONG: the optimum lies in [{}, {}]\n", name, entry.at("proven_lower_bound").get<double>(),
                 entry.at("objective").get<double>());
      sound = false;
    }
  }
  return sound ? 0 : 1;
}
