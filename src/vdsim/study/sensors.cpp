// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/sensors.hpp"

#include <array>
#include <cassert>
#include <cstring>
#include <string>

#include "vdsim/core/math/real.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/outputs.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {
namespace {

enum Sensor { imu, gnss, wheel_speed, steer, kSensors };
constexpr int kChannels = 6, kMostWheels = 4;
constexpr double kTwoPi = 6.283185307179586;
constexpr double kPulseTimeout = 1;  // no tooth for so long: the wheel stands [s]

using Vec = std::array<double, 3>;
using Values = std::array<double, kChannels>;

// Bijection of 64 bits in which every input bit flips every output bit with probability 1/2: two rounds of xor-shift
// and odd multiplier (D. Stafford's variant 13 of the MurmurHash3 finaliser).
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio: spreads small numbers over all bits

Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vec vec(const double* x) { return {x[0], x[1], x[2]}; }
template <class M> Vec turn(const M& m, const Vec& x) {
  return {m[0] * x[0] + m[1] * x[1] + m[2] * x[2], m[3] * x[0] + m[4] * x[1] + m[5] * x[2],
          m[6] * x[0] + m[7] * x[1] + m[8] * x[2]};
}
template <class M> Vec turn_back(const M& m, const Vec& x) {
  return {m[0] * x[0] + m[3] * x[1] + m[6] * x[2], m[1] * x[0] + m[4] * x[1] + m[7] * x[2],
          m[2] * x[0] + m[5] * x[1] + m[8] * x[2]};
}

// box -> body, row by row: yaw, then pitch, then roll, each about the axis turned so far
std::array<double, 9> box_axes(const std::array<double, 3>& rpy) {
  double sr, cr, sp, cp, sy, cy;
  sincos(rpy[0], sr, cr);
  sincos(rpy[1], sp, cp);
  sincos(rpy[2], sy, cy);
  return {cy * cp,
          cy * sp * sr - sy * cr,
          cy * sp * cr + sy * sr,  //
          sy * cp,
          sy * sp * sr + cy * cr,
          sy * sp * cr - cy * sr,  //
          -sp,
          cp * sr,
          cp * cr};
}

// Errors of one number. The walk is of the bias, per sqrt(s).
struct Channel {
  double std = 0, bias0 = 0, walk = 0, range = 0, resolution = 0;
  std::uint64_t noise_key = 0, walk_key = 0;
};

// Constants of one sensor.
struct Sampler {
  bool on;
  int channels;
  double rate, latency;
  std::array<Channel, kChannels> channel{};
  std::int64_t slots = 0, offset = 0;  // its ring in `ring`, in readings

