#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace conelu {

/// A test with a directory of its own that goes away with it.
class TemporaryFiles : public ::testing::Test {
 public:
  TemporaryFiles() {
    std::string pattern = (std::filesystem::temp_directory_path() / "conelu_data_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary directory");
    directory_ = pattern;
  }
  ~TemporaryFiles() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return directory_ / name; }

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  std::string content(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }

  std::size_t files() const {
    const std::filesystem::directory_iterator entries(directory_);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

 private:
  std::filesystem::path directory_;
};

/// Calls `action`, which must refuse with std::invalid_argument, and looks for every part in what it says.
template <class Action>
void expect_refusal(Action&& action, const std::vector<std::string>& parts) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
    }
    return;
  }
  ADD_FAILURE() << "was accepted";
}

}  // namespace conelu
