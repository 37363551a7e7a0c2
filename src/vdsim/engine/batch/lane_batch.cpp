// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/batch/lane_batch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/hold_at_rest.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

#ifdef VDSIM_NUMERIC_FAST
constexpr Numeric kBatchNumeric = Numeric::fast;
#else
constexpr Numeric kBatchNumeric = Numeric::exact;
#endif
constexpr int kWatch = 64;  // steps from one look at the energy balance to the next  [T02.14]
constexpr const char* kNotFinite = "a number is not finite";
constexpr const char* kPressedIn = "a tire is pressed in by more than its radius: no law holds there";
constexpr const char* kNoBalance =
    "the energy balance has a residual of more than a tenth of what went through it: the step is too long";

// Fixed laws have no equipment.
template <Level Lv> const Kernel<Lv>& kernel_for(const CarModel<Lv>& m, Number number) {
  const char* name = number == Number::f32 ? "float8" : "double4";
  return kernel<Lv>(name, kBatchNumeric, m.model, m.units.any ? KernelLaws::open : KernelLaws::fixed);
}

}  // namespace

template <Level Lv> LaneBatch<Lv>::LaneBatch(const BatchSpec& spec, Number number)
    : spec_(spec),
      model_(make_car_model<Lv>(spec.car.vehicle, spec.car.road, spec.car.integrator)),
      prototype_(make_level_car<Lv>(spec.car.vehicle, spec.car.road, spec.car.integrator, spec.car.start)),
      kernel_(&kernel_for(*model_, number)),
      layout_{kernel_->number_bytes, kernel_->lanes},
      blocks_((spec.cars + std::size_t(layout_.lanes) - 1) / std::size_t(layout_.lanes)),
      block_bytes_(layout_.bytes<LaneState<double, Lv>>()),
      input_bytes_(layout_.bytes<Inputs<double>>()),
      mass_at_(std::size_t(&model_->model.p.m - reinterpret_cast<const double*>(&model_->model.p))),
      shared_model_(kernel_->model_bytes),
      inputs_(blocks_ * input_bytes_) {
  if (model_->units.any) block_bytes_ += layout_.bytes<LaneUnits<double>>();
  if (model_->units.actuators) block_bytes_ += layout_.bytes<LaneActuators<double>>();
  states_ = LaneMemory(blocks_ * block_bytes_);
  for (int i = 0; i < layout_.lanes; ++i) kernel_->set_model(shared_model_.at(0), i, model_->model);
  varied_ = VariedNumbers(layout_, kernel_->constants(shared_model_.at(0)), kernel_->numbers);
  if (model_->units.any) {
    shared_units_ = LaneMemory(layout_.bytes<UnitNumbers<double>>());
    for (int i = 0; i < layout_.lanes; ++i)
      layout_.put(shared_units_.at(0), i, static_cast<const UnitNumbers<double>&>(model_->units));
    varied_units_ = VariedNumbers(layout_, shared_units_.at(0), sizeof(UnitNumbers<double>) / sizeof(double));
  }
  records_.resize(blocks_ * std::size_t(layout_.lanes));
  if (number == Number::f32) earlier_.resize(records_.size());
  const StartPose& pose = spec.car.start;
  CarState<Lv> first = start_state(*model_, spec.car.vehicle, pose);
  begin_balance(model_->model, first);
  // lanes behind the last car run along with it
  for (std::size_t car = 0; car < records_.size(); ++car) {
    LaneRecord& r = records_[car];
    put(car, first);
    set_commands(car, {});
    r.start = pose, r.watched = true, r.exists = car < spec.cars;
    r.waits = r.exists && rests(model_->model, pose);
  }
}

template <Level Lv> void LaneBatch<Lv>::ready(unsigned workers) {
  while (workers_.size() < workers) {
    Worker w;
    w.before = LaneMemory(block_bytes_);
    w.model = LaneMemory(shared_model_.bytes());
    std::memcpy(w.model.at(0), shared_model_.at(0), shared_model_.bytes());
    w.units = LaneMemory(shared_units_.bytes());
    if (shared_units_.bytes() > 0) std::memcpy(w.units.at(0), shared_units_.at(0), shared_units_.bytes());
    w.marks.assign(kernel_->numbers, 0);
    w.unit_marks.assign(sizeof(UnitNumbers<double>) / sizeof(double), 0);
    workers_.push_back(std::move(w));
  }
  if (viewed_)  // somebody may have written there
    for (LaneRecord& r : records_) r.watched = false;
}

