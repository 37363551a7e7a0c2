// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/snapshot.hpp"
#include "vdsim/formats/shown.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

// Hash of all that a car of the scene depends on: the scene without the other cars, and without what only files of rows read.
std::string car_hash(const Scenario& scene, std::size_t car) {
  Scenario alone = scene;
  alone.cars = {scene.cars[car]};
  alone.id.clear(), alone.label.clear(), alone.timing.rate = 0;
  return scenario_hash(alone);
}

// Accumulated since `from`; what is stored then counts as the start.
EnergyBalance since(const EnergyBalance& from, EnergyBalance e) {
  e.kinetic0 = from.kinetic, e.stored0 = from.stored, e.springs0 = from.springs;
  double EnergyBalance::*const sums[] = {&EnergyBalance::drive,   &EnergyBalance::gravity,      &EnergyBalance::brake,
                                         &EnergyBalance::rolling, &EnergyBalance::drag,         &EnergyBalance::contact,
                                         &EnergyBalance::steer,   &EnergyBalance::hold,         &EnergyBalance::damper,
                                         &EnergyBalance::changed, &EnergyBalance::changed_tires};
  for (const auto sum : sums) e.*sum -= from.*sum;
  return e;
}

std::string edit_text(const std::vector<Assignment>& sets) {
  std::string out;
  for (const Assignment& set : sets) out += fmt::format("{}{}={}", out.empty() ? "" : " ", set.path, set.value);
  return out;
}

}  // namespace

struct LiveSession::Edited {
  Epoch epoch;
  std::vector<std::unique_ptr<Sim>> sim;  // of cars that became others
};

LiveSession::LiveSession(std::shared_ptr<const Catalog> catalog, Scenario scene)
    : catalog_(std::move(catalog)), first_(std::make_shared<const Scenario>(std::move(scene))) {
  begin();
}

LiveSession::LiveSession(std::shared_ptr<const Catalog> catalog, const TapedScene& taped)
    : catalog_(std::move(catalog)),
      first_(std::make_shared<const Scenario>(taped.scene)),
      end_(taped.tape.end),
      events_(taped.tape.events),
      hashes_(taped.tape.hashes),
      last_hash_(taped.tape.hash) {
  begin();
}

void LiveSession::begin() {
  Epoch epoch{first_, {}, {}, 0};
  for (std::size_t i = 0; i < first_->cars.size(); ++i) {
    LiveCar& car = cars_.emplace_back();
    car.sim = std::make_unique<Sim>(*first_, first_->cars[i]);
    car.values.resize(car.sim->signals().size());
    epoch.car.push_back(car_hash(*first_, i));
    epoch.energy.push_back(car.sim->car().energy());
  }
  now_ = std::make_shared<const Epoch>(std::move(epoch));
  reached();
}

// --- events

// Who did something else here has left the drive that lay ahead.
void LiveSession::cut() {
  events_.resize(done_);
  event_time_.resize(std::min(event_time_.size(), done_));
  hashes_.resize(std::min(hashes_.size(), static_cast<std::size_t>(step_ / Tape::kHashEvery) + 1));
  while (!snapshots_.empty() && snapshots_.back().step > step_) snapshots_.pop_back();
  end_ = step_;
  last_hash_.clear();
}

void LiveSession::take(TapeEvent event) {
  cut();
  event.step = step_;
  events_.push_back(std::move(event));
  event_time_.push_back(time());
  ++done_;
}

void LiveSession::drive(std::size_t i, const Demand& demand) {
  LiveCar& car = cars_[i];
  car.sim->drive(demand);
  car.hand = demand;
}

void LiveSession::command(std::size_t car, const Demand& wanted) {
  const CarSpec& spec = scene().cars.at(car);
  const Demand demand = rounded(wanted);
  // once more: nothing new, but to a car that waits for commands
  if (spec.control == Control::internal && cars_[car].hand && same(*cars_[car].hand, demand)) return;
  check_demands(demand, demand, spec.driver.path.given());
  TapeEvent event;
  event.kind = TapeEvent::Kind::command, event.car = car, event.demand = demand;
  take(std::move(event));
  drive(car, demand);
}

