// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/run_head.hpp"

#include <algorithm>

#include "vdsim/study/run.hpp"
#include "vdsim/study/scene_car.hpp"

namespace vdsim {

TableHead run_head(const Scenario& scene, const CarSpec& car, const std::string& hash) {
  TableHead head;
  head.notes = {{"vdsim", version_text()}, {"scene", scene.id}, {"car", car.id}, {"config", hash}};
  head.columns = row_columns(car, scene.road);
  return head;
}

int row_time_digits(const Scenario& scene) {
  return time_digits(scene.timing.duration, std::max(scene.solver.dt, 1 / scene.timing.rate));
}

}  // namespace vdsim
