// SPDX-License-Identifier: Apache-2.0
// The manoeuvres of steering against the linear bicycle in closed form.
#include <algorithm>
#include <complex>

#include "tests/integration/maneuver_case.hpp"

namespace maneuver_case {
namespace {

// ------------------------------------------------------------------------------------------- linear bicycle

// No losses, no transients of the tire, no saturation in reach: what is left is the bicycle with linear tires.
const Sets kLinear{"tire.backend=linear",           "tire.lugre.enabled=false",         "tire.relaxation_length_lat=0",
                   "tire.relaxation_length_long=0", "tire.pneumatic_trail=0",           "tire.rolling_resistance=0",
                   "tire.load_sensitivity=0",       "tire.combined_slip_enabled=false", "tire.Fz_nominal=4000",
                   "chassis.cg_height=0",  // else the drag of cornering moves load, and stiffness with it
                   "chassis.aero_drag_coeff=0",     "chassis.aero_lift_front=0",        "chassis.aero_lift_rear=0",
                   "steering.ackerman_percent=0"};
const Sets kUndersteer = kLinear + Sets{"tire_front.cornering_stiffness=60000", "tire_rear.cornering_stiffness=100000"};
const Sets kOversteer = kLinear + Sets{"tire_front.cornering_stiffness=100000", "tire_rear.cornering_stiffness=70000"};

// m (vy' + v r) = Ff + Fr, I r' = a Ff - b Fr, Ff = Cf (delta - (vy + a r)/v), Fr = -Cr (vy - b r)/v.
struct Bicycle {
  double m, I, a, b, Cf, Cr, v;

  // The stiffness of the linear tire is that at Fz_nominal and goes with the load.
  Bicycle(const CarSpec& car, double speed) : v(speed) {
    const VehicleSpec& s = car.vehicle;
    const ChassisSpec& c = s.chassis;
    m = c.mass, I = c.inertia_diag[2], a = c.cg_to_front, b = c.cg_to_rear;
    Cf = s.tire_fl.cornering_stiffness / s.tire_fl.Fz_nominal * m * kG * b / L();
    Cr = s.tire_rl.cornering_stiffness / s.tire_rl.Fz_nominal * m * kG * a / L();
    if (car.level != Level::L1) I += wheels_in_yaw(c);
  }
  // Left and right wheels are spun up and down by a yaw motion: I_w (y/R)^2 each.
  static double wheels_in_yaw(const ChassisSpec& c) {
    const double R = c.wheel_radius_nominal;
    double out = 0;
    for (int i = 0; i < 4; ++i) {
      const double y = 0.5 * (i < 2 ? c.track_front : c.track_rear);
      out += (c.wheel_inertia > 0 ? c.wheel_inertia : 0.5 * c.unsprung_mass[i] * R * R) * y * y / (R * R);
    }
    return out;
  }
  double L() const { return a + b; }
  double K() const { return m / L() * (b / Cf - a / Cr); }  // understeer gradient [rad s^2/m]
  double yaw_gain() const { return v / (L() + K() * v * v); }

  struct State {
    double vy = 0, r = 0, psi = 0, x = 0, y = 0;
  };
  State rate(const State& s, double delta) const {
    const double front = Cf * (delta - (s.vy + a * s.r) / v), rear = -Cr * (s.vy - b * s.r) / v;
    return {(front + rear) / m - v * s.r, (a * front - b * rear) / I, s.r, v * std::cos(s.psi) - s.vy * std::sin(s.psi),
            v * std::sin(s.psi) + s.vy * std::cos(s.psi)};
  }
  double ay(const State& s, double delta) const { return rate(s, delta).vy + v * s.r; }

