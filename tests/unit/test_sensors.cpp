// SPDX-License-Identifier: Apache-2.0
// Sensors: what they read of known motions, the statistics of their errors, that neither step nor restart shows.
#include "vdsim/study/sensors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "tests/count_allocations.hpp"
#include "vdsim/config/read.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {
namespace {

constexpr double kPi = 3.141592653589793;

SensorTruth at_rest(double t = 0) {
  SensorTruth x{};
  x.t = t;
  x.R[0] = x.R[4] = x.R[8] = 1;
  x.g[2] = -kGravity;
  x.wheels = 4;
  return x;
}

// No error at all; every sensor at `rate`.
SensorSuiteSpec perfect(double rate = 1000) {
  SensorSuiteSpec s;
  s.enabled = true;
  s.imu.accel_std = s.imu.gyro_std = s.gnss.pos_std = s.gnss.vel_std = s.wheel_speed.std = s.steer.std = 0;
  s.imu.rate = s.gnss.rate = s.wheel_speed.rate = s.steer.rate = rate;
  return s;
}
// Every error there is, rates that do not divide each other.
SensorSuiteSpec everything() {
  SensorSuiteSpec s;
  s.enabled = true;
  s.imu = {true,
           100,
           0.0137,
           0.05,
           0.002,
           0.1,
           0.01,
           0.02,
           0.001,
           40,
           5,
           0.005,
           0.0005,
           {0.3, 0.1, -0.2},
           {0.02, -0.03, 1.2}};
  s.gnss = {true, 30, 0.12, 0.3, 0.05, {-0.5, 0.2, 0.9}};
  s.wheel_speed = {true, 70, 0.011, 0.05, 48};
  s.steer = {true, 100, 0.01, 0.001, 0.002, 0.0001};
  return s;
}

SensorReadings read_once(const SensorSuiteSpec& spec, const SensorTruth& truth) {
  SensorSuite suite(spec, 0);
  suite.update(truth);
  return suite.readings();
}

void rotate(double (&R)[9], double roll, double pitch, double yaw) {
  const double sr = std::sin(roll), cr = std::cos(roll), sp = std::sin(pitch), cp = std::cos(pitch), sy = std::sin(yaw),
               cy = std::cos(yaw);
  const double r[9] = {cy * cp,
                       cy * sp * sr - sy * cr,
                       cy * sp * cr + sy * sr,
                       sy * cp,
                       sy * sp * sr + cy * cr,
                       sy * sp * cr - cy * sr,
                       -sp,
                       cp * sr,
                       cp * cr};
  std::copy(r, r + 9, R);
}

struct Moments {
  double mean, variance, fourth, lag1;  // fourth: standardised
};
Moments moments(const std::vector<double>& x) {
  const double n = static_cast<double>(x.size());
  Moments m{};
  for (const double v : x) m.mean += v / n;
  double next = 0, fourth = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = x[i] - m.mean;
    m.variance += d * d / (n - 1);
    fourth += d * d * d * d / n;
    if (i > 0) next += d * (x[i - 1] - m.mean) / n;
  }
  m.fourth = fourth / (m.variance * m.variance);
  m.lag1 = next / m.variance;
  return m;
}
double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const Moments a = moments(x), b = moments(y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - a.mean) * (y[i] - b.mean);
  return sum / static_cast<double>(x.size()) / std::sqrt(a.variance * b.variance);
}

// Correlations of independent series, times sqrt(n), are standard normal. The largest of up to 150 is above 4.5 in one
// of a thousand such tables; their mean square is 1 with the standard deviation sqrt(2 / pairs), 3 of them allowed.
void expect_independent(const std::vector<std::vector<double>>& x) {
  double sum = 0, pairs = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double z = correlation(x[i], x[j]) * std::sqrt(static_cast<double>(x[i].size()));
      EXPECT_LT(std::abs(z), 4.5) << i << " " << j;
      sum += z * z;
      ++pairs;
    }
  EXPECT_NEAR(sum / pairs, 1, 3 * std::sqrt(2 / pairs));
}

// ---------------------------------------------------------------------------------------- random numbers

std::vector<double> normals(std::uint64_t key, int n) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(sensor_normal(key, static_cast<std::uint64_t>(i)));
  return x;
}

// Bounds: 3.5 standard deviations of each estimate of n independent normal numbers.
TEST(SensorNoise, MomentsOfANormalDistribution) {
  const int n = 100000;
  for (std::uint64_t stream = 0; stream < 4; ++stream) {
    const Moments m = moments(normals(sensor_key(1, 2, stream), n));
    EXPECT_NEAR(m.mean, 0, 3.5 / std::sqrt(n));
    EXPECT_NEAR(m.variance, 1, 3.5 * std::sqrt(2.0 / n));
    EXPECT_NEAR(m.fourth, 3, 3.5 * std::sqrt(24.0 / n));
    EXPECT_NEAR(m.lag1, 0, 3.5 / std::sqrt(n));
  }
}

