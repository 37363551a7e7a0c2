// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/energy_warnings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace vdsim {
namespace {

constexpr double kOpen = 0.05;     // share of the energy turned over that the balance may leave unexplained
constexpr double kCreated = 0.02;  // share that the tires may give back beyond what they held

}  // namespace

// A step too large for the method shows in the energy balance long before anything overflows. Tires that create energy
// close the balance all the same: their work is looked at by itself.
std::vector<std::string> energy_warnings(const EnergyBalance& e) {
  const double turned = std::max(std::abs(e.kinetic), std::abs(e.kinetic0)) + std::abs(e.drive) + std::abs(e.gravity) +
                        std::abs(e.brake) + std::abs(e.rolling) + std::abs(e.drag) + std::abs(e.contact) +
                        std::abs(e.steer) + std::abs(e.hold);
  std::vector<std::string> out;
  if (std::abs(e.residual()) > kOpen * turned + 1)
    out.push_back(fmt::format("the energy balance has a residual of {:.3g} J of {:.3g} J; the step may be too large",
                              e.residual(), turned));
  if (e.slip() < -kCreated * turned - 1)
    out.push_back(
        fmt::format("the tires created {:.3g} J of the {:.3g} J turned over, which no tire can; the step may "
                    "be too large, or the tire's numbers contradict each other",
                    -e.slip(), turned));
  if (e.kinetic0 < 0)
    out.push_back(fmt::format(
        "the run began with a kinetic energy of {:.3g} J: masses or inertias contradict each other", e.kinetic0));
  return out;
}

}  // namespace vdsim