  // States at k h, k = 0..n, by RK4: h = 0.5 ms is exact to 1e-10 here.
  template <class Steer> std::vector<State> run(const Steer& steer, double T, double h = 5e-4) const {
    const auto step = [](const State& s, const State& d, double k) {
      return State{s.vy + k * d.vy, s.r + k * d.r, s.psi + k * d.psi, s.x + k * d.x, s.y + k * d.y};
    };
    std::vector<State> out{{}};
    for (long i = 0; i < std::lround(T / h); ++i) {
      const double t = static_cast<double>(i) * h;
      const State s = out.back(), k1 = rate(s, steer(t)), k2 = rate(step(s, k1, h / 2), steer(t + h / 2)),
                  k3 = rate(step(s, k2, h / 2), steer(t + h / 2)), k4 = rate(step(s, k3, h), steer(t + h));
      out.push_back(step(step(step(step(s, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6));
    }
    return out;
  }

  // Transfer functions of yaw rate and lateral acceleration at i w.
  struct Response {
    std::complex<double> r, ay;
  };
  Response response(double w) const {
    const std::complex<double> s(0, w), a11 = m * s + (Cf + Cr) / v, a12 = m * v + (a * Cf - b * Cr) / v;
    const std::complex<double> a21 = (a * Cf - b * Cr) / v, a22 = I * s + (a * a * Cf + b * b * Cr) / v;
    const std::complex<double> det = a11 * a22 - a12 * a21;
    const std::complex<double> vy = (Cf * a22 - a12 * a * Cf) / det, r = (a11 * a * Cf - a21 * Cf) / det;
    return {r, s * vy + v * r};
  }
};

Bicycle bicycle(const StudyRun& run) { return {run.plan.car(), run.plan.parameter("speed")}; }

struct StepFigures {
  double t90, t_peak, overshoot, ay_t90;
};
// From half of the steer angle on; steady values in closed form.
StepFigures step_figures(const Bicycle& car, double rise) {
  const auto steer = [&](double t) { return std::min(1.0, t / rise); };
  const double h = 5e-4, r = car.yaw_gain(), ay = car.v * r;
  const auto states = car.run(steer, 6, h);
  StepFigures out{std::nan(""), 0, 0, std::nan("")};
  double top = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const double t = static_cast<double>(i) * h, since = t - rise / 2;
    if (std::isnan(out.t90) && states[i].r >= 0.9 * r) out.t90 = since;
    if (std::isnan(out.ay_t90) && car.ay(states[i], steer(t)) >= 0.9 * ay) out.ay_t90 = since;
    if (states[i].r > top) top = states[i].r, out.t_peak = since;
  }
  out.overshoot = top / r - 1;
  return out;
}

// The step response of the linear car, all within 0.5 % (times: and a row, 1 ms). A step to 1 m/s^2 keeps angles small.
TEST(Maneuver, Iso7401OfTheLinearCar) {
  for (const Sets& sets : {kUndersteer, kOversteer})
    for (const char* level : {"L1", "L2"}) {
      SCOPED_TRACE(level);
      ManeuverChanges c = changes(level, sets);
      const ManeuverPlan plan = plan_maneuver(catalog(), load_maneuver(catalog(), "iso7401"), c);
      const Bicycle car(plan.car(), plan.parameter("speed"));
      c.parameters["angle"] = 1 / (car.v * car.yaw_gain());
      const StudyRun run = single("iso7401", c), &s = run;
      const StepFigures wanted = step_figures(car, 0.1);
      EXPECT_SHARE(metric(s, "yaw_gain"), car.yaw_gain(), 0.005);
      EXPECT_SHARE(metric(s, "ay_gain"), car.v * car.yaw_gain(), 0.005);
      EXPECT_NEAR(metric(s, "yaw_response_time"), wanted.t90, 0.005 * wanted.t90 + 1e-3);
      EXPECT_NEAR(metric(s, "ay_response_time"), wanted.ay_t90, 0.005 * wanted.ay_t90 + 1e-3);
      if (car.K() > 0) {  // the oversteering car creeps up to its yaw rate
        EXPECT_NEAR(metric(s, "yaw_peak_time"), wanted.t_peak, 0.005 * wanted.t_peak + 1e-3);
        EXPECT_SHARE(1 + metric(s, "yaw_overshoot"), 1 + wanted.overshoot, 0.005);
      } else {
        EXPECT_TRUE(std::isnan(metric(s, "yaw_peak_time"))) << metric(s, "yaw_peak_time");
        EXPECT_TRUE(std::isnan(metric(s, "tb"))) << metric(s, "tb");
      }
      const double beta = car.yaw_gain() * (car.b / car.v - car.m * car.a * car.v / (car.Cr * car.L()));  // per steer
      EXPECT_SHARE(metric(s, "beta_steady"), beta * run.plan.parameter("angle"), 0.005);
      std::printf(
          "[ measured ] %s K %+.5f: yaw gain %+.1e, ay gain %+.1e, T90 %.4f s (%.4f), peak %.4f s (%.4f), "
          "overshoot %.4f (%.4f), ay T90 %.4f s (%.4f), beta %+.1e\n",
          level, car.K(), metric(s, "yaw_gain") / car.yaw_gain() - 1, metric(s, "ay_gain") / car.v / car.yaw_gain() - 1,
          metric(s, "yaw_response_time"), wanted.t90, metric(s, "yaw_peak_time"), wanted.t_peak,
          metric(s, "yaw_overshoot"), wanted.overshoot, metric(s, "ay_response_time"), wanted.ay_t90,
          metric(s, "beta_steady") / beta / run.plan.parameter("angle") - 1);
    }
}

// The step that is looked for gives the lateral acceleration wanted, and is that of the closed form.
TEST(Maneuver, Iso7401FindsItsStep) {
  for (const Sets& sets : {kUndersteer, kOversteer}) {  // the latter spins at the largest step tried
    const Study s = study("iso7401", "L1", sets + Sets{"ay_wanted=1.5"});
    const Bicycle car = bicycle(s.runs[s.main]);
    EXPECT_SHARE(metric(s, "ay_steady"), 1.5, 1e-4);
    ASSERT_EQ(s.before.size(), 1u);
    EXPECT_EQ(s.before[0].first, "angle");
    EXPECT_SHARE(s.before[0].second, 1.5 / (car.v * car.yaw_gain()), 0.005);
  }
}

// K, and from it the characteristic speed of an understeering and the critical speed of an oversteering car.
TEST(Maneuver, Iso4138OfTheLinearCar) {
  for (const char* id : {"iso4138_speed", "iso4138_radius"})
    for (const char* level : {"L1", "L2"})
      for (const Sets& sets : {kUndersteer, kOversteer}) {
        SCOPED_TRACE(std::string(id) + " " + level);
        const Study s = study(id, level, sets);
        const Bicycle car = bicycle(s.runs[s.main]);
        EXPECT_SHARE(metric(s, "understeer_gradient"), car.K(), 0.005);
        const double v = std::sqrt(car.L() / std::fabs(car.K()));
        const bool under = car.K() > 0;
        EXPECT_SHARE(metric(s, under ? "characteristic_speed" : "critical_speed"), v, 0.005);
        EXPECT_TRUE(std::isnan(metric(s, under ? "critical_speed" : "characteristic_speed")));
        if (std::string(id) == "iso4138_speed") {
          EXPECT_SHARE(metric(s, "yaw_gain"), car.yaw_gain(), 0.005);
        }
        // beta = b/R - m a/(L Cr) ay: at constant radius its gradient is that of the rear slip angle
        const double rear = -car.m * car.a / (car.L() * car.Cr);
        const double beta = rear + (std::string(id) == "iso4138_speed" ? car.b / (car.v * car.v) : 0);
        EXPECT_SHARE(metric(s, "slip_angle_gradient"), beta, 0.01);
        std::printf("[ measured ] %s %s K %+.6f: %+.1e, speed %+.1e, beta/ay %+.1e\n", id, level, car.K(),
                    metric(s, "understeer_gradient") / car.K() - 1,
                    metric(s, under ? "characteristic_speed" : "critical_speed") / v - 1,
                    metric(s, "slip_angle_gradient") / beta - 1);
      }
}

// Gain and phase against H(i w), by the sweep and by random steering. 60 s in segments of 15 s know the phase to 0.005
// rad only; what the linear car answers to the same steering must be found to 1e-3 by the same estimate.
TEST(Maneuver, FrequencyResponseOfTheLinearCar) {
  for (const char* level : {"L1", "L2"}) {
    const Study s = study("iso7401_frequency", level, kUndersteer);
    ASSERT_EQ(s.runs.size(), 2u);
    for (const StudyRun& run : s.runs) {
      SCOPED_TRACE(std::string(level) + " " + run.name);
      const Bicycle car = bicycle(run);
      const auto H = car.response(2 * kPi), low = car.response(0.4 * kPi);
      EXPECT_SHARE(metric(run, "yaw_gain_1hz"), std::abs(H.r), 0.005);
      EXPECT_SHARE(metric(run, "ay_gain_1hz"), std::abs(H.ay), 0.005);
      EXPECT_SHARE(metric(run, "yaw_gain_low"), std::abs(low.r), 0.005);
      EXPECT_SHARE(metric(run, "ay_gain_low"), std::abs(low.ay), 0.005);
      EXPECT_NEAR(metric(run, "yaw_lag_1hz"), -std::arg(H.r), 0.005);
      EXPECT_NEAR(metric(run, "ay_lag_1hz"), -std::arg(H.ay), 0.005);
      EXPECT_NEAR(metric(run, "yaw_equivalent_time"), metric(run, "yaw_lag_1hz") / (2 * kPi), 1e-12);
      EXPECT_GT(metric(run, "yaw_coherence_1hz"), 0.99);
      const double dt = 0.01;
      const auto steer = run.result.recording.column("steer");
      const auto states = car.run(
          [&](double t) {
            const auto i = std::min(static_cast<std::size_t>(t / dt), steer.size() - 2);
            return steer[i] + (steer[i + 1] - steer[i]) * (t / dt - static_cast<double>(i));
          },
          62, dt);
      std::vector<double> u, r;
      for (std::size_t i = 200; i <= 6200; ++i) u.push_back(steer[i]), r.push_back(states[i].r);
      const FrequencyResponse same = frequency_response(u, r, dt, 1500);
      EXPECT_SHARE(metric(run, "yaw_gain_1hz"), gain_at(same, 1), 1e-3);
      EXPECT_NEAR(metric(run, "yaw_lag_1hz"), -phase_at(same, 1), 1e-3);
      std::printf(
          "[ measured ] %s %s: gain 1 Hz r %+.1e ay %+.1e, 0.2 Hz r %+.1e ay %+.1e, lag r %.4f (%.4f) ay %.4f (%.4f), "
          "coherence %.5f; same estimate of the equations: gain %+.1e, lag %+.1e\n",
          level, run.name.c_str(), metric(run, "yaw_gain_1hz") / std::abs(H.r) - 1,
          metric(run, "ay_gain_1hz") / std::abs(H.ay) - 1, metric(run, "yaw_gain_low") / std::abs(low.r) - 1,
          metric(run, "ay_gain_low") / std::abs(low.ay) - 1, metric(run, "yaw_lag_1hz"), -std::arg(H.r),
          metric(run, "ay_lag_1hz"), -std::arg(H.ay), metric(run, "yaw_coherence_1hz"),
          metric(run, "yaw_gain_1hz") / gain_at(same, 1) - 1, metric(run, "yaw_lag_1hz") + phase_at(same, 1));
    }
  }
}

// Steer ramps run ahead of the answer by rate times the slope of the phase at 0: A = 0.3 g/gain + rate T.
TEST(Maneuver, SlowlyIncreasingSteerOfTheLinearCar) {
  for (const Sets& sets : {kUndersteer, kOversteer}) {
    const Study s = study("slowly_increasing_steer", "L2", sets);
    const StudyRun& run = s.runs[s.main];
    const Bicycle car = bicycle(run);
    const double share = car.K() > 0 ? 0.005 : 0.01;  // the slow mode of the oversteering car is still there at 0.1 g
    const double ratio = vehicle(run).steering.steering_ratio, w = 1e-4, lag = -std::arg(car.response(w).ay) / w;
    const double wanted = ratio * 0.3 * kG / (car.v * car.yaw_gain()) + run.plan.parameter("rate") * lag;
    EXPECT_SHARE(metric(s, "A"), wanted, share);
    std::printf("[ measured ] A %.5f rad, closed form %.5f (%+.1e), of it lag %.5f\n", metric(s, "A"), wanted,
                metric(s, "A") / wanted - 1, run.plan.parameter("rate") * lag);
  }
}

// A sine with dwell of 20 degrees at the hand wheel stays linear: path and yaw rate are those of the equations.
TEST(Maneuver, SmallSineWithDwellOfTheLinearCar) {
  ManeuverChanges c = changes("L2", kUndersteer);
  c.parameters["amplitude"] = 20 * kPi / 180;
  const StudyRun run = single("sine_with_dwell", c);
  const Bicycle car = bicycle(run);
  const double amplitude = run.plan.parameter("amplitude"), ratio = vehicle(run).steering.steering_ratio, f = 0.7;
  const double peak = 0.75 / f;  // the second one, where it dwells
  const auto steer = [&](double t) {
    const double s = t < peak ? t : t < peak + 0.5 ? peak : t - 0.5;
    return s < 1 / f ? amplitude / ratio * std::sin(2 * kPi * f * s) : 0;
  };
  const double h = 5e-4, begin = std::asin(5 * kPi / 180 / amplitude) / (2 * kPi * f), end = 1 / f + 0.5;
  const auto states = car.run(steer, 4.4, h);
  const auto state = [&](double t) { return states[static_cast<std::size_t>(std::lround(t / h))]; };
  const auto b = state(begin), e = state(begin + 1.07);
  const double displacement = (e.y - b.y) * std::cos(b.psi) - (e.x - b.x) * std::sin(b.psi);
  double second = 0;
  for (const auto& s : states) second = std::min(second, s.r);
  EXPECT_SHARE(metric(run, "displacement"), displacement, 0.005);
  EXPECT_SHARE(metric(run, "yaw_peak"), second, 0.005);
  EXPECT_NEAR(metric(run, "yaw_ratio_100"), state(end + 1).r / second, 2e-3);
  EXPECT_NEAR(metric(run, "yaw_ratio_175"), state(end + 1.75).r / second, 2e-3);
  std::printf(
      "[ measured ] displacement %.5f m (%.5f), second peak %.5f rad/s (%.5f), ratios %.5f (%.5f) %.5f (%.5f)\n",
      metric(run, "displacement"), displacement, metric(run, "yaw_peak"), second, metric(run, "yaw_ratio_100"),
      state(end + 1).r / second, metric(run, "yaw_ratio_175"), state(end + 1.75).r / second);
}

// At scale 1 the J-turn goes to 0.3 g less the lag of the ramp that A was found with; it then coasts on the circle of
// its speed. At scale 8 no car without load sensitivity corners harder than mu g.
TEST(Maneuver, JTurnEndsOnItsCircleAndWithinFriction) {
  const Study s = study("j_turn", "L2", kUndersteer + Sets{"scale=1"});
  const StudyRun& run = s.runs[s.main];
  const Bicycle car(run.plan.car(), run.result.recording.column("vx").back());
  const double r = car.yaw_gain() * run.plan.parameter("angle") / vehicle(run).steering.steering_ratio;
  EXPECT_SHARE(run.result.recording.column("r").back(), r, 0.005);
  EXPECT_SHARE(run.result.recording.column("ay").back(), car.v * r, 0.005);
  std::printf("[ measured ] steady yaw rate %+.1e, ay %+.1e of the circle\n",
              run.result.recording.column("r").back() / r - 1,
              run.result.recording.column("ay").back() / (car.v * r) - 1);
  for (const char* level : {"L2", "L3"})
    for (const double mu : {1.0, 0.5}) {
      const Study hard = study("j_turn", level,
                               {"tire.load_sensitivity=0", "chassis.aero_lift_front=0", "chassis.aero_lift_rear=0",
                                "mu=" + std::to_string(mu)});
      const double ay = metric(hard, "peak_ay"), most = mu * vehicle(hard.runs[0]).tire_fl.mu_nominal * kG;
      EXPECT_LT(ay, most * (std::string(level) == "L2" ? 1.001 : 1.05));  // L3: loads swing above the weight
      EXPECT_GT(ay, 0.8 * most);
      std::printf("[ measured ] %s mu %.1f: largest ay %.3f m/s^2 of %.3f\n", level, mu, ay, most);
    }
}

// Braking in a turn without braking: the circle goes on. With it: by what the driver wants.
TEST(Maneuver, BrakingInATurn) {
  for (const char* level : {"L2", "L3"}) {
    ManeuverChanges c = changes(level, {"chassis.aero_drag_coeff=0", "tire.rolling_resistance=0", "ay_wanted=3"});
    c.parameters["deceleration"] = 0;
    const StudyRun run = single("iso7975", c);
    EXPECT_NEAR(metric(run, "yaw_ratio"), 1, 0.005);
    EXPECT_NEAR(metric(run, "ay_ratio"), 1, 0.005);
    EXPECT_NEAR(metric(run, "peak_yaw_ratio"), 1, 0.005);
    EXPECT_NEAR(metric(run, "mean_deceleration"), 0, 0.01);  // of the speed: ax has -r vy of the turn in it
    EXPECT_NEAR(metric(run, "beta_change"), 0, 1e-3);
    c.parameters["deceleration"] = 4;
    EXPECT_SHARE(metric(single("iso7975", c), "mean_deceleration"), 4, 0.02);
    std::printf("[ measured ] %s: ratios %.5f %.5f %.5f, deceleration %.4f m/s^2, beta %+.1e rad\n", level,
                metric(run, "yaw_ratio"), metric(run, "ay_ratio"), metric(run, "peak_yaw_ratio"),
                metric(run, "mean_deceleration"), metric(run, "beta_change"));
  }
}

}  // namespace
}  // namespace maneuver_case
