// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/sim.hpp"

#include <cmath>

#include "bindings/python/module.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/linear/linearize.hpp"

namespace vdsim::python {
namespace {

const CarSpec& car_of(const Document& scene, const std::string& id) {
  if (!scene.scene()) throw bad_value("scene", "is a " + enum_name(scene.kind()));
  return id.empty() ? only_car(*scene.scene()) : car_by_id(*scene.scene(), id);
}

// One car in the hands of Python: what it is told to do is held until it is told otherwise; a row every `every` steps.
class Hand {
 public:
  Hand(const Document& scene, const std::string& car, long every)
      : sim_(*scene.scene(), car_of(scene, car)), dt_(scene.scene()->solver.dt), every_(every) {
    begin();
  }

  void input(const Demand& demand) {
    check_demands(demand, demand, sim_.spec().driver.path.given());
    demand_ = demand;
    mine_ = true;
    plain_ = !demand.holds_pedals() && !demand.holds_steer() && std::isnan(demand.force) && !demand.wheel_torques;
  }
  void leave() { mine_ = false; }  // to the scene's driver
  bool mine() const { return mine_; }

  void step() {
    const DefaultFloats floats;
    one();
  }
  void advance(long n) {
    if (n < 0) throw bad_value("n", "expected 0 or more steps, found " + std::to_string(n));
    const DefaultFloats floats;
    Work work;
    const RunControl control = work.control();
    for (long i = 0; i < n && !*control.stop; ++i) {
      one();
      if (i % 256 == 255) control.progress(0);
    }
    work.done();
  }
  void part(double h) {  // a shorter step, off the grid
    const DefaultFloats floats;
    keep(mine_ ? stepped(h) : sim_.run(sim_.time() + h));
    row();
  }

  void reset(const StartSpec* pose, const SideMotion& side = {}) {
    const DefaultFloats floats;
    if (pose)
      sim_.reset(*pose, side);
    else
      sim_.reset();
    begin();
  }
  void restore(const std::string& bytes) {
    if (!sim_.restore({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}))
      throw BadInput("the snapshot is cut, damaged, or of another car, level or road");
    begin();
  }
  std::vector<std::byte> snapshot() const {
    std::vector<std::byte> out(sim_.snapshot_size());
    sim_.snapshot(out);
    return out;
  }
  void change(const Document& to) {
    const DefaultFloats floats;
    if (const Scenario* scene = to.scene()) {
      sim_.change(*scene, car_of(to, scene->cars.size() == 1 ? "" : sim_.spec().id));
      dt_ = scene->solver.dt;
    } else if (const VehicleSpec* vehicle = to.vehicle()) {
      sim_.change(*vehicle);
    } else {
      throw bad_value("change", "is a part, a vehicle or a scene is needed");
    }
    begin();
  }

  Sim& sim() { return sim_; }
  double dt() const { return dt_; }
  const Demand& demand() const { return demand_; }
  std::span<const double> values() {
    const DefaultFloats floats;
    return sim_.values();
  }
  Rows rows() {
    if (!given_) given_ = std::make_shared<Recording>(rows_);
    return given_;
  }

 private:
  bool stepped(double h) {
    return plain_ ? sim_.step(demand_.direct, demand_.direct, h) : sim_.step(demand_, demand_, h);
  }
  void keep(bool done) {
    if (!done) throw Diverged{sim_.time(), sim_.why(), snapshot()};
  }
  void one() {
    keep(mine_ ? stepped(dt_) : sim_.advance(1));
    if (every_ > 0 && ++since_ == every_) row();
  }
  void row() {
    since_ = 0;
    if (every_ <= 0) return;
    const std::span<const double> now = sim_.values();
    for (const double x : now)
      if (!std::isfinite(x)) throw Diverged{sim_.time(), "a number of the row is not finite", snapshot()};
    rows_.add(now);
    given_.reset();
  }
  void begin() {
    rows_.columns = sim_.signals();
    rows_.data.clear();
    row();
  }

