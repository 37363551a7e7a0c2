// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/module.hpp"

#include "vdsim/engine/errors.hpp"
#include "vdsim/version.hpp"

namespace vdsim::python {
namespace {

// The classes are Python's own (vdsim/_errors.py): a user catches, prints and pickles them like any other.
py::object error_class(const char* name) { return py::module_::import("vdsim._errors").attr(name); }

void set_input_error(const BadInput& e) {
  py::list items;
  for (const InputError& one : e.items)
    items.append(py::make_tuple(one.place.file, one.place.line, one.place.column, one.path, one.what));
  const py::object type = error_class("InputError");
  PyErr_SetObject(type.ptr(), type(e.lines, items).ptr());
}

void set_diverged(const Diverged& e) {
  const py::object type = error_class("NumbersFailed");
  PyErr_SetObject(type.ptr(), type(e.why, e.time, bytes_of(e.snapshot)).ptr());
}

void translate(std::exception_ptr raised) {  // NOLINT(performance-unnecessary-value-param): as pybind11 calls it
  try {
    if (raised) std::rethrow_exception(raised);
  } catch (const BadInput& e) {
    set_input_error(e);
  } catch (const Diverged& e) {
    set_diverged(e);
  } catch (const FileError& e) {
    PyErr_SetString(PyExc_OSError, e.what());
  }
}

constexpr auto kLook = std::chrono::milliseconds(50);

}  // namespace

Work::Work() : looked_(std::chrono::steady_clock::now()) {}

void Work::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < kLook) return;
  looked_ = now;
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) stop_ = 1;
}

RunControl Work::control() {
  RunControl out;
  out.progress = [this](double) { look(); };
  out.stop = &stop_;
  return out;
}

void Work::done() {
  if (!stop_) return;
  const py::gil_scoped_acquire locked;
  throw py::error_already_set();
}

}  // namespace vdsim::python

PYBIND11_MODULE(_vdsim, m) {
  using namespace vdsim::python;
  m.attr("__version__") = VDSIM_VERSION;
  py::register_exception_translator(translate);
  add_documents(m);
  add_charts(m);
  add_sim(m);
  add_batch(m);
  add_tires(m);
  add_studies(m);
}
