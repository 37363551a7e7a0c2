// SPDX-License-Identifier: Apache-2.0
// The handling analysis against closed forms of the single track, against its own symmetries, and against runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "tests/integration/cars.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/lab/handling_report.hpp"
#include "vdsim/lab/handling_solve.hpp"

namespace {

using namespace cars;
using Complex = std::complex<double>;

constexpr Level kAnalysed[] = {Level::L1, Level::L2};

// No losses, no parking torque: the car of the closed forms.
VehicleSpec plain_sedan(Law law = Law::rolling) {
  return with_tires(without_losses(sedan(law)), [](TireSpec& t) { t.lugre.rolling.c_psi = 0; });
}
double Cf(const VehicleSpec& s) { return 2 * slip_stiffness_lat(s.tire_fl, static_load(s, true)); }
double Cr(const VehicleSpec& s) { return 2 * slip_stiffness_lat(s.tire_rl, static_load(s, false)); }
// m/L ((b + t)/Cf - (a - t)/Cr): the side forces act a trail t behind the wheel centres
double closed_K(const VehicleSpec& s) {
  const ChassisSpec& c = s.chassis;
  const double t = s.tire_fl.pneumatic_trail;
  return c.mass / c.wheelbase * ((c.cg_to_rear + t) / Cf(s) - (c.cg_to_front - t) / Cr(s));
}
HandlingCar car_of(const VehicleSpec& s, Level level = Level::L2, double mu = 1) { return {s, flat(mu), level}; }

// Tail-heavy and without trail: oversteers.
VehicleSpec oversteering() {
  VehicleSpec s = plain_sedan();
  s.chassis.cg_to_front = 1.5, s.chassis.cg_to_rear = 1.2;
  return with_tires(s, [](TireSpec& t) { t.pneumatic_trail = 0; });
}

TEST(HandlingAnalysis, DerivativesAreThoseOfTheSingleTrack) {
  for (const Level level : kAnalysed) {
    const VehicleSpec s = plain_sedan();
    const ChassisSpec& c = s.chassis;
    const double V = 25, a = c.cg_to_front, b = c.cg_to_rear, t = s.tire_fl.pneumatic_trail, f = Cf(s), r = Cr(s);
    const LinearRange o = linear_range(car_of(s, level), V);
    const auto near = [](double found, double wanted) { EXPECT_NEAR(found, wanted, 1e-6 * std::fabs(wanted)); };
    near(o.cornering_stiffness[0], f);
    near(o.cornering_stiffness[1], r);
    near(o.trail[0], t);
    near(o.trail[1], t);
    near(o.Y_beta, -(f + r));
    EXPECT_NEAR(o.Y_r, (b * r - a * f) / V, 1e-6 * (a * f + b * r) / V);  // a small difference of large numbers
    near(o.Y_delta, f);
    EXPECT_NEAR(o.N_beta, (b + t) * r - (a - t) * f, 1e-6 * (a * f + b * r));
    near(o.N_r, -((b + t) * b * r + (a - t) * a * f) / V);
    near(o.N_delta, (a - t) * f);
    EXPECT_NEAR(o.static_margin, ((b + t) * r - (a - t) * f) / (f + r) / c.wheelbase, 1e-6);
    EXPECT_NEAR(o.K, closed_K(s), 1e-6 * c.mass / f);  // 1e-6 of one of its two parts
    near(o.yaw_gain, linear_yaw_gain(s, V));
    near(o.ay_gain, V * linear_yaw_gain(s, V));
    // rolling law: relaxation length = slip stiffness of a tire / sigma0
    near(o.relaxation[0], f / 2 / s.tire_fl.lugre.rolling.sigma0_lat);
    near(o.relaxation[1], r / 2 / s.tire_rl.lugre.rolling.sigma0_lat);
  }
}

TEST(HandlingAnalysis, SideSlipGainPutsTheRearAxleOnItsSlipAngle) {
  const VehicleSpec s = plain_sedan();
  const ChassisSpec& c = s.chassis;
  const double V = 30, t = s.tire_fl.pneumatic_trail;
  const LinearRange o = linear_range(car_of(s), V);
  // beta = b r/V - alpha_r, and the rear axle carries m V r (a - t)/L
  const double wanted = o.yaw_gain * (c.cg_to_rear / V - c.mass * V * (c.cg_to_front - t) / c.wheelbase / Cr(s));
  EXPECT_NEAR(o.beta_gain, wanted, 1e-6 * std::fabs(wanted));
}

// Tires that follow at once: the states of wheels and tires add nothing to the two-state car.
TEST(HandlingAnalysis, WithoutLagTheEigenvaluesAreThoseOfTwoStates) {
  const VehicleSpec s = plain_sedan(Law::mf_only);
  const ChassisSpec& c = s.chassis;
  const double t = s.tire_fl.pneumatic_trail, f = Cf(s), r = Cr(s), a = c.cg_to_front, b = c.cg_to_rear,
               Iz = c.inertia_diag[2];
  for (const double V : {10.0, 25.0, 45.0}) {
    const LinearRange o = linear_range(car_of(s, Level::L1), V);  // on one track the wheels have no yaw inertia
    const double a11 = -(f + r) / (c.mass * V), a12 = (b * r - a * f) / (c.mass * V * V) - 1,
                 a21 = ((b + t) * r - (a - t) * f) / Iz, a22 = -((b + t) * b * r + (a - t) * a * f) / (Iz * V);
    const double half = 0.5 * (a11 + a22);
    const Complex root = std::sqrt(Complex(half * half - (a11 * a22 - a12 * a21), 0.0));
    for (const LateralModes* m : {&o.modes, &o.single_track}) {
      EXPECT_LT(std::abs(m->first - (half + root)), 1e-5 * std::abs(half));
      EXPECT_LT(std::abs(m->second - (half - root)), 1e-5 * std::abs(half));
      EXPECT_NEAR(m->frequency, std::sqrt(a11 * a22 - a12 * a21), 1e-5 * m->frequency);
      EXPECT_NEAR(m->damping, -(a11 + a22) / 2 / m->frequency, 1e-5);
    }
    EXPECT_EQ(o.relaxation[0], 0);
  }
}

// Slip angles that lag by sigma: each eigenvalue is a root of the characteristic polynomial of four states.
TEST(HandlingAnalysis, WithLagTheEigenvaluesAreThoseOfFourStates) {
  VehicleSpec s = plain_sedan(Law::fallback);
  const ChassisSpec& c = s.chassis;
  const double t = s.tire_fl.pneumatic_trail, f = Cf(s), r = Cr(s), a = c.cg_to_front, b = c.cg_to_rear,
               Iz = c.inertia_diag[2], sigma = s.tire_fl.relaxation_length_lat;
  for (const double V : {8.0, 25.0, 45.0}) {
    const LinearRange o = linear_range(car_of(s, Level::L1), V);
    EXPECT_NEAR(o.relaxation[0], sigma, 1e-9);
    // det(s I - A(s)), the lag as a factor 1/(1 + s sigma/V) on every slip angle
    const auto det = [&](Complex z) {
      const Complex lag = 1.0 / (1.0 + z * sigma / V);
      const Complex m11 = z + lag * (f + r) / (c.mass * V), m12 = 1.0 - lag * (b * r - a * f) / (c.mass * V * V),
                    m21 = -lag * ((b + t) * r - (a - t) * f) / Iz,
                    m22 = z + lag * ((b + t) * b * r + (a - t) * a * f) / (Iz * V);
      return m11 * m22 - m12 * m21;
    };
    for (const Complex z : {o.modes.first, o.modes.second}) {
      const double h = 1e-6 * std::abs(z);
      const Complex newton = det(z) / ((det(z + h) - det(z - h)) / (2 * h));  // distance to the root
      EXPECT_LT(std::abs(newton), 1e-5 * std::abs(z)) << "V " << V << ", s " << z.real() << " " << z.imag();
    }
  }
}

TEST(HandlingAnalysis, CharacteristicSpeedIsThePeakOfTheYawGain) {
  const VehicleSpec s = plain_sedan();
  ASSERT_GT(closed_K(s), 0);
  const HandlingCar car = car_of(s, Level::L1);
  const double V = characteristic_speed(car), G = linear_range(car, V).yaw_gain;
  EXPECT_NEAR(V, std::sqrt(s.chassis.wheelbase / closed_K(s)), 1e-3 * V);
  EXPECT_NEAR(G, V / (2 * s.chassis.wheelbase), 1e-4 * G);  // half the gain of the neutral car
  EXPECT_GT(G, linear_range(car, 0.97 * V).yaw_gain);
  EXPECT_GT(G, linear_range(car, 1.03 * V).yaw_gain);
  EXPECT_TRUE(std::isnan(critical_speed(car)));
}

TEST(HandlingAnalysis, OversteeringCarIsUnstableFromTheCriticalSpeedOn) {
  const VehicleSpec s = oversteering();
  ASSERT_LT(closed_K(s), 0);
  const HandlingCar car = car_of(s);
  const double V = critical_speed(car);
  EXPECT_NEAR(V, std::sqrt(-s.chassis.wheelbase / closed_K(s)), 1e-4 * V);
  EXPECT_LT(linear_range(car, 0.995 * V).largest_real, 0);
  const LinearRange above = linear_range(car, 1.005 * V);
  EXPECT_GT(above.largest_real, 0);
  EXPECT_GT(above.single_track.first.real(), 0);
  EXPECT_TRUE(std::isnan(above.single_track.frequency));
  EXPECT_LT(above.static_margin, 0);
  EXPECT_TRUE(std::isnan(characteristic_speed(car)));
}

// Wheels left and right of the centre line must change their spin when the car changes its yaw rate.
TEST(HandlingAnalysis, WheelsAddToTheYawInertia) {
  const VehicleSpec s = plain_sedan(Law::mf_only);
  VehicleSpec heavy = s;  // the same car on one track, with that inertia
  heavy.chassis.inertia_diag[2] += 4 * wheel_inertia(s) * std::pow(s.chassis.track_front / 2 / radius(s), 2);
  const LinearRange two = linear_range(car_of(s), 25), one = linear_range(car_of(heavy, Level::L1), 25);
  EXPECT_LT(std::abs(two.modes.first - one.modes.first), 1e-3 * std::abs(one.modes.first));
}

TEST(UndersteerBudget, RowsAddUpToTheTotal) {
  for (const Level level : kAnalysed) {
    VehicleSpec s = sedan();
    s.drivetrain.differential = Differential::LSD;
    const UndersteerBudget b = understeer_budget(car_of(s, level), 25, 4);
    ASSERT_EQ(b.rows.size(), level == Level::L1 ? 8u : 11u);
    double sum = 0, largest = 0;
    for (const BudgetRow& row : b.rows) sum += row.K, largest = std::max(largest, std::fabs(row.K));
    EXPECT_NEAR(sum, b.total, 1e-15);
    EXPECT_LT(std::fabs(b.rows.back().K), 0.3 * largest);  // else the parts would explain nothing
    const ChassisSpec& c = s.chassis;
    EXPECT_NEAR(b.rows[0].K,
                c.mass / c.wheelbase * (c.cg_to_rear / b.bare_stiffness[0] - c.cg_to_front / b.bare_stiffness[1]),
                1e-9);
  }
}

TEST(UndersteerBudget, PartsOfALosslessCarHaveTheirClosedForms) {
  const VehicleSpec s = plain_sedan();
  const double ay = 0.05, t = s.tire_fl.pneumatic_trail;  // small: the tires are linear to 1e-4
  const UndersteerBudget b = understeer_budget(car_of(s, Level::L1), 25, ay);
  for (const BudgetRow& row : b.rows) {
    if (row.name.starts_with("weight"))
      EXPECT_NEAR(row.K, s.chassis.mass / s.chassis.wheelbase * (1.5 / Cf(s) - 1.2 / Cr(s)), 1e-8);
    else if (row.name.starts_with("aligning"))
      EXPECT_NEAR(row.K, s.chassis.mass / s.chassis.wheelbase * t * (1 / Cf(s) + 1 / Cr(s)), 2e-6);
    else
      EXPECT_NEAR(row.K, 0, 2e-6) << row.name;
  }
}

// Load transfer costs the axle that takes more of it: a stiffer bar in front makes understeer, one behind takes it away.
TEST(UndersteerBudget, LoadTransferPullsTheAxleThatTakesItOut) {
  VehicleSpec front = sedan(), rear = sedan();
  front.chassis.arb_front = rear.chassis.arb_rear = 40000;
  const auto transfer = [](const VehicleSpec& s) {
    const UndersteerBudget b = understeer_budget(car_of(s), 25, 5);
    return std::find_if(b.rows.begin(), b.rows.end(), [](auto& r) { return r.name.starts_with("lateral"); })->K;
  };
  EXPECT_GT(transfer(front), 1e-4);
  EXPECT_LT(transfer(rear), -1e-4);
}

TEST(HandlingDiagram, StartsOnTheLinearRangeAndObeysTheGeometry) {
  const HandlingCar car = car_of(sedan());
  const HandlingDiagram d = diagram_at_speed(car, 25);
  ASSERT_GT(d.points.size(), 20u);
  EXPECT_EQ(d.end, "wheel spins");  // drive behind, open differential: the inner wheel
  const double L = car.vehicle.chassis.wheelbase, K = linear_range(car, 25).K;
  const DiagramPoint& p = d.points[3];
  EXPECT_NEAR((p.steer - L * p.curvature) / p.ay, K, 0.01 * K);
  for (const DiagramPoint& q : d.points) {
    // steer = L/R + alpha_f - alpha_r up to cubes of the angles
    EXPECT_NEAR(q.steer, L * q.curvature + q.alpha[0] - q.alpha[1], 0.02 * (q.alpha[0] + L * q.curvature) + 1e-9);
    // load transfer: sum of moments about the x axis, m h ay = sum of +-Fz T/2 (ay of the contact forces: along the body)
    const ChassisSpec& c = car.vehicle.chassis;
    const double roll = (q.fz[1] - q.fz[0]) * c.track_front / 2 + (q.fz[3] - q.fz[2]) * c.track_rear / 2;
    EXPECT_NEAR(roll, c.mass * c.cg_height * q.ay * std::cos(q.beta), 1e-6 * c.mass * c.cg_height + 1e-9);
    EXPECT_LE(q.ay, d.limit_ay);
  }
}

TEST(HandlingDiagram, BothDiagramsMeetWhereSpeedAndRadiusAreTheSame) {
  const HandlingCar car = car_of(sedan());
  const double V = 20, R = 80, ay = V * V / R;  // 5 m/s^2
  const auto at = [&](const HandlingDiagram& d) {
    for (std::size_t k = 1; k < d.points.size(); ++k)
      if (d.points[k].ay > ay) {
        const DiagramPoint &a = d.points[k - 1], &b = d.points[k];
        return a.steer + (b.steer - a.steer) * (ay - a.ay) / (b.ay - a.ay);
      }
    return 0.0;
  };
  const double by_speed = at(diagram_at_speed(car, V));
  EXPECT_NEAR(at(diagram_at_radius(car, R)), by_speed, 1e-3 * by_speed);  // linear between points
}

TEST(HandlingDiagram, ATurnToTheRightIsTheMirrorImage) {
  VehicleSpec s = sedan();
  s.drivetrain.differential = Differential::LSD;
  const auto left = steady_car(s, flat(), Level::L2), right = steady_car(s, flat(), Level::L2);
  const double V = 22;
  Vector ul = *solve_steady(*left, left->guess(V), {V, 0, 0}), ur = ul;
  for (double ay : {0.5, 2.0, 4.0, 6.0}) {
    ul = *solve_steady(*left, ul, {V, ay / V, 0});
    ur = *solve_steady(*right, ur, {V, -ay / V, 0});
    EXPECT_NEAR(ul[kSteer], -ur[kSteer], 1e-8);
    EXPECT_NEAR(ul[kBeta], -ur[kBeta], 1e-8);
    EXPECT_NEAR(ul[kTorque], ur[kTorque], 1e-5);
    const CarForces a = left->forces(left->state_of(ul, {V, ay / V, 0}), ul[kSteer], ul[kTorque]),
                    b = right->forces(right->state_of(ur, {V, -ay / V, 0}), ur[kSteer], ur[kTorque]);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a.fz[i], b.fz[i ^ 1], 1e-4);
  }
}

