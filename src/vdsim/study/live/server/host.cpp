// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/server/host.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vdsim {
namespace {

constexpr double kHostFailSafeBrake = 0.3;
constexpr double kHostSameAge = 1e-9;  // [s]
constexpr double kHostSameStep = 1e-6;

// A program that drives in lockstep drives every car, unless the scene says which.
Scenario in_lockstep(Scenario scene) {
  for (const CarSpec& car : scene.cars)
    if (car.control == Control::external) return scene;
  for (CarSpec& car : scene.cars) car.control = Control::external;
  return scene;
}

}  // namespace

std::int64_t LiveHost::steps_of(const Scenario& scene) {
  const double steps = 1 / (scene.timing.rate * scene.solver.dt), whole = std::round(steps);
  if (whole < 1 || std::abs(steps - whole) > kHostSameStep * whole)
    throw bad_value("rate", fmt::format("{} Hz: 1/rate is no multiple of the step dt = {} s",
                                        number_text(scene.timing.rate), number_text(scene.solver.dt)));
  return static_cast<std::int64_t>(whole);
}

LiveHost::LiveHost(std::shared_ptr<const Catalog> catalog, Scenario scene, bool lockstep)
    : session_(std::move(catalog), lockstep ? in_lockstep(std::move(scene)) : std::move(scene)),
      lockstep_(lockstep),
      steps_(steps_of(session_.scene())),
      cars_(session_.cars()) {}

void LiveHost::command(std::size_t car, const Demand& demand, std::uint32_t seq) {
  session_.command(car, demand);
  HostedCar& of = cars_[car];
  of.heard = session_.time(), of.seq = seq, of.fresh = true, of.braked = false;
}

void LiveHost::edit(const std::vector<Assignment>& sets) {
  Scenario next = session_.scene();
  for (const Assignment& set : sets)  // a step that no tick is made of is refused before anything changes
    if (set.path == "dt" || set.path == "rate" || set.path == "solver.dt")
      throw bad_value(set.path, "cannot be changed while a server runs");
  session_.edit(sets);
  if (recorder_) recorder_->changed(session_.scene());
  forget_readers();
}

void LiveHost::reset() {
  session_.reset();
  for (HostedCar& car : cars_) car.heard.reset(), car.fresh = car.braked = false;
}

void LiveHost::rewind(std::int64_t step) {
  session_.rewind(step);
  for (HostedCar& car : cars_) car.heard.reset(), car.fresh = car.braked = false;
  forget_readers();
}

void LiveHost::forget_readers() {
  for (HostedCar& car : cars_) car.reader.reset();
}

bool LiveHost::ready() const {
  for (std::size_t i = 0; i < cars_.size(); ++i)
    if (session_.scene().cars[i].control == Control::external && !cars_[i].fresh && session_.why(i).empty())
      return false;
  return true;
}

bool LiveHost::stale(std::size_t car) const {
  const HostedCar& of = cars_[car];
  return of.heard && session_.time() - *of.heard > session_.scene().timing.cmd_timeout + kHostSameAge;
}

// Cars with control: external do so by themselves (study/scene_car.cpp); these were taken from the scene's driver.
void LiveHost::brake_silent() {
  for (std::size_t i = 0; i < cars_.size(); ++i) {
    if (cars_[i].braked || !stale(i) || !session_.why(i).empty()) continue;
    if (session_.scene().cars[i].control == Control::external) continue;
    Demand safe;
    safe.direct = session_.sim(i).commands();
    safe.direct.throttle = 0, safe.direct.brake = kHostFailSafeBrake, safe.direct.torque = {};
    session_.command(i, safe);
    cars_[i].braked = true;
  }
}

bool LiveHost::tick() { return step(steps_); }

bool LiveHost::step(std::int64_t steps) {
  brake_silent();
  const bool done = session_.advance(steps);
  for (HostedCar& car : cars_) car.fresh = false, ++car.states;
  note_rows();
  return done;
}

StateFrame LiveHost::state(std::size_t car) {
  HostedCar& of = cars_[car];
  if (!of.reader) of.reader = std::make_unique<StateReader>(session_.scene().cars[car], session_.signals(car));
  StateFrame out;
  out.seq = lockstep_ ? of.seq : of.states;
  out.vehicle = static_cast<std::uint32_t>(car), out.time = session_.time();
  out.body = of.reader->read(session_.values(car));
  return out;
}

void LiveHost::record(const std::string& path, const Geodetic& origin) {
  file_ = std::make_unique<McapFile>(path, McapRecorder::options());
  recorder_ = std::make_unique<McapRecorder>(file_->writer(), session_.scene(), origin);
  note_rows();
}
void LiveHost::note_rows() {
  if (!recorder_) return;
  for (std::size_t i = 0; i < cars_.size(); ++i)
    recorder_->write(i, session_.time(), session_.signals(i), session_.values(i));
}
void LiveHost::flush_record() {
  if (file_) file_->writer().flush();
}
std::string LiveHost::stop_record() {
  if (!file_) return "";
  const std::string path = file_->path();
  file_->close();
  recorder_.reset(), file_.reset();
  return path;
}

}  // namespace vdsim
