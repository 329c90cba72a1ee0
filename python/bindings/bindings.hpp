#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "job.hpp"

/// Everything that the compiled part of the package offers, one noun a function; module.cpp puts them together.
namespace conelu::python {

using namespace nanobind::literals;

void bind_network(nb::module_& module);
void bind_model(nb::module_& module);
void bind_training(nb::module_& module);
void bind_baseline(nb::module_& module);
void bind_prices(nb::module_& module);
void bind_robustness(nb::module_& module);
void bind_data(nb::module_& module);

}  // namespace conelu::python
