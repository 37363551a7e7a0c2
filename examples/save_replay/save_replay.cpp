// SPDX-License-Identifier: Apache-2.0
// Save, go on, restore, replay: the same commands give the same bits. A snapshot of another car is refused.
#include <cmath>
#include <cstdio>

#include <vdsim/engine/car.hpp>

using namespace vdsim;

static bool drive(Car& car, double seconds) {
  const double end = car.time() + seconds;
  while (car.time() < end - 1e-9) {
    Commands c;
    c.steer = car.time() < 5 ? 0.05 * std::sin(3 * car.time()) : 0;
    c.throttle = car.time() < 3 ? 0.6 : 0;
    c.brake = car.time() < 3 ? 0 : 0.9;  // down to rest and beyond
    if (!car.step(c, 0.005)) return false;
  }
  return true;
}

int main() {
  CarSetup setup;
  setup.start.vx0 = 12;
  Car car(setup);
  if (!drive(car, 2)) return 1;

  const std::vector<std::byte> saved = car.snapshot();  // plain bytes: to a file, over a network
  Car copy = car;                                       // a car is a value: this works as well
  if (!drive(car, 6)) return 1;
  const std::vector<std::byte> first = car.snapshot();

  if (!car.restore(saved) || !drive(car, 6) || !drive(copy, 6)) return 1;
  const bool replayed = car.snapshot() == first, copied = copy.snapshot() == first;

  setup.vehicle.chassis.cg_height = 0.6;
  Car other(setup);
  const bool refused = !other.restore(saved);
  std::printf("save_replay: %zu bytes, replay %s, copy %s, another car %s; speed %.1e m/s at x = %.3f m\n",
              saved.size(), replayed ? "same bits" : "DIFFERS", copied ? "same bits" : "DIFFERS",
              refused ? "refused" : "ACCEPTED", car.vx(), car.outputs({}).x);
  return replayed && copied && refused && std::abs(car.vx()) < 1e-6 ? 0 : 1;
}
