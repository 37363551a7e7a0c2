// Compiled tire: constants the laws read, all of type R, and the switches that are the same for every lane of a batch.
#pragma once
#include "vdsim/core/math/real.hpp"
#include "vdsim/core/tire/mf_tyre_params.hpp"
#include "vdsim/core/tire/rally_params.hpp"
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

// What a car needs of a .tir file besides its coefficients.
template <class R> struct TirAt {
  R x_px, x_py;  // B s of the peaks at nominal load
  R pressure;    // inflation pressure [Pa]
};

template <class R> struct TireParams : Curves<R> {  // MF96 curves; a law whose curves depend on the load has its own
  R D_long, D_lat, mu_n, load_sens, inv_Fz_n, C_gamma;  // peak factors; friction; 1/N; camber thrust [1/rad]
  R rolling_resistance, t_0, inv_alp_0;                 // [-], trail [m], [1/rad]
  R R0, reff_b, reff_d, reff_f, reff_gain;              // free radius [m]; effective radius law, gain = Fz0/Cz [m]
  R sigma0_x, sigma0_y, sigma1_x, sigma1_y, sigma2;     // [N/m], [N s/m]
  R inv_sigma0_x, inv_sigma0_y, decay_x, decay_y;       // 1/sigma0; sigma1/(2 sigma0) [s]
  R inv_v_st, v_st, inv_v_d;                            // [s/m], [m/s]
  R beta, inv_1m_beta, inv_b;                           // elastic share; 1/roll memory [1/m]
  R r_psi, inv_r_psi, c_psi, inv_c_psi, inv_L_psi;      // parking torque
  R inv_relax_long, inv_relax_lat;                      // 1/relaxation length [1/m] of the MF path: tire + belt
  R belt_long, belt_lat;                                // breakaway: relaxation length of the belt [m]
  R vlow_eps, vlow_k0;                                  // tire_vlow
  TirParams<R> tir;                                     // backend magic_formula
  TirAt<R> tir_at;
  RallyParams<R> rally;  // rally tire
};

struct TireKind {
  bool linear, lugre, rolling;  // lugre on; law rolling (else breakaway)
  bool tir, rally, patch;       // steady law of a .tir file; rally tire (always rolling); contact-patch LuGre
  bool ellipse, similarity;     // combined slip (neither: none, the host clips)
  bool blend, vlow;             // low-speed mode with LuGre off
  bool relax_long, relax_lat;   // MF path slip lag
  bool belt;                    // breakaway: slip velocities follow the belt
  bool reff, camber, roll_memory, pivot;
  bool at_load;    // the curves of the steady law depend on the load
  bool offset;     // the steady law has more than its similarity form: camber thrust, shifts of a .tir file
  bool load_slip;  // the slip depends on the load: by the effective radius or by the curves
  TirKind tir_law;
  RallyKind rally_law;
};

// Everything a tire remembers between steps, and the wheel's spin.
template <class R> struct WheelState {
  R w;         // spin [rad/s], positive rolls forward
  R zx, zy;    // bristle deflection [m], sign of Fx, Fy (both laws)
  R roll;      // roll memory [m]
  R pivot;     // twist of the standing patch [rad]
  R kap, alp;  // lagged slips of the MF path [-], [rad]; breakaway with belt: lagged slip velocities [m/s]
  R T_tread, T_core, tread;  // rally tire: temperatures [degC], tread life 1 .. 0

  static constexpr auto fields() {
    using S = WheelState;
    return std::tuple{
        field("w", &S::w, "rad/s", any_finite(), "spin"),
        field("zx", &S::zx, "m", any_finite(), "longitudinal bristle"),
        field("zy", &S::zy, "m", any_finite(), "lateral bristle"),
        field("roll", &S::roll, "m", any_finite(), "roll memory"),
        field("pivot", &S::pivot, "rad", any_finite(), "patch twist"),
        field("kap", &S::kap, "-", any_finite(), "lagged slip ratio (breakaway with belt: slip velocity, m/s)"),
        field("alp", &S::alp, "rad", any_finite(), "lagged slip angle (breakaway with belt: slip velocity, m/s)"),
        field("T_tread", &S::T_tread, "degC", any_finite(), "rally tire: tread temperature"),
        field("T_core", &S::T_core, "degC", any_finite(), "rally tire: carcass temperature"),
        field("tread", &S::tread, "-", any_finite(), "rally tire: tread life, 1 new, 0 bald")};
  }
};
VD_COMPLETE(WheelState<double>);

