#include "apps/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>

namespace conelu::test {
namespace {

[[noreturn]] void become_tool(const std::vector<std::string>& arguments) {
  std::vector<char*> words = {const_cast<char*>(CONELU_TOOL)};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(CONELU_TOOL, words.data());
  _exit(127);
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Appends what is there; false at the end.
bool read_some(int descriptor, std::string& text) {
  std::array<char, 4096> buffer;
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
};

}  // namespace

ProcessResult run_tool(const std::vector<std::string>& arguments, const std::string& stdout_file) {
  const Pipe out;
  const Pipe err;
  const pid_t process = fork();
  if (process == 0) {
    dup2(stdout_file.empty() ? out.write_end : open(stdout_file.c_str(), O_WRONLY), STDOUT_FILENO);
    dup2(err.write_end, STDERR_FILENO);
    become_tool(arguments);
  }
  close(out.write_end);
  close(err.write_end);
  ProcessResult result;
  std::array<pollfd, 2> streams = {pollfd{out.read_end, POLLIN, 0}, pollfd{err.read_end, POLLIN, 0}};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    poll(streams.data(), streams.size(), -1);
    if (streams[0].revents != 0 && !read_some(out.read_end, result.out)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !read_some(err.read_end, result.err)) streams[1].fd = -1;
  }
  close(out.read_end);
  close(err.read_end);
  result.exit_code = wait_for(process);
  return result;
}

ProcessResult run_tool_on_terminal(const std::vector<std::string>& arguments,
                                   const std::function<std::string(const std::string&)>& keys) {
  int terminal = -1;
  const winsize size{40, 100, 0, 0};
  const pid_t process = forkpty(&terminal, nullptr, nullptr, &size);
  if (process == 0) {
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("NO_COLOR");
    become_tool(arguments);
  }
  ProcessResult result;
  while (read_some(terminal, result.out)) {
    const std::string typed = keys ? keys(result.out) : "";
    if (!typed.empty() && write(terminal, typed.data(), typed.size()) < 0) throw std::runtime_error("cannot type");
  }
  close(terminal);
  result.exit_code = wait_for(process);
  return result;
}

}  // namespace conelu::test
