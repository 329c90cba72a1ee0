#include "data_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <utility>

#include "usage.hpp"

namespace conelu::tool {
namespace {

const std::string kGroup = "Data";

/// "7x7"; throws UsageError.
ImageSize parse_size(const std::string& text) {
  ImageSize size;
  const char* const end = text.data() + text.size();
  const auto height = std::from_chars(text.data(), end, size.height);
  const bool cross = height.ec == std::errc() && height.ptr != end && *height.ptr == 'x';
  const auto width = cross ? std::from_chars(height.ptr + 1, end, size.width) : height;
  if (!cross || width.ec != std::errc() || width.ptr != end || size.height < 1 || size.width < 1) {
    throw UsageError(fmt::format("must be a height and a width such as 7x7, not {}", text));
  }
  return size;
}

/// An option that takes a list: commas between its parts, or given several times.
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& list,
                      const std::string& text, const std::string& description) {
  return command.add_option(name, list, description)
      ->option_text(text)
      ->delimiter(',')
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(kGroup);
}

void add_table_options(CLI::App& command, ReadSettings& read) {
  add_list(command, "--drop", read.drop, "COLUMN,...", "columns of a table that are left out, such as ids");
  add_list(command, "--categorical", read.categorical, "COLUMN,...",
           "columns whose numbers are names of categories; columns of text are without being asked");
  add_list(command, "--na", read.missing, "TEXT,...",
           "what stands for a missing value in a table, such as ?; an empty cell always does");
  const std::vector<std::pair<std::string, MissingPolicy>> policies = {
      {"error", MissingPolicy::error}, {"drop", MissingPolicy::drop}, {"mean", MissingPolicy::mean}};
  command
      .add_option_function<std::string>(
          "--na-policy",
          [&read, policies](const std::string& name) {
            for (const auto& [known, policy] : policies) {
              if (known == name) read.missing_policy = policy;
            }
          },
          "rows with a missing value: error, refuse the file; drop, leave them out; mean, put the column's mean there")
      ->option_text("POLICY")
      ->check([](const std::string& name) -> std::string {
        const bool known = name == "error" || name == "drop" || name == "mean";
        return known ? "" : fmt::format("must be one of error, drop, mean, not {}", name);
      })
      ->default_str("error")
      ->group(kGroup);
  command
      .add_option("--delimiter", read.delimiter,
                  "between the cells of a table: a character, tab, or blanks for runs of them")
      ->option_text("CHAR")
      ->default_str("found by itself")
      ->group(kGroup);
  command
      .add_flag_function(
          "--header,!--no-header", [&read](std::int64_t count) { read.header = count > 0; },
          "whether the first row of a table names its columns")
      ->default_str("found by itself")
      ->group(kGroup);
}

}  // namespace

void add_reading_options(CLI::App& command, ReadSettings& read) {
  add_table_options(command, read);
  add_choice(command, "--format", read.format, format_names(),
             "of DATA: csv, svmlight, npy, npz, idx (MNIST) or cifar10; each may be gzipped")
      ->option_text("FORMAT")
      ->default_str("as the content says")
      ->group(kGroup);
  add_list(command, "--classes", read.classes, "LABEL,...", "keep the rows of these classes only");
  command.add_flag("--zero-based", read.zero_based, "indices of an svmlight file begin with 0, not 1")->group(kGroup);
  add_number<Index>(command, "--features", read.feature_count, 1, std::numeric_limits<std::int32_t>::max(),
                    "features of an svmlight file that does not mention them all")
      ->default_str("up to the largest index")
      ->group(kGroup);
  command
      .add_option_function<std::string>(
          "--downsample", [&read](const std::string& text) { read.downsample = parse_size(text); },
          "shrink images to this size; a pixel becomes the mean of the area that it covers")
      ->option_text("HEIGHTxWIDTH")
      ->check([](const std::string& text) -> std::string {
        try {
          parse_size(text);
          return {};
        } catch (const UsageError& error) {
          return error.what();
        }
      })
      ->group(kGroup);
}

ReadSettings for_model(ReadSettings read, const Model& model) {
  read.task = model.task;
  read.expected_features = model.features;
  read.expected_classes = model.classes;
  read.expected_encodings = model.preprocessing.encodings;
  read.expected_target = model.target.name;
  read.expected_target_position = model.target.position;
  // Trained without means, but asked for them: those of its training data.
  read.expected_fill = model.preprocessing.fill.size() > 0 ? model.preprocessing.fill : model.preprocessing.seen.mean;
  if (read.missing.empty()) read.missing = model.preprocessing.missing;
  // A model that was trained with means in place of missing values can be used that way, too.
  if (read.missing_policy == MissingPolicy::error && model.preprocessing.fill.size() > 0) {
    read.missing_policy = MissingPolicy::mean;
  }
  return read;
}

}  // namespace conelu::tool
