// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/batch/batch.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <stdexcept>

#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/batch/level_batch.hpp"
#include "vdsim/engine/batch/pool.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/step_limit.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

constexpr std::size_t kFewLines = 20;  // of errors, one per car
constexpr const char* kNoTorques = "cars without powertrain, controllers or actuators take no wheel torques in a batch";
constexpr double kPieceSteps = 2000;  // car-steps that are worth handing to a thread at once

std::unique_ptr<LevelBatch> make(const BatchSpec& spec, Number number) {
  if (has_patches(spec.car.vehicle)) return make_car_batch(spec);
  switch (spec.car.level) {
    case Level::L1: return make_lane_batch<Level::L1>(spec, number);
    case Level::L2: return make_lane_batch<Level::L2>(spec, number);
    case Level::L3: return make_lane_batch<Level::L3>(spec, number);
    case Level::L5: return make_lane_batch<Level::L5>(spec, number);
  }
  throw std::logic_error("a level without a batch");
}

// Commands in the order of Inputs, and one of them alone, to be checked.
constexpr const char* kInputs[] = {"steer",     "throttle",  "brake",     "handbrake", "gear",
                                   "torque_fl", "torque_fr", "torque_rl", "torque_rr"};
std::size_t input_of(const std::string& name) {
  const std::vector<std::string> names(std::begin(kInputs), std::end(kInputs));
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw bad_value(name, "is no command" + suggestion(name, names));
  return static_cast<std::size_t>(at - names.begin());
}
std::string input_fault(std::size_t input, double value) {
  Commands c;
  double* const numbers[] = {&c.steer, &c.throttle, &c.brake, &c.handbrake};
  if (input < 4)
    *numbers[input] = value;
  else if (input == 4 && !(value == std::floor(value) && std::abs(value) < 100))
    return "gear: " + number_text(value) + " is no gear";
  else if (input == 4)
    c.gear = static_cast<int>(value);
  else
    c.torque[input - 5] = value;
  const Faults faults = validate(c);
  return faults.empty() ? "" : faults[0].text();
}

// Lines of the first cars with a fault, and how many more there are.
class CarErrors {
 public:
  void add(std::size_t car, const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (lines_.size() < kFewLines)
      lines_.emplace_back(car, "car " + std::to_string(car) + ": " + what);
    else
      ++more_;
  }
  void throw_if_any() {
    if (lines_.empty()) return;
    std::sort(lines_.begin(), lines_.end());
    std::vector<std::string> lines;
    for (const auto& [car, line] : lines_) lines.push_back(line);
    if (more_ > 0) lines.push_back("and " + std::to_string(more_) + " more cars");
    throw BadInput(lines);
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::size_t, std::string>> lines_;
  std::size_t more_ = 0;
};

}  // namespace

std::string describe(const BatchInfo& i) {
  std::string out = "number: " + i.number + "\nlaws: " + i.laws + "\ncars per register: " + std::to_string(i.lanes) +
                    "\nnumbers of their own: " + std::to_string(i.varied) +
                    "\nbytes per car: " + std::to_string(i.bytes_per_car) + "\n";
  if (!i.alone.empty()) out += "one by one: " + i.alone + "\n";
  return out;
}

Batch::Batch(const CarSetup& setup, std::size_t n, Number number) : pool_(std::make_unique<Pool>()) {
  if (n == 0) throw bad_value("n", "a batch has at least one car");
  const Car checked(setup);  // throws BadInput with every fault
  spec_ = std::make_unique<BatchSpec>(BatchSpec{setup, n, {}});
  cars_ = make(*spec_, number);
}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

std::size_t Batch::size() const { return spec_->cars; }
BatchInfo Batch::info() const { return cars_->info(); }
const CarSetup& Batch::setup() const { return spec_->car; }
void Batch::check_car(std::size_t i) const {
  if (i >= size()) throw bad_value("car", std::to_string(i) + " of " + std::to_string(size()));
}

void Batch::set_commands(std::size_t car, const Commands& c) {
  check_car(car);
  throw_if_any(validate(c));
  if (c.torque != std::array<double, 4>{} && !cars_->takes_torques()) throw bad_value("torque", kNoTorques);
  cars_->set_commands(car, c);
}
void Batch::set_input(const std::string& name, const Strided& v) {
  const std::size_t input = input_of(name);
  CarErrors errors;
  for (std::size_t i = 0; i < (v.stride == 0 ? 1 : size()); ++i) {
    const std::string fault = input_fault(input, v[i]);
    if (!fault.empty()) errors.add(i, fault);
    if (input > 4 && v[i] != 0 && !cars_->takes_torques()) errors.add(i, std::string("torque: ") + kNoTorques);
  }
  errors.throw_if_any();
  for (std::size_t i = 0; i < size(); ++i) cars_->set_input(input, i, v[i]);
}
Commands Batch::commands(std::size_t car) const {
  check_car(car);
  return cars_->commands(car);
}

void Batch::set_field(const std::string& path, const Strided& v, std::size_t first, std::size_t count) {
  if (first > size() || count > size() - first)
    throw bad_value(path, "cars " + std::to_string(first) + " to " + std::to_string(first + count) + " of " +
                              std::to_string(size()));
  BatchSpec next = *spec_;
  const CarField field = find_field(spec_->car, path);
  auto at =
      std::find_if(next.varied.begin(), next.varied.end(), [&](const VariedField& f) { return f.field.path == path; });
  if (at == next.varied.end()) at = next.varied.insert(at, {field, std::vector<double>(size(), field.value)});
  for (std::size_t i = 0; i < count; ++i) at->values[first + i] = v[i];
  CarErrors errors;
  const std::size_t pieces = cars_->pieces(), cars = (size() + pieces - 1) / pieces;
  cars_->ready(Pool::workers(0, pieces));
  pool_->run(pieces, 64, 0, [&](unsigned worker, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin * cars; i < std::min(end * cars, size()); ++i) {
      const std::string fault = cars_->compare_car(worker, next, i);
      if (!fault.empty()) errors.add(i, fault);
    }
  });
  errors.throw_if_any();
  cars_->keep_varied(next);
  *spec_ = std::move(next);
  cars_->ready(Pool::workers(0, pieces));
  pool_->run(pieces, 64, 0, [&](unsigned worker, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin * cars; i < end * cars; ++i) cars_->fill_car(worker, i);
  });
  checked_ = 0;
}