// A run that steers slowly and waits: the same turn. The speed is held by the throttle.
// `speeds`: by how much the left rear wheel is faster at the end of each turn [rad/s].
void compare_with_run(const VehicleSpec& s, Level level, double V, const std::vector<double>& share, double tolerance,
                      std::vector<double>* speeds = nullptr) {
  const HandlingDiagram d = diagram_at_speed(car_of(s, level), V);
  Car sim(s, flat(), level, Integrator::rk4, {.vx0 = V});
  const double dt = 1e-3;
  Commands c;
  double integral = 0;
  for (const double q : share) {
    const auto p = std::find_if(d.points.begin(), d.points.end(), [&](auto& x) { return x.ay >= q * d.limit_ay; });
    ASSERT_NE(p, d.points.end());
    const double from = c.steer;
    for (int k = 0; k < 3500; ++k) {  // 1.5 s of ramp, 2 s of rest
      const CarOutputs now = sim.outputs(c);
      const double error = V - std::hypot(now.vx, now.vy);
      integral += 1.5 * error * dt;
      c.throttle = std::clamp(1.0 * error + integral, 0.0, 1.0);
      c.steer = from + (p->steer - from) * std::min(1.0, k / 1500.0);
      ASSERT_TRUE(sim.step(c, dt));
    }
    const CarOutputs o = sim.outputs(c);
    if (speeds) speeds->push_back(o.wheel[2].omega - o.wheel[3].omega);
    EXPECT_NEAR(std::hypot(o.vx, o.vy), V, 2e-3 * V);
    EXPECT_NEAR(o.r * V, p->ay, tolerance * p->ay) << "at " << p->ay;
    EXPECT_NEAR(std::atan2(o.vy, o.vx), p->beta, tolerance * (std::fabs(p->beta) + 0.01));
    for (int i = 0; i < 4; ++i) {
      const int wheel = level == Level::L1 ? i / 2 : i;
      EXPECT_NEAR(o.wheel[wheel].fz, p->fz[std::size_t(i)], tolerance * p->fz[std::size_t(i)]);
    }
  }
}
TEST(HandlingDiagram, IsWhatARunSettlesTo) { compare_with_run(sedan(), Level::L2, 25, {0.3, 0.6, 0.85}, 0.01); }
TEST(HandlingDiagram, IsWhatARunSettlesToOnTwoWheels) { compare_with_run(sedan(), Level::L1, 25, {0.5}, 0.01); }
TEST(HandlingDiagram, IsWhatARunSettlesToWithLimitedSlip) {
  VehicleSpec s = sedan();
  s.drivetrain.differential = Differential::LSD;
  s.drivetrain.lsd_preload = 0.02, s.drivetrain.lsd_ramp = 0.05;
  std::vector<double> faster;
  compare_with_run(s, Level::L2, 15, {0.05, 0.6}, 0.01, &faster);
  ASSERT_EQ(faster.size(), 2u);
  EXPECT_EQ(faster[0], 0);     // locked in the wide turn,
  EXPECT_LT(faster[1], -0.1);  // slipping in the tight one
}

