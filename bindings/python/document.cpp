// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/module.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/step_limit.hpp"

namespace vdsim::python {
namespace {

using Kind = DocumentField::Kind;

DocumentKind kind_of(const std::string& name) {
  const std::vector<std::string> names = enum_names<DocumentKind>();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<DocumentKind>(i);
  throw bad_value("kind", "no '" + name + "'" + suggestion(name, names));
}

// One row of the field table: path, kind, unit, meaning, range, default, choices.
py::tuple row_of(const DocumentField& row) {
  const FieldRef& f = row.field;
  const bool ranged = row.kind == Kind::number || row.kind == Kind::integer || row.kind == Kind::list ||
                      (row.kind == Kind::table && (f.range.lo > any_finite().lo || f.range.hi < any_finite().hi));
  return py::make_tuple(row.path, enum_name(row.kind), f.unit, f.meaning, ranged ? describe(f.range, f.unit) : "",
                        row.initial, f.choices());
}

py::object table_value(const Table& table) {
  if (!table.given()) return py::none();
  if (table.points.size() == 1) return py::float_(table.points[0].value);
  py::list out;
  for (const Table::Point& p : table.points) out.append(py::make_tuple(p.t, p.value));
  return py::tuple(out);
}

// A value as Python has it. Lists are tuples: who changes one must see that it does not change the document.
py::object value_of(const Document& document, const std::string& path) {
  const DocumentField row = document.field(path);
  const FieldRef& f = row.field;
  switch (row.kind) {
    case Kind::number: return f.given() ? py::object(py::float_(f.number())) : py::none();
    case Kind::integer: return py::int_(f.integer());
    case Kind::flag: return py::bool_(f.flag());
    case Kind::list: return py::tuple(py::cast(document.list(path)));
    case Kind::table: return table_value(*static_cast<const Table*>(f.data));
    default: return py::str(document.get(path));
  }
}

void set_all(Document& document, const std::vector<std::pair<std::string, std::string>>& sets) {
  std::vector<Assignment> all;
  all.reserve(sets.size());
  for (const auto& [path, value] : sets) all.push_back({"set " + path + "=" + value.substr(0, 60), path, value});
  document.set(all);
}

std::vector<std::string> notes_of(const Document& document) {
  const Scenario* scene = document.scene();
  if (!scene) return {};
  std::vector<std::string> out = scene->warnings;
  out.insert(out.end(), scene->notes.begin(), scene->notes.end());
  return out;
}

std::string id_of(const Document& document) {
  if (document.part()) return document.part()->id;
  return document.scene() ? document.scene()->id : document.vehicle_id();
}

std::vector<std::string> car_ids(const Document& document) {
  std::vector<std::string> out;
  if (const Scenario* scene = document.scene())
    for (const CarSpec& car : scene->cars) out.push_back(car.id);
  return out;
}

py::dict ids(const Catalog& catalog) {
  py::dict out;
  out["part"] = ids_of(catalog.parts());
  out["vehicle"] = ids_of(catalog.blueprints());
  out["scene"] = ids_of(catalog.scenes());
  out["maneuver"] = ids_of(catalog.maneuvers());
  return out;
}

std::vector<std::pair<std::string, std::string>> part_schemas() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const PartType& type : part_types()) out.emplace_back(type.name, type.schema);
  return out;
}

}  // namespace

void add_documents(py::module_& m) {
  py::class_<Catalog, std::shared_ptr<Catalog>>(m, "Catalog")
      .def(py::init([](const std::string& folder) {
             return std::make_shared<Catalog>(folder.empty() ? Catalog::default_folder() : folder);
           }),
           py::arg("folder") = "")
      .def_property_readonly("folder", &Catalog::folder)
      .def_property_readonly("ids", &ids);
  m.def("part_schemas", &part_schemas);
  m.def("slot_names", &slot_names);
  m.def("is_doubtful_step", [](const Document& scene) {
    const SolverSpec& solver = scene.scene()->solver;
    return is_doubtful_step(solver.integrator, solver.dt);
  });
  m.def("suggestion", &suggestion);
  py::class_<Document>(m, "Document")
      .def_static("load", [](const std::shared_ptr<Catalog>& c, const std::string& kind,
                             const std::string& name) { return new Document(Document::load(c, kind_of(kind), name)); })
      .def_static(
          "read",
          [](const std::shared_ptr<Catalog>& c, const std::string& kind, const std::string& text,
             const std::string& folder) { return new Document(Document::read(c, kind_of(kind), text, folder)); })
      .def("copy", [](const Document& d) { return new Document(d); })
      .def("set", &set_all)
      .def("get", &value_of)
      .def("fields",
           [](const Document& d) {
             py::list out;
             for (const DocumentField& row : d.fields()) out.append(row_of(row));
             return out;
           })
      .def("paths",
           [](const Document& d) {
             std::vector<std::string> out;
             for (const DocumentField& row : d.fields()) out.push_back(row.path);
             return out;
           })
      .def("text", &Document::text)
      .def("hash", &Document::hash)
      .def_property_readonly("kind", [](const Document& d) { return enum_name(d.kind()); })
      .def_property_readonly("type", [](const Document& d) { return d.part() ? d.part()->type : ""; })
      .def_property_readonly("id", &id_of)
      .def_property_readonly("cars", &car_ids)
      .def_property_readonly("notes", &notes_of);
}

}  // namespace vdsim::python