  Sim sim_;
  double dt_;
  long every_, since_ = 0;
  Demand demand_;
  bool mine_ = false, plain_ = true;
  Recording rows_;
  Rows given_;
};

py::array_t<double> values_of(Hand& hand) {
  const std::span<const double> now = hand.values();
  return py::array_t<double>(static_cast<py::ssize_t>(now.size()), now.data());
}

std::vector<std::string> texts(const std::vector<Column>& columns, std::string Column::*which) {
  std::vector<std::string> out;
  for (const Column& column : columns) out.push_back(column.*which);
  return out;
}

py::array_t<double> matrix(const Matrix2& m) {
  return py::array_t<double>({static_cast<py::ssize_t>(m.rows), static_cast<py::ssize_t>(m.columns)}, m.at.data());
}
py::tuple linear_of(Hand& hand) {
  const DefaultFloats floats;
  const LinearCar at = linearize(hand.sim().car(), hand.sim().commands());
  std::vector<std::string> states;
  for (const ContinuousState& state : at.states) states.push_back(state.name);
  const std::vector<std::string> inputs(std::begin(kLinearInputs), std::end(kLinearInputs));
  return py::make_tuple(matrix(at.A), matrix(at.B), matrix(at.C), matrix(at.D), states, inputs,
                        texts(at.outputs, &Column::name));
}

py::dict input_of(const Hand& hand) {
  const Demand& d = hand.demand();
  py::dict out;
  out["steer"] = d.direct.steer, out["throttle"] = d.direct.throttle, out["brake"] = d.direct.brake;
  out["handbrake"] = d.direct.handbrake, out["gear"] = d.direct.gear, out["torque"] = d.direct.torque;
  out["speed"] = d.speed, out["acceleration"] = d.acceleration, out["force"] = d.force, out["curvature"] = d.curvature;
  out["follow_path"] = d.follow_path, out["wheel_torques"] = d.wheel_torques;
  return out;
}

}  // namespace

void add_sim(py::module_& m) {
  py::class_<Hand>(m, "Hand")
      .def(py::init<const Document&, const std::string&, long>())
      .def("_input",
           [](Hand& hand, double steer, double throttle, double brake, double handbrake, int gear,
              const std::array<double, 4>& torque, const std::array<double, 4>& levels, bool path, bool wheels) {
             hand.input({{steer, throttle, brake, handbrake, gear, torque},
                         levels[0],
                         0,
                         levels[1],
                         levels[2],
                         levels[3],
                         path,
                         wheels});
           })
      .def("_pedals",
           [](Hand& hand, double steer, double throttle, double brake, int gear) {
             hand.input({{steer, throttle, brake, 0, gear, {}}});
           })
      .def("_leave", &Hand::leave)
      .def_property_readonly("_mine", &Hand::mine)
      .def_property_readonly("_held", &input_of)
      .def("step", &Hand::step, "One step of the engine, of length `substep`, with the input held.")
      .def("advance", &Hand::advance, py::arg("n"), "n steps of the engine, with the input held.")
      .def("_part", &Hand::part)
      .def("_reset", [](Hand& hand) { hand.reset(nullptr); })
      .def("_reset_to",
           [](Hand& hand, const std::array<double, 5>& at, double vy, double r) {
             const StartSpec pose{at[0], at[1], at[2], at[3], at[4]};
             hand.reset(&pose, {vy, r});
           })
      .def("_change", &Hand::change)
      .def(
          "snapshot", [](const Hand& hand) { return bytes_of(hand.snapshot()); }, "Everything that persists, as bytes.")
      .def(
          "restore", [](Hand& hand, const py::bytes& b) { hand.restore(b); }, py::arg("snapshot"),
          "Back to a snapshot of this car; InputError, and nothing changed, if it is of another one.")
      .def_property_readonly(
          "time", [](Hand& hand) { return hand.sim().time(); }, "[s]")
      .def_property_readonly("substep", &Hand::dt, "length of a step of the engine [s]")
      .def_property_readonly(
          "names", [](Hand& hand) { return texts(hand.sim().signals(), &Column::name); }, "the signals of this car")
      .def_property_readonly(
          "units", [](Hand& hand) { return texts(hand.sim().signals(), &Column::unit); }, "their units")
      .def("_linearize", &linear_of,
           "(A, B, C, D, names of states, of inputs, of outputs) of the equations of motion now.")
      .def("values", &values_of, "Every signal now, in the order of names.")
      .def_property_readonly("_rows", [](Hand& hand) { return std::const_pointer_cast<Recording>(hand.rows()); });
}

}  // namespace vdsim::python