// --- steps

template <Level Lv> typename LaneBatch<Lv>::Numbers LaneBatch<Lv>::numbers_of(Worker& w, std::size_t block) const {
  Numbers n{shared_model_.at(0), shared_units_.at(0)};
  if (varied_.varied() > 0) varied_.fill(block, kernel_->constants(w.model.at(0))), n.model = w.model.at(0);
  if (varied_units_.varied() > 0) varied_units_.fill(block, w.units.at(0)), n.units = w.units.at(0);
  return n;
}

// A block as it was is left in w.before.
template <Level Lv>
LaneFaults LaneBatch<Lv>::run(Worker& w, const Numbers& n, std::size_t block, double dt, int steps) {
  std::memcpy(w.before.at(0), state(block), block_bytes_);
  LaneRun r{spec_.car.integrator, dt, steps, n.model, state(block), input(block)};
  if (model_->units.any) {
    r.units = &model_->units;
    r.unit_numbers = n.units;
    r.unit_state = units(block);
    if (model_->units.actuators) r.actuators = actuators(block);
  }
  if constexpr (Lv != Level::L5) return kernel_->advance(r);
  double turns[16] = {};
  r.turns = turns;
  const LaneFaults faults = kernel_->advance(r);
  LaneRecord* const record = records(block);
  if (((faults.not_finite | faults.pressed_in) & going(block)) == 0)
    for (int i = 0; i < layout_.lanes; ++i)
      if (!record[i].why) record[i].turns += turns[i];
  return faults;
}

template <Level Lv> unsigned LaneBatch<Lv>::going(std::size_t block) const {
  unsigned bits = 0;
  const LaneRecord* const record = &records_[block * std::size_t(layout_.lanes)];
  for (int i = 0; i < layout_.lanes; ++i) bits |= unsigned(record[i].exists && !record[i].why) << i;
  return bits;
}

template <Level Lv> void LaneBatch<Lv>::count(std::size_t block, double dt, int steps, unsigned lanes) {
  LaneRecord* const record = records(block);
  double time[16] = {};
  for (int i = 0; i < layout_.lanes; ++i) time[i] = record[i].time;
  for (int k = 0; k < steps; ++k)
    for (double& t : time) t += dt;  // as a car alone adds them up
  for (int i = 0; i < layout_.lanes; ++i)
    if (lanes >> i & 1) record[i].time = time[i], record[i].steps += steps;
}

// Lanes of cars that stand keep what they had.
template <Level Lv> void LaneBatch<Lv>::keep_standing(Worker& w, std::size_t block) {
  const LaneRecord* const record = records(block);
  for (int i = 0; i < layout_.lanes; ++i)
    if (record[i].why) layout_.copy_lane(state(block), w.before.at(0), block_bytes_, i);
}

template <Level Lv>
void LaneBatch<Lv>::run_one_by_one(Worker& w, const Numbers& n, std::size_t block, double dt, int steps) {
  LaneRecord* const record = records(block);
  for (int s = 0; s < steps && going(block); ++s) {
    const LaneFaults faults = run(w, n, block, dt, 1);
    const unsigned bad = (faults.not_finite | faults.pressed_in) & going(block);
    for (int i = 0; i < layout_.lanes; ++i)
      if (bad >> i & 1) record[i].why = faults.not_finite >> i & 1 ? kNotFinite : kPressedIn;
    if (bad && Lv == Level::L5 && going(block)) {  // turns of the others: once more without those
      std::memcpy(state(block), w.before.at(0), block_bytes_);
      run(w, n, block, dt, 1);
    }
    keep_standing(w, block);
    count(block, dt, 1, going(block));
  }
}

