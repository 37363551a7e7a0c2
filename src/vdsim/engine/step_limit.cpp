// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/step_limit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/car_model.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/mutex.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/same_math.hpp"
#include "vdsim/engine/step.hpp"

namespace vdsim {
namespace {

// Where a disturbance is watched: parked with the brake pressed, or rolling out of gear, when nothing but the wheel itself turns;
// on springs also with struts as stiff as they get: that of the bump stop beside the spring, the damper where it is stiffest.
struct Watched {
  double speed;
  bool stiff;
};
constexpr Watched kPoints[] = {{0, false},  {0.5, false}, {2, false}, {5, false}, {15, false},
                               {30, false}, {60, false},  {0, true},  {15, true}};
constexpr double kMargin = 1.1;  // the step is watched at this many times its length
constexpr double kSteerSpeed = 20, kSteerAngle = 0.01, kSteerIn = 0.1;  // [m/s], [rad], [s]
constexpr double kSteerTime = 0.6, kFine = 5e-4;                        // [s]
constexpr double kPush = 0.02;                                          // [m/s, rad/s]
constexpr int kPushSteps = 300;
// Laws that follow the slip and have no bristles are the stiffer the slower they roll, and no one drives them there.
constexpr double kSlow = 15;  // [m/s]

// Of a square matrix: the largest absolute eigenvalue, by A^4096.
double spectral_radius(std::vector<double> A, std::size_t n) {
  double log_size = 0, weight = 1;
  std::vector<double> B(n * n);
  for (int k = 0; k <= 12; ++k, weight *= 0.5) {
    double size = 0;
    for (const double x : A) size += x * x;
    size = std::sqrt(size);
    if (!std::isfinite(size)) return HUGE_VAL;
    if (!(size > 0)) return 0;
    log_size += weight * vdsim::log(size);
    if (k == 12) break;
    std::fill(B.begin(), B.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t l = 0; l < n; ++l)
        if (const double a = A[i * n + l] / (size * size); a != 0)
          for (std::size_t j = 0; j < n; ++j) B[i * n + j] += a * A[l * n + j];
    A.swap(B);
  }
  return vdsim::exp(log_size);
}

template <Level Lv> class Probe {
 public:
  explicit Probe(const VehicleSpec& spec) : spec_(spec), model_(compile<Lv>(spec, RoadSpec{})), stiff_(model_) {
    if constexpr (kSprung<Lv>)
      for (auto& corner : stiff_.p.corner) {
        StrutParams<double>& p = corner.strut;
        p.k += p.stop, p.c_mean += std::fabs(p.c_half), p.c_half = 0;
      }
  }

  // At the first point where it grows. A growth that friction bounds, or that is of a kink the car stands on, shows in no motion and does not count.
  double growth(Integrator method, double dt, double& at_speed) const {
    for (const Watched& point : kPoints) {
      if ((point.stiff && !kSprung<Lv>) || (point.speed < kSlow && !holds())) continue;
      const double g = growth_at(point, method, dt);
      if (g <= StepCheck::kMostGrowth || !strays(point, method, dt)) continue;
      at_speed = point.speed;
      return g;
    }
    return 1;
  }
  // [T02.13]
  double steer_error(Integrator method, double dt) const {
    const int fine = static_cast<int>(std::ceil(dt / kFine)), steps = static_cast<int>(std::ceil(kSteerTime / dt));
    Cart at = rolling({kSteerSpeed, false}), truth = at;
    double most = 0, off = 0;
    for (int i = 0; i < steps; ++i) {
      move(at, method, i * dt, dt);
      for (int k = 0; k < fine; ++k) move(truth, Integrator::rk4, i * dt + k * dt / fine, dt / fine);
      most = std::fmax(most, std::fabs(truth.s.r));
      off = std::fmax(off, std::fabs(at.s.r - truth.s.r));
    }
    return off / most;
  }

 private:
  using S = State<double, Lv>;
  struct Cart {
    S s;
    std::vector<PatchTire<double>> patch;
    bool stiff;
  };
  Cart rolling(const Watched& at) const {
    Cart out{start<Lv>(model_, 0, 0, 0, at.speed), {}, at.stiff};
    if (has_patches(spec_)) {
      out.patch.resize(kWheels<Lv>);
      start_patches<Lv>(spec_, out.s, out.patch.data());
    }
    return out;
  }
  void step(Cart& c, Integrator method, const Inputs<double>& from, const Inputs<double>& to, double h) const {
    integrate(method, c.stiff ? stiff_ : model_, c.s, from, to, h, c.patch.empty() ? nullptr : c.patch.data());
  }
  void move(Cart& c, Integrator method, double t, double h) const {
    const auto steer = [](double at) { return kSteerAngle * std::fmin(1.0, at / kSteerIn); };
    step(c, method, {steer(t), 0, 0, 0, 0}, {steer(t + h), 0, 0, 0, 0}, h);
  }
  S stepped(const Cart& from, Integrator method, const Inputs<double>& u, double h) const {
    Cart c = from;
    step(c, method, u, u, h);
    return c.s;
  }
  // A tire that holds at rest is used down to rest.
  bool holds() const {
    return std::all_of(std::begin(model_.kind.tire), std::end(model_.kind.tire), [](const TireKind& tire) {
      return tire.contact == ContactLaw::rolling || tire.contact == ContactLaw::patch;
    });
  }
  static Inputs<double> held(const Watched& at) { return {0, 0, at.speed == 0 ? 1.0 : 0.0, 0, 0}; }
  // Largest difference of speed, yaw rate and rim speed [m/s, rad/s]
  double apart(const S& a, const S& b) const {
    double most = std::fmax(std::fmax(std::fabs(a.vx - b.vx), std::fabs(a.vy - b.vy)), std::fabs(a.r - b.r));
    if constexpr (kSprung<Lv>) most = std::fmax(most, std::fabs(a.vz - b.vz));
    for (std::size_t i = 0; i < kWheels<Lv>; ++i)
      most = std::fmax(most, model_.p.wheel[i].tire.R0 * std::fabs(a.wheel[i].w - b.wheel[i].w));
    return most;
  }
  // [T02.12]  Pushed and left alone, the car leaves the motion that RK4 gives it with short steps.
  bool strays(const Watched& at, Integrator method, double h) const {
    const int fine = std::max(4, static_cast<int>(std::ceil(h / kFine)));
    Cart car = rolling(at);
    car.s.vx += kPush, car.s.vy += kPush, car.s.r += kPush;
    if constexpr (kSprung<Lv>) car.s.vz += kPush;
    Cart truth = car;
    const Inputs<double> u = held(at);
    double swing = 0;  // an unstable car takes its push further
    for (int i = 0; i < kPushSteps; ++i) {
      step(car, method, u, u, h);
      for (int k = 0; k < fine; ++k) step(truth, Integrator::rk4, u, u, h / fine);
      const double off = apart(car.s, truth.s);
      swing = std::fmax(swing, std::fmax(std::fabs(truth.s.vy), std::fabs(truth.s.r)));
      if (!(off < kPush + 0.1 * swing)) return true;
    }
    return false;
  }
  // [T02.12]  the step as a map of small disturbances, by differences. x, y: nothing depends on them. States that stay what they
  // are and move no other one are left out.
  double growth_at(const Watched& point, Integrator method, double h) const {
    constexpr std::size_t n = sizeof(S) / sizeof(double);
    constexpr double small = 1e-7;
    const Cart from = rolling(point);
    const Inputs<double> u = held(point);
    const S base = stepped(from, method, u, h);
    std::vector<std::vector<double>> column;
    std::vector<std::size_t> index;
    for (std::size_t j = 2; j < n; ++j) {
      Cart other = from;
      reinterpret_cast<double*>(&other.s)[j] += small;
      const S end = stepped(other, method, u, h);
      std::vector<double> d(n);
      bool moves = false;
      for (std::size_t i = 2; i < n; ++i) {
        d[i] = (reinterpret_cast<const double*>(&end)[i] - reinterpret_cast<const double*>(&base)[i]) / small;
        moves = moves || (i != j && d[i] != 0);
      }
      if (moves) column.push_back(std::move(d)), index.push_back(j);
    }
    const std::size_t m = index.size();
    std::vector<double> A(m * m);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) A[i * m + j] = column[j][index[i]];
    return spectral_radius(std::move(A), m);
  }

