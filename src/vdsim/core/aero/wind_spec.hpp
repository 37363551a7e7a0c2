// SPDX-License-Identifier: Apache-2.0
// User settings of the wind.
#pragma once

namespace vdsim {

// wind.*  Places by x, on an OpenCRG road by the station along its reference line.
struct WindSpec {
  double speed = 0, direction = 1.5707963267948966;        // [m/s]; where the air goes: 0 = +x, pi/2 = +y [rad]
  double from = 0, to = 0, edge = 5;                       // stretch of the road that has it, equal: everywhere [m]
  double gust_speed = 0, gust_start = 0, gust_length = 0;  // one cosine wave on top of it [m/s], [m]
};

}  // namespace vdsim