  double appears(std::int64_t k) const { return static_cast<double>(k) / rate; }
  double is_of(std::int64_t k) const { return appears(k) - latency; }
  std::size_t slot(std::int64_t k) const { return static_cast<std::size_t>(offset + (k % slots + slots) % slots); }
};

struct SamplerState {
  std::int64_t taken = 0, shown = 0;  // index of the next reading to take, to show; those between wait in the ring
  Values bias{}, before{};            // before: free of errors, at the last update
};

// One toothed wheel.
struct PulseState {
  double phase = 0;                     // angle since the last tooth, in teeth, 0 .. 1
  double count = 0, edge_t = 0;         // teeth passed, backwards subtracts; time of the last one [s]
  double shown_count = 0, shown_t = 0;  // the tooth at which the last reading ended
  double speed = 0;                     // last reading, free of noise [rad/s]
};

// With the ring all that must be saved.
struct SuiteState {
  std::int64_t started = 0;
  double t = 0;  // of the last update
  std::array<SamplerState, kSensors> sampler{};
  std::array<PulseState, kMostWheels> pulse{};
  SensorReadings readings{};
};
static_assert(std::is_trivially_copyable_v<SuiteState> && sizeof(SensorReadings) == 22 * sizeof(double), "no gaps");

// From the last update to this one.
struct Step {
  double t0, t1;
  double reach;       // instants up to here are due: clocks that add up steps run late by rounding [s]
  bool first;         // no step, only t1
  double turned = 0;  // share of the step that the pulse wheels have done
};

template <class T> std::string_view bytes_of(const T& x) { return {reinterpret_cast<const char*>(&x), sizeof x}; }

// The wheel has turned at constant speed before `t`.
PulseState start_pulses(double phase, double speed, double t, double teeth_per_rad) {
  PulseState p;
  const double teeth = abs(speed) * teeth_per_rad;  // per second
  const double since = speed < 0 ? 1 - phase : phase;
  const bool stands = !(since < teeth * kPulseTimeout);
  p.phase = phase;
  p.edge_t = p.shown_t = stands ? t - kPulseTimeout : t - since / teeth;
  p.speed = stands ? 0 : speed;
  return p;
}

// Spin from w0 to w1, linear in time, from t0 over h. The last tooth that passes sets edge_t: with s = 0 .. 1 over h
//   teeth(s) = b s + a s^2 = c   ->   s = 2 c / (b +- sqrt(b^2 + 4 a c)), the sign of the direction.
void turn_pulses(PulseState& p, double w0, double w1, double t0, double h, double teeth_per_rad) {
  const double b = w0 * h * teeth_per_rad, a = 0.5 * (w1 - w0) * h * teeth_per_rad;
  const double from = p.phase, to = from + (a + b), passed = floor(to);
  p.phase = to - passed;
  if (passed == 0) return;
  const double c = (passed > 0 ? passed : passed + 1) - from;
  const double root = sqrt(max(0.0, b * b + 4 * a * c));
  const double s = c == 0 ? 0 : 2 * c / (passed > 0 ? b + root : b - root);
  p.count += passed;
  p.edge_t = t0 + clamp(s, 0.0, 1.0) * h;
}

// Teeth between the last tooth now and the last tooth of the reading before, over the time between them. Without a new
// tooth the wheel is at most one tooth further, and stands after a while.
double read_pulses(PulseState& p, double t, double teeth_per_rad) {
  const double pitch = 1 / teeth_per_rad;
  if (p.edge_t > p.shown_t) {
    p.speed = pitch * (p.count - p.shown_count) / (p.edge_t - p.shown_t);
    p.shown_count = p.count;
    p.shown_t = p.edge_t;
  } else if (t - p.edge_t >= kPulseTimeout) {
    p.speed = 0;
  } else if (t > p.edge_t) {
    const double most = pitch / (t - p.edge_t);
    p.speed = clamp(p.speed, -most, most);
  }
  return p.speed;
}

}  // namespace

template <> StateList state_of_struct(SamplerState& s) {
  return {state("taken", s.taken, "", "number of the next reading to take"),
          state("shown", s.shown, "", "number of the next reading to show"), state("bias", s.bias, "", "walked so far"),
          state("before", s.before, "", "free of errors, at the last update")};
}
template <> StateList state_of_struct(PulseState& s) {
  return {state("phase", s.phase, "-", "since the last tooth, in teeth"),
          state("count", s.count, "-", "teeth passed"),
          state("edge_t", s.edge_t, "s", "of the last tooth"),
          state("shown_count", s.shown_count, "-", "at which the last reading ended"),
          state("shown_t", s.shown_t, "s", "at which the last reading ended"),
          state("speed", s.speed, "rad/s", "last reading, free of noise")};
}
template <> StateList state_of_struct(SensorReadings& s) {
  return {state("imu_ax", s.imu_ax, "m/s^2", ""),
          state("imu_ay", s.imu_ay, "m/s^2", ""),
          state("imu_az", s.imu_az, "m/s^2", ""),
          state("imu_gx", s.imu_gx, "rad/s", ""),
          state("imu_gy", s.imu_gy, "rad/s", ""),
          state("imu_gz", s.imu_gz, "rad/s", ""),
          state("gnss_x", s.gnss_x, "m", ""),
          state("gnss_y", s.gnss_y, "m", ""),
          state("gnss_z", s.gnss_z, "m", ""),
          state("gnss_vx", s.gnss_vx, "m/s", ""),
          state("gnss_vy", s.gnss_vy, "m/s", ""),
          state("gnss_vz", s.gnss_vz, "m/s", ""),
          state("wheel", s.wheel, "rad/s", ""),
          state("steer", s.steer, "rad", ""),
          state("imu_t", s.imu_t, "s", ""),
          state("gnss_t", s.gnss_t, "s", ""),
          state("wheel_t", s.wheel_t, "s", ""),
          state("steer_t", s.steer_t, "s", ""),
          state("imu_fresh", s.imu_fresh, "", ""),
          state("gnss_fresh", s.gnss_fresh, "", ""),
          state("wheel_fresh", s.wheel_fresh, "", ""),
          state("steer_fresh", s.steer_fresh, "", ""),
          state("wheels", s.wheels, "", "", between(0, 4))};
}