  VehicleSpec spec_;
  Model<double, Lv> model_, stiff_;
};

template <Level Lv> StepCheck check_on(const VehicleSpec& spec, Integrator method, double dt, bool accuracy) {
  const Probe<Lv> probe(spec);
  StepCheck out;
  out.growth = probe.growth(method, kMargin * dt, out.at_speed);
  const bool first_order = method != Integrator::rk4;
  if (accuracy && first_order && is_long_step(dt) && out.stable()) out.error = probe.steer_error(method, dt);
  return out;
}

// Round numbers, in ms: each decade has these.
constexpr double kRound[] = {1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9};
std::vector<double> round_steps() {
  std::vector<double> out;
  for (const double decade : {1e-5, 1e-4, 1e-3, 1e-2})
    for (const double k : kRound)
      if (k * decade <= kLongestStep * (1 + 1e-9)) out.push_back(k * decade);
  return out;
}

// The longest step that was found to work, of every car that was asked for.
class Known {
 public:
  bool works(std::uint64_t car, double dt) {
    const MutexLock lock(mutex_);
    const auto found = longest_.find(car);
    return found != longest_.end() && dt <= found->second;
  }
  void add(std::uint64_t car, double dt) {
    const MutexLock lock(mutex_);
    if (longest_.size() > 10000) longest_.clear();
    double& longest = longest_[car];
    longest = std::max(longest, dt);
  }

