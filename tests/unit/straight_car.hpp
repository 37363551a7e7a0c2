// SPDX-License-Identifier: Apache-2.0
// A car on a straight road: four wheels, dry-friction brakes, load transfer, and the equipment under test.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>

#include "vdsim/core/vehicle/equipment.hpp"
#include "vdsim/core/vehicle/model.hpp"

namespace vdsim::straight {

inline constexpr double kRadius = 0.32, kSpin = 2.0, kMass = 1500;

// Friction over slip: 1 at the peak. As it stands the peak is at 0.15, and 0.77 are left when locked.
struct FrictionCurve {
  double B = 13, C = 1.65;
  double operator()(double slip) const {
    const double x = B * slip;
    return std::sin(C * std::atan(0.4 * x + 0.6 * std::atan(x)));
  }
};

// Four wheels on a straight road, dry-friction brakes, load transfer, open differential on the rear axle.
struct Straight {
  ControlSpec control;
  BrakeSpec brake;
  PowertrainSpec powertrain;
  double mu[4] = {1, 1, 1, 1}, slope = 0;  // gravity along the car [m/s^2]
  FrictionCurve grip;
  double v = 30, x = 0, ax = 0, h = 1e-3, t = 0, w[4], slip[4] = {}, bias = 0,
         roll = 0;  // roll: so long without brakes before a stop [s]
  EquipmentKind kind{};
  EquipmentParams<double> p{};
  EquipmentState<double> s{};
  Actuation<double> out[3];

  Straight() { brake = {9000, 0.62, 2500}; }
  CarView<double> view() const {
    CarView<double> c{};
    c.vx = v;
    c.ax = ax + bias;  // forces alone: gravity does not move the sensor against the car
    for (int i = 0; i < 4; ++i) c.w[i] = w[i], c.radius[i] = kRadius;
    return c;
  }
  void start(double speed) {
    v = speed;
    for (double& each : w) each = v / kRadius;
    kind = equipment_kind(powertrain, control);
    p = compile_equipment({}, brake, {}, powertrain, control);
    s = start_equipment(kind, p, view());
  }
  void step(double throttle, double pedal) {
    equipment_step(kind, p, s, {0.0, throttle, pedal, 0.0, 1.0}, {0.0, throttle, pedal, 0.0, 1.0}, view(), h, out);
    const int n = 10;
    for (int k = 0; k < n; ++k) {
      const double dt = h / n;
      double F = 0, f[4], wdot[4];
      for (int i = 0; i < 4; ++i) {
        const double lever = (i < 2 ? -1 : 1) * 0.5 * kMass * ax * 0.55 / 2.7;
        const double Fz = std::max(0.0, 0.5 * kMass * kGravity * (i < 2 ? 1.5 : 1.2) / 2.7 + lever);
        slip[i] = (v - kRadius * w[i]) / std::max({v, kRadius * w[i], 0.5});
        const double Fx = -mu[i] * Fz * grip(slip[i]);
        f[i] = 0.5 * out[1].T[i / 2] + out[1].Tw[i] - kRadius * Fx - (w[i] > 0 ? out[1].cap[i] : 0);
        F += Fx;
      }
      for (int i = 0; i < 4; ++i) {  // (I + e) w_l' + e w_r' = f_l and mirrored: the engine turns with the mean
        const double e = 0.25 * out[1].engine[i / 2];
        wdot[i] = ((kSpin + e) * f[i] - e * f[i ^ 1]) / (kSpin * (kSpin + 2 * e));
      }
      for (int i = 0; i < 4; ++i) w[i] = w[i] + dt * wdot[i] < 0 && out[1].cap[i] > 0 ? 0 : w[i] + dt * wdot[i];
      ax += (F / kMass - ax) * dt / 0.02;  // the body pitches in 20 ms
      v += dt * (F / kMass + slope);
      x += dt * v;
    }
    t += h;
  }
};

struct Stop {
  double distance, mean[4], deepest[4], locked;  // slips between 0.5 s and 5 m/s; time with a wheel beyond 0.5
};
inline Stop stop(const std::function<void(Straight&)>& set, double speed = 30, double pedal = 1) {
  Straight car;
  set(car);
  car.start(speed);
  Stop r{};
  int n = 0;
  while (car.t < car.roll) car.step(0, 0);
  const double from = car.x, scale = speed * speed / (car.v * car.v), t0 = car.t;
  while (car.v > 0.05 && car.t < 60) {
    car.step(0, pedal);
    if (car.t < t0 + 0.5 || car.v < 5) continue;
    ++n;
    for (int i = 0; i < 4; ++i) {
      r.mean[i] += car.slip[i];
      r.deepest[i] = std::max(r.deepest[i], car.slip[i]);
      r.locked += car.slip[i] > 0.5 ? car.h : 0;
    }
  }
  for (double& each : r.mean) each /= std::max(n, 1);
  r.distance = (car.x - from) * scale;
  return r;
}

}  // namespace vdsim::straight
