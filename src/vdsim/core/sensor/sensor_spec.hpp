// SPDX-License-Identifier: Apache-2.0
// What a user edits of the sensors of a car (schema sensor_suite_v1). Laws and signs: docs/theory/17_sensors.md.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// Accelerometers and gyros in one box. Axes of the box: those of the body turned by mount_rpy.
struct ImuSpec {
  bool enabled = true;
  double rate = 100, latency = 0;
  double accel_std = 0.05, gyro_std = 0.002;
  double accel_bias0 = 0, gyro_bias0 = 0, accel_bias_walk = 0, gyro_bias_walk = 0;
  double accel_range = 0, gyro_range = 0, accel_resolution = 0, gyro_resolution = 0;
  std::array<double, 3> mount{}, mount_rpy{};
};

// Position and velocity of an antenna in world axes.
struct GnssSpec {
  bool enabled = true;
  double rate = 10, latency = 0, pos_std = 0.3, vel_std = 0.05;
  std::array<double, 3> mount{};
};

struct WheelSpeedSpec {
  bool enabled = true;
  double rate = 100, latency = 0, std = 0.05;
  int pulses = 0;
};

struct SteerSensorSpec {
  bool enabled = true;
  double rate = 100, latency = 0, std = 0.001, bias0 = 0, resolution = 0;
};

struct SensorSuiteSpec {
  bool enabled = false;
  int seed = 1;
  ImuSpec imu;
  GnssSpec gnss;
  WheelSpeedSpec wheel_speed;
  SteerSensorSpec steer;
};

}  // namespace vdsim
