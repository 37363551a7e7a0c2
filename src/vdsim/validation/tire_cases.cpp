// SPDX-License-Identifier: Apache-2.0
// One tire of the sedan on the rig against its own formula.
#include <algorithm>
#include <cmath>

#include "vdsim/lab/rig.hpp"
#include "vdsim/lab/tire_eval.hpp"
#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr double kLoad = 4000, kSpeed = 20;  // [N], [m/s]

double steady(const TireSpec& t, double kappa, double alpha, double fz, int column) {
  SteadyPoint p;
  p.fz = fz, p.kappa = kappa, p.alpha = alpha;
  return SteadyTire(t)(p)[std::size_t(column)];
}
double largest(const TireSpec& t, bool side, double fz) {
  double most = 0;
  for (double slip = 0; slip < 1; slip += 5e-4)
    most = std::max(most, std::fabs(steady(t, side ? 0 : slip, side ? slip : 0, fz, side ? 1 : 0)));
  return most;
}
double slope_at_zero(const TireSpec& t, bool side) {
  const double e = 1e-6;
  return std::fabs(steady(t, side ? 0 : e, side ? e : 0, kLoad, side ? 1 : 0)) / e;
}
RigInput rolling(const TireRig& rig, double kappa, double alpha) {
  RigInput rest;
  rest.vx = kSpeed, rest.fz = kLoad;
  return rig.at_slip(rest, kappa, alpha);
}
// Distance in which the side force follows a small step of the slip angle: the area above 1 - exp(-x/L).
double relaxation(const TireSpec& t) {
  TireRig rig(t);
  const RigInput in = rolling(rig, 0, 1e-3);
  rig.start(rolling(rig, 0, 0));
  const double dx = 1e-4, end = steady(t, 0, 1e-3, kLoad, 1);
  double area = 0;
  for (int i = 0; i < 60000; ++i) {
    area += (1 - rig.output(in).fy / end) * dx;
    rig.step(in, in, dx / kSpeed);
  }
  return area;
}
double after_rolling(const TireSpec& t, double kappa, double alpha, bool side) {
  TireRig rig(t);
  const RigInput in = rolling(rig, kappa, alpha);
  rig.start(rolling(rig, 0, 0));
  for (int i = 0; i < 1000; ++i) rig.step(in, in, 1e-3);  // 20 m
  const RigOutput o = rig.output(in);
  return side ? o.fy : o.fx;
}
// Largest force of a standing, locked tire that is pushed sideways at 1 cm/s.
double breakaway(const TireSpec& t) {
  TireRig rig(t);
  RigInput in;
  in.fz = kLoad;
  rig.start(in);
  in.vy = 0.01;
  double most = 0;
  for (int i = 0; i < 15000; ++i) {  // bristles bend by 4 cm
    rig.step(in, in, 1e-3);
    most = std::max(most, std::fabs(rig.output(in).fy));
  }
  return most;
}

}  // namespace

void add_tire_cases(const Catalog& catalog, Cases& all) {
  const TireSpec t = sedan(catalog).tire_fl;
  const auto add = [&](const char* id, const char* what, const char* unit, const char* how, double limit,
                       const char* reason, const std::function<double()>& measure, double expected) {
    all.push_back({id, ValidationGroup::analytic, what, unit, "", how, limit, true, reason, [measure, expected] {
                     return Measurement{measure(), expected};
                   }});
  };
  const double overload = t.mu_nominal * (1 - t.load_sensitivity * 0.5) * 6000;
  add(
      "tire_peak_side", "largest side force at 4000 N", "N", "D mu Fz; `vdsim tire eval`", 1e-6, "grid of slip angles",
      [t] { return largest(t, true, kLoad); }, t.D_lat * t.mu_nominal * kLoad);
  add(
      "tire_peak_drive", "largest drive force at 4000 N", "N", "D mu Fz; `vdsim tire eval`", 1e-6,
      "grid of slip ratios", [t] { return largest(t, false, kLoad); }, t.D_long * t.mu_nominal * kLoad);
  add(
      "tire_peak_overload", "largest side force at 6000 N", "N", "D mu (1 - k (Fz/Fz0 - 1)) Fz; `vdsim tire eval`",
      1e-6, "grid of slip angles", [t] { return largest(t, true, 6000); }, t.D_lat * overload);
  add(
      "tire_stiffness_side", "cornering stiffness at 4000 N", "N/rad", "B C D; `vdsim tire eval`", 1e-9,
      "difference over 1e-6 rad", [t] { return slope_at_zero(t, true); }, t.B_lat * t.C_lat * t.D_lat * kLoad);
  add(
      "tire_stiffness_drive", "slip stiffness at 4000 N", "N", "B C D; `vdsim tire eval`", 1e-9, "difference over 1e-6",
      [t] { return slope_at_zero(t, false); }, t.B_long * t.C_long * t.D_long * kLoad);
  add(
      "tire_relaxation", "relaxation length of the rolling law", "m",
      "cornering stiffness / sigma0_lat, step of 1 mrad at 20 m/s; `vdsim rig`", 0.02,
      "bristle damping, falls with speed", [t] { return relaxation(t); },
      t.B_lat * t.C_lat * t.D_lat * kLoad / t.lugre.rolling.sigma0_lat);
  for (const bool side : {false, true})
    add(
        side ? "tire_steady_side" : "tire_steady_drive",
        side ? "side force after 20 m of rolling, combined slip" : "brake force after 20 m of rolling, combined slip",
        "N", "magic formula at kappa -0.05, alpha 0.08; `vdsim rig` against `vdsim tire eval`", 1e-9,
        "the bristles have settled", [t, side] { return after_rolling(t, -0.05, 0.08, side); },
        steady(t, -0.05, 0.08, kLoad, side));
  add(
      "tire_breakaway", "force that moves a standing, locked tire sideways", "N", "D mu Fz at 1 cm/s; `vdsim rig`",
      0.01, "Stribeck curve at 1 cm/s", [t] { return breakaway(t); }, t.D_lat * t.mu_nominal * kLoad);
}

}  // namespace vdsim::validation
