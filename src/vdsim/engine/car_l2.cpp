#include "vdsim/engine/level_car_of.hpp"

namespace vdsim {

template <> std::unique_ptr<LevelCar> make_level_car<Level::L2>(const VehicleSpec& spec, const RoadSpec& road,
                                                                Integrator integrator, const StartPose& pose) {
  return std::make_unique<LevelCarOf<Level::L2>>(spec, road, integrator, pose);
}

}  // namespace vdsim
