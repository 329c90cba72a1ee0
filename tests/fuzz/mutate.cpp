// Runs a fuzz target without libFuzzer: every file of a folder, then random changes of them for some seconds.
//
//     fuzz_csv FOLDER [SECONDS [SEED]]
//
// Blind where libFuzzer sees which branches an input takes, but it needs no other compiler.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::uint8_t>;

void run(const Bytes& bytes) { LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

Bytes content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Mutator {
 public:
  Mutator(std::vector<Bytes> corpus, std::uint64_t seed) : corpus_(std::move(corpus)), random_(seed) {}

  Bytes next() {
    Bytes bytes = corpus_[below(corpus_.size())];
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) change(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void change(Bytes& bytes) {
    static const std::string words[] = {"\n",
                                        "\r\n",
                                        "\"",
                                        ",",
                                        " ",
                                        "\t",
                                        "nan",
                                        "1e999",
                                        "-1",
                                        "0",
                                        "?",
                                        ":",
                                        "#",
                                        "99999999999",
                                        std::string(4, '\xff'),
                                        std::string(4, '\0'),
                                        "[",
                                        "{}",
                                        "null"};
    const std::size_t at = below(bytes.size() + 1), length = 1 + below(16);
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(length, bytes.size() - at));
    switch (below(6)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<std::uint8_t>(random_());
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1u << below(8)));
        break;
      case 2:
        bytes.erase(begin, end);
        break;
      case 3: {
        const Bytes copy(begin, end);
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() + 1)), copy.begin(), copy.end());
        break;
      }
      case 4: {
        const std::string& word = words[below(std::size(words))];
        bytes.insert(begin, word.begin(), word.end());
        break;
      }
      default: {
        const Bytes& other = corpus_[below(corpus_.size())];
        const std::size_t from = below(other.size() + 1);
        bytes.resize(at);
        bytes.insert(bytes.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
      }
    }
  }

  std::vector<Bytes> corpus_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    std::fprintf(stderr, "usage: %s FOLDER [SECONDS [SEED]]\n", words[0]);
    return 2;
  }
  const double seconds = count > 2 ? std::atof(words[2]) : 5;
  std::vector<Bytes> corpus = {{}};
  if (std::filesystem::is_directory(words[1])) {
    for (const auto& entry : std::filesystem::directory_iterator(words[1])) {
      if (entry.is_regular_file()) corpus.push_back(content_of(entry.path()));
    }
  }
  for (const Bytes& bytes : corpus) run(bytes);
  Mutator mutator(corpus, count > 3 ? std::strtoull(words[3], nullptr, 10) : 1);
  std::size_t runs = 0;
  for (const auto start = Clock::now(); std::chrono::duration<double>(Clock::now() - start).count() < seconds; ++runs) {
    run(mutator.next());
  }
  std::printf("%zu files, %zu changes of them: no finding\n", corpus.size(), runs);
}
