// SPDX-License-Identifier: Apache-2.0
// A car whose integrator is the importer: model exchange.
#pragma once
#include "bindings/fmi/plant.hpp"
#include "vdsim/engine/continuous.hpp"

namespace vdsim::fmi {

class ExchangePlant : public Plant {
 public:
  explicit ExchangePlant(Scenario scene);
  ExchangePlant(const ExchangePlant&) = delete;  // its image points into it
  ExchangePlant& operator=(const ExchangePlant&) = delete;
  std::unique_ptr<ExchangePlant> changed(Scenario) const;  // the same state in another scene

  double time() const override { return time_; }
  double dt() const override { return scene_.solver.dt; }
  const char* why() const override { return "a rate is not finite"; }
  std::span<const double> values() override;
  bool reads_inputs() const override { return true; }
  void begin(const std::vector<double>& inputs) override;  // at any time
  bool step(const Course&, double, double) override { return false; }
  void continuous(std::vector<double>& states, std::vector<double>& rates) override;
  std::size_t snapshot_size() const override { return image_.size(); }
  void snapshot(std::span<std::byte> out) const override { image_.save(out); }
  bool restore(std::span<const std::byte>) override;

  std::size_t state_count() const { return view_.states().size(); }
  std::size_t indicator_count() const { return view_.indicators(); }
  const std::vector<ContinuousState>& states() const { return view_.states(); }
  void set_time(double t);
  void get_states(std::span<double> out) const { view_.get(out); }
  void set_states(std::span<const double>);
  bool rates(std::span<double> out);  // false where one is not finite
  void indicators(std::span<double> out) { view_.indicators(now_, out); }
  bool accept() { return view_.accept(now_); }
  bool settle();

 private:
  Scenario scene_;  // the road may point into it
  SignalScope scope_;
  Car car_;
  ContinuousCar view_;
  Commands now_;
  double time_ = 0;
  GripMode mode_{};
  int begun_ = 0;  // the mode has been decided
  StateImage image_;
  std::vector<double> values_;
};

}  // namespace vdsim::fmi
