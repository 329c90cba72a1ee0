#include "fuzz/reader.hpp"

using conelu::ReadSettings;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  // The first byte chooses among the ways to read a table, so that one corpus serves all of them.
  ReadSettings settings{.format = "csv"};
  const unsigned choice = *bytes;
  if (choice & 1) settings.missing = {"?", "NA"};
  if (choice & 2) settings.missing_policy = conelu::MissingPolicy::drop;
  if (choice & 4) settings.missing_policy = conelu::MissingPolicy::mean;
  if (choice & 8) settings.task = conelu::Task::regression;
  if (choice & 16) settings.drop = {"0"};
  if (choice & 32) settings.categorical = {"-2"};
  if (choice & 64) {
    settings.target_required = false;
    settings.expected_features = {"a", "t=u", "t=v"};
    settings.expected_encodings = {{"t", 1, {"u", "v"}}};
    settings.expected_fill = conelu::Vector::Zero(3);
  }
  if (choice & 128) settings.delimiter = "blanks";
  conelu::fuzz::read(bytes + 1, size - 1, settings);
  return 0;
}
