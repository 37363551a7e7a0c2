// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/handling_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "vdsim/core/vehicle/body_states.hpp"
#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/core/vehicle/equipment.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {
namespace {

constexpr double kGravity = 9.80665;
constexpr int kBody = 3;  // vx, vy, r

struct WheelUnknown {
  int wheel;
  double WheelState<double>::*state;
  Affine<double> WheelAffine<double>::*rate;
};

enum class Diff { open, locked, slips_left, slips_right };  // slips_left: the left wheel is the faster one

template <Level Lv> class PlanarCar : public SteadyCar {
  static constexpr int kN = kWheels<Lv>, kSide = kN / 2;

 public:
  PlanarCar(const VehicleSpec& spec, const RoadSpec& road, unsigned without)
      : model_(compile<Lv>(spec, road)),
        front_drive_(front_drive_share(spec.drivetrain)),
        front_brake_(spec.brake.brake_bias_front),
        without_(without) {
    model_.kind.rack = false;  // the road wheels are held
    model_.p.max_steer = 1.4;  // the stop is the caller's business: a clamp has no slope
    take_out();
    for (int a = 0; a < 2; ++a)
      diff_[a] = model_.kind.axle[a].locked || model_.kind.axle[a].lsd ? Diff::locked : Diff::open;
    if (Lv == Level::L1) diff_[0] = diff_[1] = Diff::open;
    list_unknowns();
    base_ = start<Lv>(model_, 0, 0, 0, 10);
  }

  int size() const override { return kWheelStates + int(list_.size()); }
  const std::vector<double>& scale() const override { return scale_; }

  std::vector<double> guess(double V) const override {
    const State<double, Lv> s = start<Lv>(model_, 0, 0, 0, V);
    std::vector<double> u(std::size_t(size()), 0.0);
    for (std::size_t k = 0; k < list_.size(); ++k)
      u[kWheelStates + k] = s.wheel[std::size_t(list_[k].wheel)].*list_[k].state;
    return u;
  }

  std::vector<double> state_of(const std::vector<double>& u, const Trim& t) const override {
    std::vector<double> x(u);
    x[0] = t.V * std::cos(u[kBeta]);
    x[1] = t.V * std::sin(u[kBeta]);
    x[2] = t.r;
    return x;
  }

  CarForces forces(const std::vector<double>& x, double steer, double torque) const override {
    Outputs<double, Lv> o;
    Rates<double, Lv> d;
    Stage<double, Lv> g;
    const State<double, Lv> s = evaluate(x, steer, torque, g, o, d);
    CarForces f{};
    f.rate.resize(x.size());
    f.rate[0] = d.vx, f.rate[1] = d.vy, f.rate[2] = d.r;
    for (std::size_t k = 0; k < list_.size(); ++k) {
      const Affine<double>& a = d.wheel[list_[k].wheel].*list_[k].rate;
      f.rate[kBody + k] = a.v - a.L * x[kBody + k];
    }
    const double count = Model<double, Lv>::count;
    for (int i = 0; i < kN; ++i) {
      const WheelOut<double>& w = o.wheel[i];
      f.Fy[i / kSide] += count * (g.angle[i].s * w.Fx + g.angle[i].c * w.Fy);
      f.Mz[i / kSide] += count * w.moment.Mz;
      for (int k = 0; k < int(count); ++k) {
        const std::size_t at = std::size_t(i * int(count) + k);
        f.fz[at] = w.Fz, f.fx[at] = w.Fx, f.fy[at] = w.Fy;
        f.kappa[at] = slip_ratio(w.contact.Vr, w.contact.Vx);
      }
    }
    if (without_ & kAligningMoment) f.rate[2] -= (f.Mz[0] + f.Mz[1]) * model_.p.inv_Iz;
    if (without_ & kDriveForce) f.rate[0] += torque / model_.p.wheel[0].tire.R0 * model_.p.inv_m;
    f.Fy_sum = model_.p.m * (f.rate[1] + s.r * s.vx);
    f.Mz_sum = model_.p.Iz * f.rate[2];
    return f;
  }

  std::vector<double> residual(const std::vector<double>& u, const Trim& t) const override {
    std::vector<double> x = state_of(u, t), e = forces(x, u[kSteer], u[kTorque]).rate;
    e[0] -= t.a_t * std::cos(u[kBeta]);
    e[1] -= t.a_t * std::sin(u[kBeta]);
    for (std::size_t k = 0; k < list_.size(); ++k)
      if (is_spin(k)) e[kBody + k] -= t.a_t / t.V * x[kBody + k];
    for (int a = 0; a < 2; ++a) {
      if (diff_[a] != Diff::locked) continue;
      const std::size_t l = spin_at(2 * a), r = spin_at(2 * a + 1);
      e[r] = x[l] - x[r];
    }
    return e;
  }

  bool settle(const std::vector<double>& u, const Trim& t) override {
    bool changed = false;
    const std::vector<double> x = state_of(u, t);
    for (int a = 0; a < 2; ++a) {
      if (diff_[a] == Diff::open || model_.kind.axle[a].locked) continue;
      Outputs<double, Lv> o;
      Rates<double, Lv> d;
      Stage<double, Lv> g;
      evaluate(x, u[kSteer], u[kTorque], g, o, d);
      const double faster = x[spin_at(2 * a)] - x[spin_at(2 * a + 1)],
                   need = 0.5 * (d.torque[2 * a] - d.torque[2 * a + kSide - 1]);
      Diff now = diff_[a];
      if (now == Diff::locked && std::abs(need) > lsd_capacity(model_.p.axle[a], g.T[a]) * (1 + 1e-9))
        now = need > 0 ? Diff::slips_left : Diff::slips_right;
      else if ((now == Diff::slips_left && faster < 0) || (now == Diff::slips_right && faster > 0))
        now = Diff::locked;
      changed = changed || now != diff_[a];
      diff_[a] = now;
    }
    return changed;
  }

  std::array<int, 2> lateral_states() const override {
    std::array<int, 2> out{-1, -1};
    for (std::size_t k = 0; k < list_.size(); ++k)
      if (list_[k].state == &WheelState<double>::zy || list_[k].state == &WheelState<double>::alp)
        out[std::size_t(list_[k].wheel / kSide)] = kBody + int(k);
    return out;
  }

 private:
  bool is_spin(std::size_t k) const { return list_[k].state == &WheelState<double>::w; }
  std::size_t spin_at(int wheel) const {  // in the states
    for (std::size_t k = 0; k < list_.size(); ++k)
      if (list_[k].wheel == wheel && is_spin(k)) return kBody + k;
    return 0;
  }

  void take_out() {
    VehicleParams<double, Lv>& p = model_.p;
    if (without_ & kLateralTransfer) p.load.kF = p.load.kR = 0;
    if (without_ & kPitchTransfer) p.load.h_over_L = 0;
    if (without_ & kAeroLoad) p.aero.lift_front = p.aero.lift_rear = 0;
    if (without_ & kAckermann) p.ackermann = 0;
    if (without_ & kLimitedDifferential)
      for (AxleKind& kind : model_.kind.axle) kind = {false, false};
  }

  void list_unknowns() {
    const double load = 0.25 * model_.p.m * kGravity;
    scale_ = {0.1, 0.1, load * model_.p.wheel[0].tire.R0};
    for (int i = 0; i < kN; ++i)
      each_affine<double>(model_.kind.tire[i], [&](auto state, auto rate) {
        using W = WheelState<double>;
        // temperatures and wear have no steady state: the tire stays as it starts
        if (wears(state)) return;
        const TireParams<double>& t = model_.p.wheel[i].tire;
        list_.push_back({i, state, rate});
        scale_.push_back(state == &W::w      ? 10
                         : state == &W::zx   ? load / t.sigma0_x
                         : state == &W::zy   ? load / t.sigma0_y
                         : state == &W::roll ? 1 / t.inv_b
                                             : 0.1);
      });
  }

  Stage<double, Lv> stage(double steer, double torque) const {
    Stage<double, Lv> g = make_stage(model_, Inputs<double>{steer, 0, 0, 0, 1}, 0.0);
    if (without_ & kDriveForce) return g;
    for (int a = 0; a < 2; ++a) {
      const double drive = a == 0 ? front_drive_ : 1 - front_drive_, brake = a == 0 ? front_brake_ : 1 - front_brake_;
      g.T[a] = std::max(torque, 0.0) * drive;
      for (int k = 0; k < kSide; ++k) g.cap[a * kSide + k] = 0.5 * std::max(-torque, 0.0) * brake;
    }
    return g;
  }

  State<double, Lv> evaluate(const std::vector<double>& x, double steer, double torque, Stage<double, Lv>& g,
                             Outputs<double, Lv>& o, Rates<double, Lv>& d) const {
    State<double, Lv> s = base_;
    s.vx = x[0], s.vy = x[1], s.r = x[2];
    s.ax = ax_, s.ay = ay_;
    for (std::size_t k = 0; k < list_.size(); ++k) s.wheel[std::size_t(list_[k].wheel)].*list_[k].state = x[kBody + k];
    g = stage(steer, torque);
    Grip<double> grip[2];
    for (int a = 0; a < 2; ++a)
      for (int k = 0; k < 2; ++k) {
        grip[a].sgn[k] = without_ & kRollingResistance ? 0 : 1;
        grip[a].dry[k] = grip[a].held[k] = false;
        grip[a].lock = diff_[a] == Diff::locked;
        grip[a].clutch = diff_[a] == Diff::slips_left ? 1 : diff_[a] == Diff::slips_right ? -1 : 0;
      }
    deriv(model_, s, g, false, grip, o, d);
    ax_ = d.ax, ay_ = d.ay;
    return s;
  }

  Model<double, Lv> model_;
  State<double, Lv> base_;            // what no unknown changes: temperatures, place
  double front_drive_, front_brake_;  // shares of the front axle
  unsigned without_;
  Diff diff_[2];
  std::vector<WheelUnknown> list_;
  std::vector<double> scale_;
  mutable double ax_ = 0, ay_ = 0;  // where the load solution starts: the last one
};

}  // namespace

