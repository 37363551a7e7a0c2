// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/controllers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "bindings/fmi/foreign.hpp"
#include "bindings/fmi/wiring.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/shown.hpp"
#include "vdsim/study/scene_car.hpp"
#include "vdsim/study/sensors.hpp"

namespace vdsim::fmi {
namespace {

constexpr double kSameStep = 1e-6;   // of dt, to be a whole number of them
constexpr long kForever = 1L << 40;  // steps

// One car and its FMU.
class Controller {
 public:
  Controller(const Scenario& scene, std::size_t car, std::shared_ptr<const ForeignFmu> fmu)
      : index(car), car_(scene.cars[car]), road_(scene.road), fmu_(std::move(fmu)) {
    dt_ = scene.solver.dt, duration_ = scene.timing.duration;
  }
  void wire(double cmd_timeout, Errors& errors, std::vector<std::string>& notes) {
    find_step(cmd_timeout, errors);
    wiring_ = fmi::wire(car_, road_, *fmu_, slots_, errors, notes);
    scope_ = car_scope(car_, road_);
  }
  void start(Errors& errors) {
    const ControllerSpec& spec = car_.controller;
    try {
      instance_ = fmu_->instantiate(car_.id);
    } catch (const BadInput& e) {
      return errors.add(spec.place, spec.path + ".fmu", e.lines.front());
    }
    for (const Wiring::Parameter& p : wiring_.parameters) try {
        p.port->holds == Port::Holds::text ? instance_->set_text(*p.port, p.text) : instance_->set(*p.port, &p.number);
      } catch (const FmuFailure& e) {
        errors.add(p.wire->place, p.wire->path, e.what());
      }
  }
  long steps() const { return steps_; }

  // Throws FmuFailure.
  void exchange(Fleet& fleet, Fleet::Member& member) {
    values_.clear();
    signal_values(scope_, member.run.outputs(), values_);
    sensor_values(member.run.sensors(), values_);
    const double now = member.run.time();
    if (last_ < 0) {
      instance_->initialize(duration_, [&] { set_inputs(); });
    } else {
      set_inputs();
      instance_->step(last_, static_cast<double>(steps_) * dt_);
    }
    last_ = now;
    for (const Wiring::Out& out : wiring_.outputs) {
      double numbers[Port::kMost] = {};
      instance_->get(*out.port, numbers);
      for (std::size_t i = 0; i < out.slots.size(); ++i) slots_.put(out.slots[i], numbers[i]);
    }
    for (const Fault& fault : validate(slots_.demand(), car_.driver.path.given())) throw FmuFailure(fault.text());
    fleet.command(member, slots_.demand());
  }
  // Fatal in one of them: the others with the same FMU end, too.
  bool ended_with(const Controller& fatal) {
    if (!fatal.instance_->fatal() || fatal.fmu_ != fmu_) return false;
    instance_->abandon();
    return true;
  }
  std::string file() const { return printable(std::filesystem::path(car_.controller.file).filename().string()); }

  std::size_t index;

 private:
  void find_step(double cmd_timeout, Errors& errors) {
    const ControllerSpec& spec = car_.controller;
    const double asked = spec.step > 0 ? spec.step : fmu_->preferred_step();
    const double h = asked > 0 ? asked : dt_, steps = std::round(h / dt_);
    const auto fail = [&](const std::string& what) {
      errors.add(spec.place, spec.path + ".step",
                 fmt::format("{} s{} {}", number_text(h), spec.step > 0 ? "" : ", which the FMU prefers,", what));
    };
    if (steps < 1 || std::abs(h - steps * dt_) > kSameStep * dt_)
      fail(fmt::format("is no multiple of solver.dt {} s{}", number_text(dt_),
                       spec.step > 0 ? "" : ": give control.step, or another solver.dt"));
    else if (h > cmd_timeout * (1 + 1e-9))
      fail(fmt::format("is longer than cmd_timeout {} s: commands would get stale", number_text(cmd_timeout)));
    steps_ = std::max(1L, std::lround(std::min(steps, 1e9)));
  }
  void set_inputs() {
    for (const Wiring::In& in : wiring_.inputs) {
      double numbers[Port::kMost] = {in.number};
      for (std::size_t i = 0; i < in.columns.size(); ++i) numbers[i] = values_[in.columns[i]];
      instance_->set(*in.port, numbers);
    }
  }