template <class T> struct PatchTire;  // tire/patch_tire.hpp

// The contact point seen from the wheel. Frame W: x forward in the wheel plane, y left, z up.
template <class R> struct Contact {
  R Vx, Vy;             // velocity of the contact point over the road [m/s]
  R Vr;                 // Re w [m/s]
  R psidot;             // yaw rate of the wheel frame: body + steering [rad/s]
  R mu_long, mu_lat;    // road friction
  R gamma;              // inclination [rad], positive = top to the right
  R lag = R(1.0);       // fallback: share of the lagged slip ratio, 1 above the blend speed, 0 at rest
  R Re = R(0.0);        // effective rolling radius [m]
  R pressure = R(0.0);  // inflation pressure [Pa]; 0 = the tire's own
  const PatchTire<scalar_t<R>>* patch = nullptr;  // contact-patch LuGre: the tire's memory,
  R since = R(0.0);                               // and the time since it was written [s]
};

// Forces of one tire at one load, and what its law knows besides.
template <class R> struct TireForce {
  R Fx, Fy;  // road on tire, wheel frame [N]
  R slope;   // dFx/dVr >= 0 that the spin integration treats implicitly [N s/m]
  R Dx, Dy;  // peak forces [N]
  R zx, zy;  // bristles as the law holds them at this load (after the return map)
  // rolling law
  R damp_y;      // lateral damping in effect [N s/m]; the longitudinal one is `slope`
  R LamX, LamY;  // leak of the bristles [1/s]
  R dFx, dFy;    // what the steady law has beyond its similarity form (camber thrust), faded at rest [N]
  R lim;         // largest |F/D|: 1, or more with such an offset
  // breakaway law
  R gx, gy;  // breakaway forces [N]
};

// Moments of one tire, road on tire.
template <class R> struct TireMoments {
  R Mx, Mz;  // overturning; aligning and parking torque [N m]
  R roll;    // rolling resistance, >= 0 [N m]: dry friction against the spin, My = -sgn(w) roll
  R pivot;   // patch twist after its clamp [rad]
};

// y' = v - L y: how every tire state and the spin is handed to the integrator (L >= 0 [1/s]).
template <class R> struct Affine { R L, v; };
template <class R> struct WheelAffine {
  Affine<R> w, zx, zy, roll, pivot, kap, alp, T_tread, T_core, tread;  // one per member of WheelState
};
// Calls f(state member, rate member) for every state the integrator advances; the breakaway law advances its own bristles.
template <class R, class F> VD_INLINE void each_affine(const TireKind& kind, F&& f) {
  using S = WheelState<R>;
  using A = WheelAffine<R>;
  f(&S::w, &A::w);
  if (kind.lugre && kind.rolling) {
    f(&S::zx, &A::zx);
    f(&S::zy, &A::zy);
    if (kind.roll_memory) f(&S::roll, &A::roll);
    if (kind.pivot) f(&S::pivot, &A::pivot);
  }
  if (kind.relax_long) f(&S::kap, &A::kap);
  if (kind.relax_lat) f(&S::alp, &A::alp);
  if (kind.rally) {
    f(&S::T_tread, &A::T_tread);
    f(&S::T_core, &A::T_core);
    f(&S::tread, &A::tread);
  }
}

// exp(-q^2), exactly 0 from q = 6.5 on (5e-19, below rounding): a rolling car then skips the exponential altogether.
template <class R> VD_FN R gauss(R q) {
  const R q2 = q * q;
  const mask_t<R> near = q2 < R(42.25);
  return any(near) ? select(near, exp(-q2), R(0.0)) : R(0.0);
}

// 1/a and 1/b for the price of one division; a and b are forces or shape values, far from the ends of the float range.
template <class R> struct TwoInverses { R a, b; };
template <class R> VD_INLINE TwoInverses<R> inverses(R a, R b) {
  const R i = R(1.0) / (a * b);
  return {b * i, a * i};
}

}  // namespace vdsim