TEST(HandlingDiagram, LimitOfTheSingleTrackIsItsFriction) {
  const VehicleSpec s = with_tires(plain_sedan(), [](TireSpec& t) { t.load_sensitivity = 0; });
  for (const double mu : {0.4, 0.9}) {
    const HandlingDiagram d = diagram_at_speed(car_of(s, Level::L1, mu), 25);
    EXPECT_EQ(d.end, "grip");
    EXPECT_LT(d.limit_ay, mu * g * 1.0001);
    EXPECT_GT(d.limit_ay, 0.93 * mu * g);  // the rest drives against the drag of the steered wheels
  }
}

TEST(HandlingDiagram, NamesTheAxleThatGivesWay) {
  VehicleSpec s = sedan();
  s.tire_fl.D_lat = s.tire_fr.D_lat = 0.85;
  const HandlingDiagram front = diagram_at_speed(car_of(s), 25);
  EXPECT_EQ(front.limit, "understeer");
  EXPECT_TRUE(std::isnan(front.unstable_from));
  s = sedan();
  s.tire_rl.D_lat = s.tire_rr.D_lat = 0.8;
  const HandlingDiagram d = diagram_at_speed(car_of(s), 25);
  EXPECT_EQ(d.limit, "oversteer");
  EXPECT_GT(d.unstable_from, 2);  // stable in the linear range
  EXPECT_LT(d.unstable_from, d.limit_ay);
}

