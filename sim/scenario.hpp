// A scene, resolved: everything a run needs, as plain structs. Made by load_scene(), written by scenario_text().
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "io/assignment.hpp"
#include "sim/preview_driver.hpp"
#include "vdsim/road/spec.hpp"
#include "vdsim/vehicle/spec.hpp"

namespace vdsim {

class Catalog;
struct YamlNode;
struct Terrain;  // sim/terrain.hpp

// A value over time: linear between the points, held outside. No points = not given.
struct Table {
  struct Point {
    double t, value;  // t [s], strictly increasing
  };
  std::vector<Point> points;
  bool given() const { return !points.empty(); }
};

// Way points to follow.
struct PathSpec {
  std::vector<std::array<double, 2>> points;  // [x, y] on the road plane [m]
  bool given() const { return !points.empty(); }
};

// What the driver does, at any rung: one of pedals, wheel torques, axle torques, force, acceleration, speed; and one of
// steer, curvature, path.
struct DriverSpec {
  Table steer, throttle, brake, handbrake, gear, speed;
  Table torque_fl, torque_fr, torque_rl, torque_rr, torque_front, torque_rear, force, acceleration, curvature;
  PathSpec path;
  double lookahead = 8;
  bool path_closed = false;
  HumanSpec human{0};  // preview 0: nobody looks ahead, `lookahead` decides

  static constexpr auto fields() {
    using S = DriverSpec;
    return std::tuple{field("steer", &S::steer, "rad", any_finite(),
                            "road-wheel angle of the equivalent single track, positive left"),
                      field("throttle", &S::throttle, "-", between(0, 1), "pedal"),
                      field("brake", &S::brake, "-", between(0, 1), "pedal, all wheels"),
                      field("handbrake", &S::handbrake, "-", between(0, 1), "lever, rear wheels"),
                      field("gear", &S::gear, "-", between(-1, 10),
                            "1 forward, 0 neutral, -1 reverse (gearbox by hand: the gear); held between its points"),
                      field("speed", &S::speed, "m/s", between(-150, 150),
                            "hold this speed with throttle and brake; negative = reverse"),
                      field("torque_fl", &S::torque_fl, "N m", any_finite(), "torque of the front left wheel"),
                      field("torque_fr", &S::torque_fr, "N m", any_finite(), "torque of the front right wheel"),
                      field("torque_rl", &S::torque_rl, "N m", any_finite(), "torque of the rear left wheel"),
                      field("torque_rr", &S::torque_rr, "N m", any_finite(), "torque of the rear right wheel"),
                      field("torque_front", &S::torque_front, "N m", any_finite(), "torque of the front axle"),
                      field("torque_rear", &S::torque_rear, "N m", any_finite(), "torque of the rear axle"),
                      field("force", &S::force, "N", any_finite(), "sum of the longitudinal contact forces"),
                      field("acceleration", &S::acceleration, "m/s^2", any_finite(), "of the speed, by pedals"),
                      field("curvature", &S::curvature, "1/m", any_finite(), "of the path driven, positive left"),
                      field("path", &S::path, "way points [[x, y], ...] to follow"),
                      field("lookahead", &S::lookahead, "m", above(0), "distance over which a path error is closed"),
                      field("path_closed", &S::path_closed, "the path starts over after its last point"),
                      field("human", &S::human, "a driver who looks ahead along the path, with human limits")};
  }
};
VD_COMPLETE(DriverSpec);

struct StartSpec {
  double x0 = 0, y0 = 0, yaw0 = 0, vx0 = 0, z0 = 0;

  static constexpr auto fields() {
    using S = StartSpec;
    return std::tuple{field("x0", &S::x0, "m", any_finite(), "CG along the road"),
                      field("y0", &S::y0, "m", any_finite(), "CG across the road, positive left"),
                      field("yaw0", &S::yaw0, "rad", any_finite(), "heading, 0 = +x"),
                      field("vx0", &S::vx0, "m/s", between(-150, 150), "speed; the wheels roll without slip"),
                      field("z0", &S::z0, "m", between(0, 1000),
                            "L3, L5: let fall from this height over the road; 0 = stands on it")};
  }
};
VD_COMPLETE(StartSpec);

struct SolverSpec {
  Integrator integrator = Integrator::rk4;
  double dt = 1e-3;

  static constexpr auto fields() {
    using S = SolverSpec;
    return std::tuple{field("integrator", &S::integrator, "method"),
                      field("dt", &S::dt, "s", Range{1e-6, 0.02, false, false}, "step")};
  }
};
VD_COMPLETE(SolverSpec);

struct TimingSpec {
  double duration = 10, rate = 200, cmd_timeout = 0.1;

  static constexpr auto fields() {
    using S = TimingSpec;
    return std::tuple{field("duration", &S::duration, "s", Range{0, 1e7, true, false}, "length of the run"),
                      field("rate", &S::rate, "1/s", Range{0, 1e6, true, false}, "rows per second in the output"),
                      field("cmd_timeout", &S::cmd_timeout, "s", above(0),
                            "age at which outside commands are stale (control: external)")};
  }
};
VD_COMPLETE(TimingSpec);

struct CarSpec {
  std::string id;
  Level level = Level::L2;
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
  std::shared_ptr<const Terrain> terrain;  // what road.terrain names; road.grid or road.crg point into it
  std::vector<CarSpec> cars;
  std::vector<std::string> warnings;  // found while reading, worth telling
};

// What the command line changes. Sets act last, on every car, or with "<car id>.path" on one.
struct SceneChanges {
  // id or file, "" = as in the scene; a vehicle drops parts and overrides of the scene's car
  std::string vehicle, tire, surface;
  std::vector<Assignment> sets;
  void set(const std::string& assignment);  // "PATH=VALUE"; throws BadInput without '='
};

// `name`: id of the catalog or a file. Throws BadInput with every error.
Scenario load_scene(const Catalog&, const std::string& name, const SceneChanges& = {});
// `folder`: where relative paths in the text start.
Scenario read_scene(const Catalog&, std::string_view text, const std::string& file, const std::string& folder,
                    const SceneChanges&, Errors&);
Scenario read_scene(const Catalog&, const YamlNode& root, const std::string& file, const std::string& folder,
                    const SceneChanges&, Errors&);
// One car without a scene: blueprint, optional tire part, sets. Throws BadInput.
VehicleSpec load_vehicle(const Catalog&, const SceneChanges&);

std::string scenario_text(const Scenario&,
                          bool with_units = false);  // YAML that is itself a scene and reads back to the same bits
std::string scenario_hash(const Scenario&);          // 16 hex digits over scenario_text

}  // namespace vdsim