template <Level Lv> void LaneBatch<Lv>::advance(unsigned worker, std::size_t block, double dt, long steps) {
  if (steps <= 0 || !going(block)) return;
  Worker& w = workers_[worker];
  const Numbers n = numbers_of(w, block);
  LaneRecord* const record = records(block);
  for (int i = 0; i < layout_.lanes; ++i)
    if (record[i].waits) hold(block * std::size_t(layout_.lanes) + std::size_t(i));
  while (steps > 0) {
    int some = int(std::min<long>(steps, kWatch));
    bool look = false;
    for (int i = 0; i < layout_.lanes; ++i) {
      if (record[i].why || !record[i].exists) continue;
      const int since = int(record[i].steps % kWatch);
      look = look || since == 0;
      some = std::min(some, kWatch - since);
    }
    if (look) watch(n, block);
    const unsigned lanes = going(block);
    if (!lanes) return;
    const LaneFaults faults = run(w, n, block, dt, some);
    if ((faults.not_finite | faults.pressed_in) & lanes) {
      std::memcpy(state(block), w.before.at(0), block_bytes_);
      run_one_by_one(w, n, block, dt, some);
    } else {
      keep_standing(w, block);
      count(block, dt, some, lanes);
    }
    steps -= some;
  }
}

// --- the energy balance, which tells a car that diverges without a number that is not finite

template <Level Lv> void LaneBatch<Lv>::watch(const Numbers& n, std::size_t block) {
  double energy[3 * 16];
  kernel_->energy(n.model, state(block), energy);
  const void* constants = kernel_->constants(const_cast<void*>(n.model));
  LaneRecord* const record = records(block);
  for (int i = 0; i < layout_.lanes; ++i)
    if (record[i].exists && !record[i].why && record[i].steps % kWatch == 0 &&
        !balanced(block, i, energy + 3 * i, layout_.get(constants, mass_at_, i)))
      record[i].why = kNoBalance;
}

// Energy of one car since its start, behind its state in a block.
struct LaneEnergy {
  Power<double> work;
  double engine[2], changed;
};
template <Level Lv> Power<double> LaneBatch<Lv>::work(std::size_t block, int lane) const {
  Power<double> sum;
  layout_.get(state(block) + layout_.bytes<State<double, Lv>>(), lane, sum);
  if (!earlier_.empty()) add_power(sum, 1.0, earlier_[block * std::size_t(layout_.lanes) + std::size_t(lane)]);
  return sum;
}

template <Level Lv> bool LaneBatch<Lv>::balanced(std::size_t block, int lane, const double energy[3], double mass) {
  LaneRecord& r = records(block)[lane];
  void* const booked = state(block) + layout_.bytes<State<double, Lv>>();
  LaneEnergy s;
  layout_.get(booked, lane, s);
  Power<double> w = s.work;
  if (!earlier_.empty()) {  // a sum in float soon takes nothing more in
    Power<double>& sum = earlier_[block * std::size_t(layout_.lanes) + std::size_t(lane)];
    add_power(sum, 1.0, w);
    w = sum;
    layout_.put(booked, lane, Power<double>{});
  }
  const EnergyBalance e{energy[0], energy[1], r.kinetic0, r.stored0, w.drive,        w.gravity,
                        w.brake,   w.rolling, w.drag,     w.contact, w.steer,        w.hold,
                        w.damper,  energy[2], r.springs0, s.changed, r.changed_tires};
  if (!r.watched) r.unexplained = e.residual(), r.watched = true;
  return std::abs(e.residual() - r.unexplained) <= 0.1 * e.turned() + mass;
}

// --- one car