TEST(HandlingDiagram, IsEmptyWhereNoTurnExists) {
  const HandlingDiagram d = diagram_at_radius(car_of(sedan(), Level::L2, 0.05), 8);  // 3.5 m/s: 1.5 m/s^2 of 0.5
  EXPECT_TRUE(d.points.empty());
  EXPECT_EQ(d.limit_ay, 0);
  EXPECT_EQ(d.end, "no steady turn found");
}

TEST(AccelerationEnvelope, StaysWithinFrictionAndReachesIt) {
  VehicleSpec s = with_tires(plain_sedan(), [](TireSpec& t) { t.load_sensitivity = 0; });
  s.drivetrain.max_motor_torque = 2000;  // more than the tires hold
  const double mu = 0.7;
  const Envelope e = acceleration_envelope(car_of(s, Level::L2, mu), 10, 7);
  ASSERT_EQ(e.points.size(), 7u);
  for (const EnvelopePoint& p : e.points) {
    EXPECT_LE(std::hypot(p.ax, p.ay), mu * g * 1.0001) << p.angle;
    EXPECT_GT(std::hypot(p.ax, p.ay), 0.4 * mu * g) << p.angle;
    EXPECT_TRUE(p.end == "grip" || p.end == "wheel spins" || p.end == "wheel locks") << p.end;
  }
  EXPECT_GT(e.points[3].ay, 0.9 * mu * g);
  // drive on the rear axle alone, front wheels taken along: (m + 2 I/R^2) ax = mu (m g a/L + m ax h/L)
  const ChassisSpec& c = s.chassis;
  const double front = 2 * wheel_inertia(s) / (radius(s) * radius(s));
  EXPECT_NEAR(e.points[0].ax,
              mu * g * c.mass * c.cg_to_front / ((c.mass + front) * c.wheelbase - mu * c.mass * c.cg_height),
              0.001 * g);
}

