#include "evaluate/verify/arguments.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "evaluate/radii.hpp"
#include "require.hpp"

namespace conelu::verification {
namespace {

void check_network(const Network& network) {
  const Index m = network.neurons();
  require(
      network.hidden.rows() == m && network.hidden_bias.size() == m,
      fmt::format("network: has {} outputs, {} rows of hidden weights and {} hidden biases, expected one of each for "
                  "every neuron",
                  m, network.hidden.rows(), network.hidden_bias.size()));
  require(network.hidden.allFinite() && network.hidden_bias.allFinite() && network.output.allFinite() &&
              std::isfinite(network.output_bias),
          "network: has a weight that is not finite");
}

void check_rows(const MatrixView& X, Index inputs) {
  require(X.cols() == inputs, fmt::format("X: has {} columns, expected {}, the network's inputs", X.cols(), inputs));
  for (Index k = 0; k < X.rows(); ++k) {
    require(X.row(k).allFinite(), fmt::format("X: row {} has an entry that is not finite", k));
  }
}

void check_limits(const Vector& lower, const Vector& upper, Index d) {
  for (const auto& [name, values] : {std::pair{"lower", &lower}, std::pair{"upper", &upper}}) {
    require(values->size() == 0 || values->size() == d,
            fmt::format("{}: has {} entries, expected {}, one per input", name, values->size(), d));
    require(!values->hasNaN(), fmt::format("{}: has an entry that is not a number", name));
  }
  for (Index a = 0; lower.size() > 0 && upper.size() > 0 && a < d; ++a) {
    require(lower(a) <= upper(a),
            fmt::format("lower: is {} for input {}, expected at most {}, its upper limit", lower(a), a, upper(a)));
  }
}

void check_settings(const VerifySettings& settings, Index d) {
  check_radii(settings.threat.radii, d);
  check_limits(settings.lower, settings.upper, d);
  require(std::isfinite(settings.max_error) && settings.max_error >= 0,
          fmt::format("max_error: is {}, expected a finite number >= 0", settings.max_error));
  require(settings.tolerance > 0 && settings.tolerance < 1,
          fmt::format("tolerance: is {}, expected a number between 0 and 1", settings.tolerance));
  require(settings.time_limit >= 0, fmt::format("time_limit: is {}, expected seconds >= 0", settings.time_limit));
  require(settings.branch_limit >= 0, fmt::format("branch_limit: is {}, expected 0 or more", settings.branch_limit));
  require(settings.threads >= 0, fmt::format("threads: is {}, expected 0 or more", settings.threads));
}

}  // namespace

void check_arguments(const Network& network, const MatrixView& X, const VectorView& y, const VerifySettings& settings) {
  check_network(network);
  check_rows(X, network.inputs());
  check_settings(settings, network.inputs());
  require(y.size() == X.rows(), fmt::format("y: has {} entries, expected {}, one per row of X", y.size(), X.rows()));
  const bool regression = settings.task == Task::regression;
  for (Index k = 0; k < X.rows(); ++k) {
    require(regression ? std::isfinite(y(k)) : std::abs(y(k)) == 1,
            fmt::format("y: entry {} is {}, expected {}", k, y(k), regression ? "a finite number" : "-1 or +1"));
  }
}

void check_arguments(const std::vector<Network>& networks, const MatrixView& X, const std::vector<Index>& labels,
                     const VerifySettings& settings) {
  require(networks.size() > 1, fmt::format("networks: has {}, expected one for each class", networks.size()));
  for (const Network& network : networks) {
    check_network(network);
    require(network.inputs() == networks.front().inputs(),
            fmt::format("networks: one has {} inputs, expected {} like the first", network.inputs(),
                        networks.front().inputs()));
  }
  check_rows(X, networks.front().inputs());
  check_settings(settings, networks.front().inputs());
  require(settings.task == Task::classification, "task: is regression, expected classification with several networks");
  require(static_cast<Index>(labels.size()) == X.rows(),
          fmt::format("labels: has {} entries, expected {}, one per row of X", labels.size(), X.rows()));
  for (const Index label : labels) {
    require(label >= 0 && label < static_cast<Index>(networks.size()),
            fmt::format("labels: has a {}, expected numbers from 0 to {}", label, networks.size() - 1));
  }
}

}  // namespace conelu::verification
