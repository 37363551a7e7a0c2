// SPDX-License-Identifier: Apache-2.0
// Cars in the lanes of one register, one after the other set up and read, all stepped at once.
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "vdsim/engine/batch/kernels.hpp"
#include "vdsim/engine/energy.hpp"

namespace vdsim {

template <Level Lv> class Lanes {
 public:
  // Every lane the same car at rest; its lanes may then be set apart. The kernel must take the car: kernel<Lv>(number, numeric, car).
  Lanes(const Kernel<Lv>& kernel, const Model<double, Lv>& car)
      : k_(&kernel), model_(memory(k_->model_bytes)), state_(memory(k_->state_bytes)), input_(memory(k_->input_bytes)) {
    for (int lane = 0; lane < lanes(); ++lane) {
      set_car(lane, car);
      set_state(lane, start<Lv>(car, 0, 0, 0, 0));
      set_commands(lane, {});
    }
  }
  int lanes() const { return k_->lanes; }
  // Other numbers than its neighbours, but the same laws.
  void set_car(int lane, const Model<double, Lv>& car) { k_->set_model(model_.get(), lane, car); }
  void set_state(int lane, const State<double, Lv>& s) { k_->set_state(state_.get(), lane, s); }
  void set_commands(int lane, const Commands& c) { k_->set_input(input_.get(), lane, inputs(c)); }
  State<double, Lv> state(int lane) const {
    State<double, Lv> s;
    k_->get_state(state_.get(), lane, s);
    return s;
  }
  // `steps` steps of dt [s], commands held
  void run(Integrator method, double dt, int steps) {
    k_->run(method, model_.get(), state_.get(), input_.get(), dt, steps);
  }
  // the front left tire alone (Kernel::run_wheel)
  void run_wheel(double dt, int steps) { k_->run_wheel(model_.get(), state_.get(), dt, steps); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, kAlignment); }
  };
  using Memory = std::unique_ptr<std::byte, Free>;
  static Memory memory(std::size_t bytes) {
    Memory m(static_cast<std::byte*>(::operator new(bytes, kAlignment)));
    std::memset(m.get(), 0, bytes);
    return m;
  }

  const Kernel<Lv>* k_;
  Memory model_, state_, input_;
};

}  // namespace vdsim
