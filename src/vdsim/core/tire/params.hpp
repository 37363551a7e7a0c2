// SPDX-License-Identifier: Apache-2.0
// Compiled tire: constants the laws read, all of type R; what a tire remembers, and the rates of it.
#pragma once
#include "vdsim/core/math/real.hpp"
#include "vdsim/core/road/surface.hpp"
#include "vdsim/core/tire/laws.hpp"
#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

inline constexpr double kSpeedEps = 0.15;    // [m/s] floor of the reported slip ratio and of the fallback's slip
inline constexpr double kStickBlend = 3.0;   // [m/s] fallback: below it the kinematic blend acts
inline constexpr double kKinTau = 0.05;      // [s]   fallback: pull onto the kinematic curve
inline constexpr double kStickC = 6e4;       // [N s/m] fallback: brake-hold damper per wheel
inline constexpr double kPresliding = 0.03;  // [rad] breakaway law: lateral presliding gate
inline constexpr double kTiny = 1e-30;       // tau of the theory pages: keeps quotients of zeros finite, in float too

// One direction of the steady law, normalised to its largest value on (0, cap].
template <class R> struct Curve {
  R B, C, E;         // magic formula; linear backend: B = slope / peak
  R s_p, inv_s_p;    // slip of the peak, at most 0.5
  R cap;             // largest slip the curve is read at
  R inv_fp, inv_f1;  // 1 / max of the curve, max / curve(s_p)
};

// Both directions of a steady law: slip ratio [-], tan(slip angle) or slip angle [rad].
template <class R> struct Curves {
  Curve<R> lon, lat;
  R s_m;  // sqrt(s_px s_py)
};

// Steady law mf96 or linear: its curves, and what goes with them.
template <class R> struct MfParams : Curves<R> {
  R D_long, D_lat, mu_n, load_sens, inv_Fz_n, C_gamma;  // peak factors; friction; 1/N; camber thrust [1/rad]
  R rolling_resistance, t_0, inv_alp_0;                 // [-], trail [m], [1/rad]
  R reff_b, reff_d, reff_f, reff_gain;                  // effective radius law, gain = Fz0/Cz [m]
};
// Steady law of a .tir file: its coefficients, and what a car needs besides.
template <class R> struct TirTireParams {
  TirParams<R> law;
  R x_px, x_py;    // B s of the peaks at nominal load
  R cap_x, cap_y;  // largest slips the curves are read at
  R pressure;      // inflation pressure [Pa]
};

// Bristles, of the rolling and the breakaway law.
template <class R> struct BristleParams {
  R sigma0_x, sigma0_y, sigma1_x, sigma1_y;  // [N/m], [N s/m]
  R inv_v_st;                                // 1/speed below which a sliding patch sticks [s/m]
};
template <class R> struct RollingParams {
  R inv_sigma0_x, inv_sigma0_y, decay_x, decay_y;   // 1/sigma0; sigma1/(2 sigma0) [s]
  R v_st, inv_v_d;                                  // [m/s], [s/m]
  R beta, inv_1m_beta;                              // elastic share
  R r_psi, inv_r_psi, c_psi, inv_c_psi, inv_L_psi;  // parking torque
};
template <class R> struct BreakawayParams {
  R sigma2;               // viscous [N s/m]
  R belt_long, belt_lat;  // relaxation length of the belt [m]
};
template <class R> struct AlgebraicParams {
  R inv_relax_long, inv_relax_lat;  // 1/relaxation length [1/m]: tire + belt
  R vlow_eps, vlow_k0;              // tire_vlow: [m/s], [N s/m]
};

template <class R> struct AnyTireParams {
  R R0;     // free radius [m]
  R inv_b;  // 1/roll memory [1/m], 0 = none
};
// Open: any law. A union member that is not the tire's law is never read; the largest comes first, so that {} clears all.
template <class R, class K = TireKind> struct TireParams : AnyTireParams<R>, BristleParams<R> {
  union {
    TirTireParams<R> tir;
    RallyParams<R> rally;
    MfParams<R> mf;
  };
  union {
    RollingParams<R> rolling;
    AlgebraicParams<R> algebraic;
    BreakawayParams<R> breakaway;
  };
};
// Fixed: the members that the laws have.
template <class R, SteadyLaw S> struct SteadyPart { MfParams<R> mf; };
template <class R> struct SteadyPart<R, SteadyLaw::tir> { TirTireParams<R> tir; };
template <class R> struct SteadyPart<R, SteadyLaw::rally> { RallyParams<R> rally; };
template <class R, ContactLaw C> struct ContactPart {};
template <class R> struct ContactPart<R, ContactLaw::rolling> : BristleParams<R> { RollingParams<R> rolling; };
template <class R> struct ContactPart<R, ContactLaw::breakaway> : BristleParams<R> { BreakawayParams<R> breakaway; };
template <class R> struct ContactPart<R, ContactLaw::algebraic> { AlgebraicParams<R> algebraic; };
template <class R, class L> struct TireParams<R, FixedTire<L>>
    : AnyTireParams<R>, SteadyPart<R, FixedTire<L>::steady>, ContactPart<R, FixedTire<L>::contact> {};

