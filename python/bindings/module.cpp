#include "bindings.hpp"
#include "conelu/attack.hpp"
#include "conelu/loss.hpp"
#include "conelu/version.hpp"

NB_MODULE(_core, module) {
  using namespace conelu;
  module.doc() = "The conelu library, as it is. What people call is in the modules beside this one.";
  nanobind::set_leak_warnings(false);  // what Python still holds when it ends is no news for users
  module.attr("__version__") = version();
  module.def("loss_names", &loss_names, "Names of all losses.");
  module.def(
      "is_margin_loss", [](const std::string& loss) { return make_loss(loss)->is_margin_loss(); },
      nanobind::arg("loss"), "Whether a loss is made for labels; others are for numbers.");
  module.def("method_names", &method_names, "Names of all convex programs.");
  module.def("norm_names", &norm_names, "Names of all norms.");
  module.def("attack_names", &attack_names, "Names of all attacks.");
  python::bind_network(module);
  python::bind_model(module);
  python::bind_training(module);
  python::bind_baseline(module);
  python::bind_prices(module);
  python::bind_robustness(module);
  python::bind_data(module);
}
