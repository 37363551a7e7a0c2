// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/level_car_of.hpp"

namespace vdsim {

VDSIM_STEP(double, L5);
template std::unique_ptr<LevelCar> make_level_car<Level::L5>(const VehicleSpec&, const RoadSpec&, Integrator,
                                                             const StartPose&);
template const Kernel<Level::L5>& double_kernel<Level::L5>();

}  // namespace vdsim
