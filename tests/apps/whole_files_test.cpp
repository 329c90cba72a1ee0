#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "apps/tool.hpp"

namespace conelu {
namespace {

class WholeFiles : public test::Tool {
 protected:
  /// Runs the tool in a shell that lets no file grow beyond so many blocks of 512 bytes: the system ends it in the
  /// middle of writing, as kill -9 would, but at a byte of our choice.
  int run_limited(const Arguments& words, std::size_t blocks) const {
    std::string command = fmt::format("ulimit -c 0; ulimit -f {}; exec {}", blocks, CONELU_TOOL);
    for (const std::string& word : words) command += fmt::format(" '{}'", word);
    const int status = std::system((command + " > /dev/null 2>&1").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// Whether this file system has files without a name, which vanish with the process that writes them.
  bool has_nameless_files() const {
    const int number = ::open(path("").c_str(), O_TMPFILE | O_WRONLY, 0600);
    return number >= 0 && ::close(number) == 0;
  }

  /// `words` write the file `name`. Wherever they are cut off, what was there before is there still, and nothing else.
  void expect_old_or_new(const Arguments& words, const std::string& name) const {
    SCOPED_TRACE(fmt::format("{}", fmt::join(words, " ")));
    write(name, "old");
    ASSERT_EQ(run_tool(words).exit_code, 0);
    ASSERT_NE(content(name), "old");
    // Seconds in a file have a few digits more or less each time.
    constexpr std::size_t spread = 64;
    const std::size_t size = content(name).size(), blocks = (size - std::min(size, spread)) / 512, there = files();
    for (std::size_t limit = 0; limit <= blocks; limit += 1 + blocks / 6) {
      write(name, "old");
      EXPECT_NE(run_limited(words, limit), 0) << limit;
      EXPECT_EQ(content(name), "old") << limit;
    }
    if (has_nameless_files()) {
      EXPECT_EQ(files(), there);
    }
    EXPECT_EQ(run_limited(words, (size + spread) / 512 + 1), 0);
    EXPECT_NE(content(name), "old");
  }
};

TEST_F(WholeFiles, SurviveAToolThatDiesWhileItWritesThem) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer keeps its memory in files, and does not start where these may not grow";
#endif
#endif
  std::string text = "a,b,label\n";
  for (int k = 0; k < 60; ++k) text += fmt::format("{},{},{}\n", k * 7 % 31 - 15.5, k * 11 % 23 - 11.25, k % 2);
  const std::string data = write("data.csv", text), model = path("model.json");
  const Arguments train = {"train", data, "--patterns", "gaussian", "--pattern-count", "8", "--max-iterations", "5"};
  expect_old_or_new(train + Arguments{"--model", path("m.json")}, "m.json");
  expect_old_or_new(train + Arguments{"--record", path("r.json")}, "r.json");
  ASSERT_EQ(run_tool(train + Arguments{"--quiet", "--model", model}).exit_code, 0);
  expect_old_or_new({"predict", model, data, "--output", path("p.csv")}, "p.csv");
  expect_old_or_new({"certify", model, data, "--eps", "0.1", "--no-radius", "--output", path("c.csv")}, "c.csv");
  expect_old_or_new({"attack", model, data, "--eps", "0.1", "--output", path("a.npz")}, "a.npz");
  expect_old_or_new({"attack", model, data, "--eps", "0.1", "--output", path("a.csv")}, "a.csv");
  expect_old_or_new({"export", model, path("m.onnx")}, "m.onnx");
  expect_old_or_new({"export", model, path("m.h")}, "m.h");
  expect_old_or_new({"patterns", data, "--output", path("p.npy")}, "p.npy");
  expect_old_or_new({"demo", "--data", path("d.csv")}, "d.csv");
  expect_old_or_new({"evaluate", model, data, "--eps", "0.1", "--no-radius", "--output", path("e.json")}, "e.json");
}

}  // namespace
}  // namespace conelu