// Kolmogorov and Smirnov: sqrt(n) D is above 1.63 in one of a hundred samples. Beyond 3 and 4: a Poisson count.
TEST(SensorNoise, DistributionAndTails) {
  const int n = 400000;
  std::vector<double> x = normals(sensor_key(7, 0, 3), n);
  std::sort(x.begin(), x.end());
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const double cdf = 0.5 * std::erfc(-x[i] / std::sqrt(2.0));
    worst = std::max({worst, std::abs(cdf - double(i) / n), std::abs(cdf - double(i + 1) / n)});
  }
  EXPECT_LT(worst * std::sqrt(n), 1.63);
  for (const double limit : {3.0, 4.0}) {
    const double expected = n * std::erfc(limit / std::sqrt(2.0));
    const auto count = std::count_if(x.begin(), x.end(), [&](double v) { return std::abs(v) > limit; });
    EXPECT_NEAR(double(count), expected, 3.5 * std::sqrt(expected)) << limit;
  }
  EXPECT_LT(std::max(-x.front(), x.back()), 8.6);
}

// Neighbours in any of the three seeds share nothing, nor does one with the other a step later.
TEST(SensorNoise, StreamsAreIndependent) {
  const int n = 20000;
  std::vector<std::vector<double>> x;
  for (std::uint64_t i = 0; i < 4; ++i) {
    x.push_back(normals(sensor_key(1, 1, i), n));
    x.push_back(normals(sensor_key(1, 2 + i, 0), n));
    x.push_back(normals(sensor_key(2 + i, 1, 0), n));
  }
  expect_independent(x);
  for (std::size_t i = 0; i < x.size(); i += 2) std::rotate(x[i].begin(), x[i].begin() + 1, x[i].end());
  expect_independent(x);
}

// The numbers are part of the format: they must be these on every compiler and machine.
TEST(SensorNoise, SameBitsEverywhere) {
  EXPECT_EQ(sensor_key(0, 0, 0), 0x33fe8bd4f9c57863u);
  EXPECT_EQ(sensor_key(1, 2, 3), 0xed671830066ae2ecu);
  double sum = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) sum += sensor_normal(sensor_key(1, 2, 3), i);
  EXPECT_EQ(sum, 0x1.30d6f2d9dc791p+4);
}

// ------------------------------------------------------------------------------------------ closed forms

// Exact up to the rounding of one rotation: 1e-14 of g.
TEST(Imu, AtRestReadsMinusGravityInItsOwnAxes) {
  SensorTruth x = at_rest();
  SensorReadings r = read_once(perfect(), x);
  EXPECT_EQ(r.imu_ax, 0);
  EXPECT_EQ(r.imu_ay, 0);
  EXPECT_EQ(r.imu_az, kGravity);

  x.g[0] = -0.6 * kGravity, x.g[1] = 0, x.g[2] = -0.8 * kGravity;  // world = road plane of a 3-4-5 grade, nose uphill
  r = read_once(perfect(), x);
  EXPECT_NEAR(r.imu_ax, 0.6 * kGravity, 1e-13);
  EXPECT_NEAR(r.imu_az, 0.8 * kGravity, 1e-13);
  rotate(x.R, 0, 0, kPi / 2);  // heading left, across the slope: uphill is to its right
  r = read_once(perfect(), x);
  EXPECT_NEAR(r.imu_ax, 0, 1e-13);
  EXPECT_NEAR(r.imu_ay, -0.6 * kGravity, 1e-13);

  // rolled body on the level: right side down for positive roll, so the left of the box points up
  x = at_rest();
  rotate(x.R, 0.3, 0, 0);
  r = read_once(perfect(), x);
  EXPECT_NEAR(r.imu_ay, kGravity * std::sin(0.3), 1e-13);
  EXPECT_NEAR(r.imu_az, kGravity * std::cos(0.3), 1e-13);
  x = at_rest();
  rotate(x.R, 0, 0.3, 0);  // nose down
  EXPECT_NEAR(read_once(perfect(), x).imu_ax, -kGravity * std::sin(0.3), 1e-13);
}

TEST(Imu, FreeFallReadsZeroWhereverTheBoxSits) {
  SensorTruth x = at_rest();
  std::copy(x.g, x.g + 3, x.a);
  rotate(x.R, 0.4, -0.9, 2.5);
  SensorSuiteSpec s = perfect();
  s.imu.mount = {1, 2, 3};
  s.imu.mount_rpy = {0.1, 0.2, 0.3};
  const SensorReadings r = read_once(s, x);
  EXPECT_EQ(r.imu_ax, 0);
  EXPECT_EQ(r.imu_ay, 0);
  EXPECT_EQ(r.imu_az, 0);
}

