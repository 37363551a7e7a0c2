// One car on one road: the only stateful class a user meets. Deterministic: same calls, same bytes.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "vdsim/core/road/spec.hpp"
#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

// What the driver does. Pedals and lever 0..1; steer is the road-wheel angle of the equivalent single track [rad], positive left.
struct Commands {
  double steer = 0, throttle = 0, brake = 0, handbrake = 0;
  int gear = 1;                    // 1 forward, 0 neutral, -1 reverse; a gearbox shifted by hand: the gear
  std::array<double, 4> torque{};  // asked of single wheels, beside the pedals [N m]
};

struct StartPose {
  double x0 = 0, y0 = 0, yaw0 = 0, vx0 = 0;  // wheels roll without slip at vx0, bristles relaxed
  double z0 = 0;                             // L3, L5: let fall from this height; 0 = stands on the road
};

// One sample of everything a recorder writes; wheels f, r (L1) or fl, fr, rl, rr; forces of the road on the tire, wheel frame.
struct WheelOutputs {
  double omega, kappa, alpha, fz, fx, fy, mz, mu, zx, zy;
  double t_tread, t_core, tread;  // rally tire, else 0
  bool outside;                   // a .tir file was asked for a load or slip outside its ranges
  double travel, camber;          // L3, L5: up against the body [m]; inclination against the road [rad]
};
struct CarOutputs {
  double t, x, y, psi, vx, vy, r, ax,
      ay;  // ax, ay: time derivative of the velocity, body axes (vx' - r vy, vy' + r vx)
  int wheels;
  WheelOutputs wheel[4];
  // L3, L5: CG above the road plane [m], roll (left up), pitch (nose down) [rad], their rates, vertical speed, acceleration;
  // L5: velocities, rates and accelerations in body axes
  double z, roll, pitch, vz, p, q, az;
  double steer;                     // where the front wheels point, single track [rad]
  double engine_speed, gear;        // powertrain [rad/s], else 0; gear that is in
  double alpha[3];                  // angular acceleration, body axes [rad/s^2]
  double position[3], attitude[9];  // CG; body axes as columns, row by row; axes of the road plane
};

// Energy now, at the start, and where it went since [J]. The balance closes:
//   (kinetic - kinetic0) = drive + gravity + steer + hold - brake - rolling - drag - contact - damper,
//   contact + damper = what is lost + (stored - stored0)
struct EnergyBalance {
  double kinetic, stored, kinetic0, stored0;             // body, wheels, reflected engine; bristles, patch twist
  double drive, gravity, brake, rolling, drag, contact;  // brake: with the LSD clutch; contact: road on tires, all four
  double steer, hold;                                    // by the steering motor; by the low-speed fallback
  double damper, springs, springs0;                      // L3, L5: lost in dampers and tires; held by springs and tires
  double slip() const { return contact - (stored - stored0); }
  double residual() const {  // what the balance does not explain: the error of the integration
    return (kinetic - kinetic0) + (springs - springs0) -
           (drive + gravity + steer + hold - brake - rolling - drag - contact - damper);
  }
};

class Car {
 public:
  Car(const VehicleSpec&, const RoadSpec&, Level, Integrator, const StartPose&);
  ~Car();
  Car(Car&&) noexcept;

  // Advance by dt; every command goes linearly from `from` to `to` over the step (gear: `from`).
  // Returns false, and keeps the state before the step, if the step diverged.
  bool step(const Commands& from, const Commands& to, double dt);
  bool step(const Commands& held, double dt) { return step(held, held, dt); }

  CarOutputs sample(const Commands& now) const;  // t, state and the forces that act now
  EnergyBalance energy() const;
  double vx() const;
  double psi() const;
  double time() const;
  long steps() const;
  int wheels() const;
  Level level() const;

  static constexpr std::size_t kStateOffset = 24;     // of State<double, Lv> in a snapshot
  std::vector<std::byte> snapshot() const;            // header + layout hash + model hash + bytes of the state
  bool restore(std::span<const std::byte> snapshot);  // false, and nothing changed, if it is of another model or layout

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vdsim
