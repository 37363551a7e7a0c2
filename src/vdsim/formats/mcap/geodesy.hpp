// SPDX-License-Identifier: Apache-2.0
// Places on the WGS 84 ellipsoid.
#pragma once

namespace vdsim {

struct Geodetic {
  double latitude = 0, longitude = 0, altitude = 0;  // [deg], [deg], above the ellipsoid [m]
};
// A point x east, y north, z up [m] of `origin`, in the plane that touches the ellipsoid there.
Geodetic geodetic(const Geodetic& origin, double x, double y, double z);

}  // namespace vdsim
