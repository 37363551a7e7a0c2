// SPDX-License-Identifier: Apache-2.0
// Cars that cannot share a register: contact-patch LuGre tires remember as many bristles as they have rolled over. Stepped one by one,
// in double.
#include "vdsim/engine/batch/level_batch.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

// Of a checked car.
std::unique_ptr<LevelCar> alone(const VehicleSpec& v, const RoadSpec& road, const CarSetup& s, const StartPose& pose) {
  switch (s.level) {
    case Level::L1: return make_level_car<Level::L1>(v, road, s.integrator, pose);
    case Level::L2: return make_level_car<Level::L2>(v, road, s.integrator, pose);
    case Level::L3: return make_level_car<Level::L3>(v, road, s.integrator, pose);
    case Level::L5: return make_level_car<Level::L5>(v, road, s.integrator, pose);
  }
  throw std::logic_error("a level without a car");
}

class CarBatch final : public LevelBatch {
 public:
  explicit CarBatch(const BatchSpec& spec) : spec_(spec), all_(spec.cars) {
    const std::unique_ptr<LevelCar> first = alone(spec.car.vehicle, spec.car.road, spec.car, spec.car.start);
    for (One& one : all_) one.car = first->clone(), one.start = spec.car.start;
  }
  std::size_t pieces() const override { return all_.size(); }
  void ready(unsigned) override {}
  void advance(unsigned, std::size_t i, double dt, long steps) override {
    One& one = all_[i];
    for (long k = 0; k < steps && !one.why; ++k)
      if (!one.car->step(one.commands, one.commands, dt)) one.why = one.car->why;
  }
  std::string compare_car(unsigned, const BatchSpec& spec, std::size_t i) override {
    VehicleSpec vehicle;
    RoadSpec road;
    spec.of(i, vehicle, road);
    Faults faults = validate(vehicle, spec.car.level);
    for (const Fault& f : validate(road)) faults.push_back(f);
    if (faults.empty()) faults = contradictions(vehicle, road, spec.car.level);
    if (!faults.empty()) return faults[0].text();
    return all_[i].car->steps() > 0 ? "cannot change while these cars drive: reset them first" : "";
  }
  void keep_varied(const BatchSpec& spec) override { spec_ = spec; }
  void fill_car(unsigned, std::size_t i) override {
    if (i < all_.size()) reset(i, all_[i].start);
  }
  void set_commands(std::size_t i, const Commands& c) override { all_[i].commands = c; }
  void set_input(std::size_t number, std::size_t i, double value) override {
    Commands& c = all_[i].commands;
    double* const numbers[] = {&c.steer, &c.throttle, &c.brake, &c.handbrake};
    if (number < 4)
      *numbers[number] = value;
    else if (number == 4)
      c.gear = static_cast<int>(value);
    else
      c.torque[number - 5] = value;
  }
  bool takes_torques() const override { return true; }
  Commands commands(std::size_t i) const override { return all_[i].commands; }
  void reset(std::size_t i, const StartPose& pose) override {
    VehicleSpec vehicle;
    RoadSpec road;
    spec_.of(i, vehicle, road);
    One& one = all_[i];
    one.car = alone(vehicle, road, spec_.car, pose);
    one.start = pose, one.why = nullptr;
  }
  std::unique_ptr<LevelCar> single(std::size_t i) const override { return all_[i].car->clone(); }
  void put(std::size_t i, LevelCar& from) override { all_[i].car = from.clone(), all_[i].why = nullptr; }
  const CarOutputs& outputs(unsigned, std::size_t i) override { return all_[i].car->outputs(all_[i].commands); }
  std::vector<DirectSignal> direct_signals() const override { return {}; }
  double direct(const DirectSignal&, std::size_t) const override { return 0; }
  BatchView view(const std::string& state) override {
    throw bad_value(state, "cars on contact-patch tires have no states in lanes to look at: read() gives copies");
  }
  LaneReport report(std::size_t i) const override {
    const One& one = all_[i];
    return {!one.why, one.why ? one.why : "", one.car->time(), one.car->steps()};
  }
  BatchInfo info() const override {
    BatchInfo out;
    out.number = "double", out.laws = "open", out.alone = "contact-patch tires";
    out.varied = spec_.varied.size();
    out.bytes_per_car = sizeof(One) + sizeof(CarOutputs);
    return out;
  }

 private:
  struct One {
    std::unique_ptr<LevelCar> car;
    Commands commands;
    StartPose start;
    const char* why = nullptr;
  };
  BatchSpec spec_;
  std::vector<One> all_;
};

}  // namespace

std::unique_ptr<LevelBatch> make_car_batch(const BatchSpec& spec) { return std::make_unique<CarBatch>(spec); }

}  // namespace vdsim