std::uint64_t sensor_key(std::uint64_t seed, std::uint64_t car_seed, std::uint64_t stream) {
  return mix(mix(mix(seed + kGolden) + car_seed) + stream);
}
// The key enters twice, so that two streams are not pieces of one sequence.
double sensor_uniform(std::uint64_t key, std::uint64_t index) {
  return static_cast<double>(mix(mix(index * kGolden + key) ^ key) >> 11) * 0x1p-53;
}
// Box and Muller; 1 - u is in (0, 1].
double sensor_normal(std::uint64_t key, std::uint64_t index) {
  const double u = sensor_uniform(key, 2 * index), v = sensor_uniform(key, 2 * index + 1);
  return sqrt(-2 * log(1 - u)) * cos(kTwoPi * v);
}

struct SensorSuite::Impl {
  SensorSuiteSpec spec;
  std::uint64_t car_seed;
  std::array<double, 9> box;
  std::array<Sampler, kSensors> sampler;
  SuiteState state{};
  std::vector<Values> ring;  // readings taken and not yet shown

  Impl(const SensorSuiteSpec&, std::uint64_t car_seed);
  std::uint64_t key(Sensor s, int channel, int purpose) const {
    return sensor_key(static_cast<std::uint64_t>(spec.seed), car_seed,
                      static_cast<std::uint64_t>(s * 64 + channel * 8 + purpose));
  }
  double teeth_per_rad() const { return spec.wheel_speed.pulses / kTwoPi; }
  bool has_pulses(Sensor s) const { return s == wheel_speed && spec.wheel_speed.pulses > 0; }
  std::uint64_t identity() const;
  Values perfect(Sensor, const SensorTruth&) const;
  void start(const SensorTruth&);
  void update(const SensorTruth&);
  void sample(Sensor, Step&, const Values& now);
  void turn_wheels(Step&, const Values& now, double share);
  void take(Sensor, const Values& clean);
  void show_due(Sensor, double reach);
  void show(Sensor, std::int64_t k);
};

SensorSuite::Impl::Impl(const SensorSuiteSpec& suite, std::uint64_t seed)
    : spec(suite),
      car_seed(seed),
      box(box_axes(suite.imu.mount_rpy)),
      sampler{Sampler{suite.imu.enabled, 6, suite.imu.rate, suite.imu.latency},
              Sampler{suite.gnss.enabled, 6, suite.gnss.rate, suite.gnss.latency},
              Sampler{suite.wheel_speed.enabled, kMostWheels, suite.wheel_speed.rate, suite.wheel_speed.latency},
              Sampler{suite.steer.enabled, 1, suite.steer.rate, suite.steer.latency}} {
  const ImuSpec& m = spec.imu;
  const Channel accel{m.accel_std, m.accel_bias0, m.accel_bias_walk, m.accel_range, m.accel_resolution};
  const Channel gyro{m.gyro_std, m.gyro_bias0, m.gyro_bias_walk, m.gyro_range, m.gyro_resolution};
  sampler[imu].channel = {accel, accel, accel, gyro, gyro, gyro};
  const Channel pos{spec.gnss.pos_std}, vel{spec.gnss.vel_std};
  sampler[gnss].channel = {pos, pos, pos, vel, vel, vel};
  sampler[wheel_speed].channel.fill(Channel{spec.wheel_speed.std});
  sampler[steer].channel[0] = {spec.steer.std, spec.steer.bias0, 0, 0, spec.steer.resolution};
  std::int64_t size = 0;
  for (int s = 0; s < kSensors; ++s) {
    Sampler& c = sampler[s];
    for (int i = 0; i < kChannels; ++i) {
      c.channel[i].noise_key = key(Sensor(s), i, 0);
      c.channel[i].walk_key = key(Sensor(s), i, 1);
    }
    c.offset = size;
    c.slots = static_cast<std::int64_t>(c.latency * c.rate) + 3;  // those on their way, the new one, rounding
    size += c.slots;
  }
  ring.resize(spec.enabled ? static_cast<std::size_t>(size) : 0);
}