// A table that turns at w and speeds up: w^2 r towards the axis, alpha r along the rim.
TEST(Imu, TurntableWithLeverArm) {
  SensorTruth x = at_rest();
  x.w[2] = 3;
  x.alpha[2] = 0.7;
  rotate(x.R, 0, 0, 1.1);
  SensorSuiteSpec s = perfect();
  s.imu.mount = {0.5, 0, 0.2};
  SensorReadings r = read_once(s, x);
  EXPECT_NEAR(r.imu_ax, -4.5, 1e-14);
  EXPECT_NEAR(r.imu_ay, 0.35, 1e-15);
  EXPECT_NEAR(r.imu_az, kGravity, 1e-14);
  EXPECT_EQ(r.imu_gz, 3);
  s.imu.mount = {0, 0.5, 0};
  r = read_once(s, x);
  EXPECT_NEAR(r.imu_ax, -0.35, 1e-15);
  EXPECT_NEAR(r.imu_ay, -4.5, 1e-14);
}

// A box turned by (roll, pitch, yaw) on a straight body reads what a body turned by the same angles reads with a
// straight box: gravity and turn rate, to rounding.
TEST(Imu, BoxAnglesAreThoseOfABody) {
  const double roll = 0.4, pitch = -0.7, yaw = 2.1;
  SensorTruth x = at_rest();
  x.w[0] = 0.3, x.w[1] = -0.2, x.w[2] = 0.5;
  SensorSuiteSpec s = perfect();
  s.imu.mount_rpy = {roll, pitch, yaw};
  const SensorReadings turned_box = read_once(s, x);
  SensorTruth y = at_rest();
  rotate(y.R, roll, pitch, yaw);
  for (int i = 0; i < 3; ++i) y.w[i] = y.R[i] * x.w[0] + y.R[3 + i] * x.w[1] + y.R[6 + i] * x.w[2];
  const SensorReadings turned_body = read_once(perfect(), y);
  EXPECT_NEAR(turned_box.imu_ax, turned_body.imu_ax, 1e-14);
  EXPECT_NEAR(turned_box.imu_ay, turned_body.imu_ay, 1e-14);
  EXPECT_NEAR(turned_box.imu_az, turned_body.imu_az, 1e-14);
  EXPECT_NEAR(turned_box.imu_gx, turned_body.imu_gx, 1e-15);
  EXPECT_NEAR(turned_box.imu_gy, turned_body.imu_gy, 1e-15);
  EXPECT_NEAR(turned_box.imu_gz, turned_body.imu_gz, 1e-15);
}

// A tumbling body with known R(t), p(t); rates by differences of R.
SensorTruth tumbling(double t) {
  const auto R_at = [](double s, double(&R)[9]) {
    rotate(R, 0.5 * std::sin(1.3 * s), 0.4 * std::cos(0.9 * s), 1.7 * s);
  };
  const auto rates = [&](double s, double(&w)[3]) {
    const double h = 1e-4;
    double R[9], a[9], b[9], S[9] = {};
    R_at(s, R), R_at(s - h, a), R_at(s + h, b);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) S[3 * i + j] += R[3 * k + i] * (b[3 * k + j] - a[3 * k + j]) / (2 * h);
    w[0] = S[7], w[1] = S[2], w[2] = S[3];  // R' dR/dt is the cross product with w
  };
  SensorTruth x = at_rest(t);
  R_at(t, x.R);
  rates(t, x.w);
  double before[3], after[3];
  rates(t - 1e-3, before), rates(t + 1e-3, after);
  for (int i = 0; i < 3; ++i) {
    x.alpha[i] = (after[i] - before[i]) / 2e-3;
    x.p[i] = std::sin((1 + i) * t), x.v[i] = (1 + i) * std::cos((1 + i) * t), x.a[i] = -(1 + i) * (1 + i) * x.p[i];
  }
  return x;
}

// The path of the antenna, differenced twice, is what accelerometer and GNSS at the same place say. Differences over
// 1e-3 s of motions of about 3 rad/s: truncation 1e-6 relative, in accelerations of 10 m/s^2.
TEST(Sensors, LeverArmsAgreeWithTheirOwnPath) {
  SensorSuiteSpec s = perfect();
  s.imu.mount = s.gnss.mount = {0.8, -0.6, 0.5};
  const double h = 1e-3;
  for (const double t : {0.2, 1.0, 2.7}) {
    const SensorTruth x = tumbling(t);
    const SensorReadings a = read_once(s, tumbling(t - h)), b = read_once(s, x), c = read_once(s, tumbling(t + h));
    EXPECT_NEAR(b.gnss_vx, (c.gnss_x - a.gnss_x) / (2 * h), 3e-5);
    EXPECT_NEAR(b.gnss_vy, (c.gnss_y - a.gnss_y) / (2 * h), 3e-5);
    EXPECT_NEAR(b.gnss_vz, (c.gnss_z - a.gnss_z) / (2 * h), 3e-5);
    const double f[3] = {b.imu_ax, b.imu_ay, b.imu_az};
    const double path[3] = {(a.gnss_x - 2 * b.gnss_x + c.gnss_x) / (h * h),
                            (a.gnss_y - 2 * b.gnss_y + c.gnss_y) / (h * h),
                            (a.gnss_z - 2 * b.gnss_z + c.gnss_z) / (h * h)};
    for (int i = 0; i < 3; ++i) {
      const double felt = x.R[3 * i] * f[0] + x.R[3 * i + 1] * f[1] + x.R[3 * i + 2] * f[2];
      EXPECT_NEAR(felt + x.g[i], path[i], 1e-4) << t << " " << i;
    }
  }
}

