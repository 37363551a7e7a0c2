// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/drive_rows.hpp"

#include <algorithm>

namespace vdsim {
namespace {

std::size_t place_of(const std::vector<Column>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace

DriveRows::DriveRows(std::shared_ptr<const Catalog> catalog, const TapedScene& taped) : end_(taped.tape.end) {
  look_ahead(*catalog, taped);
  session_ = std::make_unique<LiveSession>(std::move(catalog), taped);
  for (Columns& car : cars_) car.row.resize(car.columns.size());
  count_from_here();
}

// Every scene of the drive: what its rows need, and how long it takes.
void DriveRows::look_ahead(const Catalog& catalog, const TapedScene& taped) {
  Scenario scene = taped.scene;
  cars_.resize(scene.cars.size());
  const auto add_columns = [&] {
    for (std::size_t i = 0; i < cars_.size(); ++i)
      for (Column& column : row_columns(scene.cars[i], scene.road))
        if (std::vector<Column>& all = cars_[i].columns; place_of(all, column.name) == all.size())
          all.push_back(std::move(column));
  };
  add_columns();
  std::int64_t at = 0;
  const auto pass = [&](std::int64_t to) {
    end_time_ += static_cast<double>(to - at) * scene.solver.dt;
    at = to;
  };
  for (const TapeEvent& event : taped.tape.events) {
    if (event.kind == TapeEvent::Kind::reset) resets_.push_back(event.step);
    if (event.kind != TapeEvent::Kind::edit) continue;
    pass(event.step);
    change_scene(catalog, event.sets, scene);
    add_columns();
  }
  pass(end_);
}

void DriveRows::count_from_here() {
  rate_ = session_->scene().timing.rate, dt_ = session_->dt(), from_ = session_->step();
  clock_ = RowClock(rate_, dt_);
}

bool DriveRows::due() {
  if (session_->scene().timing.rate != rate_ || session_->dt() != dt_) count_from_here();
  return session_->step() == end_ || clock_.due(session_->step() - from_);
}

bool DriveRows::next() {
  const std::int64_t before = session_->step();
  if (started_ && before == end_) return false;
  if (!started_)
    started_ = true;
  else
    do session_->advance(1);
    while (!due());
  clock_.written(session_->step() - from_);
  restarted_ = std::any_of(resets_.begin(), resets_.end(),
                           [&](std::int64_t step) { return step > before && step <= session_->step(); });
  return true;
}

std::span<const double> DriveRows::row(std::size_t i) {
  Columns& car = cars_.at(i);
  if (car.generation != session_->generation()) {
    car.place.clear();
    for (const Column& signal : session_->signals(i)) car.place.push_back(place_of(car.columns, signal.name));
    car.generation = session_->generation();
    std::fill(car.row.begin(), car.row.end(), 0);
  }
  const std::span<const double> values = session_->values(i);
  for (std::size_t k = 0; k < values.size(); ++k) car.row[car.place[k]] = values[k];
  return car.row;
}

CarOutputs DriveRows::outputs(std::size_t car) const {
  const Sim& sim = session_->sim(car);
  CarOutputs out = sim.car().outputs(sim.commands());
  out.t = session_->time();
  return out;
}

}  // namespace vdsim
