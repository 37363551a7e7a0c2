// SPDX-License-Identifier: Apache-2.0
// One car or tire of an FMU, whatever the version of FMI: values by reference, steps, states. What is refused throws; nothing has changed then.
#pragma once
#include <functional>
#include <memory>
#include <stdexcept>

#include "bindings/fmi/exchange.hpp"

namespace vdsim::fmi {

// The importer's mistake.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// events: model exchange, between two stretches of continuous time
enum class Phase { instantiated, initializing, stepping, terminated, events };

// What fmi2GetFMUstate and its likes hand out.
struct SavedState {
  Phase phase = Phase::instantiated;
  double start = 0;  // time at which the simulation began [s]
  std::vector<double> parameters, inputs, rates;
  std::vector<std::byte> plant;  // snapshot; none before the first value was asked for
};

class Instance {
 public:
  // `folder`: the resources; `use`: cs or me. Throws BadInput, Refused.
  Instance(const std::string& folder, const std::string& token, Kind use);

  const std::vector<Variable>& variables() const { return variables_; }
  const Variable& at(std::uint32_t vr) const;  // throws Refused
  double get(const Variable&);
  void set(const Variable&, double);
  void set_rate(const Variable&, double);  // of an input, over the next step [1/s]

  void enter_initialization(double start);
  void exit_initialization();
  // By h from time t of the importer. False if it diverged: time() is how far it came. `between`: after each internal step, true
  // ends there.
  bool step(double t, double h, const std::function<bool()>& between = {});
  // Model exchange. After the initialization there are events first.
  ExchangePlant& exchange();  // throws Refused where this is none, or not initialized
  void set_time(double t);
  void enter_events();
  bool settle();  // true if the states changed
  void leave_events();
  void terminate();
  void reset();
  double time() const { return start_ + (plant_ ? plant_->time() : 0); }
  const char* why() const { return plant_ ? plant_->why() : ""; }
  Phase phase() const { return phase_; }
  const std::string& token() const { return token_; }
  bool reads_inputs() const { return !plant_ || plant_->reads_inputs(); }

  SavedState save() const;
  void restore(const SavedState&);
  std::vector<std::byte> bytes_of(const SavedState&) const;
  SavedState read_bytes(std::span<const std::byte>) const;  // throws Refused if cut, damaged or of another FMU

 private:
  Scenario changed_scene(const std::vector<double>& parameters) const;
  void check_columns(std::size_t count) const;
  std::vector<Assignment> changes(const std::vector<double>& parameters) const;
  std::unique_ptr<Plant> new_plant(const std::vector<double>& parameters) const;
  Control control(const std::vector<double>& parameters) const;
  void build();       // the plant, of the parameters of now
  void need_plant();  // with the inputs of now
  double& parameter(const Variable&);
  double continuous(const Variable&);

  std::shared_ptr<const Catalog> catalog_;
  Options options_;
  std::unique_ptr<const Document> document_;
  Kind use_;
  std::vector<Variable> variables_;
  std::vector<int> by_reference_;  // index into variables_, -1 = none
  std::string token_;
  Phase phase_ = Phase::instantiated;
  double start_ = 0;
  std::vector<double> parameters_;  // one for each variable
  std::vector<double> inputs_, rates_;
  std::vector<double> states_, state_rates_, indicators_;  // as they were asked for last
  bool changed_ = false, asked_ = false;  // parameters since the plant was built; inputs since it was told
  std::unique_ptr<Plant> plant_;
};

}  // namespace vdsim::fmi