  const CarSpec car_;
  const RoadSpec road_;
  std::shared_ptr<const ForeignFmu> fmu_;   // outlives
  std::unique_ptr<CoSimulation> instance_;  // of it
  DemandSlots slots_;
  Wiring wiring_;
  SignalScope scope_;
  std::vector<double> values_;
  double dt_, duration_, last_ = -1;
  long steps_ = 1;
};

class Controllers {
 public:
  Controllers(const Scenario& scene, std::vector<std::string>& notes) {
    Errors errors;
    std::map<std::string, std::shared_ptr<const ForeignFmu>> loaded;
    std::map<std::string, std::string> first;  // car of each file
    for (std::size_t i = 0; i < scene.cars.size(); ++i) {
      const ControllerSpec& spec = scene.cars[i].controller;
      if (!spec.given()) continue;
      const bool known = loaded.count(spec.content);
      if (!known) loaded[spec.content] = load(spec, errors), first[spec.content] = scene.cars[i].id;
      const auto& fmu = loaded[spec.content];
      if (!fmu) continue;
      if (known && fmu->once_per_process())
        errors.add(
            spec.place, spec.path + ".fmu",
            fmt::format("can be instantiated once per process only, and drives {} already", first[spec.content]));
      all_.push_back(std::make_unique<Controller>(scene, i, fmu));
      all_.back()->wire(scene.timing.cmd_timeout, errors, notes);
    }
    errors.throw_if_any();
    for (const auto& each : all_) each->start(errors);
    errors.throw_if_any();
  }

  long operator()(Fleet& fleet) {
    if (fleet.runs_out()) return 0;
    const long now = fleet.step_index();
    long next = kForever;
    std::vector<std::string> errors;
    for (const auto& each : all_) {
      Fleet::Member& member = fleet.members()[each->index];
      if (member.failed()) continue;
      if (now % each->steps() == 0) try {
          each->exchange(fleet, member);
        } catch (const FmuFailure& e) {
          end(fleet, *each, e.what());
          errors.push_back(fmt::format("fleet[{}].control: {} at the start: {}", each->index, each->file(), e.what()));
          continue;
        }
      next = std::min(next, each->steps() - now % each->steps());
    }
    if (now == 0 && !errors.empty()) throw BadInput(errors);  // nothing has been driven yet
    return next;
  }

 private:
  void end(Fleet& fleet, const Controller& failed, const char* what) {
    for (const auto& each : all_) {
      Fleet::Member& member = fleet.members()[each->index];
      if (const bool too = each->ended_with(failed); (!too && each.get() != &failed) || member.failed()) continue;
      member.why = fmt::format("its controller {}: {}", each->file(), what), member.refused = true;
    }
  }
  static std::shared_ptr<const ForeignFmu> load(const ControllerSpec& spec, Errors& errors) {
    try {
      return std::make_shared<const ForeignFmu>(spec.file);
    } catch (const BadInput& e) {
      for (const std::string& line : e.lines) errors.add(spec.place, spec.path + ".fmu", printable(line));
      return nullptr;
    }
  }
  std::vector<std::unique_ptr<Controller>> all_;
};

}  // namespace

Fleet::Control controllers(const Scenario& scene, std::vector<std::string>& notes) {
  const auto all = std::make_shared<Controllers>(scene, notes);
  return [all](Fleet& fleet) { return (*all)(fleet); };
}

}  // namespace vdsim::fmi