TEST(Sensors, RangeAndResolution) {
  SensorSuiteSpec s = perfect();
  s.imu.accel_range = 4, s.imu.gyro_range = 2, s.imu.accel_resolution = 0.25, s.imu.gyro_resolution = 0.5;
  s.steer.resolution = 0.01;
  SensorTruth x = at_rest();
  x.a[0] = 0.7, x.a[1] = -0.6;  // z: gravity, out of range
  x.w[0] = 0.74, x.w[1] = -0.76, x.w[2] = -3;
  x.steer = 0.1234;
  const SensorReadings r = read_once(s, x);
  EXPECT_EQ(r.imu_ax, 0.75);
  EXPECT_EQ(r.imu_ay, -0.5);
  EXPECT_EQ(r.imu_az, 4);
  EXPECT_EQ(r.imu_gx, 0.5);
  EXPECT_EQ(r.imu_gy, -1);
  EXPECT_EQ(r.imu_gz, -2);
  EXPECT_NEAR(r.steer, 0.12, 1e-16);
}

// -------------------------------------------------------------------------------------- errors of readings

// Rows of m_* values, one per update at 1 / rate.
std::vector<std::vector<double>> rows_at_rest(const SensorSuiteSpec& spec, std::uint64_t car, int n) {
  SensorSuite suite(spec, car);
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < n; ++k) {
    SensorTruth x = at_rest(k / spec.imu.rate);
    std::fill(x.wheel, x.wheel + 4, 50);
    suite.update(x);
    rows.emplace_back();
    sensor_values(suite, rows.back());
  }
  return rows;
}

// Each channel has the standard deviation asked for, the mean of the truth and no memory, within 3 standard deviations
// of the estimates; no two channels have anything in common.
TEST(Sensors, NoiseIsWhiteWithTheStdAskedFor) {
  SensorSuiteSpec s = perfect(100);
  s.seed = 5;
  s.imu.accel_std = 0.05, s.imu.gyro_std = 0.002, s.gnss.pos_std = 0.3, s.gnss.vel_std = 0.04, s.wheel_speed.std = 0.06,
  s.steer.std = 0.001;
  const int n = 20000;
  const std::vector<std::vector<double>> rows = rows_at_rest(s, 3, n);
  const std::vector<Column> columns = sensor_columns(s, 4);
  std::vector<std::vector<double>> noise;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string& name = columns[c].name;
    if (name.ends_with("_t")) continue;
    const double truth = name == "m_az" ? kGravity : name.starts_with("m_omega") ? 50 : 0;
    const double std = name.starts_with("m_a")        ? 0.05
                       : name.starts_with("m_gnss_v") ? 0.04
                       : name.starts_with("m_gnss")   ? 0.3
                       : name.starts_with("m_g")      ? 0.002
                       : name.starts_with("m_omega")  ? 0.06
                                                      : 0.001;
    std::vector<double> x;
    for (const auto& row : rows) x.push_back(row[c] - truth);
    const Moments m = moments(x);
    EXPECT_NEAR(m.mean, 0, 3 * std / std::sqrt(n)) << name;
    EXPECT_NEAR(std::sqrt(m.variance), std, 3 * std / std::sqrt(2.0 * n)) << name;
    EXPECT_NEAR(m.lag1, 0, 3 / std::sqrt(n)) << name;
    noise.push_back(x);
  }
  ASSERT_EQ(noise.size(), 17u);
  expect_independent(noise);
}

// Over many cars: variance of the reading after t is bias0^2 + walk^2 t, at any rate. 3 axes x 500 cars: an estimate of
// a variance has the relative standard deviation sqrt(2 / 1500); 3 of them allowed.
TEST(Sensors, BiasWalkVarianceGrowsWithTime) {
  const double allowed = 3 * std::sqrt(2.0 / 1500);
  for (const double rate : {10.0, 40.0}) {
    SensorSuiteSpec s = perfect(rate);
    s.gnss.enabled = s.wheel_speed.enabled = s.steer.enabled = false;
    s.imu.accel_bias0 = 0.1, s.imu.accel_bias_walk = 0.2, s.imu.gyro_bias_walk = 0.01;
    double accel[3] = {}, gyro[3] = {};
    const int steps[3] = {0, int(2 * rate), int(8 * rate)};
    for (std::uint64_t car = 0; car < 500; ++car) {
      const std::vector<std::vector<double>> rows = rows_at_rest(s, car, steps[2] + 1);
      for (int k = 0; k < 3; ++k) {
        const std::vector<double>& row = rows[static_cast<std::size_t>(steps[k])];
        accel[k] += (row[0] * row[0] + row[1] * row[1] + (row[2] - kGravity) * (row[2] - kGravity)) / 1500;
        gyro[k] += (row[3] * row[3] + row[4] * row[4] + row[5] * row[5]) / 1500;
      }
    }
    const double t[3] = {0, 2, 8};
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(accel[k] / (0.01 + 0.04 * t[k]), 1, allowed) << rate << " Hz, " << t[k] << " s";
      if (k == 0)
        EXPECT_EQ(gyro[0], 0);
      else
        EXPECT_NEAR(gyro[k] / (1e-4 * t[k]), 1, allowed) << rate << " Hz, " << t[k] << " s";
    }
  }
}

