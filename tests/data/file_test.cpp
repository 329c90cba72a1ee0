#include "data/file.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "data/temporary_files.hpp"

namespace conelu {
namespace {

class File : public TemporaryFiles {};

TEST_F(File, ReadsBackEveryByteThatWasWritten) {
  std::string bytes;
  for (int i = 0; i < 300000; ++i) bytes += static_cast<char>(i % 251);
  write_file_atomically(path("bytes"), bytes);
  EXPECT_EQ(read_file(path("bytes")), bytes);
  EXPECT_EQ(content("bytes"), bytes);
  write_file_atomically(path("nothing"), "");
  EXPECT_EQ(read_file(path("nothing")), "");
}

TEST_F(File, ReplacesAnOldFileAndLeavesNothingElseBehind) {
  write("result", "an older and longer result");
  write_file_atomically(path("result"), "new");
  EXPECT_EQ(content("result"), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(File, IsReadableLikeAnyOtherAndKeepsItsPermissions) {
  const auto permissions = [&] { return std::filesystem::status(path("result")).permissions(); };
  write("other", "");
  write_file_atomically(path("result"), "1");
  EXPECT_EQ(permissions(), std::filesystem::status(path("other")).permissions());
  std::filesystem::permissions(path("result"), std::filesystem::perms(0640));
  write_file_atomically(path("result"), "2");
  EXPECT_EQ(permissions(), std::filesystem::perms(0640));
}

TEST_F(File, BehindALinkIsReplacedAndTheLinkStays) {
  write("target", "old");
  std::filesystem::create_symlink(path("target"), path("link"));
  write_file_atomically(path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(content("target"), "new");
}

TEST_F(File, BehindALinkIsMadeIfItIsNotThereYet) {
  std::filesystem::create_symlink("target", path("link"));
  std::filesystem::create_symlink(path("link"), path("link to link"));
  write_file_atomically(path("link to link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link to link")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(content("target"), "new");
  std::filesystem::create_symlink("circle", path("circle"));
  EXPECT_THROW(write_file_atomically(path("circle"), "nowhere"), std::invalid_argument);
}

TEST_F(File, OfTheLongestNameThereIsCanBeReplaced) {
  const std::string name(255, 'n');
  write_file_atomically(path(name), "old");
  write_file_atomically(path(name), "new");
  EXPECT_EQ(content(name), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(File, ThatIsADeviceIsWrittenInPlace) {
  write_file_atomically("/dev/null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(File, ThatIsAPipeIsReadToItsEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string bytes(200000, 'x');
  write("bytes", bytes);
  ASSERT_EQ(std::system(("cat " + path("bytes") + " > " + path("pipe") + " &").c_str()), 0);
  EXPECT_EQ(read_file(path("pipe")), bytes);
}

TEST_F(File, RefusalsNameThePathAndTheReason) {
  expect_refusal([&] { read_file(path("missing")); }, {path("missing"), "cannot read", "No such file"});
  expect_refusal([&] { read_file(path("")); }, {path(""), "directory"});
  expect_refusal([&] { write_file_atomically(path(""), "x"); }, {path(""), "cannot write", "directory"});
  expect_refusal([&] { write_file_atomically(path("no/such/file"), "x"); }, {path("no/such/file"), "No such file"});
  expect_refusal([&] { write_file_atomically("", "x"); }, {"name is empty"});
  EXPECT_EQ(files(), 0u);
}

TEST_F(File, ThatCannotBeWrittenInFullStaysAsItWasAndNoTemporaryFileDoes) {
  write("result", "old");
  // A limit on the size of files is a disk that is full after a thousand bytes.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  try {
    write_file_atomically(path("result"), std::string(5000, 'x'));
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  EXPECT_EQ(message, "cannot write '" + path("result") + "': File too large");
  EXPECT_EQ(content("result"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(File, OnAFullDeviceIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  expect_refusal([&] { write_file_atomically("/dev/full", "x"); }, {"/dev/full", "No space left"});
}

}  // namespace
}  // namespace conelu
