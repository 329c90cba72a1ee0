#include "conelu/prices.hpp"

#include "bindings.hpp"
#include "conelu/price_bound.hpp"
#include "settings.hpp"

namespace conelu::python {
namespace {

PricedDirections find(const MatrixView& X, const VectorView& nu, const std::optional<Matrix>& first,
                      const nb::dict& given) {
  SettingsReader reader(given);
  PriceSettings settings;
  PriceSettings::visit(settings, [&](const char* name, auto& value, auto, auto) { reader.take(name, value); });
  reader.take("seed", settings.seed);
  reader.refuse_unknown();
  return run_patiently([&](const Job& job) {
    return find_prices(X, nu, settings, first.value_or(Matrix()), [&job] { return job.tell(); });
  });
}

PriceBound bound(const MatrixView& X, const VectorView& nu, double worth, const nb::dict& given) {
  SettingsReader reader(given);
  PriceBoundSettings settings;
  PriceBoundSettings::visit(settings, [&](const char* name, auto& value, auto, auto) { reader.take(name, value); });
  reader.refuse_unknown();
  return run_patiently(
      [&](const Job& job) { return bound_prices(X, nu, worth, settings, [&job] { return job.tell(); }); });
}

}  // namespace

void bind_prices(nb::module_& module) {
  nb::class_<PricedDirections>(module, "PricedDirections", "Directions, one per column, and their prices.")
      .def_ro("directions", &PricedDirections::directions)
      .def_ro("prices", &PricedDirections::prices);
  nb::class_<PriceBound>(module, "PriceBound", "What branch and bound proved about the largest price.")
      .def_ro("upper", &PriceBound::upper)
      .def_ro("lower", &PriceBound::lower)
      .def_ro("met", &PriceBound::met)
      .def_prop_ro("stop", [](const PriceBound& b) { return to_string(b.stop); })
      .def_ro("rank", &PriceBound::rank)
      .def_ro("nodes", &PriceBound::nodes)
      .def_ro("seconds", &PriceBound::seconds);
  module.def("find_prices", &find, "X"_a, "nu"_a, "first"_a.none(), "settings"_a,
             "Directions with large prices, by ascent on the sphere.");
  module.def("bound_prices", &bound, "X"_a, "nu"_a, "worth"_a, "settings"_a,
             "A proven bound on the largest price, by branch and bound.");
}

}  // namespace conelu::python