// Differences of readings: noise twice and one step of the walk, all independent: variance 2 std^2 + walk^2 / rate.
// 3 standard deviations of an estimate from 3 x 20000 numbers with a correlation of neighbours up to 1/2.
TEST(Sensors, NoiseAndBiasWalkAreIndependent) {
  SensorSuiteSpec s = perfect(4);
  s.imu.accel_std = 1, s.imu.accel_bias_walk = 2;
  const auto rows = rows_at_rest(s, 3, 20001);
  double sum = 0;
  for (std::size_t k = 1; k < rows.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i) sum += std::pow(rows[k][i] - rows[k - 1][i], 2) / 60000;
  EXPECT_NEAR(sum, 3, 3 * 3 * std::sqrt(2 * 1.5 / 60000));
}

TEST(Sensors, SteerBiasStaysForTheWholeRunAndDiffersBetweenCars) {
  SensorSuiteSpec s = perfect(100);
  s.steer.bias0 = 0.01;
  const auto one = rows_at_rest(s, 1, 100), two = rows_at_rest(s, 2, 1);
  const std::size_t column = one[0].size() - 2;
  for (const auto& row : one) EXPECT_EQ(row[column], one[0][column]);
  EXPECT_NE(one[0][column], 0);
  EXPECT_NE(one[0][column], two[0][column]);
}

// A drive whose positions, rates and angles are linear in time, so that interpolation is exact.
SensorTruth linear_drive(double t) {
  SensorTruth x = at_rest(t);
  x.p[0] = 20 * t, x.p[1] = -3 * t, x.p[2] = 0.1 * t;
  x.v[0] = 20, x.v[1] = -3, x.v[2] = 0.1;
  x.w[2] = 0.3 * t;
  x.a[0] = 2 * t, x.a[1] = -t;
  for (int i = 0; i < 4; ++i) x.wheel[i] = 60 + (i + 1) * t;
  x.steer = 0.05 * t;
  return x;
}

using Drive = std::function<SensorTruth(double)>;
// One entry per reading that appeared: its time, then its values.
struct Log {
  std::vector<std::vector<double>> imu, gnss, wheel, steer;
  std::vector<double> imu_seen;  // time of the update
};
Log drive(SensorSuite& suite, const Drive& truth, double dt, int from, int to, bool adding_clock = false) {
  Log log;
  double sum = from * dt;
  for (int i = from; i <= to; ++i, sum += dt) {
    SensorTruth x = truth(adding_clock ? sum : i * dt);
    suite.update(x);
    const SensorReadings& r = suite.readings();
    if (r.imu_fresh) {
      log.imu.push_back({r.imu_t, r.imu_ax, r.imu_ay, r.imu_az, r.imu_gx, r.imu_gy, r.imu_gz});
      log.imu_seen.push_back(x.t);
    }
    if (r.gnss_fresh) log.gnss.push_back({r.gnss_t, r.gnss_x, r.gnss_y, r.gnss_z, r.gnss_vx, r.gnss_vy, r.gnss_vz});
    if (r.wheel_fresh) log.wheel.push_back({r.wheel_t, r.wheel[0], r.wheel[1], r.wheel[2], r.wheel[3]});
    if (r.steer_fresh) log.steer.push_back({r.steer_t, r.steer});
  }
  return log;
}
void expect_same(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b,
                 double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i][0], b[i][0]);
    for (std::size_t j = 1; j < a[i].size(); ++j) EXPECT_NEAR(a[i][j], b[i][j], tolerance) << i << " " << j;
  }
}

TEST(Sensors, SameSeedSameBitsOtherSeedOtherNoise) {
  SensorSuiteSpec s = everything(), t = s;
  t.seed = 2;
  SensorSuite a(s, 4), b(s, 4), other_car(s, 5), other_seed(t, 4);
  const Log x = drive(a, linear_drive, 1e-3, 0, 500), y = drive(b, linear_drive, 1e-3, 0, 500);
  EXPECT_EQ(x.imu, y.imu);
  EXPECT_EQ(x.gnss, y.gnss);
  EXPECT_EQ(x.wheel, y.wheel);
  EXPECT_EQ(x.steer, y.steer);
  for (SensorSuite* suite : {&other_car, &other_seed}) {
    const Log z = drive(*suite, linear_drive, 1e-3, 0, 500);
    ASSERT_EQ(x.imu.size(), z.imu.size());
    for (std::size_t i = 0; i < x.gnss.size(); ++i)
      for (std::size_t j = 1; j < 7; ++j) EXPECT_NE(x.gnss[i][j], z.gnss[i][j]);
  }
}

