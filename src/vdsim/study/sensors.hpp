// SPDX-License-Identifier: Apache-2.0
// The sensors of one car: what an estimator or a controller would see of the true motion. docs/theory/17_sensors.md
// Reading k of a sensor appears at k / rate and shows the truth of k / rate - latency. Its noise depends on seed,
// channel and k alone, so the length of the simulation step changes neither the instants nor the noise.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vdsim/core/sensor/sensor_spec.hpp"
#include "vdsim/engine/column.hpp"
#include "vdsim/engine/snapshot.hpp"

namespace vdsim {

// The true motion at one instant. World: axes of the road plane. Body: x forward, y left, z up, origin at the CG.
struct SensorTruth {
  double t;               // [s]
  double p[3], v[3];      // CG, world [m], [m/s]
  double R[9];            // body -> world, row by row
  double w[3], alpha[3];  // turn rates and their derivative, body [rad/s], [rad/s^2]
  double a[3];            // acceleration of the CG, world, without gravity [m/s^2]
  double g[3];            // gravity, world [m/s^2]
  double wheel[4];        // spin, positive rolling forward [rad/s]
  int wheels;             // 2 or 4
  double steer;           // [rad], positive left
};

// The newest readings; a sensor the car does not have reads 0.
struct SensorReadings {
  double imu_ax, imu_ay, imu_az, imu_gx, imu_gy, imu_gz;     // specific force and turn rate, axes of the box
  double gnss_x, gnss_y, gnss_z, gnss_vx, gnss_vy, gnss_vz;  // antenna, world
  double wheel[4], steer;                                    // [rad/s], [rad]
  double imu_t, gnss_t, wheel_t, steer_t;                    // time of each reading [s]
  bool imu_fresh, gnss_fresh, wheel_fresh, steer_fresh;      // appeared in the last update
  std::int32_t wheels;
};

// Random numbers as a function of (key, index): the same bits on every machine, in any order of calls.
std::uint64_t sensor_key(std::uint64_t seed, std::uint64_t car_seed, std::uint64_t stream);
double sensor_uniform(std::uint64_t key, std::uint64_t index);  // 0 .. 1 - 2^-53
// mean 0, variance 1, within +-8.6; reads sensor_uniform at 2 index and 2 index + 1
double sensor_normal(std::uint64_t key, std::uint64_t index);

class SensorSuite {
 public:
  SensorSuite(const SensorSuiteSpec&, std::uint64_t car_seed);
  ~SensorSuite();
  SensorSuite(SensorSuite&&) noexcept;
  SensorSuite& operator=(SensorSuite&&) noexcept;

  // Once at the start and once per step, t increasing. Between two calls the truth goes linearly; before the first call
  // it was as in the first. Never allocates.
  void update(const SensorTruth&);
  const SensorReadings& readings() const;
  const SensorSuiteSpec& spec() const;

  StateList state();
  std::uint64_t identity() const;  // of suite and seed
  std::vector<std::byte> snapshot() const;
  bool restore(std::span<const std::byte>);  // false, and nothing changed, if of another suite or seed, or damaged

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Columns m_* of the sensors the car has, and the values of a row, appended in that order.
std::vector<Column> sensor_columns(const SensorSuiteSpec&, int wheels);
void sensor_values(const SensorSuite&, std::vector<double>& row);

}  // namespace vdsim