// Free of errors.
Values SensorSuite::Impl::perfect(Sensor s, const SensorTruth& x) const {
  const Vec w = vec(x.w);
  switch (s) {
    case imu: {  // specific force at the box: R' (a - g) + alpha x l + w x (w x l), then body -> box
      const Vec& l = spec.imu.mount;
      Vec f = turn_back(x.R, {x.a[0] - x.g[0], x.a[1] - x.g[1], x.a[2] - x.g[2]});
      const Vec swing = cross(vec(x.alpha), l), pull = cross(w, cross(w, l));
      for (int i = 0; i < 3; ++i) f[i] += swing[i] + pull[i];
      f = turn_back(box, f);
      const Vec r = turn_back(box, w);
      return {f[0], f[1], f[2], r[0], r[1], r[2]};
    }
    case gnss: {
      const Vec& l = spec.gnss.mount;
      const Vec arm = turn(x.R, l), swing = turn(x.R, cross(w, l));
      return {x.p[0] + arm[0],   x.p[1] + arm[1],   x.p[2] + arm[2],
              x.v[0] + swing[0], x.v[1] + swing[1], x.v[2] + swing[2]};
    }
    case wheel_speed: {
      Values v{};
      for (int i = 0; i < x.wheels; ++i) v[i] = x.wheel[i];
      return v;
    }
    default: return {x.steer};
  }
}

void SensorSuite::Impl::start(const SensorTruth& truth) {
  for (int s = 0; s < kSensors; ++s) {
    SamplerState& x = state.sampler[s];
    x.taken = x.shown = static_cast<std::int64_t>(floor(truth.t * sampler[s].rate));
    for (int i = 0; i < sampler[s].channels; ++i)
      x.bias[i] = sampler[s].channel[i].bias0 * sensor_normal(key(Sensor(s), i, 2), 0);
  }
  for (int i = 0; i < truth.wheels; ++i) {
    const double phase = sensor_uniform(key(wheel_speed, i, 3), 0);
    state.pulse[i] = start_pulses(phase, truth.wheel[i], truth.t, teeth_per_rad());
  }
  state.started = 1;
}

void SensorSuite::Impl::update(const SensorTruth& truth) {
  if (!spec.enabled) return;
  const bool first = state.started == 0;
  assert((first || truth.t >= state.t) && truth.wheels <= kMostWheels);
  Step step{state.t, truth.t, first ? truth.t + 1e-9 : truth.t + 1e-3 * (truth.t - state.t), first};
  if (first) start(truth);
  SensorReadings& r = state.readings;
  r.wheels = truth.wheels;
  r.imu_fresh = r.gnss_fresh = r.wheel_fresh = r.steer_fresh = false;
  for (int s = 0; s < kSensors; ++s)
    if (sampler[s].on) sample(Sensor(s), step, perfect(Sensor(s), truth));
  state.t = truth.t;
}

