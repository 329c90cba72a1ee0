#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace conelu::python {

namespace nb = nanobind;

/// A call of the library on a thread of its own, while the calling one listens.
///
/// Why a thread for each call:
/// - The caller holds the interpreter only to hear signals and to pass on news, twenty times a second; all other
/// threads
///   of Python run meanwhile.
/// - OpenMP's worker threads belong to the thread that asks for them. In a forked process those of the parent are gone,
///   and whoever still counts on them waits for ever; a new thread counts on nothing.
class Job {
 public:
  enum class Patience {
    patient,    ///< the work looks at arguments of the caller, who has to wait until it ends
    impatient,  ///< the work owns all that it uses: a second Ctrl-C leaves it behind to end by itself
  };

  Job();

  /// For the work: hands news over to the calling thread, which runs them with the interpreter. False: stop soon.
  /// News must not own Python objects, since this thread may be the one to drop them.
  bool tell(std::function<void()> news = {}) const;

  /// Runs the work to its end. Returns what Python raised meanwhile, a KeyboardInterrupt or an error of the caller's
  /// own, after which tell() was false; throws what the work threw.
  std::optional<nb::python_error> run(std::function<void()> work, Patience patience);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// The result of some work that looks at the caller's arguments; what Python raises meanwhile is raised at its end.
template <class Work>
auto run_patiently(Work work) {
  Job job;
  std::optional<decltype(work(job))> result;
  std::optional<nb::python_error> raised = job.run([&] { result.emplace(work(job)); }, Job::Patience::patient);
  if (raised) throw std::move(*raised);
  return std::move(*result);
}

}  // namespace conelu::python