// Of the setup's car, and of those with the least and the most of every number that varies.
void Batch::check_step(double dt) {
  if (dt > 0 && dt <= checked_ * (1 + 1e-9)) return;
  const CarSetup& s = spec_->car;
  const auto check = [&](const VehicleSpec& vehicle) {
    const std::string fault = step_fault(vehicle, s.level, s.integrator, dt, false);
    if (!fault.empty()) throw bad_value("dt", fault);
  };
  check(s.vehicle);
  for (const VariedField& v : spec_->varied) {
    const auto [least, most] = std::minmax_element(v.values.begin(), v.values.end());
    for (const auto& each : {least, most}) {
      VehicleSpec vehicle;
      RoadSpec road;
      spec_->of(static_cast<std::size_t>(each - v.values.begin()), vehicle, road);
      check(vehicle);
    }
  }
  checked_ = dt;
}

std::size_t Batch::step(double dt, std::size_t steps, unsigned threads) {
  check_step(dt);
  const std::size_t pieces = cars_->pieces(), per_piece = (size() + pieces - 1) / pieces;
  const double work = static_cast<double>(per_piece) * static_cast<double>(std::max<std::size_t>(steps, 1));
  const std::size_t grain = static_cast<std::size_t>(std::max(1.0, kPieceSteps / work));
  const unsigned workers = Pool::workers(threads, (pieces + grain - 1) / grain);
  cars_->ready(workers);
  pool_->run(pieces, grain, workers, [&](unsigned worker, std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece) cars_->advance(worker, piece, dt, static_cast<long>(steps));
  });
  return standing();
}
LaneReport Batch::report(std::size_t car) const {
  check_car(car);
  return cars_->report(car);
}
std::size_t Batch::standing() const {
  std::size_t n = 0;
  for (std::size_t i = 0; i < size(); ++i) n += !cars_->report(i).going;
  return n;
}

void Batch::reset(std::span<const std::uint8_t> mask, std::span<const StartPose> poses) {
  if (!mask.empty() && mask.size() != size()) throw bad_value("mask", "one value for each car");
  if (poses.size() > 1 && poses.size() != size()) throw bad_value("poses", "one for each car, one for all, or none");
  const auto pose = [&](std::size_t i) -> const StartPose& {
    return poses.empty() ? spec_->car.start : poses[poses.size() == 1 ? 0 : i];
  };
  CarErrors errors;
  for (std::size_t i = 0; i < size(); ++i)
    if (mask.empty() || mask[i])
      for (const Fault& f : validate(pose(i))) errors.add(i, f.text());
  errors.throw_if_any();
  for (std::size_t i = 0; i < size(); ++i)
    if (mask.empty() || mask[i]) cars_->reset(i, pose(i));
}

std::vector<Column> Batch::signals() const {
  return vdsim::signals(signal_scope(spec_->car.vehicle, spec_->car.road, spec_->car.level));
}
// NOLINTNEXTLINE(readability-non-const-parameter): written by way of its bytes
void Batch::read(const std::string& name, double* out, std::size_t stride, unsigned threads) {
  const auto to = [&](std::size_t i) -> double& {
    return *reinterpret_cast<double*>(reinterpret_cast<char*>(out) + i * stride);
  };
  for (const DirectSignal& s : cars_->direct_signals())
    if (s.name == name) {
      for (std::size_t i = 0; i < size(); ++i) to(i) = cars_->direct(s, i);
      return;
    }
  const SignalScope scope = signal_scope(spec_->car.vehicle, spec_->car.road, spec_->car.level);
  const std::vector<Column> all = vdsim::signals(scope);
  std::vector<std::string> names;
  for (const Column& c : all) names.push_back(c.name);
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw bad_value(name, "these cars have no such signal" + suggestion(name, names));
  const std::size_t column = static_cast<std::size_t>(at - names.begin());
  const unsigned workers = Pool::workers(threads, size() / 64 + 1);
  cars_->ready(workers);
  pool_->run(size(), 64, workers, [&](unsigned worker, std::size_t first, std::size_t last) {
    std::vector<double> values;
    for (std::size_t i = first; i < last; ++i) {
      values.clear();
      signal_values(scope, cars_->outputs(worker, i), values);
      to(i) = values[column];
    }
  });
}
CarOutputs Batch::outputs(std::size_t car) {
  check_car(car);
  cars_->ready(1);
  return cars_->outputs(0, car);
}
BatchView Batch::view(const std::string& state) { return cars_->view(state); }

Car Batch::car(std::size_t i) const {
  check_car(i);
  CarSetup setup = spec_->car;
  spec_->of(i, setup.vehicle, setup.road);
  Car out(setup);
  out.car_ = cars_->single(i);
  return out;
}
std::vector<std::byte> Batch::snapshot(std::size_t i) const { return car(i).snapshot(); }
bool Batch::restore(std::size_t i, std::span<const std::byte> bytes) {
  Car one = car(i);
  if (!one.restore(bytes)) return false;
  cars_->put(i, *one.car_);
  return true;
}

}  // namespace vdsim