 private:
  Mutex mutex_;
  std::map<std::uint64_t, double> longest_;
};
Known& known() {
  static Known all;
  return all;
}

std::string advice(const VehicleSpec& spec, Level level, Integrator method, double dt) {
  const double longest = longest_step(spec, level, method);
  std::string out = longest > 0 ? "at most " + number_text(longest, 3) + " s" : "no step is short enough";
  for (const Integrator other : {Integrator::rk4, Integrator::implicit})
    if (other != method && check_step(spec, level, other, dt).works())
      return out + ", or solver.integrator " + enum_name(other);
  return out;
}

}  // namespace

StepCheck check_step(const VehicleSpec& spec, Level level, Integrator method, double dt, bool accuracy) {
  switch (level) {
    case Level::L1: return check_on<Level::L1>(spec, method, dt, accuracy);
    case Level::L2: return check_on<Level::L2>(spec, method, dt, accuracy);
    case Level::L3: return check_on<Level::L3>(spec, method, dt, accuracy);
    case Level::L5: return check_on<Level::L5>(spec, method, dt, accuracy);
  }
  return {};
}

double longest_step(const VehicleSpec& spec, Level level, Integrator method) {
  const std::vector<double> steps = round_steps();
  const auto first_bad = std::partition_point(steps.begin(), steps.end(),
                                              [&](double dt) { return check_step(spec, level, method, dt).works(); });
  return first_bad == steps.begin() ? 0 : *(first_bad - 1);
}

std::string step_fault(const VehicleSpec& spec, Level level, Integrator method, double dt, bool accuracy) {
  if (!(dt > 0 && dt <= kLongestStep)) return number_text(dt) + " s is out of range, expected above 0 to 0.02 s";
  const std::uint64_t kind[3] = {std::uint64_t(level), std::uint64_t(method), accuracy};
  const std::uint64_t car = fnv1a(bytes_view(kind), spec_hash(spec, RoadSpec{}));
  if (known().works(car, dt)) return "";
  const StepCheck check = check_step(spec, level, method, dt, accuracy);
  if (check.works()) {
    known().add(car, dt);
    return "";
  }
  std::string why = "the yaw rate of a step steer would be off by " + number_text(100 * check.error, 3) + " %";
  if (!check.stable())
    why = "at " + number_text(check.at_speed, 3) + " m/s a small disturbance would grow " +
          number_text(check.growth, 3) + " times in each step";
  return number_text(dt) + " s is too long for this car on " + enum_name(level) + " with " + enum_name(method) + ": " +
         advice(spec, level, method, dt) + " (" + why + ")";
}

}  // namespace vdsim
