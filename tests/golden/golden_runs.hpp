// SPDX-License-Identifier: Apache-2.0
// The runs whose final states are hashed: the same on every compiler, optimisation level, and on a GPU in double.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "vdsim/core/integrate.hpp"
#include "vdsim/core/vehicle/compile.hpp"

namespace golden {
using namespace vdsim;

enum class Tire { rolling, breakaway, fallback, vlow, belt, rally, file };

// A file with shifts, camber, combined slip and moments; numbers of the usual size.
inline TirSpec file() {
  TirSpec t;
  t.longitudinal.PCX1 = 1.6, t.longitudinal.PDX1 = 1.1, t.longitudinal.PDX2 = -0.1, t.longitudinal.PKX1 = 20;
  t.longitudinal.PEX1 = 0.3, t.longitudinal.PEX4 = 0.1, t.longitudinal.PHX1 = 1e-3, t.longitudinal.PVX1 = 5e-3;
  t.longitudinal.RBX1 = 10, t.longitudinal.RBX2 = 8, t.longitudinal.RCX1 = 1;
  t.lateral.PCY1 = 1.3, t.lateral.PDY1 = 1, t.lateral.PDY2 = -0.1, t.lateral.PKY1 = -20, t.lateral.PKY2 = 2;
  t.lateral.PEY1 = -1, t.lateral.PHY1 = 2e-3, t.lateral.PVY1 = 0.01, t.lateral.RBY1 = 9, t.lateral.RBY2 = 8;
  t.lateral.RCY1 = 1, t.lateral.RVY1 = 0.02, t.lateral.RVY4 = 8, t.lateral.RVY5 = 1.9, t.lateral.RVY6 = -10;
  t.aligning.QBZ1 = 9, t.aligning.QCZ1 = 1.1, t.aligning.QDZ1 = 0.1, t.aligning.QDZ6 = 1e-3, t.aligning.QEZ1 = -1;
  t.rolling.QSY1 = 0.01;
  t.structural.LONGITUDINAL_STIFFNESS = 4e5, t.structural.LATERAL_STIFFNESS = 1e5;
  t.vertical.BREFF = 8, t.vertical.DREFF = 0.24, t.vertical.FREFF = 0.01;
  return t;
}

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
    t->belt.enabled = tire == Tire::belt;
    if (tire == Tire::belt || tire == Tire::file) t->lugre.enabled = true;
    if (tire == Tire::rally) t->schema = TireSchema::rally_v1;
    if (tire == Tire::file) t->backend = TireBackend::magic_formula, t->tir = file();
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

template <Level Lv> VD_FN void run(const Model<double, Lv>& m, Integrator method, double h, State<double, Lv>& s) {
  for (int i = 0; i * h < 3.5; ++i) integrate(method, m, s, commands(i * h), commands((i + 1) * h), h);
}

// `advance(model, method, h, state)` runs one car on the host or on a device.
template <Level Lv, class Advance>
void line(const char* name, const VehicleSpec& spec, Integrator method, double h, Advance&& advance) {
  const Model<double, Lv> m = compile<Lv>(spec, road());
  State<double, Lv> s = start<Lv>(m, 0, 0, 0, 8);
  advance(m, method, h, s);
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto add = [&](const auto& from, int numbers) {
    unsigned char bytes[sizeof from];
    std::memcpy(bytes, &from, sizeof from);
    for (int i = 0; i < numbers * int(sizeof(double)); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ull;
  };
  add(s,
      int((reinterpret_cast<const char*>(&s.wheel) - reinterpret_cast<const char*>(&s)) / sizeof(double)));  // the body
  // a tire without temperatures does not count them
  for (int i = 0; i < kWheels<Lv>; ++i)
    add(s.wheel[std::size_t(i)], m.kind.tire[i].steady == SteadyLaw::rally ? 10 : 7);
  std::printf("%s.%s %s%016llx\n", name, EnumNames<Level>::names[std::size_t(Lv)],
              finite(s) ? "" : "not finite: ", static_cast<unsigned long long>(hash));
}

template <class Advance>
void lines(const char* name, const VehicleSpec& spec, Integrator method, double h, Advance&& advance) {
#ifdef GOLDEN_LEVEL  // one level: a compiler for GPUs takes minutes for each
  line<Level::GOLDEN_LEVEL>(name, spec, method, h, advance);
#else
  line<Level::L1>(name, spec, method, h, advance);
  line<Level::L2>(name, spec, method, h, advance);
  line<Level::L3>(name, spec, method, h, advance);
  line<Level::L5>(name, spec, method, h, advance);
#endif
}

// The contact patch keeps its memory outside the state: its forces are hashed, over a ride with stops and turns of the wheel.
inline void patch_lines() {
  for (const PatchFidelity fidelity : {PatchFidelity::average, PatchFidelity::exact, PatchFidelity::distributed}) {
    PatchSpec spec;
    spec.fidelity = fidelity;
    spec.load = PatchLoad::trapezoidal;
    const PatchKind kind = patch_kind(spec);
    const PatchParams<double> p = compile_patch(spec);
    PatchMemory<double> memory;
    patch_start(kind, p, PatchMotion<double>{8, 0.1, 0, 1}, memory);
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (int i = 1; i < 3000; ++i) {
      const double t = i * 1e-3, U = 8 - 4 * t, v = 0.1 + 0.5 * t * (1 - t);
      const PatchForce<double> f = patch_advance(kind, p, memory, PatchMotion<double>{U, v, 0.3 - 0.2 * t, 1}, 1e-3);
      unsigned char bytes[3 * sizeof(double)];
      std::memcpy(bytes, &f, sizeof bytes);
      for (const unsigned char b : bytes) hash = (hash ^ b) * 0x100000001b3ull;
    }
    std::printf("patch.%s %016llx\n", EnumNames<PatchFidelity>::names[std::size_t(fidelity)],
                static_cast<unsigned long long>(hash));
  }
}

template <class Advance> void print_all(Advance&& advance) {
  lines("rolling.rk4", car(Tire::rolling, Differential::Open), Integrator::rk4, 1e-3, advance);
  lines("rolling.euler", car(Tire::rolling, Differential::LSD), Integrator::euler, 1e-3, advance);
  lines("rolling.implicit", car(Tire::rolling, Differential::Locked), Integrator::implicit, 5e-3, advance);
  lines("breakaway.rk4", car(Tire::breakaway, Differential::Open), Integrator::rk4, 1e-3, advance);
  lines("fallback.rk4", car(Tire::fallback, Differential::LSD), Integrator::rk4, 1e-3, advance);
  lines("belt.rk4", car(Tire::belt, Differential::Open), Integrator::rk4, 1e-3, advance);
  lines("rally.rk4", car(Tire::rally, Differential::LSD), Integrator::rk4, 1e-3, advance);
  lines("rally.implicit", car(Tire::rally, Differential::Open), Integrator::implicit, 5e-3, advance);
  lines("file.rk4", car(Tire::file, Differential::Open), Integrator::rk4, 1e-3, advance);
  patch_lines();
  lines("vlow.implicit", car(Tire::vlow, Differential::Open), Integrator::implicit, 2e-3, advance);
}

}  // namespace golden
