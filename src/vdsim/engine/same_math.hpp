// SPDX-License-Identifier: Apache-2.0
// Elementary functions with the same bits on every machine, for what reaches states, signals and drivers: those of a C library differ in
// the last bit from one library to the next. Beside those of core/math: these two.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

inline double hypot(double x, double y) { return vdsim::sqrt(x * x + y * y); }  // of numbers of usual size
inline double asin(double x) { return vdsim::atan2(x, vdsim::sqrt((1.0 - x) * (1.0 + x))); }  // |x| <= 1

}  // namespace vdsim
