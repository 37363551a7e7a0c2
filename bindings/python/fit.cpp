// SPDX-License-Identifier: Apache-2.0
// Coefficients of a tire from measured points (lab/fit). Apart from the rest: it needs Ceres.
#include <algorithm>

#include "bindings/python/module.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/lab/fit/fit_report.hpp"

namespace vdsim::python {
namespace {

FitData data_of(const std::vector<std::string>& files, const std::string& csv) {
  Errors errors;
  auto data = files.empty() ? read_fit_csv(csv, "data", errors) : load_fit_data(files, errors);
  if (data) check_fit_data(*data, errors);
  errors.throw_if_any();
  return *data;
}

// {part, tir, summary, svg}
py::tuple fit(const std::string& name, const FitData& data, const Document* start, const std::string& output,
              const FitOptions& options) {
  const auto& names = fit_model_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw bad_value("model", "no '" + name.substr(0, 60) + "'" + suggestion(name, names));
  if (options.starts < 1 || options.starts > 1000)
    throw bad_value("starts", "expected 1 to 1000, found " + std::to_string(options.starts));
  const TireSpec first = start ? start->part()->tire : fit_start(name, data);
  if (!fits_model(name, first)) throw bad_value("start", "this tire has a different law than " + name);
  const FitModel model = make_fit_model(name, first, data);
  FitResult result;
  {
    const py::gil_scoped_release released;
    result = fit_tire(model, data, options);
  }
  const FitFiles texts = fit_files(model, data, result, output);
  return py::make_tuple(texts.part, texts.tir, fit_summary(model, data, result),
                        svg_text(fit_figure(model, data, result)));
}

}  // namespace
}  // namespace vdsim::python

PYBIND11_MODULE(_fit, m) {
  using namespace vdsim;
  using namespace vdsim::python;
  py::module_::import("vdsim._vdsim");  // Document, and how errors are told
  m.def("fit", [](const std::string& model, const std::vector<std::string>& files, const std::string& csv,
                  const Document* start, const std::string& output, const std::array<int, 3>& how) {
    FitOptions options;
    options.starts = how[0], options.seed = static_cast<unsigned>(how[1]), options.threads = how[2];
    return fit(model, data_of(files, csv), start, output, options);
  });
}
