// SPDX-License-Identifier: Apache-2.0
// Slip as users read it. docs/theory/01_conventions.md.
#pragma once
#include "vdsim/core/tire/params.hpp"

namespace vdsim {

// [T01.1]  kap = (Vr - Vx)/|Vx|, |Vx| floored at kSpeedEps
template <class R> VD_FN R slip_ratio(R Vr, R Vx) { return (Vr - Vx) / max(abs(Vx), R(kSpeedEps)); }

// [T01.2]  alp = atan2(Vy, |Vx|): continuous through reverse driving; `speed` is |Vx|, floored where it is reported
template <class R> VD_FN R slip_angle(R Vy, R speed) { return atan2(Vy, speed); }

}  // namespace vdsim
