// SPDX-License-Identifier: Apache-2.0
// Cars on springs, L3 and L5: modes of the quarter car, flight, statics on slopes, banked turn.
#include <algorithm>
#include <cmath>
#include <complex>

#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr auto kSprung = ValidationGroup::analytic;
using Complex = std::complex<double>;
std::string level_id(Level l) { return l == Level::L3 ? "_l3" : "_l5"; }

// Wheels that do not tilt against the body: travel has no geometry.
VehicleSpec upright(VehicleSpec s) {
  s.chassis.camber_per_roll = 1;
  return lossless(s);
}

// --- free heave of a car that is the same front and rear: two masses on two springs

struct QuarterCar {
  double M, m, k, c, kt, d;
  explicit QuarterCar(const VehicleSpec& s)
      : M(s.chassis.mass / 4 - s.chassis.unsprung_mass[0]),
        m(s.chassis.unsprung_mass[0]),
        k(s.chassis.spring_stiffness[0]),
        c(s.chassis.damper_coefficient[0]),
        kt(s.tire_fl.tire_vertical_stiffness) {
    const double in = s.chassis.mass * kGravity / 4 / kt;           // tire deflection
    d = 2 * 0.08 * std::sqrt(kt * m) * in * in / (in * in + 1e-6);  // the tire's damping sets in over a millimetre
  }
  Complex polynomial(Complex x) const {
    const Complex link = c * x + k;
    return (M * x * x + link) * (m * x * x + link + d * x + kt) - link * link;
  }
  Complex mode(bool hop) const {
    Complex x(0, hop ? std::sqrt((k + kt) / m) : std::sqrt(k * kt / (k + kt) / M));
    for (int i = 0; i < 60; ++i) {
      const Complex h = 1e-6 * x;
      x -= polynomial(x) * 2.0 * h / (polynomial(x + h) - polynomial(x - h));
    }
    return x;
  }
  Complex wheel_per_body(Complex x) const { return (c * x + k) / (m * x * x + (c + d) * x + k + kt); }
};
VehicleSpec even_sedan(const Catalog& catalog) {
  VehicleSpec s = upright(sedan(catalog, TireLaw::steady));
  s.chassis.cg_to_front = s.chassis.cg_to_rear = 0.5 * s.chassis.wheelbase;
  s.chassis.damper_coefficient = {800, 800, 800, 800};
  return s;
}
// Set into one mode alone, the heave is Re(a exp(x t)): a from place and speed.
template <Level Lv> Complex simulated_mode(const VehicleSpec& s, Complex x) {
  const Complex wheel = QuarterCar(s).wheel_per_body(x) - 1.0;  // travel per heave
  Car sim(s, slope(0, 0, 1e-15), Lv, Integrator::rk4, {});
  const auto rest = sim.motion<Lv>();
  auto moved = rest;
  const double size = 1e-6;
  moved.z += size, moved.vz += size * x.real();
  for (std::size_t i = 0; i < 4; ++i)
    moved.travel[i] += size * wheel.real(), moved.speed[i] += size * (x * wheel).real();
  sim.set_motion(moved);
  const double dt = 2e-4, T = dt * std::round(2 * M_PI / x.imag() / dt);
  drive(sim, {.gear = 0}, T, dt);
  const auto now = sim.motion<Lv>();
  const double z = (now.z - rest.z) / size, v = now.vz / size;
  const Complex a(z, (x.real() * z - v) / x.imag());
  const double turns = std::round((x.imag() * T - std::arg(a)) / (2 * M_PI));
  return Complex(std::log(std::abs(a)), std::arg(a) + 2 * M_PI * turns) / T;
}
void add_modes(const Catalog& catalog, Cases& all) {
  const VehicleSpec s = even_sedan(catalog);
  for (const bool hop : {false, true})
    for (const Level level : {Level::L3, Level::L5}) {
      const Complex x = QuarterCar(s).mode(hop);
      const auto run =
          once([=] { return level == Level::L3 ? simulated_mode<Level::L3>(s, x) : simulated_mode<Level::L5>(s, x); });
      const std::string name = hop ? "wheel hop" : "heave", id = hop ? "mode_hop" : "mode_heave";
      const std::string how = "root of (M x^2 + c x + k)(m x^2 + (c + d) x + k + kt) = (c x + k)^2, dampers 800 N s/m";
      all.push_back({id + level_id(level), kSprung, name + " frequency, " + enum_name(level), "Hz", "", how, 1e-6, true,
                     "amplitude of a micrometre", [=] {
                       return Measurement{run().imag() / (2 * M_PI), x.imag() / (2 * M_PI)};
                     }});
      all.push_back({id + "_decay" + level_id(level), kSprung, name + " decay, " + enum_name(level), "1/s", "",
                     "real part of the same root", 1e-5, true, "amplitude of a micrometre", [=] {
                       return Measurement{-run().real(), -x.real()};
                     }});
    }
}

