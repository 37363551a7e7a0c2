// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/linear/tangent_of.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {

std::unique_ptr<TangentCar> tangent_car(const CarSetup& base, const std::vector<SetupSlope>& slopes) {
  if (base.level != Level::L2) throw bad_value("level", "derivatives of whole runs are there for L2");
  if (slopes.size() > kSlopesAtOnce) throw bad_value("slopes", "at most 8 at once");
  const Car car(base);  // everything is checked here, and by
  linearize(car, {});
  const PlaneGravity g = plane_gravity(base.road);
  if (base.start.vx0 == 0 && (g.gx != 0 || g.gy != 0))
    throw bad_value("vx0", "a start at rest on a slope has no derivatives");
  return std::make_unique<TangentOf<Level::L2>>(base, slopes);
}

}  // namespace vdsim
