#include "vdsim/engine/batch/kernels_impl.hpp"
#include "vdsim/engine/level_car_of.hpp"

namespace vdsim {

VDSIM_STEP(double, L1);

template <> std::unique_ptr<LevelCar> make_level_car<Level::L1>(const VehicleSpec& spec, const RoadSpec& road,
                                                                Integrator integrator, const StartPose& pose) {
  return std::make_unique<LevelCarOf<Level::L1>>(spec, road, integrator, pose);
}

template <> const Kernel<Level::L1>& double_kernel<Level::L1>() {
  static constexpr Kernel<Level::L1> kernel = KernelOf<double, Level::L1>::table("double");
  return kernel;
}

}  // namespace vdsim
