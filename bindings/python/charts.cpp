// SPDX-License-Identifier: Apache-2.0
// Rows as arrays that share their memory, as files, as drawings.
#include "bindings/python/module.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/svg_chart.hpp"
#include "vdsim/formats/table_writer.hpp"

namespace vdsim::python {
namespace {

py::array column(const py::object& self, std::size_t i) {
  const auto& rows = self.cast<const Recording&>();
  if (i >= rows.columns.size()) throw py::index_error("column " + std::to_string(i));
  static const std::vector<double> none;
  const std::vector<double>& data = i < rows.data.size() ? rows.data[i] : none;
  py::array_t<double> out({data.size()}, {sizeof(double)}, data.data(), self);
  out.attr("flags").attr("writeable") = false;  // what was simulated stays
  return out;
}

std::vector<std::string> texts(const Recording& rows, std::string Column::*which) {
  std::vector<std::string> out;
  for (const Column& column : rows.columns) out.push_back(column.*which);
  return out;
}

void write_rows(const Recording& rows, const std::string& path,
                const std::vector<std::pair<std::string, std::string>>& notes, int digits) {
  const TableHead head{notes, rows.columns};
  const std::size_t n = rows.rows();
  std::unique_ptr<TableWriter> table;
  if (digits == 0) {
    table = open_hdf5(path, head);
  } else {
    if (digits < 1 || digits > 17) throw bad_value("digits", "expected 1 to 17, found " + std::to_string(digits));
    const bool timed = n > 1 && rows.columns[0].name == "t";
    const double end = timed ? rows.data[0].back() : 0;
    table = open_csv(path, head, digits, timed ? time_digits(end, end / static_cast<double>(n)) : 0);
  }
  std::vector<double> row(rows.columns.size());
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = rows.data[i][k];
    table->row(row);
  }
  table->commit();
}

Series series_of(const py::dict& in) {
  Series out;
  out.name = in["name"].cast<std::string>();
  out.x = numbers(in["x"].cast<Numbers>());
  out.y = numbers(in["y"].cast<Numbers>());
  const std::string stroke = in["stroke"].cast<std::string>();
  if (stroke == "dashed") out.stroke = Stroke::dashed;
  if (stroke == "dotted") out.stroke = Stroke::dotted;
  if (stroke == "points") out.stroke = Stroke::points;
  return out;
}

// `panels`: dicts with title, x_label, y_label, equal and series.
std::string draw(const std::string& title, const std::vector<py::dict>& panels, int columns) {
  Figure figure;
  figure.title = title;
  figure.columns = columns;
  for (const py::dict& in : panels) {
    Panel panel;
    panel.title = in["title"].cast<std::string>();
    panel.x_label = in["x_label"].cast<std::string>();
    panel.y_label = in["y_label"].cast<std::string>();
    panel.equal_aspect = in["equal"].cast<bool>();
    for (const auto& each : in["series"].cast<std::vector<py::dict>>()) panel.series.push_back(series_of(each));
    figure.panels.push_back(std::move(panel));
  }
  return svg_text(figure);
}

// Columns of Python: names, units, meanings, arrays of one length.
Rows rows_of(const std::vector<std::string>& names, const std::vector<std::string>& units,
             const std::vector<Numbers>& data) {
  auto out = std::make_shared<Recording>();
  for (std::size_t i = 0; i < names.size(); ++i) {
    out->columns.push_back({names[i], units.at(i), ""});
    out->data.push_back(numbers(data.at(i)));
    if (out->data[i].size() != out->data[0].size()) throw bad_value(names[i], "columns differ in length");
  }
  return out;
}

}  // namespace

void add_charts(py::module_& m) {
  py::class_<Recording, std::shared_ptr<Recording>>(m, "Rows")
      .def(py::init([](const std::vector<std::string>& names, const std::vector<std::string>& units,
                       const std::vector<Numbers>& data) {
        return std::const_pointer_cast<Recording>(rows_of(names, units, data));
      }))
      .def("__len__", &Recording::rows)
      .def_property_readonly("names", [](const Recording& r) { return texts(r, &Column::name); })
      .def_property_readonly("units", [](const Recording& r) { return texts(r, &Column::unit); })
      .def_property_readonly("meanings", [](const Recording& r) { return texts(r, &Column::meaning); })
      .def("column", [](const py::object& self, std::size_t i) { return column(self, i); })
      .def("write", &write_rows);
  m.def("draw", &draw);
}

}  // namespace vdsim::python
