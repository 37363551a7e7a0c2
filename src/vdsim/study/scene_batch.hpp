// SPDX-License-Identifier: Apache-2.0
// A batch of the car of a scene, on its road, at its start; driven from outside. Header only: who has no use for batches links no kernels.
#pragma once
#include "vdsim/engine/batch/batch.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/study/scene_car.hpp"

namespace vdsim {

struct SceneBatch {
  std::shared_ptr<const Terrain> terrain;            // the road may point into it,
  std::vector<std::shared_ptr<const RoadMap>> maps;  // and into these
  Batch batch;
};
inline StartPose start_pose(const StartSpec& s) { return {s.x0, s.y0, s.yaw0, s.vx0, s.z0}; }
inline SceneBatch make_batch(const Scenario& scene, const CarSpec& car, std::size_t n, Number number) {
  return {scene.terrain, scene.maps,
          Batch({car.vehicle, scene.road, car.level, scene.solver.integrator, start_pose(car.start)}, n, number)};
}
inline Number number_of(const std::string& name) {
  if (name == "float") return Number::f32;
  if (name == "double") return Number::f64;
  throw bad_value("number", "'" + name + "': expected float or double");
}

}  // namespace vdsim
