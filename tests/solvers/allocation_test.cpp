#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#include "conelu/interior_point.hpp"
#include "problems/problems.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define CONELU_SANITIZED 1
#endif

namespace {
std::atomic<long> allocations{0};
}

// Linked with --wrap=malloc and --wrap=_Znwm (operator new): every allocation of this binary, the library's included,
// passes here.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real__Znwm(std::size_t size);
void* __wrap_malloc(std::size_t size);
void* __wrap__Znwm(std::size_t size);

void* __wrap_malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __real_malloc(size);
}
void* __wrap__Znwm(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __real__Znwm(size);
}
}

namespace conelu {
namespace {

class EveryLossAllocation : public testing::TestWithParam<std::tuple<std::string, Index, Index>> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryLossAllocation,
                         testing::Combine(testing::ValuesIn(loss_names()), testing::Values(30, 300),
                                          testing::Values(4, 30)));

TEST(AllocationCounter, Counts) {
#ifdef CONELU_SANITIZED
  GTEST_SKIP() << "the sanitizer has its own allocator";
#endif
  const long before = allocations;
  const Matrix A(10, 10);
  const std::vector<int> b(100);
  // A compiler may leave out an allocation whose address goes nowhere; Clang does.
  [[maybe_unused]] const void* volatile seen = A.data();
  seen = b.data();
  EXPECT_GE(allocations - before, 2);
}

// Both coupling systems, gathered and stacked, with and without kinks.
TEST_P(EveryLossAllocation, DoesNotAllocateBetweenIterations) {
#ifdef CONELU_SANITIZED
  GTEST_SKIP() << "the sanitizer has its own allocator";
#endif
  const auto& [loss, n, d] = GetParam();
  const Program program = problems::random_program(loss, n, d, 8, 1e-3, 1);
  std::vector<long> counts;
  counts.reserve(1000);
  InteriorPoint().solve(program, [&](const Progress&) {
    counts.push_back(allocations.load());
    return true;
  });
  ASSERT_GT(counts.size(), 5U);
  for (std::size_t i = 1; i < counts.size(); ++i) EXPECT_EQ(counts[i], counts[i - 1]) << "iteration " << i;
}

}  // namespace
}  // namespace conelu
