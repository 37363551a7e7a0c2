// SPDX-License-Identifier: Apache-2.0
// Field tables: the sensors of a car.
#include "vdsim/core/sensor/sensor_spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

// Rates above 0 and latencies: what the buffer of readings on their way can hold.
static constexpr Range sensor_rate() { return {0, 1e4, true, false}; }
static constexpr Range sensor_latency() { return between(0, 2); }

template <> std::vector<FieldRef> fields_of(ImuSpec& s) {
  return table<ImuSpec>(
      {field("enabled", s.enabled, "the car has one"),
       field("rate", s.rate, "Hz", sensor_rate(), "readings per second"),
       field("latency", s.latency, "s", sensor_latency(), "age of a reading when it appears"),
       field("accel_std", s.accel_std, "m/s^2", at_least(0), "white noise of each acceleration, per reading"),
       field("gyro_std", s.gyro_std, "rad/s", at_least(0), "white noise of each turn rate, per reading"),
       field("accel_bias0", s.accel_bias0, "m/s^2", at_least(0), "constant bias, standard deviation over cars"),
       field("gyro_bias0", s.gyro_bias0, "rad/s", at_least(0), "constant bias, standard deviation over cars"),
       field("accel_bias_walk", s.accel_bias_walk, "m/s^2/sqrt(s)", at_least(0),
             "random walk of the bias: standard deviation after 1 s"),
       field("gyro_bias_walk", s.gyro_bias_walk, "rad/s/sqrt(s)", at_least(0),
             "random walk of the bias: standard deviation after 1 s"),
       field("accel_range", s.accel_range, "m/s^2", at_least(0), "readings end at +-range; 0 = no limit"),
       field("gyro_range", s.gyro_range, "rad/s", at_least(0), "readings end at +-range; 0 = no limit"),
       field("accel_resolution", s.accel_resolution, "m/s^2", at_least(0), "step of the readings; 0 = none"),
       field("gyro_resolution", s.gyro_resolution, "rad/s", at_least(0), "step of the readings; 0 = none"),
       field("mount", s.mount, "m", any_finite(), "place in body axes, from the CG: forward, left, up"),
       field("mount_rpy", s.mount_rpy, "rad", between(-3.1416, 3.1416),
             "roll, pitch, yaw of the box against the body")});
}

template <> std::vector<FieldRef> fields_of(GnssSpec& s) {
  return table<GnssSpec>(
      {field("enabled", s.enabled, "the car has one"),
       field("rate", s.rate, "Hz", sensor_rate(), "readings per second"),
       field("latency", s.latency, "s", sensor_latency(), "age of a reading when it appears"),
       field("pos_std", s.pos_std, "m", at_least(0), "white noise of each coordinate, per reading"),
       field("vel_std", s.vel_std, "m/s", at_least(0), "white noise of each velocity, per reading"),
       field("mount", s.mount, "m", any_finite(), "antenna in body axes, from the CG: forward, left, up")});
}

template <> std::vector<FieldRef> fields_of(WheelSpeedSpec& s) {
  return table<WheelSpeedSpec>(
      {field("enabled", s.enabled, "the car has them"),
       field("rate", s.rate, "Hz", sensor_rate(), "readings per second"),
       field("latency", s.latency, "s", sensor_latency(), "age of a reading when it appears"),
       field("std", s.std, "rad/s", at_least(0), "white noise of each wheel, per reading"),
       field("pulses", s.pulses, "1/turn", between(0, 100000), "teeth of the pulse wheel; 0 = continuous")});
}

template <> std::vector<FieldRef> fields_of(SteerSensorSpec& s) {
  return table<SteerSensorSpec>(
      {field("enabled", s.enabled, "the car has one"),
       field("rate", s.rate, "Hz", sensor_rate(), "readings per second"),
       field("latency", s.latency, "s", sensor_latency(), "age of a reading when it appears"),
       field("std", s.std, "rad", at_least(0), "white noise, per reading"),
       field("bias0", s.bias0, "rad", at_least(0), "constant bias, standard deviation over cars"),
       field("resolution", s.resolution, "rad", at_least(0), "step of the readings; 0 = none")});
}

template <> std::vector<FieldRef> fields_of(SensorSuiteSpec& s) {
  return table<SensorSuiteSpec>(
      {field("enabled", s.enabled, "sensors on: columns m_* in the output"),
       field("seed", s.seed, "-", at_least(0), "of all noise; same seed, same readings"),
       block("imu", s.imu, "accelerations and turn rates"), block("gnss", s.gnss, "satellite position and velocity"),
       block("wheel_speed", s.wheel_speed, "spin of each wheel"), block("steer", s.steer, "steer angle")});
}

}  // namespace vdsim
