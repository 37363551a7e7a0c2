#include "vdsim/engine/batch/kernels_impl.hpp"
#include "vdsim/engine/level_car_of.hpp"

namespace vdsim {

VDSIM_STEP(double, L5);

template <> std::unique_ptr<LevelCar> make_level_car<Level::L5>(const VehicleSpec& spec, const RoadSpec& road,
                                                                Integrator integrator, const StartPose& pose) {
  return std::make_unique<LevelCarOf<Level::L5>>(spec, road, integrator, pose);
}

template <> const Kernel<Level::L5>& double_kernel<Level::L5>() {
  static constexpr Kernel<Level::L5> kernel = KernelOf<double, Level::L5>::table("double");
  return kernel;
}

}  // namespace vdsim
