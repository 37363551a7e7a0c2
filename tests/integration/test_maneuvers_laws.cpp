// SPDX-License-Identifier: Apache-2.0
// The manoeuvres against closed forms: road load, braking, free fall, circles; and the published step steer.
#include <algorithm>
#include <array>

#include "tests/integration/maneuver_case.hpp"

namespace maneuver_case {
namespace {

// --------------------------------------------------------------------------------------- along the road

const Sets kNoLoss{"tire.rolling_resistance=0", "chassis.aero_drag_coeff=0", "chassis.aero_lift_front=0",
                   "chassis.aero_lift_rear=0"};
const Sets kFlatFriction{"tire.load_sensitivity=0"};

double wheel_inertia(const ChassisSpec& c) {  // [kg m^2]
  const double R = c.wheel_radius_nominal;
  return c.wheel_inertia > 0 ? c.wheel_inertia : 0.5 * c.unsprung_mass[0] * R * R;
}
// With the spin of the wheels, and in gear of the motor [kg].
double moved_mass(const VehicleSpec& s, bool in_gear) {
  const double R = s.chassis.wheel_radius_nominal, ratio = s.drivetrain.final_drive_ratio;
  return s.chassis.mass +
         (4 * wheel_inertia(s.chassis) + (in_gear ? s.drivetrain.engine_rotational_inertia * ratio * ratio : 0)) /
             (R * R);
}
// Share of the peak friction that is left at slip 1.
double locked_share(const TireSpec& t, double mu) {  // [T03.8]: read at slip 1/mu, up to kappa_cap
  const double x = t.B_long * (t.mu_scaling == MuScaling::peak_only ? 1 : std::min(1 / mu, t.lugre.rolling.kappa_cap));
  return std::sin(t.C_long * std::atan(x - t.E_long * (x - std::atan(x))));
}

// F = crr m g + rho/2 A (cd + crr cl) v^2: air presses the car down, and that rolls harder. 0.5 %; f1 is 0 within what
// it may take from the others.
TEST(Maneuver, CoastDownFindsTheRoadLoad) {
  for (const char* level : {"L1", "L2", "L3"}) {
    SCOPED_TRACE(level);
    const Study s = study("coast_down", level, {"tire.rolling_resistance=0.012"});
    const VehicleSpec& car = vehicle(s.runs[0]);
    const ChassisSpec& c = car.chassis;
    const double f0 = 0.012 * c.mass * kG, air = 0.5 * kAir * c.frontal_area;
    const double f2 = air * (c.aero_drag_coeff + 0.012 * (c.aero_lift_front + c.aero_lift_rear));
    const double share = std::string(level) == "L3" ? 0.02 : 0.005;
    EXPECT_SHARE(metric(s, "f0"), f0, share);
    EXPECT_SHARE(metric(s, "f2"), f2, share);
    EXPECT_NEAR(metric(s, "f1") * 20, 0, share * (f0 + f2 * 400));
    // dv/dt = -(f0 + f2 v^2)/m: t = m/sqrt(f0 f2) (atan(v0 q) - atan(v1 q)), q = sqrt(f2/f0)
    const double q = std::sqrt(f2 / f0), v0 = 120 / 3.6, v1 = 20 / 3.6;
    const double t = moved_mass(car, false) / std::sqrt(f0 * f2) * (std::atan(v0 * q) - std::atan(v1 * q));
    EXPECT_SHARE(metric(s, "coast_time"), t, share);
    const double way = moved_mass(car, false) / (2 * f2) * std::log((f0 + f2 * v0 * v0) / (f0 + f2 * v1 * v1));
    EXPECT_SHARE(metric(s, "coast_distance"), way, share);
    std::printf("[ measured ] %s: f0 %+.1e, f1 %.3f N s/m, f2 %+.1e, time %+.1e, way %+.1e\n", level,
                metric(s, "f0") / f0 - 1, metric(s, "f1"), metric(s, "f2") / f2 - 1, metric(s, "coast_time") / t - 1,
                metric(s, "coast_distance") / way - 1);
  }
}

// A weak wind turns the car in proportion to its speed, U = v (1 + (w/v)^2/2): 1 % at w/v = 0.14 and rounding of the tire; to the
// other side by the same; none without it.
TEST(Maneuver, CrossWindTurnsTheCarInProportion) {
  for (const char* level : {"L1", "L2", "L3", "L5"}) {
    SCOPED_TRACE(level);
    const auto run = [&](const Sets& sets) { return study("iso12021", level, sets); };
    const Study weak = run({"wind_speed=1"}), twice = run({"wind_speed=2"}),
                right = run({"wind_speed=2", "direction=-pi/2"});
    EXPECT_GT(metric(weak, "offset_2s"), 0);
    EXPECT_SHARE(metric(twice, "peak_yaw_rate"), 2 * metric(weak, "peak_yaw_rate"), 0.01);
    EXPECT_SHARE(metric(right, "offset_2s"), -metric(twice, "offset_2s"), 1e-6);
    EXPECT_NEAR(metric(run({"wind_speed=0"}), "offset_2s"), 0, 1e-9);
  }
}

// Below the limit: a = T/(R m_eff); s = the ramp + v^2/(2 a). At the limit: not above mu g.
TEST(Maneuver, StraightBrakingFollowsTheTorqueAndStaysBelowFriction) {
  for (const char* level : {"L1", "L2", "L3"})
    for (const double pedal : {0.15, 0.3}) {
      SCOPED_TRACE(level);
      const Study s = study("iso21994", level, kNoLoss + Sets{"pedal=" + std::to_string(pedal)});
      const VehicleSpec& car = vehicle(s.runs[0]);
      const double a = pedal * car.brake.max_brake_torque / (car.chassis.wheel_radius_nominal * moved_mass(car, false));
      const double v = metric(s, "initial_speed"), rise = 0.1, after = v - a * rise / 2;
      const double way = v * rise - a * rise * rise / 6 + after * after / (2 * a);
      const double share = std::string(level) == "L3" ? 0.01 : 0.005;
      EXPECT_SHARE(v, 100 / 3.6, 1e-4);
      EXPECT_SHARE(metric(s, "mfdd"), a, share);
      EXPECT_SHARE(metric(s, "stopping_distance"), way, share);
      EXPECT_SHARE(metric(s, "stopping_time"), rise / 2 + v / a, share);
      EXPECT_LT(metric(s, "heading"), 1e-12);
      EXPECT_LT(metric(s, "drift"), 1e-3);  // L3 rocks back
      std::printf("[ measured ] %s pedal %.2f: mfdd %+.1e, distance %+.1e, time %+.1e, drift %.1e m\n", level, pedal,
                  metric(s, "mfdd") / a - 1, metric(s, "stopping_distance") / way - 1,
                  metric(s, "stopping_time") / (rise / 2 + v / a) - 1, metric(s, "drift"));
    }
  // Full pedal on a slippery road: all wheels lock. On a dry one only the rear wheels do:
  // a (m + 2 I/R^2 + f m h/L) = T_front/R + f m g a_cg/L.
  for (const char* level : {"L2", "L3"})
    for (const double mu : {1.0, 0.4}) {
      const Study s = study("iso21994", level, kNoLoss + kFlatFriction + Sets{"mu=" + std::to_string(mu)});
      const VehicleSpec& car = vehicle(s.runs[0]);
      const ChassisSpec& c = car.chassis;
      const double R = c.wheel_radius_nominal, f = mu * car.tire_fl.mu_nominal * locked_share(car.tire_fl, mu);
      const double front = car.brake.max_brake_torque * car.brake.brake_bias_front / R;
      const double rear_locked = (front + f * c.mass * kG * c.cg_to_front / c.wheelbase) /
                                 (c.mass + 2 * wheel_inertia(c) / (R * R) + f * c.mass * c.cg_height / c.wheelbase);
      const double a = std::min(f * kG, rear_locked);
      EXPECT_SHARE(metric(s, "mfdd"), a, std::string(level) == "L2" ? 0.005 : 0.01);
      EXPECT_LE(metric(s, "mfdd"), mu * car.tire_fl.mu_nominal * kG);
      std::printf("[ measured ] %s mu %.1f, full pedal: %.4f m/s^2, closed form %.4f (%+.1e)\n", level, mu,
                  metric(s, "mfdd"), a, metric(s, "mfdd") / a - 1);
    }
}

// Locked wheels on the patch: mu_ice g times what the curve has left at slip 1.
TEST(Maneuver, LockedOnIceTheCarSlowsByTheFrictionOfTheIce) {
  for (const char* level : {"L1", "L2", "L3"})
    for (const double ice : {0.1, 0.3}) {
      SCOPED_TRACE(level);
      const Study s =
          study("ice_patch", level,
                kNoLoss + kFlatFriction + Sets{"pedal=1", "speed=25", "x_ice=22", "mu_ice=" + std::to_string(ice)});
      const TireSpec& tire = vehicle(s.runs[0]).tire_fl;
      const double a = ice * tire.mu_nominal * locked_share(tire, ice) * kG;
      EXPECT_SHARE(metric(s, "on_ice"), a, 0.01);
      EXPECT_NEAR(metric(s, "heading"), 0, 1e-12);
      std::printf("[ measured ] %s mu %.1f: %.4f m/s^2, closed form %.4f (%+.1e)\n", level, ice, metric(s, "on_ice"), a,
                  metric(s, "on_ice") / a - 1);
    }
}

// The deceleration lies between that of the two halves; the driver keeps the car on its lane.
TEST(Maneuver, SplitFrictionBrakesBetweenItsHalves) {
  for (const char* level : {"L2", "L3"}) {
    const Study s = study("mu_split_braking", level, kNoLoss + kFlatFriction);
    const double a = metric(s, "mfdd"), mu = vehicle(s.runs[0]).tire_fl.mu_nominal;
    EXPECT_GT(a, 0.3 * mu * kG);
    EXPECT_LT(a, 0.6 * mu * kG);  // mean of the halves
    EXPECT_LT(metric(s, "peak_offset"), 1);
    EXPECT_LT(metric(s, "peak_heading"), 0.2);
    const double t = s.runs[0].result.phases[1].from;  // low friction left: the car is pulled to the right
    EXPECT_LT(at(s.runs[0], "psi", t + 0.5), 0);
    // no split, no turning: to the bit
    const Study even = study("mu_split_braking", level, kNoLoss + kFlatFriction + Sets{"mu_low=0.9"});
    EXPECT_LT(metric(even, "peak_heading"), 1e-12);
    EXPECT_GT(metric(even, "mfdd"), a);
    std::printf(
        "[ measured ] %s: %.3f m/s^2 (between %.3f and %.3f), offset %.3f m, heading %.4f rad; even %.3f m/s^2\n",
        level, a, 0.3 * mu * kG, 0.6 * mu * kG, metric(s, "peak_offset"), metric(s, "peak_heading"),
        metric(even, "mfdd"));
  }
}

// Rollback by m_eff x'' = -m g sin(theta) + brake + drive, each piecewise linear in time. Gap 1 s: the way is long
// against the bristles, which give back their 1 to 2 mm.
TEST(Maneuver, HillStartRollsBackAsItsForcesSay) {
  for (const char* level : {"L1", "L2", "L3"}) {
    const Study s = study("hill_start", level, kNoLoss + Sets{"gap=1"});
    const VehicleSpec& car = vehicle(s.runs[0]);
    const double R = car.chassis.wheel_radius_nominal, m = moved_mass(car, true), theta = std::atan(0.12);
    const double drive = 0.6 * car.drivetrain.max_motor_torque * car.drivetrain.final_drive_ratio / R;
    const double h = 1e-5, down = car.chassis.mass * kG * std::sin(theta);
    double v = 0, x = 0, least = 0;
    for (double t = 0; t < 4; t += h) {
      const double brake = std::max(0.0, 1 - t / 0.1) * car.brake.max_brake_torque / R;
      double force = -down + drive * std::clamp((t - 1.1) / 0.3, 0.0, 1.0);
      force = v == 0 ? std::min(0.0, force + brake) : force + brake;  // holds, or slows the rolling down
      v += force / m * h, x += v * h;
      least = std::min(least, x);
    }
    EXPECT_SHARE(metric(s, "rollback"), -least, 0.01);
    EXPECT_LT(metric(s, "hold_drift"), 1e-4);
    std::printf("[ measured ] %s: rollback %.4f m, closed form %.4f (%+.1e), drift before %.1e m\n", level,
                metric(s, "rollback"), -least, metric(s, "rollback") / -least - 1, metric(s, "hold_drift"));
  }
}

// Holds while mu > tan(theta), slides beyond with g (sin - mu f cos).
TEST(Maneuver, GradeHoldOrSlide) {
  for (const char* level : {"L1", "L2", "L3", "L5"}) {
    SCOPED_TRACE(level);
    const Study held = study("grade_hold", level, {"hold=20"});
    EXPECT_LE(metric(held, "drift_per_hour"), 1e-6);
    EXPECT_TRUE(held.passed());
    const Study slides = study("grade_hold", level, kNoLoss + kFlatFriction + Sets{"mu=0.1", "settle=2", "hold=4"});
    const TireSpec& tire = vehicle(slides.runs[0]).tire_fl;
    const double theta = std::atan(0.2);
    const double a = kG * (std::sin(theta) - 0.1 * tire.mu_nominal * locked_share(tire, 0.1) * std::cos(theta));
    const double gained = metric(slides, "speed_max") + at(slides.runs[0], "vx", 2);  // vx < 0: down the hill
    EXPECT_SHARE(gained, 4 * a, 0.01);
    EXPECT_FALSE(slides.passed());
    std::printf("[ measured ] %s: drift %.1e m/h; on ice %.4f m/s^2, closed form %.4f (%+.1e)\n", level,
                metric(held, "drift_per_hour"), gained / 4, a, gained / 4 / a - 1);
  }
}

// Full throttle of a car whose torque does not depend on its speed: until ax < 0.01, F = road load + m_eff 0.01.
TEST(Maneuver, TopSpeedIsWhereDragTakesTheDrive) {
  for (const char* level : {"L1", "L2"}) {
    const Study s = study("top_speed_and_acceleration", level,
                          {"drivetrain.max_motor_torque=250", "chassis.aero_drag_coeff=1.5", "longest=200"});
    const VehicleSpec& car = vehicle(s.runs[0]);
    const ChassisSpec& c = car.chassis;
    const double F = 250 * car.drivetrain.final_drive_ratio / c.wheel_radius_nominal, m = moved_mass(car, true);
    const double f0 = car.tire_fl.rolling_resistance * c.mass * kG, air = 0.5 * kAir * c.frontal_area;
    const double f2 =
        air * (c.aero_drag_coeff + car.tire_fl.rolling_resistance * (c.aero_lift_front + c.aero_lift_rear));
    const double top = std::sqrt((F - f0 - 0.01 * m) / f2);
    EXPECT_SHARE(metric(s, "top_speed"), top, 0.005);
    EXPECT_SHARE(metric(s, "peak_ax"), (F - f0) / m, 0.02);  // the bristles swing at the start
    EXPECT_LT(metric(s, "top_speed"), 55.5);
    EXPECT_TRUE(std::isnan(metric(s, "to_200")));  // never reached
    // v = u tanh(f2 u t/m), u^2 = (F - f0)/f2, the ramp of the pedal counts half
    const double u = std::sqrt((F - f0) / f2), v = 100 / 3.6, t = 0.1 + m / (f2 * u) * std::atanh(v / u);
    EXPECT_SHARE(metric(s, "to_100"), t, 0.01);
    std::printf("[ measured ] %s: top speed %.3f m/s (%+.1e), largest ax %+.1e, 0 to 100 %.3f s (%+.1e)\n", level,
                metric(s, "top_speed"), metric(s, "top_speed") / top - 1, metric(s, "peak_ax") / ((F - f0) / m) - 1,
                metric(s, "to_100"), metric(s, "to_100") / t - 1);
  }
}

// The CG falls freely; what hangs on the springs still swings a little.
TEST(Maneuver, JumpFallsFreely) {
  for (const double speed : {16.0, 18.0, 22.0}) {
    const Study s = study("jump", "L5", kNoLoss + Sets{"speed=" + std::to_string(speed)});
    const double vz = metric(s, "air_time") * kG / 2;
    EXPECT_SHARE(metric(s, "free_fall"), kG, 0.01);
    EXPECT_SHARE(metric(s, "flight_length"),
                 metric(s, "air_time") * at(s.runs[0], "vx", phase_end(s.runs[0], "approach")), 0.02);
    EXPECT_GT(metric(s, "peak_load"), vehicle(s.runs[0]).chassis.mass * kG / 4);
    std::printf("[ measured ] %.0f m/s: free fall %.4f m/s^2 (%+.1e), %.3f s, %.2f m, rise %.3f m\n", speed,
                metric(s, "free_fall"), metric(s, "free_fall") / kG - 1, metric(s, "air_time"),
                metric(s, "flight_length"), vz * vz / (2 * kG));
  }
}

// ------------------------------------------------------------------------------------------------ circles

// On the circle ay = v^2/R; at the end not above friction, and the lap time is that of the speed.
TEST(Maneuver, SkidpadRunsOnItsCircle) {
  for (const char* level : {"L1", "L2", "L3"}) {
    SCOPED_TRACE(level);
    const Study s = study("skidpad", level, kFlatFriction + kNoLoss + Sets{"acceleration=0.1"});
    const StudyRun& run = s.runs[0];
    const double R = 15, mu = vehicle(run).tire_fl.mu_nominal;
    double worst = 0;
    for (double t = 8; t < run.result.phases[1].to; t += 0.5) {
      const double vx = at(run, "vx", t), vy = at(run, "vy", t), v = std::hypot(vx, vy);
      const double centripetal = (at(run, "ay", t) * vx - at(run, "ax", t) * vy) / v;
      if (centripetal < 0.7 * mu * kG) worst = std::max(worst, std::fabs(centripetal * R / (v * v) - 1));
    }
    EXPECT_LT(worst, 0.01);
    EXPECT_LE(metric(s, "ay_max"), 1.01 * mu * kG);
    EXPECT_GT(metric(s, "ay_max"), 0.8 * mu * kG);
    EXPECT_SHARE(metric(s, "lap_time"), 2 * kPi * R / metric(s, "speed_max"), 1e-12);
    EXPECT_SHARE(metric(s, "lap_time"), 2 * kPi * std::sqrt(R / metric(s, "ay_max")), 0.03);
    std::printf("[ measured ] %s: ay R/v^2 off 1 by %.1e, largest ay %.3f of %.3f m/s^2, lap %.3f s (%.3f)\n", level,
                worst, metric(s, "ay_max"), mu * kG, metric(s, "lap_time"),
                2 * kPi * std::sqrt(R / metric(s, "ay_max")));
  }
}

double rear_y(const StudyRun& run, double t) {
  return at(run, "y", t) - vehicle(run).chassis.cg_to_rear * std::sin(at(run, "psi", t));
}

// Slow, the rear axle goes on circles of L/tan(lock): from heading to heading its y changes by +-R (cos - cos).
TEST(Maneuver, ParkingAndTurningAreKinematicCircles) {
  for (const char* level : {"L1", "L2", "L3"}) {
    SCOPED_TRACE(level);
    const Sets sets{"steering.ackerman_percent=100"};
    const Study park = study("parking", level, sets + Sets{"speed=0.4"});
    const StudyRun& p = park.runs[0];
    const double R = p.plan.parameter("turn_radius"), end = p.result.phases.back().to;
    const double c1 = std::cos(at(p, "psi", phase_end(p, "stop_one"))), c2 = std::cos(at(p, "psi", end));
    EXPECT_NEAR(R, vehicle(p).chassis.wheelbase / std::tan(p.plan.parameter("lock")), 1e-12);
    const double wanted = R * (1 - c1) + R * (c2 - c1);
    EXPECT_SHARE(metric(park, "sideways_done"), wanted, 0.02);
    EXPECT_SHARE(wanted, 2 * R * (1 - std::cos(p.plan.parameter("angle"))), 0.05);  // the plan
    EXPECT_LT(metric(park, "stand_drift"), 1e-4);

    const Study turn = study("three_point_turn", level, sets + Sets{"speed=0.8"});
    const StudyRun& t = turn.runs[0];
    const double Rt = vehicle(t).chassis.wheelbase / std::tan(t.plan.parameter("lock"));
    double worst = 0, sign = 1;
    const char* legs[][2] = {{"steer_left", "stop_one"}, {"steer_right", "stop_two"}, {"steer_back", "stop_three"}};
    for (const auto& leg : legs) {
      const double from = phase_end(t, leg[0]), to = phase_end(t, leg[1]);
      const double way = sign * Rt * (std::cos(at(t, "psi", from)) - std::cos(at(t, "psi", to)));
      worst = std::max(worst, std::fabs(rear_y(t, to) - rear_y(t, from) - way));
      sign = -sign;
    }
    EXPECT_LT(worst, 0.05);
    EXPECT_NEAR(metric(turn, "heading"), kPi, 0.1);
    std::printf(
        "[ measured ] %s: parking %.4f m, circles %.4f, plan %.4f; turn: y off by %.4f m, heading %.3f, road %.2f m\n",
        level, metric(park, "sideways_done"), wanted, p.plan.parameter("sideways"), worst, metric(turn, "heading"),
        metric(turn, "road_width"));
  }
}

// On ice no more than mu g; without ice the bend is driven on its path.
TEST(Maneuver, IceInACorner) {
  for (const char* level : {"L2", "L3"}) {
    const Study dry = study("ice_corner", level, {"mu_ice=0.9"});
    EXPECT_EQ(metric(dry, "came_through"), 1);
    EXPECT_LT(metric(dry, "runs_wide"), 0.5);
    const auto psi = dry.runs[0].result.recording.column("psi"), r = dry.runs[0].result.recording.column("r");
    double turn = 0, rows = 0;  // in the middle of the bend
    for (std::size_t i = 0; i < psi.size(); ++i)
      if (psi[i] > 0.6 && psi[i] < 1.2) turn += r[i], ++rows;
    EXPECT_SHARE(turn / rows, 13.0 / 60, 0.03);
    const Study icy = study("ice_corner", level, kFlatFriction + Sets{"mu_ice=0.15"});
    const StudyRun& run = icy.runs[0];
    const auto x = run.result.recording.column("x"), ay = run.result.recording.column("ay");
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] > 58 && x[i] < 67) most = std::max(most, std::fabs(ay[i]));
    EXPECT_GT(metric(icy, "runs_wide"), metric(dry, "runs_wide") + 0.3);
    std::printf(
        "[ measured ] %s: dry wide %.3f m, yaw rate %.4f (%.4f); ice wide %.3f m, largest ay on it %.3f of %.3f\n",
        level, metric(dry, "runs_wide"), turn / rows, 13.0 / 60, metric(icy, "runs_wide"), most,
        0.15 * vehicle(run).tire_fl.mu_nominal * kG);
    EXPECT_LT(most, 1.02 * 0.15 * vehicle(run).tire_fl.mu_nominal * kG);
  }
}