LiveSession::Edited LiveSession::edited(const std::vector<Assignment>& sets) const {
  Scenario next = scene();
  change_scene(*catalog_, sets, next);
  Edited out{{nullptr, {}, {}, now_->generation + 1}, {}};
  for (std::size_t i = 0; i < cars(); ++i) {
    const Sim& old = *cars_[i].sim;
    const CarSpec& spec = next.cars[i];
    std::unique_ptr<Sim> sim;
    out.epoch.car.push_back(car_hash(next, i));
    if (out.epoch.car[i] != now_->car[i]) {
      const Sim at_start(next, spec);  // a reset must find a start
      sim = std::make_unique<Sim>(scene(), scene().cars[i]);
      std::vector<std::byte> state(old.snapshot_size());
      old.snapshot(state);
      if (!sim->restore(state)) throw std::logic_error("a car does not take its own state");
      sim->change(next, spec);
    }
    out.epoch.energy.push_back((sim ? *sim : old).car().energy());
    out.sim.push_back(std::move(sim));
  }
  out.epoch.scene = std::make_shared<const Scenario>(std::move(next));
  return out;
}

void LiveSession::become(Edited next) {
  if (next.epoch.scene->solver.dt != dt()) base_ = time(), base_step_ = step_;
  for (std::size_t i = 0; i < cars(); ++i)
    if (next.sim[i]) {
      cars_[i].sim = std::move(next.sim[i]);
      cars_[i].values.resize(cars_[i].sim->signals().size());
    }
  now_ = std::make_shared<const Epoch>(std::move(next.epoch));
}

void LiveSession::edit(const std::vector<Assignment>& sets) {
  for (const Assignment& set : sets)
    if (printable(set.path) != set.path || printable(set.value) != set.value)
      throw bad_value(printable(set.path), "control characters are not allowed here");
  Edited next = edited(sets);
  TapeEvent event;
  event.kind = TapeEvent::Kind::edit, event.sets = sets;
  take(std::move(event));
  become(std::move(next));
}

void LiveSession::restart() {
  Epoch epoch = *now_;
  base_ = time(), base_step_ = step_;
  for (std::size_t i = 0; i < cars(); ++i) {
    cars_[i].sim->reset();
    cars_[i].hand.reset();
    cars_[i].why.clear();
    epoch.energy[i] = cars_[i].sim->car().energy();
  }
  now_ = std::make_shared<const Epoch>(std::move(epoch));
}

void LiveSession::reset() {
  take({});
  restart();
}

// What the tape says of this step.
void LiveSession::play() {
  while (done_ < events_.size() && events_[done_].step == step_) {
    const TapeEvent& event = events_[done_];
    const double at = time();
    switch (event.kind) {
      case TapeEvent::Kind::command: drive(event.car, event.demand); break;
      case TapeEvent::Kind::edit: become(edited(event.sets)); break;
      case TapeEvent::Kind::reset: restart(); break;
    }
    if (event_time_.size() == done_) event_time_.push_back(at);
    ++done_;
  }
}

// --- steps

bool LiveSession::step_cars() {
  bool all = true;
  for (std::size_t i = 0; i < cars_.size(); ++i) {
    LiveCar& car = cars_[i];
    if (!car.why.empty()) continue;
    const bool by_hand = car.hand && car.sim->spec().control == Control::internal;
    if (by_hand ? car.sim->step(*car.hand, *car.hand, dt()) : car.sim->advance(1)) continue;
    car.why = car.sim->why();
    if (car.why.empty()) car.why = "the step diverged";
    all = false;
  }
  return all;
}

bool LiveSession::advance(std::int64_t steps) {
  bool all = true;
  for (; steps > 0; --steps) {
    play();  // an event that was refused before is tried again
    all = step_cars() && all;
    ++step_;
    reached();
  }
  return all;
}

void LiveSession::reached() {
  if (step_ % kSnapshotEvery == 0) keep();
  if (step_ % Tape::kHashEvery == 0) {
    const auto n = static_cast<std::size_t>(step_ / Tape::kHashEvery);
    std::string now = hash();
    if (n >= hashes_.size())
      hashes_.push_back(std::move(now));
    else if (hashes_[n] != now)
      note_difference();
  }
  play();
  if (step_ == end_ && !last_hash_.empty() && hash() != last_hash_) note_difference();
}

void LiveSession::note_difference() { differs_ = std::min(differs_.value_or(step_), step_); }

// --- back

