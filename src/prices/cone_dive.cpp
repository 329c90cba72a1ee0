#include "prices/cone_dive.hpp"

#include <algorithm>
#include <cmath>

namespace conelu {
namespace {

constexpr std::size_t kMostGood = 4;  // directions of one dive: neighbours lead to the same tops

/// The best few directions met.
class GoodDirections {
 public:
  explicit GoodDirections(double worth) : worth_(worth) {}
  void offer(const ConeStack& stack) {
    const double price = stack.middle_price();
    if (!(price > worth_)) return;
    const auto place = std::ranges::find_if(found_, [&](const auto& other) { return price > other.first; });
    found_.emplace(place, price, stack.middle());
    if (found_.size() > kMostGood) found_.pop_back();
    if (found_.size() == kMostGood) worth_ = found_.back().first;
  }
  std::vector<Vector> take() {
    std::vector<Vector> directions;
    for (auto& [price, u] : found_) directions.push_back(std::move(u));
    return directions;
  }

 private:
  double worth_;
  std::vector<std::pair<double, Vector>> found_;
};

}  // namespace

ConeDive dive(ConeStack& stack, const ConeSeed& seed, const DiveTask& task, SearchWatch& watch) {
  struct Fork {
    bool first_done = false;
    double first_bound = 0;
  };
  std::array<Fork, ConeSeed::kLongestPath + 1> forks;
  ConeDive result;
  GoodDirections good(task.worth);
  stack.start(seed);
  while (true) {
    double bound = stack.bound(task.level);
    ++result.nodes;
    if (bound > task.level) {
      if (stack.fork()) {
        good.offer(stack);
        forks[static_cast<std::size_t>(stack.height())] = {};
        stack.enter(0);
        if (result.nodes >= task.budget || !watch.wanted()) break;
        continue;
      }
      result.exhausted = true;
    }
    // Up to the first fork with a side to go.
    while (stack.height() > 0) {
      stack.leave();
      Fork& fork = forks[static_cast<std::size_t>(stack.height())];
      if (!fork.first_done) {
        fork = {true, bound};
        break;
      }
      bound = std::max(bound, fork.first_bound);
      if (stack.height() == 0) {
        fork.first_done = false;
        break;
      }
    }
    if (stack.height() == 0 && !forks[0].first_done) {
      result.parts.push_back(seed);
      result.parts.back().bound = std::min(seed.bound, bound);
      result.good = good.take();
      return result;
    }
    stack.enter(1);
    if (result.nodes >= task.budget || !watch.wanted()) break;
  }
  for (int height = 0; height < stack.height(); ++height) {
    const Fork& fork = forks[static_cast<std::size_t>(height)];
    result.parts.push_back(stack.child(height, fork.first_done ? 0 : 1));
    if (fork.first_done) result.parts.back().bound = std::min(result.parts.back().bound, fork.first_bound);
  }
  result.parts.push_back(stack.seed());
  result.parts.back().bound = stack.bound_at(stack.height());
  result.good = good.take();
  return result;
}

}  // namespace conelu
