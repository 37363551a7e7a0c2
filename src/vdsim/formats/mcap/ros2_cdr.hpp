// SPDX-License-Identifier: Apache-2.0
// Messages of ROS 2 as bytes (CDR, little endian) and their definitions as text (ros2msg), as far as recordings of a car need them.
// Units and axes: REP 103 (SI, x forward, y left, z up), frames: REP 105 (map, odom, base_link).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vdsim::ros2 {

struct Vector3 {
  double x = 0, y = 0, z = 0;
};
struct Quaternion {
  double x = 0, y = 0, z = 0, w = 1;
};
Quaternion turned(double roll, double pitch, double yaw);  // about z, then y, then x of the turned body

struct Header {
  std::uint64_t time = 0;  // [ns]
  std::string frame_id;
};
struct Odometry {  // nav_msgs/msg/Odometry
  Header header;
  std::string child_frame_id;
  Vector3 position;
  Quaternion orientation;
  Vector3 linear, angular;  // in axes of the child frame
};
struct Imu {  // sensor_msgs/msg/Imu
  Header header;
  Quaternion orientation;
  bool knows_orientation = true;
  Vector3 angular_velocity, linear_acceleration;  // the latter: specific force, +g upward at rest
};
struct NavSatFix {  // sensor_msgs/msg/NavSatFix
  Header header;
  double latitude = 0, longitude = 0, altitude = 0;  // [deg], [deg], above the ellipsoid [m]
};
struct JointState {  // sensor_msgs/msg/JointState
  Header header;
  std::vector<std::string> name;
  std::vector<double> position, velocity, effort;  // empty, or one for each name
};
struct TransformStamped {  // geometry_msgs/msg/TransformStamped
  Header header;
  std::string child_frame_id;
  Vector3 translation;
  Quaternion rotation;
};
struct TFMessage {  // tf2_msgs/msg/TFMessage
  std::vector<TransformStamped> transforms;
};
struct WrenchStamped {  // geometry_msgs/msg/WrenchStamped
  Header header;
  Vector3 force, torque;
};

std::string cdr(const Odometry&);
std::string cdr(const Imu&);
std::string cdr(const NavSatFix&);
std::string cdr(const JointState&);
std::string cdr(const TFMessage&);
std::string cdr(const WrenchStamped&);

// Definition of "nav_msgs/msg/Odometry" with those of all types in it. Only the names above.
std::string definition(std::string_view type);

}  // namespace vdsim::ros2
