// SPDX-License-Identifier: Apache-2.0
// One tire alone, on a rig: force over slip. Check: the Magic Formula rises from zero slip with B C D mu Fz.
#include <cmath>
#include <cstdio>

#include <vdsim/engine/tire_rig.hpp>

using namespace vdsim;

int main() {
  TireSpec spec;  // a passenger car tire; every coefficient may be set
  spec.B_long = 11, spec.C_long = 1.6, spec.B_lat = 9, spec.C_lat = 1.4;
  spec.mu_nominal = 0.9;
  TireRig rig(spec);

  RigInput rest;
  rest.vx = 20;
  rest.fz = 3500;
  const auto steady = [&](double kappa, double alpha) {
    const RigInput at = rig.at_slip(rest, kappa, alpha);
    rig.start(at);  // as if this slip had lasted for ever
    return rig.output(at);
  };
  std::printf("slip ratio  force [N]\n");
  for (int i = 0; i <= 8; ++i) std::printf("%10.3f %10.1f\n", 0.025 * i, steady(0.025 * i, 0).fx);

  const double s = 1e-4;  // the curve bends with (B s)^2, about 1e-6
  const double slope_x = (steady(s, 0).fx - steady(-s, 0).fx) / (2 * s);
  const double slope_y = (steady(0, -s).fy - steady(0, s).fy) / (2 * s);
  const double peak = spec.mu_nominal * rest.fz;
  const double law_x = spec.B_long * spec.C_long * spec.D_long * peak,
               law_y = spec.B_lat * spec.C_lat * spec.D_lat * peak;
  std::printf("one_tire: slip stiffness %.1f N, expected %.1f; cornering stiffness %.1f N/rad, expected %.1f\n",
              slope_x, law_x, slope_y, law_y);
  return std::abs(slope_x - law_x) < 1e-5 * law_x && std::abs(slope_y - law_y) < 1e-5 * law_y ? 0 : 1;
}