// All readings of one sensor that fall into the step.
void SensorSuite::Impl::sample(Sensor s, Step& step, const Values& now) {
  const Sampler& c = sampler[s];
  SamplerState& x = state.sampler[s];
  for (; c.is_of(x.taken) <= step.reach; ++x.taken) {
    show_due(s, step.reach);  // makes room in the ring
    const double t = c.is_of(x.taken), share = step.first ? 1 : (t - step.t0) / (step.t1 - step.t0);
    Values clean = now;
    if (has_pulses(s)) {
      if (!step.first) turn_wheels(step, now, min(share, 1.0));
      for (int i = 0; i < c.channels; ++i)
        clean[i] = step.first ? state.pulse[i].speed : read_pulses(state.pulse[i], t, teeth_per_rad());
    } else if (!step.first) {
      for (int i = 0; i < c.channels; ++i) clean[i] = x.before[i] + share * (now[i] - x.before[i]);
    }
    take(s, clean);
  }
  show_due(s, step.reach);
  if (has_pulses(s) && !step.first) turn_wheels(step, now, 1);
  x.before = now;
}

// From the share of the step that is done to `share`.
void SensorSuite::Impl::turn_wheels(Step& step, const Values& now, double share) {
  const double h = step.t1 - step.t0;
  for (int i = 0; i < kMostWheels; ++i) {
    const double w0 = state.sampler[wheel_speed].before[i], slope = now[i] - w0;
    turn_pulses(state.pulse[i], w0 + step.turned * slope, w0 + share * slope, step.t0 + step.turned * h,
                (share - step.turned) * h, teeth_per_rad());
  }
  step.turned = share;
}

// Errors in the order in which they arise: bias and noise, steps of the converter, end of its range.
void SensorSuite::Impl::take(Sensor s, const Values& clean) {
  const Sampler& c = sampler[s];
  SamplerState& x = state.sampler[s];
  const auto k = static_cast<std::uint64_t>(x.taken);
  Values& out = ring[c.slot(x.taken)];
  for (int i = 0; i < c.channels; ++i) {
    const Channel& e = c.channel[i];
    double v = clean[i] + x.bias[i];
    const bool silent = has_pulses(s) && clean[i] == 0;  // no teeth, no noise
    if (e.std > 0 && !silent) v += e.std * sensor_normal(e.noise_key, k);
    if (e.resolution > 0) v = e.resolution * floor(v / e.resolution + 0.5);
    if (e.range > 0) v = clamp(v, -e.range, e.range);
    out[i] = v;
    if (e.walk > 0) x.bias[i] += e.walk / sqrt(c.rate) * sensor_normal(e.walk_key, k);  // exact over 1 / rate
  }
}

void SensorSuite::Impl::show_due(Sensor s, double reach) {
  SamplerState& x = state.sampler[s];
  for (; x.shown < x.taken && sampler[s].appears(x.shown) <= reach; ++x.shown) show(s, x.shown);
}

void SensorSuite::Impl::show(Sensor s, std::int64_t k) {
  const Values& v = ring[sampler[s].slot(k)];
  const double t = sampler[s].is_of(k);
  SensorReadings& r = state.readings;
  switch (s) {
    case imu:
      r.imu_ax = v[0], r.imu_ay = v[1], r.imu_az = v[2], r.imu_gx = v[3], r.imu_gy = v[4], r.imu_gz = v[5];
      r.imu_t = t, r.imu_fresh = true;
      break;
    case gnss:
      r.gnss_x = v[0], r.gnss_y = v[1], r.gnss_z = v[2], r.gnss_vx = v[3], r.gnss_vy = v[4], r.gnss_vz = v[5];
      r.gnss_t = t, r.gnss_fresh = true;
      break;
    case wheel_speed:
      for (int i = 0; i < kMostWheels; ++i) r.wheel[i] = i < r.wheels ? v[i] : 0;
      r.wheel_t = t, r.wheel_fresh = true;
      break;
    default: r.steer = v[0]; r.steer_t = t, r.steer_fresh = true;
  }
}

// Everything that fixes the readings, and the layout of a snapshot.
std::uint64_t SensorSuite::Impl::identity() const {
  SensorSuiteSpec read = spec;  // a table names members to read or to write
  const std::uint64_t sizes[] = {sizeof(SuiteState), ring.size(), car_seed};
  return fnv1a(bytes_of(sizes), hash_values(fields_of(read), fnv1a("sensor_suite_v1")));
}