// ----------------------------------------------------------------------------------- instants and latency

// Steps of 1, 2.5 and 7 ms: the same instants, the same noise, the same values; only rounding of the interpolation
// differs. No resolution here: rounding could tip a reading over a step.
TEST(Sensors, ReadingsDoNotDependOnTheStep) {
  SensorSuiteSpec s = everything();
  s.imu.accel_resolution = s.imu.gyro_resolution = s.steer.resolution = 0;
  s.imu.mount = {};  // centripetal terms are not linear in time
  for (const int pulses : {0, 48}) {
    s.wheel_speed.pulses = pulses;
    SensorSuite a(s, 1), b(s, 1), c(s, 1);
    const Log fine = drive(a, linear_drive, 1e-3, 0, 1400), middle = drive(b, linear_drive, 2.5e-3, 0, 560),
              coarse = drive(c, linear_drive, 7e-3, 0, 200);
    EXPECT_EQ(fine.imu.size(), 141u);
    for (const Log* other : {&middle, &coarse}) {
      expect_same(fine.imu, other->imu, 1e-12);
      expect_same(fine.gnss, other->gnss, 1e-12);
      expect_same(fine.wheel, other->wheel, 2e-10);  // pulses: a phase of 1e-14 teeth over 1/600 s
      expect_same(fine.steer, other->steer, 1e-14);
    }
  }
}

// A clock that adds up steps is late by rounding; readings must not be late by a step for that.
TEST(Sensors, AnAddingClockMissesNoInstant) {
  SensorSuite suite(perfect(100), 0);
  const Log log = drive(suite, linear_drive, 1e-3, 0, 20000, true);
  ASSERT_EQ(log.imu.size(), 2001u);
  for (std::size_t k = 0; k < log.imu.size(); ++k) {
    EXPECT_EQ(log.imu[k][0], double(k) / 100);
    EXPECT_NEAR(log.imu_seen[k], double(k) / 100, 1e-9);
  }
}

// Steps longer than the sampling interval: only the newest reading is left to see, and it is the right one.
TEST(Sensors, FasterThanTheStep) {
  SensorSuiteSpec s = everything();
  s.imu.accel_resolution = s.imu.gyro_resolution = s.steer.resolution = 0;
  s.imu.mount = {};
  s.imu.accel_bias_walk = 0.5;
  SensorSuite fine(s, 1), coarse(s, 1);
  for (int i = 0; i <= 10; ++i) {
    for (int j = i == 0 ? 100 : 1; j <= 100; ++j) fine.update(linear_drive(0.1 * (i - 1) + 0.001 * j));
    coarse.update(linear_drive(0.1 * i));
    EXPECT_EQ(fine.readings().imu_t, coarse.readings().imu_t);
    EXPECT_NEAR(fine.readings().imu_ax, coarse.readings().imu_ax, 1e-12);
    EXPECT_NEAR(fine.readings().gnss_x, coarse.readings().gnss_x, 1e-12);
    EXPECT_NEAR(fine.readings().wheel[2], coarse.readings().wheel[2], 2e-10);
  }
}

// A reading at time t shows the truth of `latency` before its sampling instant, exactly when the truth is linear; it is
// held in between; before the start the truth was that of the start.
TEST(Sensors, LatencyIsExactForALinearTruth) {
  SensorSuiteSpec s = perfect(50);
  s.imu.latency = 0.0333, s.gnss.latency = 0.25, s.wheel_speed.latency = 0.0071, s.steer.latency = 0.02;
  SensorSuite suite(s, 0);
  const double dt = 3e-3;
  for (int i = 0; i < 400; ++i) {
    const double t = i * dt, sampled = std::floor(t * 50 + 1e-6) / 50;
    suite.update(linear_drive(t));
    const SensorReadings& r = suite.readings();
    EXPECT_NEAR(r.imu_t, sampled - 0.0333, 1e-12);
    EXPECT_NEAR(r.imu_ax, 2 * std::max(0.0, sampled - 0.0333), 1e-12);
    EXPECT_NEAR(r.imu_gz, 0.3 * std::max(0.0, sampled - 0.0333), 1e-12);
    EXPECT_NEAR(r.gnss_t, sampled - 0.25, 1e-12);
    EXPECT_NEAR(r.gnss_x, 20 * std::max(0.0, sampled - 0.25), 1e-12);
    EXPECT_NEAR(r.gnss_vy, -3, 1e-12);
    EXPECT_NEAR(r.wheel[3], 60 + 4 * std::max(0.0, sampled - 0.0071), 1e-12);
    EXPECT_NEAR(r.steer, 0.05 * std::max(0.0, sampled - 0.02), 1e-12);
  }
}

