// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "vdsim/config/vehicle.hpp"
#include "vdsim/study/run.hpp"
#include "vdsim/version.hpp"

#ifndef VDSIM_GIT
#define VDSIM_GIT "unknown"
#endif

namespace vdsim {
namespace {

using Json = nlohmann::ordered_json;

// Every term: with slip = contact less what the tires hold more, the list adds up to `residual`.
Json energy_json(const EnergyBalance& e) {
  return Json{{"kinetic_start", e.kinetic0},
              {"kinetic", e.kinetic},
              {"stored_start", e.stored0},
              {"stored", e.stored},
              {"springs_start", e.springs0},
              {"springs", e.springs},
              {"changed", e.changed},
              {"changed_tires", e.changed_tires},
              {"drive", e.drive},
              {"gravity", e.gravity},
              {"brake", e.brake},
              {"rolling", e.rolling},
              {"drag", e.drag},
              {"slip", e.slip()},
              {"damper", e.damper},
              {"steer", e.steer},
              {"hold", e.hold},
              {"residual", e.residual()}};
}

Json car_json(const CarResult& car, const std::vector<std::string>& origin) {
  Json out;
  out["id"] = car.id;
  out["vehicle"] = vehicle_name(origin);
  out["tire"] = tire_name(origin);
  out["level"] = enum_name(car.level);
  out["verdict"] = car.failed ? "diverged" : "done";
  if (car.failed) out["why"] = car.why;
  out["end_time_s"] = car.end_time;
  out["steps"] = car.steps;
  out["rows"] = car.rows;
  const CarOutputs& s = car.last;
  out["final"] = {{"t", s.t},   {"x", s.x}, {"y", s.y},   {"psi", s.psi}, {"vx", s.vx},
                  {"vy", s.vy}, {"r", s.r}, {"ax", s.ax}, {"ay", s.ay}};
  out["max"] = {{"speed", car.max_speed}, {"abs_ax", car.max_ax}, {"abs_ay", car.max_ay}};
  out["distance_m"] = car.distance;
  double most = 0;
  out["standing"] = Json::array();
  for (const Standing& each : car.standing) {
    out["standing"].push_back(
        {{"from_s", each.from}, {"to_s", each.to}, {"drift_m", each.drift}, {"max_speed_m_s", each.max_speed}});
    most = std::max(most, each.drift);
  }
  out["max_drift_m"] = car.standing.empty() ? Json(nullptr) : Json(most);
  out["rows_outside_tire_file"] = car.rows_outside;
  out["energy_J"] = energy_json(car.energy);
  return out;
}

}  // namespace

std::string version_text() { return VDSIM_VERSION; }
std::string git_text() { return VDSIM_GIT; }

std::string summary_json(const Scenario& scene, const RunResult& result) {
  Json out;
  out["id"] = scene.id;
  out["label"] = scene.label;
  out["config"] = result.hash;
  out["vdsim"] = version_text();
  out["git"] = git_text();
  out["integrator"] = enum_name(scene.solver.integrator);
  out["dt_s"] = scene.solver.dt;
  out["duration_s"] = scene.timing.duration;
  out["wall_s"] = result.wall_s;
  out["verdict"] = result.failed() ? "diverged" : "done";
  out["cars"] = Json::array();
  for (std::size_t i = 0; i < result.cars.size(); ++i)
    out["cars"].push_back(car_json(result.cars[i], scene.cars[i].origin));
  out["files"] = result.files;
  // Text from files may hold anything; a broken byte must not break the document.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vdsim