// --- flight

// Angular momentum about the CG of all masses and wheels, axes of the road.
struct Flight {
  Vec3<double> at, momentum;
};
Flight flight_of(const Car& sim, const Model<double, Level::L5>& m) {
  const auto s = sim.motion<Level::L5>();
  const CarOutputs o = sim.outputs({});
  const Vec3<double> w{s.p, s.q, s.r}, v{s.vx, s.vy, s.vz};
  Vec3<double> at[5], go[5], c{0, 0, 0}, vc{0, 0, 0};
  double mass[5], total = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    at[i] = m.p.cs, go[i] = v + cross(w, m.p.cs), mass[i] = m.p.ms;
    if (i < 4) {
      const Hub<double> hub = hub_at(m.p.corner[i], s.travel[i], s.travel[i ^ 1]);
      mass[i] = m.p.corner[i].mass, at[i] = hub.at;
      go[i] = v + cross(w, hub.at) + s.speed[i] * hub.own + s.speed[i ^ 1] * hub.other;
    }
    c = c + mass[i] * at[i], vc = vc + mass[i] * go[i], total += mass[i];
  }
  c = (1 / total) * c, vc = (1 / total) * vc;
  Vec3<double> H{m.p.Js.x * w.x, m.p.Js.y * w.y, m.p.Js.z * w.z};
  for (std::size_t i = 0; i < 5; ++i) H = H + mass[i] * cross(at[i] - c, go[i] - vc);
  for (std::size_t i = 0; i < 4; ++i) H.y += m.p.axle[i / 2].I * (s.wheel[i].w + w.y);
  const double* q = o.attitude;
  const Rotation<double> turn{{q[0], q[3], q[6]}, {q[1], q[4], q[7]}, {q[2], q[5], q[8]}};
  const Vec3<double> place{o.position[0], o.position[1], o.position[2]};
  return {place + to_world(turn, c), to_world(turn, H)};
}
double momentum_lost(const VehicleSpec& s) {
  const Model<double, Level::L5> m = compile<Level::L5>(s, {});
  Car sim(s, {}, Level::L5, Integrator::rk4, {.yaw0 = 0.3, .vx0 = 20, .z0 = 6});
  auto start = sim.motion<Level::L5>();
  start.p = 0.7, start.q = -0.5, start.r = 1.1, start.vy = 2, start.vz = 1;
  sim.set_motion(start);
  const Vec3<double> first = flight_of(sim, m).momentum;
  drive(sim, {.throttle = 0.6}, 0.3, 5e-4);
  drive(sim, {.brake = 0.12}, 0.3, 5e-4);
  const Vec3<double> lost = flight_of(sim, m).momentum - first;
  return std::sqrt(dot(lost, lost) / dot(first, first));
}
double falls(const VehicleSpec& s, Level level) {
  const double T = 0.7;
  Car sim(s, {}, level, Integrator::rk4, {.vx0 = 20, .z0 = 4});
  const auto height = [&] {  // of all masses: the wheels drop out of their struts
    const CarOutputs o = sim.outputs({.gear = 0});
    double z = o.z;
    for (std::size_t i = 0; i < 4; ++i) z += s.chassis.unsprung_mass[i] * o.wheel[i].travel / s.chassis.mass;
    return z;
  };
  const double z0 = height();
  drive(sim, {.gear = 0}, T);
  return 2 * (z0 - height()) / (T * T);
}
void add_flight(const Catalog& catalog, Cases& all) {
  const VehicleSpec s = upright(sedan(catalog));
  for (const Level level : {Level::L3, Level::L5})
    all.push_back({"free_fall" + level_id(level), kSprung, "free fall, " + enum_name(level), "m/s^2",
                   level == Level::L5 ? "9.753" : "", "g, CG of all masses, 0.7 s", 1e-8, true,
                   "the body pitches as the wheels drop", [s, level] {
                     return Measurement{falls(s, level), kGravity};
                   }});
  all.push_back({"flight_momentum", kSprung,
                 "angular momentum lost in 0.6 s of tumbling flight with throttle and brake, L5", "", "", "0, relative",
                 1e-9, false, "RK4 at 0.5 ms on stops of 2e5 N/m", [s] {
                   return Measurement{momentum_lost(s), 0};
                 }});
}

