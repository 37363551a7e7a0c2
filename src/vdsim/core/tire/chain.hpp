// SPDX-License-Identifier: Apache-2.0
// What passes between the phases of one evaluation of a tire: contact, slip, force, moments. None of it is saved.
#pragma once
#include "vdsim/core/tire/params.hpp"
#include "vdsim/core/tire/patch.hpp"
#include "vdsim/core/tire/rally.hpp"

namespace vdsim {

template <class T> struct PatchTire;  // tire/contact_patch.hpp

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
  Ground<R> ground = Ground<R>(Unset{});          // what lies on the road (kind.ground)
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

// Largest force per direction [N] on this road at this load, >= 0
template <class R> struct Peak { R Dx, Dy; };
// Steady force over the peak force, n = (Fx/Dx, Fy/Dy).
template <class R> struct Normalised { R x, y; };
template <class R> struct WheelForces { R Fx, Fy; };
// The slips a bristle remembers: ratio [-], tan(slip angle); sign of the force.
template <class R> struct Slips { R x, y; };

// Both directions of the combined steady law at a slip velocity v = (Vr - Vx, -Vy): the force points along d, its size over
// the peak is f.  |d| = 1.
template <class R> struct Similarity {
  R vs, rho, e;      // |v| [m/s]; slip over the slip of the peak; sliding excess max(0, 1 - 1/rho)
  R fx, fy, dx, dy;  // F_i = d_i f_i D_i
  R Sx, Sy, Q;       // scales of the slip directions; |(v_x/S_x, v_y/S_y)| [m/s]
};

// Rolling law: all that does not depend on the load, or (load_slip) the slip at one load.
template <class R> struct RollingSlip {
  R vx, vy;  // slip velocity (Vr - Vx, -Vy) [m/s]; a force has its sign            [T19.1]
  Similarity<R> s;
  R wDx, wDy, lamDx, lamDy;  // leak w_i, lam_i times the peak force D_i                          [T19.5]
  R inv_fAx, inv_fAy;        // 1 / force level at which the bristle yields, over D                  [T19.8]
  R chi, chi_w;              // 1 standing still, 0 rolling: by travel, by wheel speed               [T19.6]
  R c, sub;                  // share of the leak that rolling drives; min(1, rho)^2                 [T19.8]
  R fade;                    // 1 + (Vx/v_d)^2                                                       [T19.10]
  R Dx, Dy, dFx, dFy;        // only of a law read at a load (.tir, rally): peak forces, offset beyond F_sim [N]
  R inv_mu;                  // 1/road friction where that shrinks the slips, else 1                   [T03.8]
  R gx, gy;                  // kind.ground_bristles: stiffness over that in the parameters              [T23.31]
};

// What a steady law reads at a load.
template <class R> struct SteadyAt : Curves<R> {
  R Dx, Dy;  // peak forces [N], 0 for a lifted wheel
};
template <class R> struct AtLoad {
  RallyEnv<R> env;  // rally: made once for all loads
  SteadyAt<R> q;
};

template <class R> struct TireSlip {
  R vx, vy;         // slip velocity [m/s], sign of the force
  R kap, alp;       // algebraic, breakaway: slips the steady law is read at
  Normalised<R> n;  // and its force over the peak
  R inv_mu;         // 1/road friction where that shrinks the slips, else 1  [T03.8]
  R vlow;           // tire_vlow damping [N s/m]
  RollingSlip<R> rolling;
  AtLoad<R> at;         // steady laws read at a load
  PatchForce<R> patch;  // contact-patch LuGre, per newton of load
};

// All of it for one tire.
template <class R> struct TireOut {
  Contact<R> contact;
  TireSlip<R> slip;
  TireForce<R> force;
  TireMoments<R> moment;
};

// The longitudinal force at the end of an implicit step as a line over the wheel speed u = Re w':  Fx = F0 + slope u
template <class R> struct ForceLine {
  R F0, slope;
  R A0, gain;  // bristle at the end: zx' = A0 + gain u
};

}  // namespace vdsim
