// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bindings/python/module.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/steady_tire.hpp"
#include "vdsim/engine/tire_rig.hpp"
#include "vdsim/engine/validate.hpp"
#include "vdsim/lab/rig.hpp"
#include "vdsim/lab/tire_eval.hpp"
#include "vdsim/lab/tire_plot.hpp"

namespace vdsim::python {
namespace {

const TireSpec& tire_of(const Document& document) {
  if (!document.part() || document.part()->type != "tire") throw bad_value("tire", "the document is no tire part");
  return document.part()->tire;
}

// Columns of points in, columns of forces out; NaN in vx or pressure: the tire's own.
py::dict evaluate(const Document& document, const std::string& points, int use_mode) {
  const DefaultFloats floats;
  Errors errors;
  EvalOptions options;
  options.use_mode = use_mode;
  check_use_mode(use_mode, errors);
  const TireSpec& spec = tire_of(document);
  const auto table = read_steady_points(points, "eval", spec, options, errors);
  errors.throw_if_any();
  const SteadyTire tire(spec, options);
  std::vector<std::vector<double>> out(tire.columns().size());
  for (const SteadyPoint& p : table->points) {
    const std::vector<double> row = tire(p);
    for (std::size_t i = 0; i < row.size(); ++i) out[i].push_back(row[i]);
  }
  py::dict result;
  for (std::size_t i = 0; i < out.size(); ++i)
    result[py::str(tire.columns()[i])] = py::array_t<double>(static_cast<py::ssize_t>(out[i].size()), out[i].data());
  return result;
}

Figure figure_of(const std::vector<std::pair<std::string, const Document*>>& tires, const std::vector<double>& loads,
                 double mu, double speed) {
  std::vector<PlotTire> all;
  for (const auto& [name, document] : tires) all.push_back({name, tire_of(*document)});
  TirePlotOptions options;
  if (!loads.empty()) options.loads = loads;
  options.mu = mu, options.speed = speed;
  return tire_figure(all, options);
}

// A tire on the rig, held in Python's hand.
class Bench {
 public:
  explicit Bench(const Document& document) : rig_(tire_of(document)), fresh_(rig_) {}

  RigOutput step(const RigInput& in, double h) {
    throw_if_any(validate(in));
    if (!(h >= 0 && std::isfinite(h))) throw bad_value("h", "expected a step of 0 s or more, found " + number_text(h));
    const DefaultFloats floats;
    TireRig next = rig_;
    if (!started_)
      next.start(in);
    else if (h > 0)
      next.step(last_, in, h);
    const RigOutput out = next.output(in);
    if (!(std::isfinite(out.fx) && std::isfinite(out.fy) && std::isfinite(out.mz)))
      throw Diverged{time_, "a force is not finite", {}};
    rig_ = next, last_ = in;
    time_ += started_ ? h : 0;
    started_ = true;
    return out;
  }
  void reset() { rig_ = fresh_, started_ = false, time_ = 0; }
  double time() const { return time_; }
  py::dict states() const {
    std::vector<double> values;
    rig_.states(last_, values);
    const std::vector<Column> columns = rig_.state_columns();
    py::dict out;
    for (std::size_t i = 0; i < columns.size(); ++i) out[py::str(columns[i].name)] = values[i];
    return out;
  }
  // `text`: a table as `vdsim rig --input` reads it.
  Rows run(const std::string& text, double dt, bool states) const {
    Errors errors;
    const auto motion = RigMotion::read(text, "table", errors);
    errors.throw_if_any();
    RigOptions options;
    options.dt = motion->sweep() && std::isnan(dt) ? 0 : std::isnan(dt) ? 1e-3 : dt;
    options.states = states;
    auto out = std::make_shared<Recording>();
    TireRig rig = fresh_;
    for (const std::string& name : rig_columns(rig, options)) out->columns.push_back({name, unit_of(name), ""});
    Work work;
    options.progress = work.control().progress;
    options.stop = work.stop();
    const DefaultFloats floats;
    const RigEnd end = run_rig(rig, *motion, options, [&](std::span<const double> row) { out->add(row); });
    work.done();
    if (end == RigEnd::not_finite) throw Diverged{out->rows() ? out->data[0].back() : 0, "a force is not finite", {}};
    return out;
  }

 private:
  static std::string unit_of(const std::string& name) {
    if (name == "t") return "s";
    if (name == "omega" || name == "psidot") return "rad/s";
    if (name == "vx" || name == "vy") return "m/s";
    if (name == "fx" || name == "fy" || name == "fz") return "N";
    if (name == "mx" || name == "my" || name == "mz") return "N m";
    return name == "alpha" || name == "gamma" ? "rad" : name == "pressure" ? "Pa" : "";
  }
  TireRig rig_, fresh_;
  RigInput last_{};
  bool started_ = false;
  double time_ = 0;
};

}  // namespace

void add_tires(py::module_& m) {
  m.def("tire_eval", &evaluate);
  m.def("tire_figure",
        [](const std::vector<std::pair<std::string, const Document*>>& tires, const std::vector<double>& loads,
           double mu, double speed) { return svg_text(figure_of(tires, loads, mu, speed)); });
  py::class_<Bench>(m, "Bench")
      .def(py::init<const Document&>())
      .def("step",
           [](Bench& bench, const std::array<double, 8>& in, double h) {
             const RigOutput o = bench.step({in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]}, h);
             return py::make_tuple(o.fx, o.fy, o.fz, o.mx, o.my, o.mz, o.kappa, o.alpha);
           })
      .def("reset", &Bench::reset)
      .def_property_readonly("time", &Bench::time)
      .def_property_readonly("states", &Bench::states)
      .def("run", [](const Bench& bench, const std::string& text, double dt, bool states) {
        return std::const_pointer_cast<Recording>(bench.run(text, dt, states));
      });
}

}  // namespace vdsim::python
