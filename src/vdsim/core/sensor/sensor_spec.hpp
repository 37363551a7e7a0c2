// What a user edits of the sensors of a car (schema sensor_suite_v1). Laws and signs: docs/theory/17_sensors.md.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// Rates above 0 and latencies: what the buffer of readings on their way can hold.
constexpr Range sensor_rate() { return {0, 1e4, true, false}; }
constexpr Range sensor_latency() { return between(0, 2); }

// Accelerometers and gyros in one box. Axes of the box: those of the body turned by mount_rpy.
struct ImuSpec {
  bool enabled = true;
  double rate = 100, latency = 0;
  double accel_std = 0.05, gyro_std = 0.002;
  double accel_bias0 = 0, gyro_bias0 = 0, accel_bias_walk = 0, gyro_bias_walk = 0;
  double accel_range = 0, gyro_range = 0, accel_resolution = 0, gyro_resolution = 0;
  std::array<double, 3> mount{}, mount_rpy{};

  static constexpr auto fields() {
    using S = ImuSpec;
    return std::tuple{
        field("enabled", &S::enabled, "the car has one"),
        field("rate", &S::rate, "Hz", sensor_rate(), "readings per second"),
        field("latency", &S::latency, "s", sensor_latency(), "age of a reading when it appears"),
        field("accel_std", &S::accel_std, "m/s^2", at_least(0), "white noise of each acceleration, per reading"),
        field("gyro_std", &S::gyro_std, "rad/s", at_least(0), "white noise of each turn rate, per reading"),
        field("accel_bias0", &S::accel_bias0, "m/s^2", at_least(0), "constant bias, standard deviation over cars"),
        field("gyro_bias0", &S::gyro_bias0, "rad/s", at_least(0), "constant bias, standard deviation over cars"),
        field("accel_bias_walk", &S::accel_bias_walk, "m/s^2/sqrt(s)", at_least(0),
              "random walk of the bias: standard deviation after 1 s"),
        field("gyro_bias_walk", &S::gyro_bias_walk, "rad/s/sqrt(s)", at_least(0),
              "random walk of the bias: standard deviation after 1 s"),
        field("accel_range", &S::accel_range, "m/s^2", at_least(0), "readings end at +-range; 0 = no limit"),
        field("gyro_range", &S::gyro_range, "rad/s", at_least(0), "readings end at +-range; 0 = no limit"),
        field("accel_resolution", &S::accel_resolution, "m/s^2", at_least(0), "step of the readings; 0 = none"),
        field("gyro_resolution", &S::gyro_resolution, "rad/s", at_least(0), "step of the readings; 0 = none"),
        field("mount", &S::mount, "m", any_finite(), "place in body axes, from the CG: forward, left, up"),
        field("mount_rpy", &S::mount_rpy, "rad", between(-3.1416, 3.1416),
              "roll, pitch, yaw of the box against the body")};
  }
};
VD_COMPLETE(ImuSpec);

// Position and velocity of an antenna in world axes.
struct GnssSpec {
  bool enabled = true;
  double rate = 10, latency = 0, pos_std = 0.3, vel_std = 0.05;
  std::array<double, 3> mount{};

  static constexpr auto fields() {
    using S = GnssSpec;
    return std::tuple{
        field("enabled", &S::enabled, "the car has one"),
        field("rate", &S::rate, "Hz", sensor_rate(), "readings per second"),
        field("latency", &S::latency, "s", sensor_latency(), "age of a reading when it appears"),
        field("pos_std", &S::pos_std, "m", at_least(0), "white noise of each coordinate, per reading"),
        field("vel_std", &S::vel_std, "m/s", at_least(0), "white noise of each velocity, per reading"),
        field("mount", &S::mount, "m", any_finite(), "antenna in body axes, from the CG: forward, left, up")};
  }
};
VD_COMPLETE(GnssSpec);

struct WheelSpeedSpec {
  bool enabled = true;
  double rate = 100, latency = 0, std = 0.05;
  int pulses = 0;

  static constexpr auto fields() {
    using S = WheelSpeedSpec;
    return std::tuple{
        field("enabled", &S::enabled, "the car has them"),
        field("rate", &S::rate, "Hz", sensor_rate(), "readings per second"),
        field("latency", &S::latency, "s", sensor_latency(), "age of a reading when it appears"),
        field("std", &S::std, "rad/s", at_least(0), "white noise of each wheel, per reading"),
        field("pulses", &S::pulses, "1/turn", between(0, 100000), "teeth of the pulse wheel; 0 = continuous")};
  }
};
VD_COMPLETE(WheelSpeedSpec);

struct SteerSensorSpec {
  bool enabled = true;
  double rate = 100, latency = 0, std = 0.001, bias0 = 0, resolution = 0;

  static constexpr auto fields() {
    using S = SteerSensorSpec;
    return std::tuple{field("enabled", &S::enabled, "the car has one"),
                      field("rate", &S::rate, "Hz", sensor_rate(), "readings per second"),
                      field("latency", &S::latency, "s", sensor_latency(), "age of a reading when it appears"),
                      field("std", &S::std, "rad", at_least(0), "white noise, per reading"),
                      field("bias0", &S::bias0, "rad", at_least(0), "constant bias, standard deviation over cars"),
                      field("resolution", &S::resolution, "rad", at_least(0), "step of the readings; 0 = none")};
  }
};
VD_COMPLETE(SteerSensorSpec);

struct SensorSuiteSpec {
  bool enabled = false;
  int seed = 1;
  ImuSpec imu;
  GnssSpec gnss;
  WheelSpeedSpec wheel_speed;
  SteerSensorSpec steer;

  static constexpr auto fields() {
    using S = SensorSuiteSpec;
    return std::tuple{field("enabled", &S::enabled, "sensors on: columns m_* in the output"),
                      field("seed", &S::seed, "-", at_least(0), "of all noise; same seed, same readings"),
                      field("imu", &S::imu, "accelerations and turn rates"),
                      field("gnss", &S::gnss, "satellite position and velocity"),
                      field("wheel_speed", &S::wheel_speed, "spin of each wheel"),
                      field("steer", &S::steer, "steer angle")};
  }
};
VD_COMPLETE(SensorSuiteSpec);

}  // namespace vdsim