std::unique_ptr<SteadyCar> steady_car(const VehicleSpec& spec, const RoadSpec& road, Level level, unsigned without) {
  std::vector<std::string> lines;
  if (on_springs(level))
    lines.push_back(
        fmt::format("level {}: the steady turn is solved for the planar levels L1 and L2; a car on springs "
                    "has ride states and camber that it does not know",
                    enum_name(level)));
  for (int i = 0; i < 4; ++i) {
    const char* corner[] = {"tire_fl", "tire_fr", "tire_rl", "tire_rr"};
    if (const char* why = no_steady_turn(tire_kind(tire_of(spec, i))))
      lines.push_back(fmt::format("{}: {}", corner[i], why));
  }
  if (!lines.empty()) throw BadInput(lines);
  if (level == Level::L1) return std::make_unique<PlanarCar<Level::L1>>(spec, road, without);
  if (level == Level::L2) return std::make_unique<PlanarCar<Level::L2>>(spec, road, without);
  throw std::logic_error("a planar level without a steady turn");
}

double largest_drive_torque(const VehicleSpec& spec, double V) {
  const EquipmentKind kind = equipment_kind(spec);
  const PowertrainParams<double> p = compile_equipment(spec).powertrain;
  const double w = V / (p.share[0] * radius_of(spec, 0) + p.share[1] * radius_of(spec, 2));
  if (kind.powertrain.source == DriveSource::plain) return p.plain;
  if (kind.powertrain.source == DriveSource::motor)
    return p.motor.ratio * p.motor.efficiency * motor_torque(p.motor, p.motor.ratio * w).T;
  double most = 0;
  for (int n = 0; n < kind.powertrain.gearbox.gears; ++n) {
    const double i = p.gearbox.ratio[n];
    if (i * w > p.gearbox.most) continue;
    most = std::max(most, i * p.gearbox.efficiency * engine_torque(kind.powertrain.engine, p.engine, i * w, 1.0).T);
  }
  return most;
}

}  // namespace vdsim