template <Level Lv> CarState<Lv> LaneBatch<Lv>::get(std::size_t car) const {
  const std::size_t block = block_of(car);
  const int i = lane_of(car);
  const LaneRecord& r = records_[car];
  LaneState<double, Lv> s;
  layout_.get(state(block), i, s);
  CarState<Lv> out{};
  out.motion = s.motion;
  out.clock = {r.time, r.steps, r.turns};
  out.balance = {work(block, i), r.kinetic0,     r.stored0, r.springs0, {s.engine[0], s.engine[1]},
                 s.changed,      r.changed_tires};
  out.last.steer = s.steer;
  const CarState<Lv>& plain = *static_cast<const CarState<Lv>*>(prototype_->whole());
  out.equipment = plain.equipment, out.actuator = plain.actuator;
  out.last.equipped = model_->units.any;
  if (!model_->units.any) return out;
  LaneUnits<double> u;
  layout_.get(units(block), i, u);
  out.equipment = u.equipment;
  out.last.act = u.act, out.last.ax = u.ax, out.last.ay = u.ay;
  if (model_->units.actuators) layout_.get(actuators(block), i, out.actuator);
  return out;
}

template <Level Lv> void LaneBatch<Lv>::put(std::size_t car, const CarState<Lv>& from) {
  const std::size_t block = block_of(car);
  const int i = lane_of(car);
  const BalanceState& b = from.balance;
  LaneRecord& r = records_[car];
  r.time = from.clock.time, r.steps = from.clock.steps, r.turns = from.clock.turns;
  r.kinetic0 = b.kinetic0, r.stored0 = b.stored0, r.springs0 = b.springs0, r.changed_tires = b.changed_tires;
  r.unexplained = 0, r.why = nullptr, r.watched = r.waits = false;
  LaneState<double, Lv> s{from.motion, b.work, {b.engine[0], b.engine[1]}, b.changed, from.last.steer};
  if (!earlier_.empty()) earlier_[car] = b.work, s.work = {};
  layout_.put(state(block), i, s);
  if (model_->units.any)
    layout_.put(units(block), i, LaneUnits<double>{from.equipment, from.last.act, from.last.ax, from.last.ay});
  if (model_->units.actuators) layout_.put(actuators(block), i, from.actuator);
}

template <Level Lv> std::shared_ptr<const CarModel<Lv>> LaneBatch<Lv>::model_of(std::size_t car) const {
  if (spec_.varied.empty()) return model_;
  VehicleSpec vehicle;
  RoadSpec road;
  spec_.of(car, vehicle, road);
  return make_car_model<Lv>(vehicle, road, spec_.car.integrator);
}

template <Level Lv> void LaneBatch<Lv>::reset(std::size_t car, const StartPose& pose) {
  const auto model = model_of(car);
  CarState<Lv> s = start_state(*model, spec_.car.vehicle, pose);
  if constexpr (kSprung<Lv>)
    if (!(pose.z0 > 0) && !(rest_left(model->model, s.motion) < kRestLeft))
      throw bad_value("x0", "car " + std::to_string(car) + " finds no balance on the road there: start it elsewhere");
  begin_balance(model->model, s);
  put(car, s);
  LaneRecord& r = records_[car];
  r.start = pose, r.watched = true, r.waits = rests(model->model, pose);
}

template <Level Lv> std::unique_ptr<LevelCar> LaneBatch<Lv>::single(std::size_t car) const {
  std::unique_ptr<LevelCar> out;
  if (spec_.varied.empty()) {
    out = prototype_->clone();
  } else {
    VehicleSpec vehicle;
    RoadSpec road;
    spec_.of(car, vehicle, road);
    out = make_level_car<Lv>(vehicle, road, spec_.car.integrator, records_[car].start);
  }
  *static_cast<CarState<Lv>*>(out->whole()) = get(car);
  out->state_changed();
  if (records_[car].waits) out->wait_on_slope();
  return out;
}
template <Level Lv> void LaneBatch<Lv>::put(std::size_t car, LevelCar& from) {
  put(car, *static_cast<const CarState<Lv>*>(from.whole()));
}

// On a slope, before the first step: as the car alone does.
template <Level Lv> void LaneBatch<Lv>::hold(std::size_t car) {
  const std::unique_ptr<LevelCar> alone = single(car);
  alone->outputs(commands(car));
  put(car, *alone);
  records_[car].watched = true;
}

