// SPDX-License-Identifier: Apache-2.0
// Cars of one level in lanes: blocks of one register each, stepped by a kernel. Body of lane_batch.cpp.
#pragma once
#include "vdsim/engine/batch/kernels.hpp"
#include "vdsim/engine/batch/lane_memory.hpp"
#include "vdsim/engine/batch/level_batch.hpp"
#include "vdsim/engine/car_model.hpp"

namespace vdsim {

// What a batch keeps of one car beside its lane.
struct LaneRecord {
  StartPose start;
  double time = 0, turns = 0;
  std::int64_t steps = 0;
  double kinetic0 = 0, stored0 = 0, springs0 = 0;  // energy at the start [J]
  double changed_tires = 0, unexplained = 0;       // as in LevelCarOf
  const char* why = nullptr;                       // of a car that diverged
  bool watched = true, waits = false;              // waits: on a slope, for its first commands
  bool exists = false;                             // a lane behind the last car: no
};

template <Level Lv> class LaneBatch final : public LevelBatch {
 public:
  LaneBatch(const BatchSpec&, Number);
  std::size_t pieces() const override { return blocks_; }
  void ready(unsigned workers) override;
  void advance(unsigned worker, std::size_t block, double dt, long steps) override;
  std::string compare_car(unsigned worker, const BatchSpec&, std::size_t car) override;
  void keep_varied(const BatchSpec&) override;
  void fill_car(unsigned worker, std::size_t car) override;
  void set_commands(std::size_t car, const Commands&) override;
  void set_input(std::size_t number, std::size_t car, double value) override {
    layout_.set(input(block_of(car)), number, lane_of(car), value);
  }
  bool takes_torques() const override { return model_->units.any; }
  Commands commands(std::size_t car) const override;
  void reset(std::size_t car, const StartPose&) override;
  std::unique_ptr<LevelCar> single(std::size_t car) const override;
  void put(std::size_t car, LevelCar&) override;
  const CarOutputs& outputs(unsigned worker, std::size_t car) override;
  std::vector<DirectSignal> direct_signals() const override;
  double direct(const DirectSignal&, std::size_t car) const override;
  BatchView view(const std::string& state) override;
  LaneReport report(std::size_t car) const override;
  BatchInfo info() const override;

 private:
  // Of one thread: a block before its steps, a model with the numbers of a block, a car to look at single ones with.
  struct Worker {
    LaneMemory before, model, units;
    std::unique_ptr<LevelCar> car;
    CarOutputs outputs{};
    std::vector<char> marks, unit_marks;
  };
  struct Numbers {
    const void *model, *units;
  };
  std::byte* state(std::size_t block) const { return states_.at(block * block_bytes_); }
  std::byte* units(std::size_t block) const { return state(block) + layout_.bytes<LaneState<double, Lv>>(); }
  std::byte* actuators(std::size_t block) const { return units(block) + layout_.bytes<LaneUnits<double>>(); }
  std::byte* input(std::size_t block) const { return inputs_.at(block * input_bytes_); }
  std::size_t block_of(std::size_t car) const { return car / std::size_t(layout_.lanes); }
  int lane_of(std::size_t car) const { return int(car % std::size_t(layout_.lanes)); }
  LaneRecord* records(std::size_t block) { return &records_[block * std::size_t(layout_.lanes)]; }

  Numbers numbers_of(Worker&, std::size_t block) const;
  LaneFaults run(Worker&, const Numbers&, std::size_t block, double dt, int steps);
  void run_one_by_one(Worker&, const Numbers&, std::size_t block, double dt, int steps);
  unsigned going(std::size_t block) const;  // a bit for each lane whose car goes on
  void count(std::size_t block, double dt, int steps, unsigned lanes);
  void keep_standing(Worker&, std::size_t block);
  void watch(const Numbers&, std::size_t block);
  bool balanced(std::size_t block, int lane, const double energy[3], double mass);
  void hold(std::size_t car);
  Power<double> work(std::size_t block, int lane) const;
  std::shared_ptr<const CarModel<Lv>> model_of(std::size_t car) const;
  CarState<Lv> get(std::size_t car) const;
  void put(std::size_t car, const CarState<Lv>&);

  BatchSpec spec_;
  std::shared_ptr<const CarModel<Lv>> model_;  // of the setup
  std::unique_ptr<LevelCar> prototype_;
  const Kernel<Lv>* kernel_;
  LaneLayout layout_;
  std::size_t blocks_, block_bytes_, input_bytes_, mass_at_;
  LaneMemory shared_model_, shared_units_, states_, inputs_;
  VariedNumbers varied_, varied_units_;
  std::vector<LaneRecord> records_;     // of every lane
  std::vector<Power<double>> earlier_;  // float: work before the last watch [J]
  std::vector<Worker> workers_;
  bool viewed_ = false;
};

}  // namespace vdsim