SensorSuite::SensorSuite(const SensorSuiteSpec& spec, std::uint64_t car_seed) : impl_(new Impl(spec, car_seed)) {}
SensorSuite::~SensorSuite() = default;
SensorSuite::SensorSuite(SensorSuite&&) noexcept = default;
SensorSuite& SensorSuite::operator=(SensorSuite&&) noexcept = default;
void SensorSuite::update(const SensorTruth& truth) { impl_->update(truth); }
const SensorReadings& SensorSuite::readings() const { return impl_->state.readings; }
const SensorSuiteSpec& SensorSuite::spec() const { return impl_->spec; }

StateList SensorSuite::state() {
  SuiteState& s = impl_->state;
  return {vdsim::state("started", s.started, "", "not before the first update"),
          vdsim::state("t", s.t, "s", "of the last update"),
          vdsim::state("sampler", s.sampler, "", "what waits to be shown"),
          vdsim::state("pulse", s.pulse, "", "toothed wheels"),
          vdsim::state("readings", s.readings, "", "the newest"),
          vdsim::state("ring", std::span(reinterpret_cast<double*>(impl_->ring.data()), impl_->ring.size() * kChannels),
                       "", "readings that wait")};
}
std::uint64_t SensorSuite::identity() const { return impl_->identity(); }
std::vector<std::byte> SensorSuite::snapshot() const {
  return save(const_cast<SensorSuite*>(this)->state(), identity());
}
bool SensorSuite::restore(std::span<const std::byte> bytes) { return vdsim::restore(state(), identity(), bytes); }

std::vector<Column> sensor_columns(const SensorSuiteSpec& spec, int wheels) {
  std::vector<Column> out;
  if (!spec.enabled) return out;
  const auto time_of = [&](const char* name, const char* of) {
    out.push_back({name, "s", std::string("time of ") + of});
  };
  if (spec.imu.enabled) {
    for (const char* axis : {"x", "y", "z"})
      out.push_back({std::string("m_a") + axis, "m/s^2", std::string("measured specific force, IMU ") + axis});
    for (const char* axis : {"x", "y", "z"})
      out.push_back({std::string("m_g") + axis, "rad/s", std::string("measured turn rate about IMU ") + axis});
    time_of("m_imu_t", "the IMU reading");
  }
  if (spec.gnss.enabled) {
    for (const char* axis : {"x", "y", "z"})
      out.push_back({std::string("m_gnss_") + axis, "m", std::string("measured antenna position, world ") + axis});
    for (const char* axis : {"x", "y", "z"})
      out.push_back({std::string("m_gnss_v") + axis, "m/s", std::string("measured antenna velocity, world ") + axis});
    time_of("m_gnss_t", "the GNSS reading");
  }
  if (spec.wheel_speed.enabled) {
    for (const std::string& wheel : wheel_names(wheels == 2 ? Level::L1 : Level::L2))
      out.push_back({"m_omega_" + wheel, "rad/s", "measured spin"});
    time_of("m_omega_t", "the wheel speed reading");
  }
  if (spec.steer.enabled) {
    out.push_back({"m_steer", "rad", "measured steer angle, left positive"});
    time_of("m_steer_t", "the steer reading");
  }
  return out;
}

void sensor_values(const SensorSuite& suite, std::vector<double>& row) {
  const SensorSuiteSpec& spec = suite.spec();
  const SensorReadings& r = suite.readings();
  if (!spec.enabled) return;
  const auto put = [&](std::initializer_list<double> values) { row.insert(row.end(), values); };
  if (spec.imu.enabled) put({r.imu_ax, r.imu_ay, r.imu_az, r.imu_gx, r.imu_gy, r.imu_gz, r.imu_t});
  if (spec.gnss.enabled) put({r.gnss_x, r.gnss_y, r.gnss_z, r.gnss_vx, r.gnss_vy, r.gnss_vz, r.gnss_t});
  if (spec.wheel_speed.enabled) {
    row.insert(row.end(), r.wheel, r.wheel + r.wheels);
    put({r.wheel_t});
  }
  if (spec.steer.enabled) put({r.steer, r.steer_t});
}

}  // namespace vdsim