template <Level Lv> const CarOutputs& LaneBatch<Lv>::outputs(unsigned worker, std::size_t car) {
  Worker& w = workers_[worker];
  if (!spec_.varied.empty() || !w.car || records_[car].waits) {
    w.car = single(car);
  } else {
    *static_cast<CarState<Lv>*>(w.car->whole()) = get(car);
    w.car->state_changed();
  }
  w.outputs = w.car->outputs(commands(car));
  if (!spec_.varied.empty() || records_[car].waits) w.car.reset();
  return w.outputs;
}

// --- commands, signals, states

template <Level Lv> void LaneBatch<Lv>::set_commands(std::size_t car, const Commands& c) {
  layout_.put(input(block_of(car)), lane_of(car), inputs(c));
}
template <Level Lv> Commands LaneBatch<Lv>::commands(std::size_t car) const {
  Inputs<double> u;
  layout_.get(input(block_of(car)), lane_of(car), u);
  return {u.steer, u.throttle, u.brake, u.handbrake, int(u.gear), {u.torque[0], u.torque[1], u.torque[2], u.torque[3]}};
}

// Numbers of a state by name: x, wheel.0.zx, travel.3, rack.x.
template <class S> void each_state(const std::string& path, std::size_t at, const auto& found) {
  const S object{};
  for_each_field<S>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(object.*(f.member))>;
    const std::size_t place = at + std::size_t(reinterpret_cast<const char*>(&(object.*(f.member))) -
                                               reinterpret_cast<const char*>(&object)) /
                                       sizeof(double);
    const std::string name = path + f.name;
    if constexpr (std::is_same_v<T, double>) {
      found(name, place);
    } else if constexpr (HasFields<T>) {
      each_state<T>(name + ".", place, found);
    } else {
      using E = typename T::value_type;
      for (std::size_t i = 0; i < std::tuple_size_v<T>; ++i) {
        const std::string each = name + "." + std::to_string(i);
        if constexpr (HasFields<E>)
          each_state<E>(each + ".", place + i * sizeof(E) / sizeof(double), found);
        else
          found(each, place + i);
      }
    }
  });
}

template <Level Lv> BatchView LaneBatch<Lv>::view(const std::string& name) {
  BatchView v;
  std::vector<std::string> names;
  each_state<State<double, Lv>>("", 0, [&](const std::string& path, std::size_t k) {
    names.push_back(path);
    if (path == name) v.data = layout_.at(states_.at(0), k, 0);
  });
  if (!v.data) throw bad_value(name, "is no state of these cars" + suggestion(name, names));
  v.blocks = blocks_, v.lanes = std::size_t(layout_.lanes);
  v.block_stride = block_bytes_, v.lane_stride = layout_.number_bytes;
  v.is_float = layout_.number_bytes == sizeof(float);
  viewed_ = true;
  return v;
}

template <Level Lv> std::vector<DirectSignal> LaneBatch<Lv>::direct_signals() const {
  std::vector<DirectSignal> out{{"t", DirectSignal::time, 0}};
  const auto wheel = wheel_names(Lv);
  each_state<State<double, Lv>>("", 0, [&](const std::string& path, std::size_t k) {
    for (const char* same : {"x", "y", "psi", "vx", "vy", "r"})
      if (path == same) out.push_back({path, DirectSignal::state, k});
    for (std::size_t i = 0; i < wheel.size(); ++i)
      if (path == "wheel." + std::to_string(i) + ".w") out.push_back({"omega_" + wheel[i], DirectSignal::state, k});
  });
  std::size_t k = 0;
  for (const char* name : {"steer_command", "throttle", "brake", "handbrake", "gear_command"})
    out.push_back({name, DirectSignal::input, k++});
  return out;
}
template <Level Lv> double LaneBatch<Lv>::direct(const DirectSignal& s, std::size_t car) const {
  if (s.from == DirectSignal::time) return records_[car].time;
  return layout_.get(s.from == DirectSignal::state ? state(block_of(car)) : input(block_of(car)), s.number,
                     lane_of(car));
}

template <Level Lv> LaneReport LaneBatch<Lv>::report(std::size_t car) const {
  const LaneRecord& r = records_[car];
  return {!r.why, r.why ? r.why : "", r.time, r.steps};
}

