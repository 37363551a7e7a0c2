#include "vdsim/engine/batch/kernels_impl.hpp"
#include "vdsim/engine/level_car_of.hpp"

namespace vdsim {

VDSIM_STEP(double, L3);

template <> std::unique_ptr<LevelCar> make_level_car<Level::L3>(const VehicleSpec& spec, const RoadSpec& road,
                                                                Integrator integrator, const StartPose& pose) {
  return std::make_unique<LevelCarOf<Level::L3>>(spec, road, integrator, pose);
}

template <> const Kernel<Level::L3>& double_kernel<Level::L3>() {
  static constexpr Kernel<Level::L3> kernel = KernelOf<double, Level::L3>::table("double");
  return kernel;
}

}  // namespace vdsim
