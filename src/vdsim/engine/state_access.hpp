// The state of a car, read and put back through its snapshot: for what looks inside a model or starts it from elsewhere.
#pragma once
#include <cstring>
#include <stdexcept>

#include "vdsim/engine/car.hpp"
#include "vdsim/core/vehicle/state.hpp"

namespace vdsim {

template <Level Lv> State<double, Lv> state_of(const Car& sim) {
  State<double, Lv> s;
  const auto bytes = sim.snapshot();
  std::memcpy(&s, bytes.data() + Car::kStateOffset, sizeof s);
  return s;
}
template <Level Lv> void put_state(Car& sim, const State<double, Lv>& s) {
  auto bytes = sim.snapshot();
  std::memcpy(bytes.data() + Car::kStateOffset, &s, sizeof s);
  if (!sim.restore(bytes)) throw std::logic_error("state of another level");
}

}  // namespace vdsim
