// SPDX-License-Identifier: Apache-2.0
// One car on one road: model, state and outputs; the only stateful class a user meets. A value: copy it, save it, step it.
// Deterministic: same calls, same bytes.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "vdsim/core/road/spec.hpp"
#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/engine/outputs.hpp"

namespace vdsim {

struct FieldRef;
template <class R, Level Lv> struct State;
class LevelCar;
struct LinearCar;

// What the driver does. Pedals and lever 0..1; steer is the road-wheel angle of the equivalent single track [rad], positive left.
struct Commands {
  double steer = 0, throttle = 0, brake = 0, handbrake = 0;
  int gear = 1;                    // 1 forward, 0 neutral, -1 reverse; manual gearbox: the gear
  std::array<double, 4> torque{};  // asked of single wheels, beside the pedals [N m]
  bool operator==(const Commands&) const = default;
};

struct StartPose {
  double x0 = 0, y0 = 0, yaw0 = 0, vx0 = 0;  // wheels roll without slip at vx0, bristles relaxed
  double z0 = 0;                             // L3, L5: dropped from this height; 0 = stands on the road
};

// Energy now, at the start, and where it went since [J]. The balance closes:
//   (kinetic - kinetic0) = drive + gravity + steer + hold - brake - rolling - drag - contact - damper,
//   contact + damper = what is lost + (stored - stored0)
// A change while driving (Car::change, an engine coupled or freed) adds `changed` to the first line, `changed_tires` to stored.
struct EnergyBalance {
  double kinetic, stored, kinetic0, stored0;             // body, wheels, reflected engine; bristles, patch twist
  double drive, gravity, brake, rolling, drag, contact;  // brake: with the LSD clutch; contact: road on tires, all four
  double steer, hold;                                    // by the steering motor; by the low-speed fallback
  double damper, springs, springs0;                      // L3, L5: lost in dampers and tires; held by springs and tires
  double changed, changed_tires;                         // by changes: kinetic + springs; stored in the tires
  double slip() const { return contact - (stored - stored0 - changed_tires); }
  double residual() const {  // what the balance does not explain: the error of the integration
    return (kinetic - kinetic0) + (springs - springs0) - changed -
           (drive + gravity + steer + hold - brake - rolling - drag - contact - damper);
  }
  double turned() const {  // what went through the balance: the residual is small against it
    return (kinetic > kinetic0 ? kinetic : kinetic0) + size(springs - springs0) + size(drive) + size(gravity) +
           size(brake) + size(rolling) + size(drag) + size(contact) + size(steer) + size(hold) + size(damper);
  }

 private:
  static double size(double x) { return x < 0 ? -x : x; }
};

// Everything a car is made of, each with a default: a sedan at rest on a flat road.
struct CarSetup {
  VehicleSpec vehicle{};
  RoadSpec road{};
  Level level = Level::L2;
  Integrator integrator = Integrator::rk4;
  StartPose start{};
};

// What a change of the car could not carry on: force of each wheel after it less before it [N], wheel frame. From and to L1,
// which has one wheel per axle: against the share that the wheel was to carry.
struct ForceJump {
  int wheels = 0;
  std::array<double, 4> fx{}, fy{};
};

class Car {
 public:
  // Throws BadInput with every fault (engine/validate.hpp): nothing is half built.
  Car(const VehicleSpec&, const RoadSpec&, Level, Integrator, const StartPose&);
  explicit Car(const CarSetup& s) : Car(s.vehicle, s.road, s.level, s.integrator, s.start) {}
  ~Car();
  Car(const Car&);
  Car& operator=(const Car&);
  Car(Car&&) noexcept;
  Car& operator=(Car&&) noexcept;

  // Advance by dt; every command goes linearly from `from` to `to` over the step (gear: `from`).
  // Returns false, and keeps the state before the step, if the step diverged; why() says how that showed. Throws BadInput, and
  // nothing changes, if a command is out of range or dt too long for this car (engine/step_limit.hpp).
  bool step(const Commands& from, const Commands& to, double dt);
  bool step(const Commands& held, double dt) { return step(held, held, dt); }
  const char* why() const;  // of the last step that returned false; "" if none did

  // Between two steps the car becomes another one, on another road, at another level, with another integrator; `to.start` is not read.
  // `now`: the commands the last step ended with. Pose, velocities, rolling speeds, clock, rack, actuators and equipment go on;
  // heat and wear where both tires are rally tires. The tires carry the contact force on, as far as the new ones can: what they cannot
  // (less grip, no lag to keep it in) is returned. A car that gets springs takes the attitude in which these forces hold it.
  // Throws BadInput with every fault, and nothing changes; also at another level in the air or tilted by more than 0.3 rad.
  ForceJump change(const CarSetup& to, const Commands& now);

  // Every signal now, with the forces that these commands make. One evaluation; asked again with the same commands, none, and
  // a step of RK4 from these commands begins with it.
  const CarOutputs& outputs(const Commands& now) const;
  // The same without any evaluation: motion and commands of now; forces, loads and accelerations of the last evaluation of the
  // step before, at its end (RK4) or within it. For drivers and conditions that look at every step.
  CarOutputs glance(const Commands& now) const;
  EnergyBalance energy() const;
  double vx() const;
  double heading() const;  // [rad]; L5: within -pi .. pi
  double time() const;
  long steps() const;
  long evaluations() const;  // of the equations of motion so far
  int wheels() const;
  Level level() const;

  // Body, wheels, tires and rack, for who looks inside or starts from elsewhere. Throws std::logic_error at another level.
  template <Level Lv> const State<double, Lv>& motion() const;
  template <Level Lv> void set_motion(const State<double, Lv>&);

  std::vector<FieldRef> state();                      // everything that persists, by name (engine/snapshot.hpp)
  void state_changed();                               // call it after writing through state()
  std::uint64_t model_hash() const;                   // of car, tires, road and its data
  std::vector<std::byte> snapshot() const;            // of state(), with the hash of its layout and of the model
  bool restore(std::span<const std::byte> snapshot);  // false, and nothing changed, if it is of another model or layout

 private:
  friend class ContinuousCar;                                   // engine/continuous.hpp
  friend LinearCar linearize(const Car&, const Commands& now);  // engine/linear/linearize.hpp
  friend class Batch;                                           // engine/batch/batch.hpp
  struct Setup {
    VehicleSpec vehicle;
    Level level;
    Integrator integrator;
  };
  std::unique_ptr<LevelCar> car_;
  std::shared_ptr<const Setup> setup_;  // what the length of a step is checked with
  double checked_ = 0;                  // the longest step that was [s]
};

}  // namespace vdsim