TEST(AccelerationEnvelope, DownForceAddsGripAndDragBrakes) {
  VehicleSpec s = with_tires(plain_sedan(), [](TireSpec& t) { t.load_sensitivity = 0; });
  s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 1;
  s.chassis.aero_drag_coeff = 0.5;
  s.brake.max_brake_torque = 20000;
  const double V = 50, q = 0.5 * rho * s.chassis.frontal_area * V * V / s.chassis.mass;
  const Envelope e = acceleration_envelope(car_of(s), V, 5);
  for (const EnvelopePoint& p : e.points)
    EXPECT_LE(std::hypot(p.ax + 0.5 * q, p.ay), (g + 2 * q) * 1.0001);  // contact forces alone
  EXPECT_LT(e.points.back().ax, -1.05 * g);
  EXPECT_GT(e.points[2].ay, 1.2 * g);
  EXPECT_EQ(e.points.front().end, "drive");
  // what the motor leaves after the drag, all wheels turning with the car
  const double drive = s.drivetrain.max_motor_torque * s.drivetrain.final_drive_ratio / radius(s);
  EXPECT_NEAR(e.points.front().ax, (drive - drag(s, V)) / effective_mass(s, true), 0.02 * e.points.front().ax);
}

TEST(HandlingAnalysis, RefusesWhatItCannotSolve) {
  EXPECT_THROW(linear_range(car_of(sedan(), Level::L3), 20), BadInput);
  EXPECT_THROW(linear_range(car_of(sedan(), Level::L5), 20), BadInput);
  EXPECT_THROW(linear_range(car_of(sedan(Law::breakaway)), 20), BadInput);
  VehicleSpec patch = sedan();
  patch.tire_rr.schema = TireSchema::lugre_patch_v1;
  EXPECT_THROW(linear_range(car_of(patch), 20), BadInput);
  try {
    linear_range(car_of(sedan(Law::breakaway), Level::L3), 20);
  } catch (const BadInput& e) {
    EXPECT_EQ(e.lines.size(), 5u);  // the level and four tires, all at once
  }
}

