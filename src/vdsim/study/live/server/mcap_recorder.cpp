// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/server/mcap_recorder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "vdsim/config/read.hpp"
#include "vdsim/core/road/road.hpp"
#include "vdsim/core/steering/ackermann.hpp"
#include "vdsim/engine/outputs.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

using ros2::Quaternion;
using ros2::Vector3;

// A vector of the world in axes of the body.
Vector3 to_body(const Quaternion& q, const std::array<double, 3>& v) {
  const double x = -q.x, y = -q.y, z = -q.z, w = q.w;
  const double tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  return {v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx};
}

std::uint64_t nanoseconds(double time) { return static_cast<std::uint64_t>(std::llround(time * 1e9)); }

}  // namespace

std::string signals_json(const std::vector<Column>& signals, std::span<const double> values) {
  std::string out = "{";
  for (std::size_t i = 0; i < signals.size(); ++i)
    out += fmt::format("{}\"{}\":{}", i ? "," : "", signals[i].name,
                       std::isfinite(values[i]) ? number_text(values[i]) : "null");
  return out + "}";
}

// One car at one time.
class McapRecorder::Row {
 public:
  Row(const Car& car, double time, std::span<const double> values)
      : time(nanoseconds(time)), car_(car), values_(values) {}
  const std::uint64_t time;
  bool has(const std::string& name) const { return car_.places.count(name) > 0; }
  double operator()(const std::string& name) const {
    const auto found = car_.places.find(name);
    return found == car_.places.end() ? 0 : values_[found->second];
  }
  ros2::Header header(const std::string& frame) const { return {time, car_.frames + frame}; }

 private:
  const Car& car_;
  std::span<const double> values_;
};

McapWriter::Options McapRecorder::options() {
  McapWriter::Options out;
  out.profile = "ros2", out.library = "vdsim " + version_text();
  return out;
}

McapRecorder::McapRecorder(ChannelSink& out, const Scenario& scene, const Geodetic& origin)
    : out_(out), origin_(origin) {
  const PlaneGravity g = plane_gravity(scene.road);
  gravity_ = {g.gx, g.gy, -g.gn};
  changed(scene);
  tf_ = topic("/tf", "tf2_msgs/msg/TFMessage");
  for (const CarSpec& car : scene.cars) add(scene, car, scene.cars.size() == 1);
}

void McapRecorder::changed(const Scenario& scene) {
  const std::uint64_t now = cars_.empty() ? 0 : nanoseconds(cars_[0].time);
  out_.attach("resolved.yaml", "application/yaml", scenario_text(scene), now);
  for (std::size_t i = 0; i < cars_.size(); ++i) {
    cars_[i].spec = scene.cars[i];
    cars_[i].names.clear();
    if (cars_[i].wheels.size() == wheel_names(scene.cars[i].level).size()) continue;
    cars_[i].wheels.clear();
    add_wheels(cars_[i]);
  }
}

ChannelSink::Id McapRecorder::topic(const std::string& name, const char* type) {
  auto found = schemas_.find(type);
  if (found == schemas_.end())
    found = schemas_.emplace(type, out_.add_schema(type, "ros2msg", ros2::definition(type))).first;
  return out_.add_channel(found->second, name, "cdr");
}

// A level with other wheels has other topics.
void McapRecorder::add_wheels(Car& car) {
  const ChassisSpec& c = car.spec.vehicle.chassis;
  const std::vector<std::string> names = wheel_names(car.spec.level);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool single = names.size() == 2, front = i < names.size() / 2;
    Wheel& wheel = car.wheels.emplace_back();
    wheel.name = names[i], wheel.frame = "wheel_" + names[i];
    wheel.wrench = topic(car.prefix + "/wheel/" + names[i], "geometry_msgs/msg/WrenchStamped");
    wheel.x = front ? c.cg_to_front : -c.cg_to_rear;
    wheel.y = single ? 0 : (i % 2 == 0 ? 0.5 : -0.5) * (front ? c.track_front : c.track_rear);
    wheel.z = c.wheel_radius_nominal - c.cg_height;
  }
}

void McapRecorder::add(const Scenario& scene, const CarSpec& car, bool alone) {
  Car& made = cars_.emplace_back();
  made.spec = car;
  made.prefix = alone ? "" : "/" + car.id, made.frames = alone ? "" : car.id + "/";
  made.odom = topic(made.prefix + "/odom", "nav_msgs/msg/Odometry");
  made.imu = topic(made.prefix + "/imu/data", "sensor_msgs/msg/Imu");
  made.gnss = topic(made.prefix + "/gnss/fix", "sensor_msgs/msg/NavSatFix");
  made.joints = topic(made.prefix + "/joint_states", "sensor_msgs/msg/JointState");
  add_wheels(made);
  std::string properties;
  for (const Column& column : row_columns(car, scene.road))
    properties += fmt::format(R"({}"{}":{{"type":"number","description":"[{}]"}})", properties.empty() ? "" : ",",
                              column.name, column.unit);
  const ChannelSink::Id schema = out_.add_schema(alone ? "vdsim.State" : "vdsim.State." + car.id, "jsonschema",
                                                 R"({"type":"object","properties":{)" + properties + "}}");
  made.state = out_.add_channel(schema, made.prefix + "/vdsim/state", "json");
}

