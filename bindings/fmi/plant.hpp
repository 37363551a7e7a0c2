// SPDX-License-Identifier: Apache-2.0
// What an FMU steps: a car of a scene, or a tire alone on the rig.
#pragma once
#include <memory>
#include <span>

#include "bindings/fmi/variables.hpp"
#include "vdsim/engine/tire_rig.hpp"
#include "vdsim/study/sim.hpp"

namespace vdsim::fmi {

// The inputs over a communication step: value + rate (time since it began). In the order of Variable::input.
struct Course {
  const std::vector<double>&value, &rate;
};

class Plant {
 public:
  virtual ~Plant() = default;
  virtual double time() const = 0;               // since the start [s]
  virtual double dt() const = 0;                 // of an internal step [s]
  virtual const char* why() const = 0;           // the last step diverged
  virtual std::span<const double> values() = 0;  // in the order of Variable::column
  virtual bool reads_inputs() const = 0;
  virtual void begin(const std::vector<double>& inputs) = 0;  // with these, before the first step. Throws BadInput
  // One internal step of length h that begins `done` after the communication step did. False, and nothing changed, if it diverged;
  // throws BadInput, and nothing changes.
  virtual bool step(const Course&, double done, double h) = 0;

  // Continuous states and their rates, of cars that offer model exchange.
  virtual void continuous(std::vector<double>& states, std::vector<double>& rates) { states.clear(), rates.clear(); }

  virtual std::size_t snapshot_size() const = 0;
  virtual void snapshot(std::span<std::byte>) const = 0;
  virtual bool restore(std::span<const std::byte>) = 0;  // false, and nothing changed, if it is of another one
};

class CarPlant : public Plant {
 public:
  CarPlant(const Scenario& scene, int command_level, Control control)
      : sim_(scene, scene.cars.at(0)), level_(command_level), control_(control) {}
  void change(const Scenario& scene) { sim_.change(scene, scene.cars.at(0)); }

  double time() const override { return sim_.time(); }
  double dt() const override { return sim_.dt(); }
  const char* why() const override { return sim_.why(); }
  std::span<const double> values() override { return sim_.values(); }
  bool reads_inputs() const override { return control_ == Control::external; }
  void begin(const std::vector<double>& inputs) override;
  bool step(const Course&, double done, double h) override;
  void continuous(std::vector<double>& states, std::vector<double>& rates) override;
  std::size_t snapshot_size() const override { return sim_.snapshot_size(); }
  void snapshot(std::span<std::byte> out) const override { sim_.snapshot(out); }
  bool restore(std::span<const std::byte> in) override { return sim_.restore(in); }

 private:
  Sim sim_;
  int level_;
  Control control_;
  std::vector<double> work_;
};

// Clock: as of Sim.
class TirePlant : public Plant {
 public:
  explicit TirePlant(const Document& part);
  TirePlant(const TirePlant&) = delete;  // its image points into it
  TirePlant& operator=(const TirePlant&) = delete;

  double time() const override { return base_ + static_cast<double>(steps_) * kRigStep; }
  double dt() const override { return kRigStep; }
  const char* why() const override { return "a force is not finite"; }
  std::span<const double> values() override;
  bool reads_inputs() const override { return true; }
  void begin(const std::vector<double>& inputs) override;
  bool step(const Course&, double done, double h) override;
  std::size_t snapshot_size() const override { return image_.size(); }
  void snapshot(std::span<std::byte> out) const override { image_.save(out); }
  bool restore(std::span<const std::byte>) override;

 private:
  TireRig rig_;
  RigInput last_;    // what acts now
  double base_ = 0;  // where the grid of steps begins [s]
  std::int64_t steps_ = 0;
  StateImage image_;
  std::vector<double> values_;
};

}  // namespace vdsim::fmi