TEST(HandlingAnalysis, TopSpeedIsWhereDragTakesTheDrive) {
  VehicleSpec s = plain_sedan();
  s.chassis.aero_drag_coeff = 0.9;
  s.drivetrain.max_motor_torque = 120;
  const double force = s.drivetrain.max_motor_torque * s.drivetrain.final_drive_ratio / radius(s);
  const double V = top_speed(car_of(s));
  EXPECT_NEAR(drag(s, V), force, 0.01 * force);  // slip turns the wheel a little faster, not harder
}

TEST(HandlingReport, NumbersThatDoNotExistAreNull) {
  HandlingOptions o;
  o.speeds = {10, 20, 30};
  o.envelope_speeds = {15};
  o.rays = 3;
  const HandlingCar car = car_of(sedan());
  const Handling h = analyse_handling(car, o);
  const HandlingTitle title{"vehicle.sedan", "", Level::L2, 1, car.vehicle.chassis.wheelbase};
  const auto json = nlohmann::json::parse(handling_json(title, h));
  EXPECT_TRUE(json["critical_speed"].is_null());
  EXPECT_NEAR(json["at_speed"]["K"].get<double>(), h.at_speed.K, 1e-15);
  double sum = 0;
  for (const auto& row : json["budget"]["rows"]) sum += row["K"].get<double>();
  EXPECT_NEAR(sum, json["budget"]["total"].get<double>(), 1e-12);
  EXPECT_EQ(json["over_speed"].size(), 3u);
  const std::string text = handling_text(title, h), csv = handling_csv(title, h);
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(csv.find("nan"), std::string::npos);
  EXPECT_EQ(std::size_t(std::count(csv.begin(), csv.end(), '\n')),
            3 + h.constant_speed.points.size() + h.constant_radius.points.size());
  EXPECT_EQ(handling_blocks(title, h).size(), 6u);
}

}  // namespace