void McapRecorder::know(Car& car, const std::vector<Column>& signals) {
  bool same = car.names.size() == signals.size();
  for (std::size_t i = 0; same && i < signals.size(); ++i) same = car.names[i] == signals[i].name;
  if (same) return;
  car.names.clear(), car.places.clear();
  for (const Column& column : signals) {
    car.places.emplace(column.name, car.names.size());
    car.names.push_back(column.name);
  }
  car.reader = std::make_unique<StateReader>(car.spec, signals);
}

void McapRecorder::write(std::size_t which, double time, const std::vector<Column>& signals,
                         std::span<const double> values) {
  Car& car = cars_[which];
  know(car, signals);
  const Row row(car, time, values);
  const StateBody state = car.reader->read(values);
  write_motion(car, row, state);
  write_wheels(car, row, state);
  out_.write(car.state, row.time, signals_json(signals, values));
  car.time = time, car.begun = true;
}

void McapRecorder::write_motion(Car& car, const Row& row, const StateBody& s) {
  ros2::Odometry odom;
  odom.header = row.header("odom"), odom.child_frame_id = car.frames + "base_link";
  odom.position = {s.position[0], s.position[1], s.position[2]};
  odom.orientation = ros2::turned(s.attitude[0], s.attitude[1], s.attitude[2]);
  odom.linear = {s.velocity[0], s.velocity[1], s.velocity[2]};
  odom.angular = {s.rates[0], s.rates[1], s.rates[2]};
  out_.write(car.odom, row.time, cdr(odom));

  ros2::Imu imu;
  imu.header = row.header("base_link"), imu.orientation = odom.orientation;
  if (row.has("m_ax")) {
    imu.linear_acceleration = {row("m_ax"), row("m_ay"), row("m_az")};
    imu.angular_velocity = {row("m_gx"), row("m_gy"), row("m_gz")};
    imu.knows_orientation = false;
  } else {  // the truth: acceleration less gravity
    const Vector3 g = to_body(odom.orientation, gravity_);
    imu.linear_acceleration = {s.acceleration[0] - g.x, s.acceleration[1] - g.y, row("az") - g.z};
    imu.angular_velocity = odom.angular;
  }
  out_.write(car.imu, row.time, cdr(imu));

  const bool measured = row.has("m_gnss_x");
  const Geodetic place = geodetic(origin_, s.gnss[0], s.gnss[1], measured ? row("m_gnss_z") : s.position[2]);
  out_.write(car.gnss, row.time,
             cdr(ros2::NavSatFix{row.header("base_link"), place.latitude, place.longitude, place.altitude}));

  ros2::TFMessage tf;
  tf.transforms.push_back({{row.time, "map"}, car.frames + "odom", {}, {}});
  tf.transforms.push_back({row.header("odom"), car.frames + "base_link", odom.position, odom.orientation});
  for (const Wheel& wheel : car.wheels) {
    double turned = 0;
    if (wheel.x > 0) {
      const auto angle = ackermann(s.steer_applied, 0.0, wheel.y, 1 / car.spec.vehicle.chassis.wheelbase,
                                   car.spec.vehicle.steering.ackerman_percent / 100);
      turned = std::atan2(angle.s, angle.c);
    }
    tf.transforms.push_back({row.header("base_link"),
                             car.frames + wheel.frame,
                             {wheel.x, wheel.y, wheel.z + row("travel_" + wheel.name)},
                             ros2::turned(0, 0, turned)});
  }
  out_.write(tf_, row.time, cdr(tf));
}

void McapRecorder::write_wheels(Car& car, const Row& row, const StateBody&) {
  ros2::JointState joints;
  joints.header = row.header("base_link");
  const double since = car.begun ? 1e-9 * static_cast<double>(row.time) - car.time : 0;
  for (Wheel& wheel : car.wheels) {
    const auto of = [&](const char* signal) { return row(std::string(signal) + "_" + wheel.name); };
    const double omega = of("omega");
    wheel.angle += 0.5 * (wheel.omega + omega) * since;
    wheel.omega = omega;
    joints.name.push_back(car.frames + wheel.frame);
    joints.position.push_back(wheel.angle);
    joints.velocity.push_back(omega);
    joints.effort.push_back(of("drive_torque") + of("brake_torque"));
    const ros2::WrenchStamped wrench{
        row.header(wheel.frame), {of("fx"), of("fy"), of("fz")}, {of("mx"), of("my"), of("mz")}};
    out_.write(wheel.wrench, row.time, cdr(wrench));
  }
  out_.write(car.joints, row.time, cdr(joints));
}

}  // namespace vdsim
