// SPDX-License-Identifier: Apache-2.0
// What a car on springs (L3, L5) has besides a planar one. docs/theory/08_fourteen_dof.md.
#pragma once
#include "vdsim/core/math/solve6.hpp"
#include "vdsim/core/suspension/strut.hpp"

namespace vdsim {

// One wheel on its strut. Points and paths in body axes, from the CG of the car at rest [m].
template <class R> struct CornerParams {
  Vec3<R> hub;                // wheel centre at rest
  Vec3<R> path;               // of the contact point per travel, upright body [-]
  R mass, inv_mass;           // unsprung mass [kg], [1/kg]
  R in_rest;                  // deflection of the tire at rest on a level road [m]
  R R0, crown;                // free radius, radius of the tread's crown [m]
  R arm;                      // hub over the contact point at rest [m]
  R tilt, tilt_other;         // inclination against the body per own travel, per that of the other wheel [rad/m]
  R half_length, half_width;  // of the contact patch, for the mean of the road under it [m]
  StrutParams<R> strut;
};

// How body and travels answer forces. g_j = (push, turn): momentum of the car per speed of travel j; K: momentum along
// the travels of an axle per their speeds, inverted.  [T08.5], [T09.4]
template <class R> struct BodyMass {
  Sym6<R> factor;            // of (v, omega), travels eliminated
  Vec3<R> push[4], turn[4];  // [kg], [kg m]
  R own[4], across[2];       // 1/K: diagonal, off-diagonal per axle [1/kg]
};

template <class R> struct SprungParams {
  R h;             // CG above the road at rest [m]
  R ms;            // body without wheels [kg]
  Vec3<R> cs, Js;  // its CG [m], its inertia about it (principal) [kg m^2]
  CornerParams<R> corner[4];
  BodyMass<R> rest;  // at zero travel, wheels turning freely: all L3 ever uses
};

}  // namespace vdsim