void LiveSession::keep() {
  if (!snapshots_.empty() && snapshots_.back().step >= step_) return;
  Snapshot& now = snapshots_.emplace_back();
  now.step = step_, now.base_step = base_step_, now.base = base_, now.events = done_, now.epoch = now_;
  for (const LiveCar& car : cars_) {
    Snapshot::OfCar& of = now.car.emplace_back();
    if (!spare_.empty()) of.state = std::move(spare_.back()), spare_.pop_back();
    of.state.resize(car.sim->snapshot_size());
    car.sim->snapshot(of.state);
    of.hand = car.hand, of.why = car.why;
  }
  thin();
}

// Older than kDense seconds one of ten stays, than ten times that one of a hundred, and so on.
void LiveSession::thin() {
  if (step_ % (100 * kSnapshotEvery) != 0) return;
  std::erase_if(snapshots_, [&](Snapshot& snapshot) {
    std::int64_t spacing = kSnapshotEvery;
    for (double age = kDense / dt(); static_cast<double>(step_ - snapshot.step) > age; age *= 10) spacing *= 10;
    if (snapshot.step % spacing == 0) return false;
    for (Snapshot::OfCar& of : snapshot.car) spare_.push_back(std::move(of.state));
    return true;
  });
}

void LiveSession::restore(const Snapshot& from) {
  for (std::size_t i = 0; i < cars(); ++i) {
    LiveCar& car = cars_[i];
    if (from.epoch->car[i] != now_->car[i]) {
      const Scenario& scene = *from.epoch->scene;
      car.sim = std::make_unique<Sim>(scene, scene.cars[i]);
      car.values.resize(car.sim->signals().size());
    }
    if (!car.sim->restore(from.car[i].state)) throw std::logic_error("a car does not take its own state");
    car.hand = from.car[i].hand, car.why = from.car[i].why;
  }
  now_ = from.epoch;
  step_ = from.step, base_step_ = from.base_step, base_ = from.base, done_ = from.events;
  play();
}

void LiveSession::rewind(std::int64_t step) {
  if (step < 0 || step > end())
    throw bad_value("step", fmt::format("{} is not in the drive, which has steps 0 to {}", step, end()));
  if (step_ >= end_) end_ = step_, last_hash_ = hash();
  auto near = std::upper_bound(snapshots_.begin(), snapshots_.end(), step,
                               [](std::int64_t at, const Snapshot& s) { return at < s.step; });
  --near;  // step 0 has one
  if (step < step_ || near->step > step_) restore(*near);
  advance(step - step_);
}

// --- what hosts read

std::span<const double> LiveSession::values(std::size_t i) {
  LiveCar& car = cars_.at(i);
  const std::span<const double> now = car.sim->values();
  std::copy(now.begin(), now.end(), car.values.begin());
  car.values[0] = time();
  return car.values;
}

EnergyBalance LiveSession::energy(std::size_t car) const {
  return since(now_->energy.at(car), cars_.at(car).sim->car().energy());
}

std::string LiveSession::hash() const {
  std::uint64_t all = kHashStart;
  std::vector<std::byte> state;
  for (const LiveCar& car : cars_) {
    state.resize(car.sim->snapshot_size());
    car.sim->snapshot(state);
    const std::uint64_t content = snapshot_content(state);
    all = fnv1a({reinterpret_cast<const char*>(&content), sizeof content}, all);
  }
  return fmt::format("{:016x}", all);
}

Tape LiveSession::taped() const {
  Tape out;
  out.vdsim = version_text();
  out.config = scenario_hash(*first_);
  out.scene = scenario_text(*first_);
  out.dt = first_->solver.dt;
  for (const CarSpec& car : first_->cars) out.cars.push_back(car.id);
  out.events = events_, out.hashes = hashes_, out.end = end();
  out.hash = step_ >= end_ ? hash() : last_hash_;
  name_files(*catalog_, true, out);
  return out;
}

std::vector<LiveMark> LiveSession::marks() const {
  std::vector<LiveMark> out;
  for (std::size_t i = 0; i < event_time_.size(); ++i)
    if (const TapeEvent& event = events_[i]; event.kind != TapeEvent::Kind::command)
      out.push_back({event.step, event_time_[i],
                     event.kind == TapeEvent::Kind::edit ? edit_text(event.sets) : enum_name(event.kind)});
  return out;
}

LiveSession replay_tape(std::shared_ptr<const Catalog> catalog, std::string_view text, const std::string& file) {
  const TapedScene taped = load_tape(*catalog, text, file);
  LiveSession out(std::move(catalog), taped);
  out.advance(taped.tape.end);
  return out;
}

}  // namespace vdsim
