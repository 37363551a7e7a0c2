// SPDX-License-Identifier: Apache-2.0
// Body of every kernel file. Included once per instruction set; everything here depends on R, whose tag names that set,
// so no symbol is shared between files compiled with different flags.
#pragma once
#include "vdsim/core/integrate.hpp"
#include "vdsim/engine/batch/advance.hpp"

namespace vdsim {

// Of kernels_wide.cpp and kernels_fixed_wide.cpp, which are compiled with the flags of the numerics.
#ifdef VDSIM_NUMERIC_FAST
using IsaWide = IsaFast;
#elif defined(VDSIM_NEON)
using IsaWide = IsaNeon;
#else
using IsaWide = IsaAvx2;
#endif
// One register full of numbers: 16 bytes with NEON, 32 with AVX2.
#ifdef VDSIM_NEON
using WideDouble = Pack<double, 2, IsaWide>;
using WideFloat = Pack<float, 4, IsaWide>;
inline constexpr const char *kWideDouble = "double2", *kWideFloat = "float4";
#else
using WideDouble = Pack<double, 4, IsaWide>;
using WideFloat = Pack<float, 8, IsaWide>;
inline constexpr const char *kWideDouble = "double4", *kWideFloat = "float8";
#endif

template <class R, Level Lv, class Laws = Open> struct KernelOf {
  using M = Model<R, Lv, Laws>;
  // a struct of R seen as an array of R, and the same struct of double
  template <class To, class From> static void put(void* to, int i, const From& from) {
    static_assert(sizeof(To) / sizeof(R) == sizeof(From) / sizeof(double) && sizeof(To) % sizeof(R) == 0);
    R* t = static_cast<R*>(to);
    const double* f = reinterpret_cast<const double*>(&from);
    for (std::size_t k = 0; k < sizeof(From) / sizeof(double); ++k) set_lane(t[k], i, scalar_t<R>(f[k]));
  }
  static void set_model(void* model, int i, const Model<double, Lv>& m) {
    M* to = static_cast<M*>(model);
    if constexpr (std::is_same_v<Laws, Open>) {
      to->kind = m.kind;
      to->data = m.data;
      put<VehicleParams<R, Lv>>(&to->p, i, m.p);
    } else {
      // by way of an open model of R: nothing of double may be compiled here
      Model<R, Lv> open;
      M one;
      put<VehicleParams<R, Lv>>(&open.p, i, m.p);
      copy_fixed(open, one);
      R* t = reinterpret_cast<R*>(&to->p);
      const R* f = reinterpret_cast<const R*>(&one.p);
      for (std::size_t k = 0; k < sizeof(one.p) / sizeof(R); ++k) set_lane(t[k], i, lane(f[k], i));
    }
  }
  static void* constants(void* model) { return &static_cast<M*>(model)->p; }
  static void set_state(void* state, int i, const State<double, Lv>& s) { put<State<R, Lv>>(state, i, s); }
  static void set_input(void* input, int i, const Inputs<double>& u) { put<Inputs<R>>(input, i, u); }
  static void get_state(const void* state, int i, State<double, Lv>& s) {
    const R* f = static_cast<const R*>(state);
    double* t = reinterpret_cast<double*>(&s);
    for (std::size_t k = 0; k < sizeof(s) / sizeof(double); ++k) t[k] = double(lane(f[k], i));
  }
  static LaneFaults advance(const LaneRun& run) {
    const LaneFaults faults = advance_lanes<R, Lv, Laws>(run);
    end();
    return faults;
  }
  static void energy(const void* model, const void* state, double* out) {
    const M& m = *static_cast<const M*>(model);
    const LaneState<R, Lv>& s = *static_cast<const LaneState<R, Lv>*>(state);
    const EnergyNow<R> e = energy_of(m, s.motion, s.engine, s.steer);
    for (int i = 0; i < lanes<R>; ++i) {
      out[3 * i] = double(lane(e.kinetic, i));
      out[3 * i + 1] = double(lane(e.stored, i));
      out[3 * i + 2] = double(lane(e.springs, i));
    }
    end();
  }
  static void run(Integrator method, const void* model, void* state, const void* input, double h, int steps) {
    double turns[lanes<R>] = {};
    LaneRun r{method, h, steps, model, state, input};
    r.turns = turns;
    advance(r);
  }
  static void end() {
#ifdef __AVX__
    _mm256_zeroupper();  // g++ 12 leaves it out here, and scalar code after a batch then runs at half speed
#endif
  }
  static void run_wheel(const void* model, void* state, double h, int steps) {
    const M& m = *static_cast<const M*>(model);
    State<R, Lv>& s = *static_cast<State<R, Lv>*>(state);
    const auto kind = m.kind.tire[0];
    const auto& p = m.p.wheel[0].tire;
    const R one = R(1.0), zero = R(0.0), Fz = R(4000.0);
    WheelState<R> w = s.wheel[0];
    for (int i = 0; i < steps; ++i) {
      Contact<R> c{s.vx, s.vy, p.R0 * w.w, zero, one, one, zero};
      c.Re = p.R0;
      TireSlip<R> o;
      WheelAffine<R> rate;
      slip_free(kind, p, w, c, o);
      slip_loaded(kind, p, w, Fz, c, o);
      const TireForce<R> f = tire_force(kind, p, w, c, o, Fz);
      const TireMoments<R> moment = tire_rates(kind, p, w, c, o, f, Fz, rate);
      const R spin = w.w;
      rate.w = {zero, zero};
      each_affine<R>(kind, [&](auto member, auto r) { w.*member = adv(w.*member, (rate.*r).L, (rate.*r).v, R(h)); });
      w.w = spin;
      s.vy = s.vy - R(1e-12) * (f.Fy + moment.Mz + moment.Mx);  // nothing may be left out as unused
    }
    s.wheel[0] = w;
    end();
  }
  static constexpr Kernel<Lv> table(const char* number) {
    return {number,
            std::is_same_v<Laws, Open> ? "open" : "mf96+rolling",
            lanes<R>,
            sizeof(scalar_t<R>),
            sizeof(M),
            sizeof(LaneState<R, Lv>),
            sizeof(Inputs<R>),
            alignof(M),
            sizeof(M::p) / sizeof(R),
            constants,
            set_model,
            set_state,
            set_input,
            get_state,
            advance,
            energy,
            run,
            run_wheel};
  }
};

}  // namespace vdsim