// The numbers of an open tire that a fixed one has; the caller has compared the laws.
template <class R, class L> VD_FN void fix_tire(const TireParams<R>& from, TireParams<R, FixedTire<L>>& to) {
  using K = FixedTire<L>;
  static_cast<AnyTireParams<R>&>(to) = from;
  if constexpr (K::steady == SteadyLaw::tir)
    to.tir = from.tir;
  else if constexpr (K::steady == SteadyLaw::rally)
    to.rally = from.rally;
  else
    to.mf = from.mf;
  if constexpr (K::contact == ContactLaw::rolling) to.rolling = from.rolling;
  if constexpr (K::contact == ContactLaw::breakaway) to.breakaway = from.breakaway;
  if constexpr (K::contact == ContactLaw::algebraic) to.algebraic = from.algebraic;
  if constexpr (has_bristles(K{})) static_cast<BristleParams<R>&>(to) = from;
}

// Everything a tire remembers between steps, and the wheel's spin.
template <class R> struct WheelState {
  R w;                       // spin [rad/s], positive rolls forward
  R zx, zy;                  // bristle deflection [m], sign of Fx, Fy (both laws)
  R roll;                    // roll memory [m]
  R pivot;                   // twist of the standing patch [rad]
  R kap, alp;                // algebraic law: lagged slips [-], [rad]
  R T_tread, T_core, tread;  // rally tire: temperatures [degC], tread life 1 .. 0
  R belt_vx, belt_vy;        // breakaway law with belt: slip velocities of the belt [m/s], sign of Fx, Fy

  static constexpr auto fields() {
    using S = WheelState;
    return std::tuple{field("w", &S::w, "rad/s", any_finite(), "spin"),
                      field("zx", &S::zx, "m", any_finite(), "longitudinal bristle"),
                      field("zy", &S::zy, "m", any_finite(), "lateral bristle"),
                      field("roll", &S::roll, "m", any_finite(), "roll memory"),
                      field("pivot", &S::pivot, "rad", any_finite(), "patch twist"),
                      field("kap", &S::kap, "-", any_finite(), "lagged slip ratio"),
                      field("alp", &S::alp, "rad", any_finite(), "lagged slip angle"),
                      field("T_tread", &S::T_tread, "degC", any_finite(), "rally tire: tread temperature"),
                      field("T_core", &S::T_core, "degC", any_finite(), "rally tire: carcass temperature"),
                      field("tread", &S::tread, "-", any_finite(), "rally tire: tread life, 1 new, 0 bald"),
                      field("belt_vx", &S::belt_vx, "m/s", any_finite(), "belt: lagged longitudinal slip velocity"),
                      field("belt_vy", &S::belt_vy, "m/s", any_finite(), "belt: lagged lateral slip velocity")};
  }
};
VD_COMPLETE(WheelState<double>);

// y' = v - L y: how every tire state and the spin is handed to the integrator (L >= 0 [1/s]).
template <class R> struct Affine { R L, v; };
template <class R> struct WheelAffine {
  Affine<R> w, zx, zy, roll, pivot, kap, alp, T_tread, T_core, tread;  // as in WheelState
};
// Calls f(state member, rate member) for every state the integrator advances; the breakaway law advances its own.
template <class R, class K, class F> VD_INLINE void each_affine(const K& kind, F&& f) {
  using S = WheelState<R>;
  using A = WheelAffine<R>;
  f(&S::w, &A::w);
  if (kind.contact == ContactLaw::rolling) {
    f(&S::zx, &A::zx);
    f(&S::zy, &A::zy);
    if (kind.roll_memory) f(&S::roll, &A::roll);
    if (kind.pivot) f(&S::pivot, &A::pivot);
  }
  if (kind.relax_long) f(&S::kap, &A::kap);
  if (kind.relax_lat) f(&S::alp, &A::alp);
  if (kind.steady == SteadyLaw::rally) {
    f(&S::T_tread, &A::T_tread);
    f(&S::T_core, &A::T_core);
    f(&S::tread, &A::tread);
  }
}

// Calls f(state member) for every state that another law than the integrator's advances: the bristles of the breakaway law
// and its belt, the mean deflections of a contact patch.
template <class R, class K, class F> VD_INLINE void each_own_state(const K& kind, F&& f) {
  using S = WheelState<R>;
  if (kind.contact == ContactLaw::breakaway || kind.contact == ContactLaw::patch) {
    f(&S::zx);
    f(&S::zy);
  }
  if (kind.belt) {
    f(&S::belt_vx);
    f(&S::belt_vy);
  }
}
// Temperatures and wear go on for ever: no steady state, and a run starts with a fresh tire.
template <class R> constexpr bool wears(R WheelState<R>::*state) {
  using S = WheelState<R>;
  return state == &S::T_tread || state == &S::T_core || state == &S::tread;
}

// exp(-q^2), exactly 0 from q = 6.5 on (5e-19, below rounding): a rolling car then skips the exponential altogether.
template <class R> VD_NOINLINE R gauss_near(R q2) { return select(q2 < R(42.25), exp(-q2), R(0.0)); }
template <class R> VD_INLINE R gauss(R q) {
  const R q2 = q * q;
  return any(q2 < R(42.25)) ? gauss_near(q2) : R(0.0);
}

// 1/a and 1/b for the price of one division; a and b are forces or shape values, far from the ends of the float range.
template <class R> struct TwoInverses { R a, b; };
template <class R> VD_INLINE TwoInverses<R> inverses(R a, R b) {
  const R i = R(1.0) / (a * b);
  return {b * i, a * i};
}

}  // namespace vdsim
