#include "job.hpp"

#include <omp.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace conelu::python {

using News = std::vector<std::function<void()>>;

struct Job::State {
  std::mutex mutex;
  std::condition_variable changed;
  News news;
  bool finished = false;
  std::exception_ptr error;
  std::atomic<bool> stop = false;

  /// True once the work is done. Comes back now and then in any case: nothing wakes a waiting thread for a signal.
  bool wait(News& fresh) {
    constexpr std::chrono::milliseconds kBetweenLooks(50);
    std::unique_lock lock(mutex);
    changed.wait_for(lock, kBetweenLooks, [&] { return finished; });
    fresh = std::exchange(news, {});
    return finished;
  }

  void finish(std::exception_ptr thrown) {
    const std::lock_guard lock(mutex);
    error = std::move(thrown);
    finished = true;
    changed.notify_all();
  }
};

Job::Job() : state_(std::make_shared<State>()) {}

bool Job::tell(std::function<void()> news) const {
  if (news) {
    const std::lock_guard lock(state_->mutex);
    state_->news.push_back(std::move(news));
  }
  return !state_->stop;
}

std::optional<nb::python_error> Job::run(std::function<void()> work, Patience patience) {
  // The caller's number of threads, which threadpoolctl may have set for it: a new thread would begin with OpenMP's
  // own.
  const int threads = omp_get_max_threads();
  std::thread worker([state = state_, work = std::move(work), threads] {
    omp_set_num_threads(threads);
    std::exception_ptr thrown;
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
    state->finish(std::move(thrown));
  });

  std::optional<nb::python_error> raised;
  for (bool finished = false; !finished;) {
    News news;
    {
      const nb::gil_scoped_release release;
      finished = state_->wait(news);
    }
    try {
      for (const std::function<void()>& item : news) {
        if (!raised) item();
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    } catch (nb::python_error& error) {
      if (raised && patience == Patience::impatient && !finished) {
        worker.detach();
        throw;
      }
      if (!raised) raised.emplace(std::move(error));
      state_->stop = true;
    }
  }
  {
    const nb::gil_scoped_release release;
    worker.join();
  }
  if (state_->error) std::rethrow_exception(state_->error);
  return raised;
}

}  // namespace conelu::python
