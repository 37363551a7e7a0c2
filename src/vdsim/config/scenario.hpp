// SPDX-License-Identifier: Apache-2.0
// A scene, resolved: everything a run needs, as plain structs. Made by load_scene(), written by scenario_text().
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "vdsim/config/assignment.hpp"
#include "vdsim/config/controller.hpp"
#include "vdsim/config/driver_spec.hpp"
#include "vdsim/core/road/spec.hpp"
#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

class Catalog;
struct YamlNode;
struct Terrain;  // config/terrain.hpp
struct RoadMap;  // config/road_map.hpp

struct StartSpec {
  double x0 = 0, y0 = 0, yaw0 = 0, vx0 = 0, z0 = 0;
};

struct SolverSpec {
  Integrator integrator = Integrator::rk4;
  double dt = 1e-3;
};

struct TimingSpec {
  double duration = 10, rate = 200, cmd_timeout = 0.1;
};

// Who drives a car: its driver block, or a program (study/sim.hpp, study/line_protocol.hpp, an FMU).
enum class Control { internal, external };
template <> struct EnumNames<Control> { static constexpr std::array names{"internal", "external"}; };

struct CarSpec {
  std::string id;
  Level level = Level::L2;
  Control control = Control::internal;
  ControllerSpec controller;  // if given, control is external
  VehicleSpec vehicle;
  StartSpec start;
  DriverSpec driver;
  std::vector<std::string> origin;  // blueprint and parts it was made of, for the reader
};

// Cars of one scene share the road and the clock; they do not touch or see each other.
struct Scenario {
  std::string id, label;
  int version = 1;
  TimingSpec timing;
  SolverSpec solver;
  RoadSpec road;
  std::shared_ptr<const Terrain> terrain;            // what road.terrain names; road.grid or road.crg point into it
  std::vector<std::shared_ptr<const RoadMap>> maps;  // what road.maps points into
  std::vector<CarSpec> cars;
  std::vector<std::string> warnings;  // found while reading, worth telling
  std::vector<std::string> notes;     // keys without effect, of files that are not of the catalog
};

// What the command line changes. Sets act last, on every car, or with "<car id>.path" on one.
struct SceneChanges {
  // id or file, "" = as in the scene; a vehicle drops parts and overrides of the scene's car
  std::string vehicle, tire, surface;
  std::vector<Assignment> sets;
  void set(const std::string& assignment);  // "PATH=VALUE"; throws BadInput without '='
};

// What --set can name beside the slots of a vehicle: keys of the scene, keys of each car.
std::vector<std::string> scene_value_names();
std::vector<std::string> car_value_names();
std::vector<std::string> settable_paths();  // every PATH of --set but those of single wheels

// `name`: id of the catalog or a file. Throws BadInput with every error.
Scenario load_scene(const Catalog&, const std::string& name, const SceneChanges& = {});
// `folder`: where relative paths in the text start.
Scenario read_scene(const Catalog&, std::string_view text, const std::string& file, const std::string& folder,
                    const SceneChanges&, Errors&);
Scenario read_scene(const Catalog&, const YamlNode& root, const std::string& file, const std::string& folder,
                    const SceneChanges&, Errors&);
// The same sets on a scene that has been read. Throws BadInput with every error, and nothing has changed.
void change_scene(const Catalog&, const std::vector<Assignment>& sets, Scenario&);
// One car without a scene: blueprint, optional tire part, sets. Throws BadInput.
VehicleSpec load_vehicle(const Catalog&, const SceneChanges&);

std::string scenario_text(const Scenario&,
                          bool with_units = false);  // YAML that is itself a scene and reads back to the same bits
std::string scenario_hash(const Scenario&);          // 16 hex digits over scenario_text
std::string table_text(const Table&);                // a number or [[t, value], ...]
void name_by_content(TireSpec&);                     // its file, for a hash: what a .tir file says, not where it lies

}  // namespace vdsim
