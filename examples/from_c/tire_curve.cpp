// SPDX-License-Identifier: Apache-2.0
// C++ by vdsim.hpp: one tire on a rig, its lateral force over the slip angle. Check: an odd curve that rises, peaks and falls.
#include <cmath>
#include <cstdio>

#include <vdsim.hpp>

namespace vd = vdsim::abi;

int main() try {
  const vd::Catalog catalog;
  vd::Spec part(catalog, VDSIM_PART, "tire.sport_grip");
  part.set("tire.mu_nominal", 0.95);
  const vd::Tire tire(part);

  vdsim_rig_input at = VDSIM_RIG_INPUT_INIT;
  at.vx = 20, at.fz = 4000, at.omega = at.vx / 0.32;
  const auto force = [&](double degrees) {
    at.vy = std::tan(degrees * std::acos(-1.0) / 180) *
            at.vx;  // the wheel slides to the left: the road pushes to the right
    return tire.steady(at).fy;
  };
  std::printf("slip angle [deg]  force [N]\n");
  double peak = 0, peak_at = 0;
  for (int i = 0; i <= 24; ++i) {
    const double fy = -force(0.5 * i);
    if (i % 4 == 0) std::printf("%16.1f %10.1f\n", 0.5 * i, fy);
    if (fy > peak) peak = fy, peak_at = 0.5 * i;
  }
  std::printf("tire_curve: peak %.0f N at %.1f deg\n", peak, peak_at);
  const bool odd = std::abs(force(3) + force(-3)) < 1e-9 * peak;
  return odd && peak > 0.7 * at.fz && peak_at > 2 ? 0 : 1;
} catch (const vd::Error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return e.status;
}
