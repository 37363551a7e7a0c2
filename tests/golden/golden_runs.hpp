// The runs whose final states are hashed: the same on every compiler, optimisation level, and on a GPU in double.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "vdsim/integrate.hpp"
#include "vdsim/vehicle/compile.hpp"

namespace golden {
using namespace vdsim;

enum class Tire { rolling, breakaway, fallback, vlow };

inline VehicleSpec car(Tire tire, Differential diff) {
  VehicleSpec v;
  v.drivetrain.differential = diff;
  v.steering.ackerman_percent = 60;
  v.brake.brake_bias_front = 0.62;
  for (TireSpec* t : {&v.tire_fl, &v.tire_fr, &v.tire_rl, &v.tire_rr}) {
    t->load_sensitivity = 0.15;
    t->rolling_resistance = 0.015;
    t->relaxation_length_lat = 0.6;
    t->relaxation_length_long = tire == Tire::fallback ? 0.15 : 0;
    t->lugre.enabled = tire == Tire::rolling || tire == Tire::breakaway;
    t->lugre.law = tire == Tire::breakaway ? LugreLaw::breakaway : LugreLaw::rolling;
    t->low_speed_mode = tire == Tire::vlow ? LowSpeedMode::tire_vlow : LowSpeedMode::kinematic_blend;
  }
  return v;
}

// Accelerate, steer, brake to a stop while steering on a slope with a slippery patch, roll back.
VD_FN Inputs<double> commands(double t) {
  if (t < 0.5) return {0.2 * t, 0.6, 0, 0, 1};
  if (t < 1.0) return {0.1 - 0.3 * (t - 0.5), 0, 0.2, 0, 1};
  if (t < 2.5) return {-0.05, 0, 0.9, 0, 1};
  return {0.1, 0.1, 0, 0, -1};
}

inline RoadSpec road() {
  RoadSpec r;
  r.grade = 0.1;
  r.bank = 0.03;
  r.patch_count = 1;
  r.patches[0].mu = 0.3;
  r.patches[0].count = 4;
  r.patches[0].polygon = {{{4, -1}, {9, -1}, {9, 1}, {4, 1}}};
  return r;
}

template <int NW> VD_FN void run(const Model<double, NW>& m, Integrator method, double h, State<double, NW>& s) {
  for (int i = 0; i * h < 3.5; ++i) integrate(method, m, s, commands(i * h), commands((i + 1) * h), h);
}

// `advance(model, method, h, state)` runs one car on the host or on a device.
template <int NW, class Advance>
void line(const char* name, const VehicleSpec& spec, Integrator method, double h, Advance&& advance) {
  const Model<double, NW> m = compile<NW>(spec, road());
  State<double, NW> s = start<NW>(m, 0, 0, 0, 8);
  advance(m, method, h, s);
  unsigned char bytes[sizeof s];
  std::memcpy(bytes, &s, sizeof s);
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const unsigned char b : bytes) hash = (hash ^ b) * 0x100000001b3ull;
  std::printf("%s.L%d %s%016llx\n", name, NW / 2,
              finite(s) ? "" : "not finite: ", static_cast<unsigned long long>(hash));
}

template <class Advance>
void lines(const char* name, const VehicleSpec& spec, Integrator method, double h, Advance&& advance) {
  line<2>(name, spec, method, h, advance);
  line<4>(name, spec, method, h, advance);
}

template <class Advance> void print_all(Advance&& advance) {
  lines("rolling.rk4", car(Tire::rolling, Differential::Open), Integrator::rk4, 1e-3, advance);
  lines("rolling.euler", car(Tire::rolling, Differential::LSD), Integrator::euler, 1e-3, advance);
  lines("rolling.implicit", car(Tire::rolling, Differential::Locked), Integrator::implicit, 5e-3, advance);
  lines("breakaway.rk4", car(Tire::breakaway, Differential::Open), Integrator::rk4, 1e-3, advance);
  lines("fallback.rk4", car(Tire::fallback, Differential::LSD), Integrator::rk4, 1e-3, advance);
  lines("vlow.implicit", car(Tire::vlow, Differential::Open), Integrator::implicit, 2e-3, advance);
}

}  // namespace golden
