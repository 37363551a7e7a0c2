// SPDX-License-Identifier: Apache-2.0
// Cars of one level behind Batch: in lanes (lane_batch.hpp), or one by one where their tires have a memory of their own.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "vdsim/engine/batch/batch.hpp"
#include "vdsim/engine/batch/car_fields.hpp"
#include "vdsim/engine/level_car.hpp"

namespace vdsim {

// A number that differs from car to car.
struct VariedField {
  CarField field;
  std::vector<double> values;  // of every car
};

// What a batch is made of; car i has the setup's numbers but for the varied ones.
struct BatchSpec {
  CarSetup car;
  std::size_t cars = 0;
  std::vector<VariedField> varied;
  void of(std::size_t i, VehicleSpec& vehicle, RoadSpec& road) const {
    vehicle = car.vehicle, road = car.road;
    for (const VariedField& v : varied) v.field.set(vehicle, road, v.values[i]);
  }
};

// A signal that is read without an evaluation: where it stands.
struct DirectSignal {
  std::string name;
  enum From { time, state, input } from;
  std::size_t number;
};

class LevelBatch {
 public:
  virtual ~LevelBatch() = default;
  virtual std::size_t pieces() const = 0;  // that threads take: registers full of cars, or cars
  virtual void ready(unsigned workers) = 0;
  // Steps of one piece, commands held. Pieces are independent of each other.
  virtual void advance(unsigned worker, std::size_t piece, double dt, long steps) = 0;
  // New numbers, of `spec`: the cars are compiled twice, first to see which numbers differ and what is wrong with them (a line for each
  // car, "" = nothing), then to keep those; nothing has changed until keep_varied().
  virtual std::string compare_car(unsigned worker, const BatchSpec& spec, std::size_t car) = 0;
  virtual void keep_varied(const BatchSpec& spec) = 0;
  virtual void fill_car(unsigned worker, std::size_t car) = 0;

  virtual void set_commands(std::size_t car, const Commands&) = 0;
  virtual void set_input(std::size_t number, std::size_t car, double) = 0;  // a number of Inputs, in their order
  virtual bool takes_torques() const = 0;
  virtual Commands commands(std::size_t car) const = 0;
  virtual void reset(std::size_t car, const StartPose&) = 0;
  // The car alone, as it is now, and back.
  virtual std::unique_ptr<LevelCar> single(std::size_t car) const = 0;
  virtual void put(std::size_t car, LevelCar&) = 0;
  virtual const CarOutputs& outputs(unsigned worker, std::size_t car) = 0;
  virtual std::vector<DirectSignal> direct_signals() const = 0;
  virtual double direct(const DirectSignal&, std::size_t car) const = 0;
  virtual BatchView view(const std::string& state) = 0;
  virtual LaneReport report(std::size_t car) const = 0;
  virtual BatchInfo info() const = 0;
};

// Compiled once per level.
template <Level Lv> std::unique_ptr<LevelBatch> make_lane_batch(const BatchSpec&, Number);
std::unique_ptr<LevelBatch> make_car_batch(const BatchSpec&);

}  // namespace vdsim