TEST(Sensors, FreshOnlyWhenAReadingAppears) {
  SensorSuite suite(perfect(10), 0);
  int fresh = 0;
  for (int i = 0; i <= 1000; ++i) {
    suite.update(linear_drive(i * 1e-3));
    const SensorReadings& r = suite.readings();
    fresh += r.imu_fresh;
    EXPECT_EQ(r.imu_fresh, i % 100 == 0);
    EXPECT_EQ(r.gnss_fresh && r.wheel_fresh && r.steer_fresh, i % 100 == 0);
  }
  EXPECT_EQ(fresh, 11);
}

// ----------------------------------------------------------------------------------------- pulse wheels

SensorSuiteSpec pulse_wheel(int pulses, double rate = 100) {
  SensorSuiteSpec s = perfect(rate);
  s.wheel_speed.pulses = pulses;
  return s;
}
SensorTruth spin(double t, double w) {
  SensorTruth x = at_rest(t);
  std::fill(x.wheel, x.wheel + 4, w);
  return x;
}

// At constant speed the time between teeth gives the speed exactly, in both directions, whether many teeth or none pass
// between two readings. Edge times carry the rounding of t and of the phase: 1e-10 relative over tens of milliseconds.
TEST(PulseWheel, ConstantSpeedIsExact) {
  for (const double w : {80.0, 7.0, 0.9, -0.9, -80.0}) {
    SensorSuite suite(pulse_wheel(48), 11);
    for (int i = 0; i <= 3000; ++i) {
      suite.update(spin(i * 1e-3, w));
      for (const double reading : suite.readings().wheel) ASSERT_NEAR(reading, w, 1e-10 * std::abs(w)) << i;
    }
  }
}

// Every reading is the mean over its teeth: between the slowest and the fastest speed since the tooth before the last
// reading. At this speed a tooth passes at least every 3 ms.
TEST(PulseWheel, ReadingIsAMeanOfTheRecentSpeed) {
  const auto speed = [](double t) { return 60 + 12 * std::sin(9 * t); };
  SensorSuite suite(pulse_wheel(48), 2);
  for (int i = 0; i <= 3000; ++i) {
    const double t = i * 1e-3;
    suite.update(spin(t, speed(t)));
    if (!suite.readings().wheel_fresh || t < 0.05) continue;
    double lo = 1e9, hi = 0;
    for (double back = 0; back <= 0.0131; back += 1e-4) {
      lo = std::min(lo, speed(t - back));
      hi = std::max(hi, speed(t - back));
    }
    for (const double reading : suite.readings().wheel) {
      EXPECT_GE(reading, lo - 1e-4);  // linear between the steps: w'' h^2 / 8
      EXPECT_LE(reading, hi + 1e-4);
    }
  }
}

// Braked to rest, a while at rest, then backwards.
TEST(PulseWheel, ComesToRestAndReverses) {
  SensorSuiteSpec s = pulse_wheel(48);
  s.wheel_speed.std = 0.05;
  SensorSuite suite(s, 2);
  const auto speed = [](double t) { return t < 1 ? 20 * (1 - t) : t < 3 ? 0 : -10 * (t - 3); };
  for (int i = 0; i <= 4000; ++i) {
    const double t = i * 1e-3;
    suite.update(spin(t, speed(t)));
    for (const double reading : suite.readings().wheel) {
      if (t > 2.02 && t <= 3.01) {
        EXPECT_EQ(reading, 0) << t;  // no tooth for a second: no noise either
      } else if (t < 0.5 || t > 3.6) {
        EXPECT_NEAR(reading, speed(t), 0.75) << t;  // up to 30 ms old at 20 rad/s^2, and 3 std of noise
      }
    }
  }
}

// Coasting to a stop the last reading is bounded by one tooth over the time since the last one.
TEST(PulseWheel, WithoutTeethTheReadingFalls) {
  SensorSuite suite(pulse_wheel(48), 2);
  for (int i = 0; i <= 1500; ++i) {
    const double t = i * 1e-3;
    suite.update(spin(t, t < 0.5 ? 20 : 0));
    if (t < 0.53 || t > 1.49) continue;
    for (const double reading : suite.readings().wheel) {
      const double since = suite.readings().wheel_t - 0.5;
      EXPECT_LE(reading, 2 * kPi / 48 / since + 1e-9);
      EXPECT_GE(reading, 2 * kPi / 48 / (since + 0.008));  // a tooth passed at most 6.6 ms before, and a step of 1 ms
    }
  }
}

// ------------------------------------------------------------------------------- snapshot, memory, output

TEST(Sensors, SnapshotContinuesToTheBit) {
  const SensorSuiteSpec s = everything();
  SensorSuite a(s, 9), b(s, 9);
  drive(a, tumbling, 1e-3, 0, 333);  // between instants, with readings on their way
  const std::vector<std::byte> saved = a.snapshot();
  ASSERT_TRUE(b.restore(saved));
  EXPECT_EQ(b.snapshot(), saved);
  const Log x = drive(a, tumbling, 1e-3, 334, 900), y = drive(b, tumbling, 1e-3, 334, 900);
  EXPECT_EQ(x.imu, y.imu);
  EXPECT_EQ(x.gnss, y.gnss);
  EXPECT_EQ(x.wheel, y.wheel);
  EXPECT_EQ(x.steer, y.steer);
  EXPECT_EQ(a.snapshot(), b.snapshot());

  SensorSuite fresh(s, 9);  // before the first update
  ASSERT_TRUE(b.restore(fresh.snapshot()));
  EXPECT_EQ(drive(b, tumbling, 1e-3, 0, 200).imu, drive(fresh, tumbling, 1e-3, 0, 200).imu);
}