template <Level Lv> BatchInfo LaneBatch<Lv>::info() const {
  BatchInfo out;
  out.number = kernel_->number, out.laws = kernel_->laws, out.lanes = layout_.lanes;
  out.varied = varied_.varied() + varied_units_.varied();
  const std::size_t block = block_bytes_ + input_bytes_ + varied_.bytes_per_block() + varied_units_.bytes_per_block();
  out.bytes_per_car =
      block / std::size_t(layout_.lanes) + sizeof(LaneRecord) + (earlier_.empty() ? 0 : sizeof(Power<double>));
  return out;
}

// --- numbers of their own

template <Level Lv> std::string LaneBatch<Lv>::compare_car(unsigned worker, const BatchSpec& spec, std::size_t car) {
  Worker& w = workers_[worker];
  VehicleSpec vehicle;
  RoadSpec road;
  spec.of(car, vehicle, road);
  Faults faults = validate(vehicle, Lv);
  for (const Fault& f : validate(road)) faults.push_back(f);
  if (faults.empty()) faults = contradictions(vehicle, road, Lv);
  if (!faults.empty()) return faults[0].text();
  Model<double, Lv> m = compile<Lv>(vehicle, road);
  m.data = model_->model.data;
  const UnitParams units = compile_units(vehicle, Lv);
  if (!(m.kind == model_->model.kind) || !(static_cast<const UnitKinds&>(units) == model_->units))
    return "would give it other laws or units than the cars beside it have";
  const int i = lane_of(car);
  kernel_->set_model(w.model.at(0), i, m);
  varied_.compare(kernel_->constants(w.model.at(0)), i, w.marks);
  if (!model_->units.any) return "";
  layout_.put(w.units.at(0), i, static_cast<const UnitNumbers<double>&>(units));
  varied_units_.compare(w.units.at(0), i, w.unit_marks);
  return "";
}

template <Level Lv> void LaneBatch<Lv>::keep_varied(const BatchSpec& spec) {
  const auto merge = [&](std::vector<char> Worker::*marks, VariedNumbers& numbers) {
    std::vector<std::size_t> slots;
    for (std::size_t k = 0; k < (workers_[0].*marks).size(); ++k)
      if (std::any_of(workers_.begin(), workers_.end(), [&](const Worker& w) { return (w.*marks)[k] != 0; }))
        slots.push_back(k);
    numbers.set_slots(slots, blocks_);
  };
  spec_ = spec;
  merge(&Worker::marks, varied_);
  merge(&Worker::unit_marks, varied_units_);
  workers_.clear();
}

template <Level Lv> void LaneBatch<Lv>::fill_car(unsigned worker, std::size_t car) {
  Worker& w = workers_[worker];
  VehicleSpec vehicle;
  RoadSpec road;
  spec_.of(std::min(car, spec_.cars - 1), vehicle, road);
  const int i = lane_of(car);
  Model<double, Lv> m = compile<Lv>(vehicle, road);
  m.data = model_->model.data;
  kernel_->set_model(w.model.at(0), i, m);
  varied_.keep(block_of(car), i, kernel_->constants(w.model.at(0)));
  if (model_->units.any) {
    layout_.put(w.units.at(0), i, static_cast<const UnitNumbers<double>&>(compile_units(vehicle, Lv)));
    varied_units_.keep(block_of(car), i, w.units.at(0));
  }
  if (records_[car].exists && records_[car].steps == 0 && !records_[car].why) reset(car, records_[car].start);
  records_[car].watched = records_[car].steps == 0;
}

template <Level Lv> std::unique_ptr<LevelBatch> make_lane_batch(const BatchSpec& spec, Number number) {
  return std::make_unique<LaneBatch<Lv>>(spec, number);
}
template std::unique_ptr<LevelBatch> make_lane_batch<Level::L1>(const BatchSpec&, Number);
template std::unique_ptr<LevelBatch> make_lane_batch<Level::L2>(const BatchSpec&, Number);
template std::unique_ptr<LevelBatch> make_lane_batch<Level::L3>(const BatchSpec&, Number);
template std::unique_ptr<LevelBatch> make_lane_batch<Level::L5>(const BatchSpec&, Number);

}  // namespace vdsim
