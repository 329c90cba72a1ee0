#include "conelu/network.hpp"

#include <stdexcept>

#include "bindings.hpp"

namespace conelu::python {
namespace {

Network make_network(const AnyMatrix& hidden, const VectorView& hidden_bias, const VectorView& output,
                     double output_bias) {
  Network network{to_matrix(hidden), hidden_bias, output, output_bias};
  const Index neurons = network.hidden.rows();
  if (hidden_bias.size() != neurons || output.size() != neurons) {
    throw std::invalid_argument("hidden, hidden_bias, output: expected as many rows and entries as there are neurons");
  }
  if (!network.hidden.allFinite() || !hidden_bias.allFinite() || !output.allFinite() || !std::isfinite(output_bias)) {
    throw std::invalid_argument("hidden, hidden_bias, output, output_bias: expected finite numbers");
  }
  return network;
}

}  // namespace

void bind_network(nb::module_& module) {
  nb::class_<Network>(module, "Neurons", "f(x) = sum_j output_j (hidden_j . x + hidden_bias_j)_+ + output_bias")
      .def(
          "__init__",
          [](Network* self, const AnyMatrix& hidden, const VectorView& hidden_bias, const VectorView& output,
             double output_bias) { new (self) Network(make_network(hidden, hidden_bias, output, output_bias)); },
          "hidden"_a, "hidden_bias"_a, "output"_a, "output_bias"_a = 0.0)
      .def_ro("hidden", &Network::hidden, "One row for each neuron; a view.")
      .def_ro("hidden_bias", &Network::hidden_bias)
      .def_ro("output", &Network::output)
      .def_ro("output_bias", &Network::output_bias);
}

}  // namespace conelu::python
