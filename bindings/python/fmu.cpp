// SPDX-License-Identifier: Apache-2.0
// A scene as an FMU (bindings/fmi). Apart from the rest: it needs libzip and pugixml.
#include "bindings/fmi/export.hpp"
#include "bindings/python/module.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"

namespace vdsim::python {
namespace {

template <class Enum> Enum of_name(const std::string& name) {  // one that Python has checked
  const std::vector<std::string> names = enum_names<Enum>();
  std::size_t i = 0;
  while (i + 1 < names.size() && names[i] != name) ++i;
  return static_cast<Enum>(i);
}

std::vector<std::string> written(const std::string& file, const fmi::Request& request) {
  const DefaultFloats floats;
  const py::gil_scoped_release released;
  const fmi::Made made = fmi::make_fmu(Catalog(), request);
  write_file(file, fmi::zipped(made.files));
  return made.notes;
}

}  // namespace
}  // namespace vdsim::python

PYBIND11_MODULE(_fmu, m) {
  using namespace vdsim;
  using namespace vdsim::python;
  py::module_::import("vdsim._vdsim");  // Document, and how errors are told
  m.def("export_scene", [](const Document& scene, const std::string& file, const py::dict& how) {
    fmi::Request request;
    request.scene = scene.scene();
    request.libraries = how["libraries"].cast<std::string>();
    request.version = how["fmi"].cast<int>(), request.car = how["car"].cast<std::string>();
    request.platforms = how["platforms"].cast<std::vector<std::string>>();
    request.options.kind = of_name<fmi::Kind>(how["kind"].cast<std::string>());
    request.options.command_level = how["command_level"].cast<int>();
    request.options.parameters = how["parameters"].cast<std::string>();
    const auto control = how["control"].cast<std::string>();
    request.control_given = !control.empty();
    if (request.control_given) request.options.control = of_name<Control>(control);
    return written(file, request);
  });
}