// --- slopes

// Roll centres on the ground: each axle rolls by u on its tires, the body by phi, under a side force per mass f.
//   sum Ks (phi - u) = ms hs (f + gn phi),     Ks (phi - u) + mu R (f + gn u) = Kt u
double textbook_roll(const VehicleSpec& s, double f, double gn) {
  const ChassisSpec& c = s.chassis;
  const double kt = s.tire_fl.tire_vertical_stiffness;
  double lever = c.mass * c.cg_height, stiff = 0, push = 0;
  for (const bool front : {true, false}) {
    const std::size_t i = front ? 0 : 2;
    const double T = front ? c.track_front : c.track_rear;
    const double B = 2 * c.unsprung_mass[i] * (c.wheel_radius_nominal - static_load(s, front) / kt);
    const double Ks = c.spring_stiffness[i] * T * T / 2, give = Ks / (Ks + kt * T * T / 2 - gn * B);
    lever -= B, stiff += Ks * (1 - give), push += give * f * B;
  }
  return (f * lever + push) / (stiff - gn * lever);
}
Measurement roll_on_bank(const VehicleSpec& s, Level level) {
  const double b = 6 * M_PI / 180;
  Car sim(s, slope(0, std::tan(b)), level, Integrator::rk4, {});
  drive(sim, {.gear = 0}, 4, 2e-3);
  const double expected = b + textbook_roll(s, kGravity * std::sin(b), kGravity * std::cos(b));
  return {(b + sim.outputs({.gear = 0}).roll) * 180 / M_PI, expected * 180 / M_PI};
}
// Steered by the curvature of the road in its own plane at v^2 = g R tan(bank): mean side force / load.
struct Banked {
  double side, load;
};
Banked banked_turn(VehicleSpec s) {
  const double bank = 0.25, R = 60, v = std::sqrt(kGravity * R * std::tan(bank)), b = s.chassis.cg_to_rear;
  s.steering.ackerman_percent = 100;
  RoadSpec road;
  road.stunt.oval = {.radius = R, .straight = 0, .width = 14, .bank = bank};
  Car sim(s, road, Level::L5, Integrator::rk4, {.yaw0 = -std::asin(b / R), .vx0 = v});
  const Commands c{.steer = std::atan(s.chassis.wheelbase * std::cos(bank) / R), .gear = 0};
  const CarOutputs first = sim.outputs(c);
  auto x = sim.motion<Level::L5>();
  x.vy = v * b / R;
  x.p = first.attitude[6] * v / R, x.q = first.attitude[7] * v / R, x.r = first.attitude[8] * v / R;
  sim.set_motion(x);
  drive(sim, c, 4, 2e-3);
  Banked o{0, 0};
  for (int i = 0; i < 1500; ++i) {
    sim.step(c, 2e-3);
    const CarOutputs now = sim.outputs(c);
    for (const WheelOutputs& w : now.wheel) o.side += w.fy, o.load += w.fz;
  }
  return {o.side / o.load, o.load / 1500};
}
void add_slopes(const Catalog& catalog, Cases& all) {
  const VehicleSpec s = lossless(sedan(catalog));
  for (const Level level : {Level::L3, Level::L5})
    all.push_back({"bank_roll" + level_id(level), ValidationGroup::published,
                   "roll on a bank of 6 deg, " + enum_name(level), "deg", "5.98",
                   "6 deg plus the lean of the body on springs and tires in series; the published car hardly leans",
                   2e-3, true, "linear in the angles", [s, level] { return roll_on_bank(s, level); }});
  const auto turn = once([s] { return banked_turn(s); });
  all.push_back({"banked_turn_side", kSprung, "side force / load in a turn banked for its speed, 0.25 rad, L5", "", "",
                 "0 at v^2 = g R tan(bank), R = 60 m", 0.005, false, "2 % of tan(bank)", [turn] {
                   return Measurement{turn().side, 0};
                 }});
  all.push_back({"banked_turn_load", kSprung, "wheel loads there", "N", "", "m g/cos(bank)", 0.005, true,
                 "the car is not a point", [turn, s] {
                   return Measurement{turn().load, s.chassis.mass * kGravity / std::cos(0.25)};
                 }});
}

}  // namespace

void add_sprung_cases(const Catalog& catalog, Cases& all) {
  add_modes(catalog, all);
  add_flight(catalog, all);
  add_slopes(catalog, all);
}

}  // namespace vdsim::validation