TEST(Sensors, SnapshotOfAnotherSuiteIsRefused) {
  SensorSuiteSpec s = everything(), changed = s;
  SensorSuite a(s, 9);
  drive(a, linear_drive, 1e-3, 0, 100);
  std::vector<std::byte> saved = a.snapshot();
  changed.imu.gyro_std *= 2;
  SensorSuite other_car(s, 8), other_suite(changed, 9), same(s, 9);
  EXPECT_FALSE(other_car.restore(saved));
  EXPECT_FALSE(other_suite.restore(saved));
  EXPECT_FALSE(same.restore(std::span(saved).first(saved.size() - 1)));
  EXPECT_FALSE(same.restore({}));
  const std::vector<std::byte> before = same.snapshot();
  saved[saved.size() / 2] ^= std::byte{1};
  EXPECT_FALSE(same.restore(saved));
  EXPECT_EQ(same.snapshot(), before);
}

TEST(Sensors, UpdateNeverAllocates) {
  SensorSuite suite(everything(), 1);
  const long before = g_allocations;
  for (int i = 0; i < 2000; ++i) suite.update(linear_drive(i * 1e-3));
  suite.update(linear_drive(30));  // thousands of readings in one step
  EXPECT_EQ(g_allocations, before);
}

TEST(Sensors, ColumnsNameTheValues) {
  SensorSuiteSpec s = perfect();
  EXPECT_TRUE(sensor_columns(SensorSuiteSpec{}, 4).empty());  // off by default
  SensorTruth x = linear_drive(2);
  x.wheels = 2;
  SensorSuite suite(s, 0);
  suite.update(x);
  std::vector<double> row{-1};
  sensor_values(suite, row);
  const std::vector<Column> columns = sensor_columns(s, 2);
  ASSERT_EQ(row.size(), columns.size() + 1);
  EXPECT_EQ(row[0], -1);  // appended
  const auto value = [&](const char* name) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].name == name) return row[i + 1];
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_EQ(value("m_ax"), 4);
  EXPECT_EQ(value("m_ay"), -2);
  EXPECT_EQ(value("m_az"), kGravity);
  EXPECT_EQ(value("m_gx"), 0);
  EXPECT_EQ(value("m_gz"), 0.6);
  EXPECT_EQ(value("m_gnss_x"), 40);
  EXPECT_EQ(value("m_gnss_vy"), -3);
  EXPECT_EQ(value("m_gnss_z"), 0.2);
  EXPECT_EQ(value("m_omega_f"), 62);
  EXPECT_EQ(value("m_omega_r"), 64);
  EXPECT_EQ(value("m_steer"), 0.1);
  EXPECT_EQ(value("m_gnss_t"), 2);
  SensorSuiteSpec noisy;
  noisy.enabled = true;
  EXPECT_EQ(read_once(noisy, x).wheel[2], 0);  // no wheel, no noise

  const std::vector<Column> four = sensor_columns(s, 4);
  EXPECT_TRUE(std::any_of(four.begin(), four.end(), [](const Column& c) { return c.name == "m_omega_rr"; }));
  s.imu.enabled = s.steer.enabled = false;
  SensorSuite less(s, 0);
  less.update(x);
  row.clear();
  sensor_values(less, row);
  EXPECT_EQ(row.size(), sensor_columns(s, 2).size());
  EXPECT_EQ(row[0], 40);  // m_gnss_x comes first now
  EXPECT_EQ(less.readings().imu_az, 0);
}

TEST(Sensors, PartsOfTheCatalogAreValid) {
  for (const char* name : {"ideal", "sedan_suite"}) {
    Errors errors;
    const std::string file = std::string(VDSIM_SOURCE_DIR "/configs/parts/sensors/") + name + ".yaml";
    const auto text = read_text(file, errors);
    ASSERT_TRUE(text);
    const auto root = parse_yaml(*text, file, errors);
    ASSERT_TRUE(root);
    SensorSuiteSpec spec;
    read_block({file, errors}, *root->find("body"), fields_of(spec), "body");
    EXPECT_TRUE(errors.empty());
    EXPECT_TRUE(spec.enabled);
    EXPECT_EQ(root->find("id")->text, std::string("sensors.") + name);
    if (spec.imu.rate < 1000) continue;
    const SensorReadings r = read_once(spec, linear_drive(3));  // ideal: the truth itself
    EXPECT_EQ(r.imu_ax, 6);
    EXPECT_EQ(r.gnss_y, -9);
    EXPECT_EQ(r.wheel[0], 63);
    EXPECT_EQ(r.steer, 0.05 * 3);
  }
}

}  // namespace
}  // namespace vdsim
