// SPDX-License-Identifier: Apache-2.0
// Scenes: layers and their priority, per-corner tires, every refusal with its place, round trip of the resolved scene.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/core/road/ground_map.hpp"

namespace vdsim {
namespace {

const Catalog& catalog() {
  static const Catalog one(VDSIM_SOURCE_DIR "/configs");
  return one;
}

SceneChanges sets(std::initializer_list<const char*> assignments) {
  SceneChanges out;
  for (const char* each : assignments) out.set(each);
  return out;
}

std::vector<std::string> errors_of(const std::string& text, const SceneChanges& changes = {}) {
  Errors errors;
  read_scene(catalog(), text, "s.yaml", "", changes, errors);
  return errors.lines();
}

Scenario scene_of(const std::string& text, const SceneChanges& changes = {}) {
  Errors errors;
  Scenario scene = read_scene(catalog(), text, "s.yaml", "", changes, errors);
  EXPECT_TRUE(errors.empty()) << ::testing::PrintToString(errors.lines());
  return scene;
}

const std::string kHead = "id: s\nfleet:\n  - id: ego\n";

TEST(Scene, OnlyIdAndFleetAreRequired) {
  const Scenario s = scene_of(kHead);
  EXPECT_EQ(s.timing.duration, 10);
  EXPECT_EQ(s.timing.rate, 200);
  EXPECT_EQ(s.solver.integrator, Integrator::rk4);
  EXPECT_EQ(s.solver.dt, 1e-3);
  ASSERT_EQ(s.cars.size(), 1u);
  EXPECT_EQ(s.cars[0].level, Level::L2);
  EXPECT_EQ(s.cars[0].vehicle.brake.max_brake_torque, 6500);  // vehicle.sedan_comfort
  EXPECT_EQ(errors_of("label: x\n"),
            (std::vector<std::string>{"s.yaml:1:1: id: missing key", "s.yaml:1:1: fleet: missing key"}));
}

// part < blueprint < scene parts < scene overrides < --set, one value at a time.
TEST(Scene, LaterLayersWin) {
  const auto folder = std::filesystem::temp_directory_path() / ("vdsim_layers_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "part.yaml")
      << "id: chassis.my\ntype: chassis\nbody: {mass: 1401, cg_height: 0.41, track_front: 1.41, track_rear: 1.41}\n";
  std::ofstream(folder / "car.yaml") << "id: vehicle.my\nparts: {chassis: part.yaml}\noverrides: {chassis: {cg_height: "
                                        "0.42, track_front: 1.42, track_rear: 1.42}}\n";
  const std::string text =
      "id: s\nfleet:\n  - id: ego\n    overrides: {chassis: {track_front: 1.43, track_rear: 1.43}}\n    blueprint: "
      "car.yaml\n";
  Errors errors;
  const Scenario s = read_scene(catalog(), text, "s.yaml", folder.string(), sets({"chassis.track_rear=1.44"}), errors);
  ASSERT_TRUE(errors.empty()) << errors.lines()[0];
  const ChassisSpec& c = s.cars[0].vehicle.chassis;
  EXPECT_EQ(c.mass, 1401);
  EXPECT_EQ(c.cg_height, 0.42);
  EXPECT_EQ(c.track_front, 1.43);
  EXPECT_EQ(c.track_rear, 1.44);
  std::filesystem::remove_all(folder);
}

TEST(Scene, PartsOfTheSceneReplaceThoseOfTheBlueprint) {
  const Scenario s = scene_of(
      kHead + "    blueprint: vehicle.sedan_comfort\n    parts: {brake: brake.sedan, tire_rear: tire.low_mu}\n");
  EXPECT_EQ(s.cars[0].vehicle.brake.max_brake_torque, 2000);
  EXPECT_EQ(s.cars[0].vehicle.tire_fr.mu_nominal, 1);
  EXPECT_EQ(s.cars[0].vehicle.tire_rl.mu_nominal, 0.3);
}

TEST(Scene, TireKeysGoFromGeneralToSpecific) {
  const Scenario s = scene_of(kHead +
                              "    overrides:\n      tire_fl: {D_lat: 0.1}\n      tire_rear: {D_lat: 0.2}\n      tire: "
                              "{D_lat: 0.3, D_long: 0.9}\n");
  const VehicleSpec& v = s.cars[0].vehicle;
  EXPECT_EQ(v.tire_fl.D_lat, 0.1);
  EXPECT_EQ(v.tire_fr.D_lat, 0.3);
  EXPECT_EQ(v.tire_rl.D_lat, 0.2);
  EXPECT_EQ(v.tire_rr.D_lat, 0.2);
  EXPECT_EQ(v.tire_fl.D_long, 0.9);
  const Scenario t = scene_of(kHead, sets({"tire_fr.D_lat=0.5", "tire_front.D_lat=0.6", "tire.D_lat=0.7"}));
  EXPECT_EQ(t.cars[0].vehicle.tire_fr.D_lat, 0.5);
  EXPECT_EQ(t.cars[0].vehicle.tire_fl.D_lat, 0.6);
  EXPECT_EQ(t.cars[0].vehicle.tire_rr.D_lat, 0.7);
}

TEST(Scene, SetReachesRoadSolverStartDriverAndOneCar) {
  const std::string two = "id: s\nfleet: [{id: a}, {id: b}]\n";
  const Scenario s =
      scene_of(two, sets({"mu=0.3", "grade=0.12", "bank=-0.1", "split_mu={mu_left: 0.2, mu_right: 0.9}",
                          "solver.dt=2e-3", "solver.integrator=implicit", "duration=3", "rate=50", "vx0=7", "level=L1",
                          "driver.brake=[[0, 0], [1, 0.5]]", "b.chassis.mass=1700"}));
  EXPECT_EQ(s.road.mu, 0.3);
  EXPECT_EQ(s.road.grade, 0.12);
  EXPECT_EQ(s.road.bank, -0.1);
  EXPECT_EQ(s.road.split_mu.mu_left, 0.2);
  EXPECT_EQ(s.solver.dt, 2e-3);
  EXPECT_EQ(s.solver.integrator, Integrator::implicit);
  EXPECT_EQ(s.timing.duration, 3);
  EXPECT_EQ(s.timing.rate, 50);
  for (const CarSpec& car : s.cars) {
    EXPECT_EQ(car.start.vx0, 7);
    EXPECT_EQ(car.level, Level::L1);
    ASSERT_EQ(car.driver.brake.points.size(), 2u);
    EXPECT_EQ(car.driver.brake.points[1].value, 0.5);
  }
  EXPECT_EQ(s.cars[0].vehicle.chassis.mass, 1500);
  EXPECT_EQ(s.cars[1].vehicle.chassis.mass, 1700);
}

TEST(Scene, ErrorsInSetsNameTheSet) {
  EXPECT_EQ(errors_of(kHead, sets({"chassis.mas=1", "mu=x", "solver.dt=5", "nonsense=1", "mass=3"})),
            (std::vector<std::string>{"--set chassis.mas=1: chassis.mas: unknown key, did you mean 'mass'?",
                                      "--set mu=x: mu: expected a number, found 'x'",
                                      "--set solver.dt=5: solver.dt: 5 is out of range, expected 1e-06 to 0.02 s",
                                      "--set nonsense=1: nonsense: unknown key, nearest is 'sensors'",
                                      "--set mass=3: mass: unknown key, did you mean 'chassis.mass'?"}));
  EXPECT_THROW(sets({"mu"}), BadInput);
  EXPECT_THROW(sets({"=3"}), BadInput);
}

TEST(Scene, VehicleAndTireOfTheCommandLineReplaceTheScenes) {
  SceneChanges changes;
  changes.vehicle = "vehicle.race_gt";
  const std::string text = kHead + "    parts: {tire: tire.low_mu}\n    overrides: {chassis: {cg_height: 0.5}}\n";
  Scenario s = scene_of(text, changes);
  EXPECT_EQ(s.cars[0].vehicle.chassis.mass, 1300);
  EXPECT_EQ(s.cars[0].vehicle.chassis.cg_height, 0.38);
  EXPECT_EQ(s.cars[0].vehicle.tire_fl.mu_nominal, 1.6);
  changes.tire = "tire.low_mu";
  EXPECT_EQ(scene_of(text, changes).cars[0].vehicle.tire_rr.mu_nominal, 0.3);
  changes.tire = "tire.lowmu";
  EXPECT_EQ(errors_of(text, changes)[0], "--tire tire.lowmu: unknown part 'tire.lowmu', did you mean 'tire.low_mu'?");
}

TEST(SceneErrors, ExactPlaces) {
  const std::string text =
      "id: s\n"                                                                      // 1
      "iso_class: K\n"                                                               // 2
      "gradee: 0.1\n"                                                                // 3
      "patches: [{mu: 0.1, polygon: [[0, 0], [1, 1]]}]\n"                            // 4
      "fleet:\n"                                                                     // 5
      "  - id: ego\n"                                                                // 6
      "    level: L9\n"                                                              // 7
      "    control: extern\n"                                                        // 8
      "    z0: -1\n"                                                                 // 9
      "    blueprint: vehicle.sedan_comfrot\n"                                       // 10
      "    parts: {brake: tire.low_mu}\n"                                            // 11
      "    driver: {throttle: 2, gear: 0.5, steer: [[1, 0], [1, 1]], brake: []}\n";  // 12
  EXPECT_EQ(
      errors_of(text),
      (std::vector<std::string>{
          "s.yaml:2:12: iso_class: expected one of none, A, B, C, D, E, F, G, H, found 'K', did you mean 'A'?",
          "s.yaml:3:1: gradee: unknown key, did you mean 'grade'?",
          "s.yaml:4:21: patches[0].polygon: expected 3 to 16 corners [x, y], found 2",
          "s.yaml:7:12: fleet[0].level: expected one of L1, L2, L3, L5, found 'L9', did you mean 'L1'?",
          "s.yaml:8:14: fleet[0].control: expected one of internal, external, found 'extern', did you mean 'external'?",
          "s.yaml:9:9: fleet[0].z0: -1 is out of range, expected 0 to 1000 m",
          "s.yaml:10:16: fleet[0].blueprint: unknown blueprint 'vehicle.sedan_comfrot', did you mean "
          "'vehicle.sedan_comfort'?",
          "s.yaml:11:20: fleet[0].parts.brake: 'tire.low_mu' is a tire, expected a brake",
          "s.yaml:12:24: fleet[0].driver.throttle: 2 is out of range, expected 0 to 1",
          "s.yaml:12:33: fleet[0].driver.gear: expected a whole number, found 0.5",
          "s.yaml:12:55: fleet[0].driver.steer[1]: times must increase, 1 follows 1",
          "s.yaml:12:70: fleet[0].driver.brake: expected a number or a table [[t, value], ...], found an empty list"}));
}

TEST(SceneErrors, BicycleHasOneTirePerAxle) {
  const std::string head = "id: s\nfleet: [{id: a, level: L1, overrides: ";
  EXPECT_EQ(errors_of(head + "{tire_front: {D_lat: 0.9}}}]\n"), std::vector<std::string>{});
  EXPECT_EQ(errors_of(head + "{tire_fr: {D_lat: 0.9}}}]\n"),
            std::vector<std::string>{
                "s.yaml:2:9: fleet[0].level: L1 has one tire per axle, but left and right differ; use L2"});
}

TEST(SceneErrors, HalfASplitIsRefused) {
  EXPECT_EQ(errors_of(kHead, sets({"split_mu.mu_left=0.2"})),
            std::vector<std::string>{"--set split_mu: split_mu: the scene has none: set mu_left and mu_right"});
  EXPECT_EQ(errors_of("id: s\nsplit_mu: {mu_left: 0.2}\nfleet: [{id: a}]\n"),
            std::vector<std::string>{"s.yaml:2:11: split_mu.mu_right: missing key"});
}

TEST(SceneErrors, SpeedExcludesThePedals) {
  EXPECT_EQ(
      errors_of(kHead + "    driver: {speed: 3, brake: 0.1}\n"),
      std::vector<std::string>{
          "s.yaml:4:5: fleet[0].driver.speed: cannot be combined with throttle, brake or gear: it works them itself"});
  EXPECT_TRUE(errors_of(kHead + "    driver: {speed: 3, handbrake: 0.1, steer: 0.1}\n").empty());
}

TEST(SceneErrors, SteerBeyondTheLock) {
  EXPECT_EQ(errors_of(kHead + "    driver: {steer: -0.6}\n"),
            std::vector<std::string>{
                "s.yaml:4:5: fleet[0].driver.steer: -0.6 rad is beyond steering.max_steer_angle_wheel = 0.5 rad"});
}

TEST(SceneErrors, ContradictionPointsAtTheLayerThatWroteIt) {
  EXPECT_EQ(errors_of(kHead + "    overrides: {chassis: {cg_to_rear: 1.6}}\n"),
            std::vector<std::string>{
                "s.yaml:4:27: fleet[0].chassis.wheelbase: 2.7 m must equal cg_to_front + cg_to_rear = 2.8 m"});
  EXPECT_EQ(
      errors_of(kHead, sets({"chassis.wheelbase=3"})),
      std::vector<std::string>{
          "--set chassis.wheelbase=3: fleet[0].chassis.wheelbase: 3 m must equal cg_to_front + cg_to_rear = 2.7 m"});
}

TEST(SceneErrors, Patches) {
  std::string nine = "id: s\npatches:\n", corners;
  for (int i = 0; i < 9; ++i) nine += "  - {mu: 0.1, polygon: [[0, 0], [1, 0], [0, 1]]}\n";
  EXPECT_EQ(errors_of(nine + "fleet: [{id: a}]\n"),
            std::vector<std::string>{"s.yaml:2:1: patches: expected a list of at most 8 patches, found 9"});
  for (int i = 0; i < 17; ++i) corners += (i ? ", [" : "[") + std::to_string(i) + ", " + std::to_string(i * i) + "]";
  EXPECT_EQ(errors_of("id: s\npatches: [{mu: 0.1, polygon: [" + corners + "]}]\nfleet: [{id: a}]\n"),
            std::vector<std::string>{"s.yaml:2:21: patches[0].polygon: expected 3 to 16 corners [x, y], found 17"});
  EXPECT_EQ(errors_of("id: s\npatches: [{mu: 0.1, polygon: [[0, 0], [1, 1], [1, 0], [0, 1]]}]\nfleet: [{id: a}]\n"),
            std::vector<std::string>{"s.yaml:2:21: patches[0].polygon: the outline crosses itself"});
}

TEST(SceneErrors, FleetIdsAreUniqueAndFitForFolders) {
  EXPECT_EQ(errors_of("id: s\nfleet:\n  - id: a\n  - id: a\n"),
            std::vector<std::string>{"s.yaml:4:5: fleet[1].id: 'a' is taken by fleet[0]"});
  EXPECT_EQ(
      errors_of("id: s\nfleet: [{id: ../x}]\n"),
      std::vector<std::string>{"s.yaml:2:14: fleet[0].id: '../x' is no name: use letters, digits, '_', '-', '.'"});
  EXPECT_EQ(errors_of("id: s\nfleet: []\n"),
            std::vector<std::string>{"s.yaml:2:1: fleet: expected a list of 1 to 1000 cars, found 0"});
}

TEST(SceneErrors, BadPartIsReportedInItsOwnFile) {
  const auto file = std::filesystem::temp_directory_path() / ("vdsim_part_" + std::to_string(::getpid()) + ".yaml");
  std::ofstream(file) << "id: tire.x\ntype: tire\nbody:\n  lugre:\n    sigma_0: 1\n";
  EXPECT_EQ(errors_of(kHead + "    parts: {tire: " + file.string() + "}\n"),
            std::vector<std::string>{file.string() + ":5:5: tire.lugre.sigma_0: unknown key, did you mean 'sigma0'?"});
  std::filesystem::remove(file);
}

TEST(SceneText, ResolvedSceneReadsBackToTheSameText) {
  for (const CatalogEntry& entry : catalog().scenes()) {
    const bool rally = load_scene(catalog(), entry.id, {}).cars[0].vehicle.tire_fl.schema == TireSchema::rally_v1;
    const std::string tire =
        (rally ? "tire_fl.magic_formula.lateral_b" : "tire_fl.D_lat") + std::string("=10.23456789012345678");
    const Scenario first = load_scene(catalog(), entry.id, sets({tire.c_str(), "chassis.cg_height=0.1"}));
    for (const bool units : {false, true}) {
      const Scenario again = scene_of(scenario_text(first, units));
      EXPECT_EQ(scenario_text(again), scenario_text(first)) << entry.id;
      EXPECT_EQ(scenario_hash(again), scenario_hash(first)) << entry.id;
    }
  }
}

// Also a car without what the usual one has, a powertrain.
TEST(SceneText, EveryVehicleReadsBackToTheSameText) {
  for (const CatalogEntry& entry : catalog().blueprints()) {
    SceneChanges changes;
    changes.vehicle = entry.id;
    const Scenario first = load_scene(catalog(), "accel_brake", changes);
    EXPECT_EQ(scenario_text(scene_of(scenario_text(first))), scenario_text(first)) << entry.id;
  }
}

TEST(SceneSets, AWordInASlotIsAnotherPart) {
  SceneChanges tire;
  tire.tire = "tire.sport_grip";
  const Scenario wanted = load_scene(catalog(), "step_steer", tire);
  EXPECT_EQ(scenario_text(load_scene(catalog(), "step_steer", sets({"tire=tire.sport_grip"}))), scenario_text(wanted));
  // the part first, then what is set in it
  const Scenario both = load_scene(catalog(), "step_steer", sets({"tire=tire.sport_grip", "tire.mu_nominal=0.7"}));
  EXPECT_EQ(both.cars[0].vehicle.tire_rr.mu_nominal, 0.7);
  EXPECT_EQ(both.cars[0].vehicle.tire_rr.D_lat, wanted.cars[0].vehicle.tire_rr.D_lat);
  try {
    load_scene(catalog(), "step_steer", sets({"tire=tire.sport_gripp", "ego.brake=tire.rally"}));
    FAIL();
  } catch (const BadInput& e) {
    ASSERT_EQ(e.lines.size(), 2u);
    EXPECT_NE(e.lines[0].find("did you mean 'tire.sport_grip'?"), std::string::npos) << e.lines[0];
  }
}

TEST(SceneMaps, SurfacesAndNumbersFromFiles) {
  const auto folder = std::filesystem::temp_directory_path() / ("vdsim_maps_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const char* numbers) {
    std::ofstream(folder / name) << "ncols 3\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 10\n" << numbers;
    return (folder / name).string();
  };
  const std::string ground = write("ground.asc", "0 1 1\n0 0 1\n"),
                    water = write("water.asc", "0 0 0.003\n0 0 0.003\n");
  const std::string maps = "maps:\n  - {file: " + ground +
                           ", surfaces: [surface.tarmac, {part: surface.gravel, noise_factor: 0}]}\n" +
                           "  - {file: " + water + ", number: water_depth}\n";
  const Scenario s = scene_of(maps + kHead);
  ASSERT_TRUE(s.road.maps[1] && !s.road.maps[2]);
  EXPECT_EQ(s.road.maps[0]->surface[1].friction, 0.72);
  EXPECT_EQ(s.road.maps[0]->surface[1].noise_factor, 0);
  EXPECT_EQ(scenario_text(scene_of(scenario_text(s, false))), scenario_text(s));
  const std::string before = scenario_hash(s);
  EXPECT_EQ(scenario_hash(scene_of(scenario_text(s, false))), before);
  write("water.asc", "0 0 0.002\n0 0 0.003\n");
  const Catalog again(VDSIM_SOURCE_DIR "/configs");  // another command: files are read anew
  Errors errors;
  EXPECT_NE(scenario_hash(read_scene(again, maps + kHead, "s.yaml", "", {}, errors)), before);
  EXPECT_EQ(
      errors_of("maps: [{file: " + ground + ", surfaces: [surface.tarmac]}, {file: none.asc, numbr: 1}]\n" + kHead)
          .size(),
      4u);
  std::filesystem::remove_all(folder);
}

TEST(SceneText, HashSeesEveryValue) {
  const std::string base = scenario_hash(scene_of(kHead));
  for (const char* change :
       {"mu=0.9999999999999999", "tire_rr.lugre.rolling.beta=0.81", "solver.dt=1.0000000000000002e-3", "vx0=1e-300",
        "driver.brake=0.1", "level=L1", "duration=11"})
    EXPECT_NE(scenario_hash(scene_of(kHead, sets({change}))), base) << change;
  EXPECT_EQ(scenario_hash(scene_of(kHead, sets({"mu=1.0"}))), base);
}

}  // namespace
}  // namespace vdsim
