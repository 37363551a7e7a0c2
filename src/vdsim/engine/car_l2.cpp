#include "vdsim/engine/batch/kernels_impl.hpp"
#include "vdsim/engine/level_car_of.hpp"

namespace vdsim {

VDSIM_STEP(double, L2);

template <> std::unique_ptr<LevelCar> make_level_car<Level::L2>(const VehicleSpec& spec, const RoadSpec& road,
                                                                Integrator integrator, const StartPose& pose) {
  return std::make_unique<LevelCarOf<Level::L2>>(spec, road, integrator, pose);
}

template <> const Kernel<Level::L2>& double_kernel<Level::L2>() {
  static constexpr Kernel<Level::L2> kernel = KernelOf<double, Level::L2>::table("double");
  return kernel;
}

}  // namespace vdsim