// ------------------------------------------------------------------------------------------------ published

// The published step steer of VDSim 0.7: breakaway law with soft bristles and the values it really ran. The rolling law
// and the plain magic formula next to it: the limit is the same, the way there is not.
TEST(Maneuver, StepSteerPublishedForVdsim07) {
  const Sets ran{"tire.load_sensitivity=0", "tire.rolling_resistance=0", "steering.ackerman_percent=0",
                 "chassis.aero_lift_front=0", "chassis.aero_lift_rear=0"};
  const auto run = [&](const std::string& tire, const Sets& more) {
    ManeuverChanges c = changes("L2", ran + more, "vehicle.sedan_vdsim07");
    c.scene.tire = tire;
    const StudyRun r = single("step_steer", c);
    std::printf(
        "[ measured ] %-22s yaw rate %.4f rad/s, overshoot %.3f, ay %.3f m/s^2, T90 %.3f s, peak %.3f s, settling %.3f "
        "s\n",
        more.empty() ? tire.c_str() : "magic formula alone", metric(r, "yaw_rate"), metric(r, "overshoot"),
        metric(r, "ay_steady"), metric(r, "response_time"), metric(r, "peak_time"), metric(r, "settling_time"));
    return std::array{metric(r, "yaw_rate"), metric(r, "overshoot"), metric(r, "ay_steady")};
  };
  const auto published = run("tire.lugre_published", {});
  EXPECT_SHARE(published[0], 0.528, 0.03);
  EXPECT_SHARE(published[1], 1.16, 0.03);
  EXPECT_SHARE(published[2], 8.34, 0.04);
  const auto rolling = run("tire.vdsim07_pacejka", {});
  const auto plain = run("tire.vdsim07_pacejka", {"tire.lugre.enabled=false", "tire.relaxation_length_lat=0",
                                                  "tire.relaxation_length_long=0", "tire.combined=similarity"});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_SHARE(rolling[i], plain[i], 0.05);
  EXPECT_LE(rolling[2], kG);
}

}  // namespace
}  // namespace maneuver_case
