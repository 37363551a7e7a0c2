// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/level_car_of.hpp"

namespace vdsim {

VDSIM_STEP(double, L3);
template std::unique_ptr<LevelCar> make_level_car<Level::L3>(const VehicleSpec&, const RoadSpec&, Integrator,
                                                             const StartPose&);
template const Kernel<Level::L3>& double_kernel<Level::L3>();

}  // namespace vdsim
