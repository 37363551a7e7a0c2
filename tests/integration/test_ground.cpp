// SPDX-License-Identifier: Apache-2.0
// What lies on the road: sections, patches, single numbers of a surface, all tires. docs/theory/06_roads.md, section on surfaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/integration/tires.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/tire_rig.hpp"

using namespace cars;

namespace {

const SurfaceSpec kGravel{0.72, 0.50, 0.90, 0, 0.040, 0.52, 1.35, 2.30, 0.42, 0.10};
const SurfaceSpec kSnow{0.30, 0.20, 0.30, 0, 0.065, 0.30, 1.60, 3.10, 0.48, 0.08};
const SurfaceSpec kWet{0.90, 0.65, 0.50, 0.0015, 0.013, 0.95, 1.05, 1, 0.03, 0.03};

TireSpec rally(const SurfaceSpec& ground = {}) {
  TireSpec t = rally_tire();
  t.rally.surface = ground;
  return t;
}
VehicleSpec on(const TireSpec& tire) {
  return with_tires(sedan(), [&](TireSpec& t) { t = tire; });
}
RoadSpec all_over(const SurfaceOverride& o) {
  RoadSpec r;
  r.surface = o;
  return r;
}
RoadSpec section(double from, double to, const SurfaceOverride& o, double edge = 2) {
  RoadSpec r;
  r.section_count = 1;
  r.sections[0] = {.from = from, .to = to, .edge = edge, .surface = o};
  return r;
}
Commands drive(double t) {
  Commands c;
  c.steer = 0.05 * std::sin(1.3 * t), c.throttle = t < 1.5 ? 0.35 : 0.1, c.brake = t > 2 ? 0.25 : 0;
  return c;
}
Ground<double> ground_at(const RoadSpec& road, double x, double y, Ground<double> own, double* mu = nullptr) {
  const double friction = road_mu(road_kind(road), RoadData{}, compile_road(road), x, y, own);
  if (mu) *mu = friction;
  return own;
}

}  // namespace

// ------------------------------------------------------------------------------------------------- the road's answer

TEST(RoadGround, SectionIsABlendOfSurfaces) {
  const SurfaceSpec tarmac;
  const RoadSpec road = section(10, 30, all_of(kGravel), 4);
  const Ground<double> own = ground_of(tarmac);
  for (double x : {-50.0, 7.9, 8.5, 10.0, 11.0, 12.1, 20.0, 28.7, 30.0, 31.0, 32.1, 90.0}) {
    const auto step = [](double q) {
      const double u = std::clamp(q, 0.0, 1.0);
      return u * u * u * (u * (6 * u - 15) + 10);
    };
    const double w = step((x - 10) / 4 + 0.5) * step((30 - x) / 4 + 0.5);
    const Ground<double> g = ground_at(road, x, 3, own), expected = ground_of(blend(tarmac, kGravel, w));
    each_number<double>([&](auto n) { EXPECT_NEAR(g.*n.ground, expected.*n.ground, 1e-14) << x; });
    EXPECT_EQ(g.told, 0);
  }
  EXPECT_NEAR(ground_at(road, 10, 0, own).friction, 0.5 * (1.10 + 0.72), 1e-14);  // half at the end itself
}

TEST(RoadGround, SingleNumbersAndTemperature) {
  RoadSpec road = section(0, 100, {.water_depth = 0.004}, 1);
  road.mu = 0.9;
  road.sections[0].temperature = 50;
  road.patch_count = 1;
  road.patches[0].mu = 0.5;
  road.patches[0].count = 4;
  road.patches[0].polygon = {{{40, -2}, {60, -2}, {60, 2}, {40, 2}}};
  double mu;
  Ground<double> g = ground_at(road, 20, 0, ground_of(kGravel), &mu);
  EXPECT_EQ(mu, 0.9);  // the section does not say
  EXPECT_EQ(g.friction, 0.72);
  EXPECT_NEAR(g.water_depth, 0.004, 1e-17);
  EXPECT_EQ(g.told, 1);
  EXPECT_NEAR(g.T, 50, 1e-13);
  g = ground_at(road, 50, 0, ground_of(kGravel), &mu);
  EXPECT_NEAR(mu, 0.5, 1e-15);
  EXPECT_NEAR(g.water_depth, 0.004, 1e-17);  // the patch does not say
  g = ground_at(road, 0, 0, ground_of(kGravel));
  EXPECT_NEAR(g.told, 0.5, 1e-15);  // half way: half of the air's temperature, half of the road's
  EXPECT_NEAR(g.T, 25, 1e-13);
  g = ground_at(road, -5, 0, ground_of(kGravel));
  EXPECT_EQ(g.told, 0);
}

TEST(RoadGround, LastOneNamedWins) {
  RoadSpec road = section(0, 100, all_of(kGravel), 1);
  road.section_count = 2;
  road.sections[1] = {.from = 50, .to = 60, .edge = 1, .surface = all_of(kSnow)};
  EXPECT_NEAR(ground_at(road, 55, 0, ground_of({})).friction, 0.30, 1e-15);
  EXPECT_NEAR(ground_at(road, 70, 0, ground_of({})).friction, 0.72, 1e-15);
}

// ------------------------------------------------------------------------------------------------- tires on it

// A rally tire with gravel as its own ground, and one on tarmac of a road that is gravel all over: the same car.
TEST(GroundTire, RallyOnItsOwnGroundAndOnTheRoads) {
  for (const SurfaceSpec& ground : {kGravel, kSnow, kWet})
    for (RallyMode mode : {RallyMode::Auto, RallyMode::BrushOnly, RallyMode::PacejkaOnly})
      for (Level level : {Level::L1, Level::L2, Level::L3, Level::L5})
        for (Integrator method : {Integrator::rk4, Integrator::euler, Integrator::implicit}) {
          if (method != Integrator::rk4 && (mode != RallyMode::Auto || level == Level::L5)) continue;
          TireSpec own = rally(ground), plain = rally();
          own.rally.mode = plain.rally.mode = mode;
          const StartPose start{.vx0 = 15};
          Car a(on(own), RoadSpec{}, level, method, start),
              b(on(plain), all_over(all_of(ground)), level, method, start);
          double off = 0, most = 0;
          for (int i = 0; i < 2500; ++i) {
            const Commands c = drive(i * 1e-3), d = drive((i + 1) * 1e-3);
            ASSERT_TRUE(a.step(c, d, 1e-3) && b.step(c, d, 1e-3));
            const CarOutputs p = a.glance(d), q = b.glance(d);
            for (int k = 0; k < p.wheels; ++k) {
              off = std::max({off, std::fabs(p.wheel[k].fx - q.wheel[k].fx), std::fabs(p.wheel[k].fy - q.wheel[k].fy),
                              std::fabs(p.wheel[k].mz - q.wheel[k].mz),
                              std::fabs(p.wheel[k].t_tread - q.wheel[k].t_tread)});
              most = std::max(most, std::fabs(p.wheel[k].fx));
            }
          }
          EXPECT_GT(most, 500);
          EXPECT_LT(off, 1e-7 * most) << ground.friction << " mode " << int(mode) << " level " << int(level) << " "
                                      << name(method);
          EXPECT_NEAR(a.energy().stored, b.energy().stored, 1e-6 * std::fabs(a.energy().stored) + 1e-6);
        }
}

// Other tires take the friction of the ground, as if the road had it, and its rolling resistance beyond that of a hard road.
TEST(GroundTire, OthersTakeFriction) {
  for (const TireSpec& tire : {default_pacejka(), file_tire()})
    for (Law law : {Law::rolling, Law::breakaway, Law::fallback}) {
      TireSpec t = tire;
      set_law(t, law);
      if (t.backend == TireBackend::magic_formula) t.combined = Combined::automatic;
      Car a(on(t), flat(0.6), Level::L2, Integrator::rk4, {.vx0 = 20});
      Car b(on(t), all_over({.friction = 0.6}), Level::L2, Integrator::rk4, {.vx0 = 20});
      for (int i = 0; i < 2500; ++i) {
        const Commands c = drive(i * 1e-3);
        ASSERT_TRUE(a.step(c, 1e-3) && b.step(c, 1e-3));
      }
      EXPECT_NEAR(a.outputs({}).x, b.outputs({}).x, 1e-9) << name(law);
      EXPECT_NEAR(a.outputs({}).y, b.outputs({}).y, 1e-9) << name(law);
      EXPECT_EQ(b.outputs({}).wheel[0].surface_friction, 0.6);
      EXPECT_EQ(a.outputs({}).wheel[0].surface_friction, 0);  // the road does not say
    }
}
TEST(GroundTire, OthersTakeRollingResistance) {
  for (const TireSpec& tire : {default_pacejka(), file_tire()})
    for (Level level : {Level::L1, Level::L2}) {
      const auto slows = [&](const RoadSpec& road) {
        VehicleSpec car = on(tire);
        car.chassis.aero_drag_coeff = 0;
        Car sim(car, road, level, Integrator::rk4, {.vx0 = 15});
        Commands neutral;
        neutral.gear = 0;
        EXPECT_TRUE(run(sim, neutral, 2, 1e-3));
        return (15 - sim.vx()) / 2;
      };
      // soft ground adds (c - 0.012) g on the car; wheels that turn as well make it slower by their inertia, below 10 %
      const double more = slows(all_over({.rolling_resistance = 0.062})) - slows(RoadSpec{});
      EXPECT_NEAR(more, 0.05 * g, 0.08 * 0.05 * g) << int(level);
      EXPECT_LT(more, 0.05 * g);
      EXPECT_NEAR(slows(all_over({.rolling_resistance = 0.012})), slows(RoadSpec{}), 1e-12);
    }
}

// Heat goes to and comes from a road of its own temperature.
TEST(GroundTire, RoadTemperature) {
  const auto tread = [&](double temperature) {
    RoadSpec road;
    road.temperature = temperature;
    Car sim(on(rally()), road, Level::L2, Integrator::rk4, {.vx0 = 20});
    Commands c;
    c.throttle = 0.1;
    EXPECT_TRUE(run(sim, c, 60, 5e-3));
    return sim.outputs(c).wheel[0].t_tread;
  };
  const double none = tread(kKeepTemperature), air = tread(30), hot = tread(60), cold = tread(0);
  EXPECT_NEAR(none, air, 1e-9);  // 30 degC is that of the air
  EXPECT_GT(hot, air + 3);
  EXPECT_LT(cold, air - 3);
  EXPECT_NEAR(hot - air, air - cold, 0.2 * (hot - air));  // the law is linear in it, but for the heat of rolling
}

// ------------------------------------------------------------------------------------------------- driving over edges

namespace {

// Tarmac, gravel, a puddle, snow, in a bend.
RoadSpec four(double water = 0.001) {
  RoadSpec road = section(60, 110, all_of(kGravel), 3);
  road.section_count = 2;
  road.sections[1] = {.from = 160, .to = 400, .edge = 3, .surface = all_of(kSnow)};
  road.patch_count = 1;
  road.patches[0].surface.water_depth = water;
  road.patches[0].edge = 3;
  road.patches[0].count = 4;
  road.patches[0].polygon = {{{125, -30}, {142, -30}, {146, 60}, {122, 60}}};
  return road;
}
Commands bend(double t) {
  Commands c;
  c.steer = 0.012 * std::min(t, 1.0), c.throttle = 0.12;
  return c;
}

}  // namespace

TEST(GroundDrive, ForcesAreContinuousAtTheEdges) {
  for (const TireSpec& tire : {rally(), default_pacejka(), file_tire()})
    for (Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
      Car sim(on(tire), four(), level, Integrator::rk4, {.vx0 = 25});
      CarOutputs before = sim.outputs(bend(0));
      double jump = 0, least = 2, most = 0;
      for (int i = 0; i < 8000; ++i) {
        ASSERT_TRUE(sim.step(bend(i * 1e-3), bend((i + 1) * 1e-3), 1e-3));
        const CarOutputs now = sim.outputs(bend((i + 1) * 1e-3));
        for (int k = 0; k < now.wheels; ++k) {
          const WheelOutputs &p = before.wheel[k], &q = now.wheel[k];
          jump = std::max({jump, std::fabs(q.fy - p.fy) / q.fz, std::fabs(q.fx - p.fx) / q.fz});
          least = std::min(least, q.surface_friction);
          most = std::max(most, q.water_depth);
        }
        before = now;
      }
      EXPECT_LT(jump, 0.01) << int(level);  // of the load, per millisecond
      EXPECT_NEAR(least, 0.3, 1e-12);
      EXPECT_NEAR(most, 0.001, 1e-12);
      // what the balance does not explain is the error of the integration
      EXPECT_LT(std::fabs(sim.energy().residual()), 1e-4 * sim.energy().kinetic0) << int(level);
    }
}

// Where 3 mm of water lift the tires and the driven wheels spin up, the force comes back as steeply as the edge lets it, and
// still without a jump: a tenth of the step, a tenth of the change.
TEST(GroundDrive, AquaplaningHasNoJumpEither) {
  const auto change = [](double dt) {
    Car sim(on(rally()), four(0.003), Level::L2, Integrator::rk4, {.vx0 = 25});
    double before[4] = {}, most = 0;
    for (int i = 0; i < int(std::lround(7 / dt)); ++i) {
      EXPECT_TRUE(sim.step(bend(i * dt), bend((i + 1) * dt), dt));
      const CarOutputs now = sim.glance(bend((i + 1) * dt));
      for (int k = 0; k < 4; ++k) {
        if (i > 0) most = std::max(most, std::fabs(now.wheel[k].fx - before[k]) / now.wheel[k].fz);
        before[k] = now.wheel[k].fx;
      }
    }
    return most;
  };
  const double ms = change(1e-3), tenth = change(1e-4);
  EXPECT_GT(ms, 0.01);
  EXPECT_NEAR(tenth, 0.1 * ms, 0.02 * ms);
}

TEST(GroundDrive, SixtyHertzIsOneKilohertz) {
  for (const TireSpec& tire : {rally(), default_pacejka()}) {
    const auto drive_at = [&](double dt) {
      std::vector<CarOutputs> out;
      Car sim(on(tire), four(), Level::L2, Integrator::rk4, {.vx0 = 25});
      const int n = int(std::lround(1.0 / 60 / dt));
      for (int i = 0; i < 450; ++i) {
        for (int k = 0; k < n; ++k) {
          const double t = i / 60.0 + k * dt;
          EXPECT_TRUE(sim.step(bend(t), bend(t + dt), dt));
        }
        out.push_back(sim.outputs(bend((i + 1) / 60.0)));
      }
      return out;
    };
    const auto coarse = drive_at(1.0 / 60), fine = drive_at(1.0 / 1020);
    double off = 0, most = 0;
    for (std::size_t i = 0; i < fine.size(); ++i)
      for (int k = 0; k < 4; ++k) {
        off = std::max(off, std::fabs(coarse[i].wheel[k].fy - fine[i].wheel[k].fy));
        most = std::max(most, std::fabs(fine[i].wheel[k].fy));
      }
    EXPECT_LT(off, 0.01 * most);
    EXPECT_NEAR(coarse.back().y, fine.back().y, 0.01 * std::fabs(fine.back().y));
  }
}

// Bristles of another stiffness carry the force on: what changes over the edge is only how it goes on from there.
TEST(GroundDrive, StiffnessAloneDoesNotMoveTheForce) {
  TireSpec t = rally();
  t.rally.surface.noise_factor = 0;
  // the steady force stays: relaxation length alone
  const RoadSpec road = section(20, 1e4, {.relaxation_length_scale = 4}, 0.01);
  Car sim(on(t), road, Level::L2, Integrator::rk4, {.vx0 = 20});
  Car same(on(t), flat(), Level::L2, Integrator::rk4, {.vx0 = 20});
  Commands c;
  c.steer = 0.02, c.throttle = 0.2;
  double off = 0, most = 0;
  for (int i = 0; i < 1600; ++i) {  // wheels pass the edge, 1 cm wide, in a steady turn
    ASSERT_TRUE(sim.step(c, 1e-3) && same.step(c, 1e-3));
    if (i < 700) continue;
    const CarOutputs p = sim.outputs(c), q = same.outputs(c);
    for (int k = 0; k < 4; ++k) {
      off = std::max(off, std::fabs(p.wheel[k].fy - q.wheel[k].fy));
      most = std::max(most, std::fabs(q.wheel[k].fy));
    }
  }
  EXPECT_LT(off, 0.02 * most);
}

// ------------------------------------------------------------------------------------------------- doors

TEST(GroundDoors, HashKnowsWhatLiesWhere) {
  const auto hash = [](const RoadSpec& road) {
    return Car(sedan(), road, Level::L2, Integrator::rk4, {}).model_hash();
  };
  RoadSpec a = four(), b = four(), c = four(), d = four();
  b.sections[0].surface.friction = 0.71;
  c.patches[0].polygon[2][0] += 0.5;
  d.sections[1].from += 1;
  EXPECT_EQ(hash(a), hash(four()));
  EXPECT_NE(hash(a), hash(b));
  EXPECT_NE(hash(a), hash(c));
  EXPECT_NE(hash(a), hash(d));
}

TEST(GroundDoors, BadGroundIsRefused) {
  const auto fault = [](const RoadSpec& road, const TireSpec& tire) -> std::string {
    try {
      Car(on(tire), road, Level::L2, Integrator::rk4, {});
    } catch (const BadInput& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(fault(four(), rally()), "");
  RoadSpec r = four();
  r.sections[1].surface.friction = NAN;
  EXPECT_NE(fault(r, rally()).find("sections[1].surface.friction"), std::string::npos) << fault(r, rally());
  r = four();
  r.patches[0].surface.water_depth = 7;
  EXPECT_NE(fault(r, rally()).find("patches[0].surface.water_depth"), std::string::npos);
  r = four();
  r.sections[0].to = 10;
  EXPECT_NE(fault(r, rally()).find("sections"), std::string::npos);
  r = four();
  r.patches[0].count = 2;
  EXPECT_NE(fault(r, rally()).find("patches[0].polygon"), std::string::npos);
  r = four();
  r.patches[0].surface = {};
  EXPECT_NE(fault(r, rally()).find("says nothing"), std::string::npos);
  r = four();
  r.section_count = 99;
  EXPECT_NE(fault(r, rally()).find("section_count"), std::string::npos);
  // a peak moved so far that the curve of this tire turns over; an MF96 tire does not read it
  r = section(0, 10, {.peak_slip_ratio_scale = 5});
  TireSpec blunt = rally();
  blunt.rally.magic_formula.longitudinal_c = 1.9;
  EXPECT_NE(fault(r, blunt).find("turn over"), std::string::npos);
  EXPECT_EQ(fault(r, default_pacejka()), "");
}

// ------------------------------------------------------------------------------------------------- a tire in use

// Warm, worn, blown up: what the tire is when the run begins, on the rig and in a car.
TEST(TireStart, WarmWornAndBlownUp) {
  TireSpec cold = rally(), warm = rally(), worn = rally(), hard = rally();
  warm.rally.start.tread_temperature = warm.rally.start.core_temperature = 85;
  worn.rally.start.tread = 0;
  hard.rally.start.pressure = 300e3;
  hard.rally.start.core_temperature = 60;
  const auto peak = [](const TireSpec& t) {
    TireRig rig(t);
    RigInput in;
    in.vx = 20, in.fz = 3000;
    double most = 0;
    for (double alpha = 0.02; alpha < 0.4; alpha += 0.005) {
      const RigInput at = rig.at_slip(in, 0, alpha);
      rig.start(at);
      most = std::max(most, std::fabs(rig.output(at).fy));
    }
    return most / 3000;
  };
  // in the window: friction of the tire times that of tarmac; the gas has 278 kPa, and a smaller patch has less grip
  const double hot = (220e3 + 101325) * (85 + 273.15) / (30 + 273.15) - 101325, area = std::pow(hot / 220e3, -0.05);
  EXPECT_NEAR(peak(warm), 1.05 * 1.10 * area, 1e-3);
  const double x = 55.0 / 40 - 1, cooler = 1 - 0.3 * x * x * (3 - 2 * x);  // 55 degC below the optimum, window 40
  EXPECT_NEAR(peak(cold) / peak(warm), cooler / area, 1e-3);
  EXPECT_NEAR(peak(worn) / peak(cold), 0.65, 1e-3);  // worn_grip_fraction
  Car sim(on(warm), flat(), Level::L2, Integrator::rk4, {.vx0 = 10});
  EXPECT_EQ(sim.outputs({}).wheel[2].t_tread, 85);
  EXPECT_EQ(sim.outputs({}).wheel[2].t_core, 85);
  // the pressure is that of the core temperature it is given with
  const RallyParams<double> p = compile_rally(hard.rally);
  EXPECT_NEAR(gas_pressure(p, 60.0), 300e3, 1e-6);
  EXPECT_LT(gas_pressure(p, 30.0), 280e3);
}

// A harder tire is a stiffer spring, on L3 and L5: k_z grows as the pressure, also with that of a warm start.
TEST(TireStart, PressureReachesTheVerticalSpring) {
  const auto spring = [](const TireSpec& t) { return compile<Level::L3>(on(t), flat()).p.corner[0].strut.kt; };
  TireSpec t = rally();
  EXPECT_NEAR(spring(t), 2e5, 1e-6);
  t.rally.wheel.tire_pressure = 110e3;
  EXPECT_NEAR(spring(t), 1e5, 1e-6);
  t.rally.start.pressure = 330e3;
  EXPECT_NEAR(spring(t), 3e5, 1e-6);
  t = rally();
  t.rally.start.core_temperature = 85;  // the gas of 220 kPa at 30 degC
  EXPECT_NEAR(spring(t), 2e5 * ((220e3 + 101325) * 358.15 / 303.15 - 101325) / 220e3, 1e-6);
  for (Level level : {Level::L3, Level::L5}) {  // a car stands higher on it
    const auto height = [&](double pressure) {
      TireSpec tire = rally();
      tire.rally.wheel.tire_pressure = pressure;
      Car sim(on(tire), flat(), level, Integrator::rk4, {});
      EXPECT_TRUE(run(sim, Commands{}, 1, 1e-3));
      return sim.outputs({}).position[2];
    };
    EXPECT_GT(height(220e3), height(110e3) - 1e-9) << int(level);
  }
}

// One wheel with torques of its own: the steady spin balances drive torque and road; a brake stops it and holds it.
TEST(WheelOnRig, TurnsByItsOwnTorques) {
  for (const TireSpec& tire : {rally(), default_pacejka(), file_tire()}) {
    TireRig rig(tire);
    RigInput in;
    in.vx = 15, in.fz = 3500;
    in = rig.at_slip(in, 0, 0);
    rig.start(in);
    WheelTorque t{.drive = 300, .inertia = 1.2};
    for (int i = 0; i < 600; ++i) in.omega = rig.turn(in, in, t, 1e-3);
    const RigOutput o = rig.output(in);
    EXPECT_NEAR(o.fx * rig.rolling_radius(in) - o.my, 300, 0.5);  // my < 0 resists
    EXPECT_GT(in.omega * rig.rolling_radius(in), 15);
    t = {.drive = 0, .brake = 3000, .inertia = 1.2};
    for (int i = 0; i < 300; ++i) in.omega = rig.turn(in, in, t, 1e-3);
    EXPECT_EQ(in.omega, 0);  // locked, and not turned back
    EXPECT_LT(rig.output(in).fx, -1500);
    t = {.drive = 500, .brake = 3000, .inertia = 1.2};
    RigInput still = in;
    still.vx = 0;
    for (int i = 0; i < 300; ++i) still.omega = rig.turn(still, still, t, 1e-3);
    EXPECT_EQ(still.omega, 0);  // the brake holds more than the drive asks
  }
}
// At 60 Hz as at 1 kHz.
TEST(WheelOnRig, StepDoesNotMatter) {
  const auto spin = [](double dt) {
    TireRig rig(rally());
    RigInput in;
    in.vx = 15, in.fz = 3500;
    in = rig.at_slip(in, 0, 0);
    rig.start(in);
    for (int i = 0; i < int(std::lround(1 / dt)); ++i)
      in.omega = rig.turn(
          in, in, {.drive = i * dt < 0.5 ? 400.0 : 0.0, .brake = i * dt < 0.5 ? 0.0 : 300.0, .inertia = 1.2}, dt);
    return in.omega;
  };
  EXPECT_NEAR(spin(1.0 / 60), spin(1.0 / 960), 0.005 * spin(1.0 / 960));
}

// ------------------------------------------------------------------------------------------------- rasters

namespace {

struct Raster {  // 4 x 3 nodes, 10 m apart, from (0, -10)
  std::vector<double> z;
  RoadGrid grid{4, 3, 0, -10, 10, 10, nullptr};
  GroundMap map;
  explicit Raster(std::vector<double> values) : z(std::move(values)) {
    grid.z = z.data();
    map.grid = &grid;
  }
  Raster(const Raster&) = delete;
};
void surfaces_of(Raster& r) {
  r.map.surfaces = 3;
  r.map.surface[0] = ground_of({}), r.map.surface[1] = ground_of(kGravel), r.map.surface[2] = ground_of(kSnow);
}
Ground<double> map_at(const GroundMap& map, double x, double y, Ground<double> own) {
  lay_map(map, x, y, own);
  return own;
}

}  // namespace

TEST(GroundMap, SurfacesBlendBetweenNodes) {
  Raster r({0, 1, 2, 2, 0, 1, 2, 2, 0, 0, 0, 0});
  surfaces_of(r);
  const Ground<double> own = ground_of(kWet);
  EXPECT_EQ(map_at(r.map, 10, 0, own).friction, 0.72);
  EXPECT_EQ(map_at(r.map, 20, -10, own).friction, 0.30);
  EXPECT_NEAR(map_at(r.map, 15, -5, own).friction, 0.5 * (0.72 + 0.30), 1e-15);
  const double q = 0.3, w = q * q * q * (q * (6 * q - 15) + 10);
  const Ground<double> g = map_at(r.map, 13, -5, own), expected = ground_of(blend(kGravel, kSnow, w));
  each_number<double>([&](auto n) { EXPECT_NEAR(g.*n.ground, expected.*n.ground, 1e-14); });
  EXPECT_NEAR(map_at(r.map, 20, 5, own).friction, 0.5 * (0.30 + 1.10), 1e-14);  // 2 beside 0: nothing of 1 between them
  EXPECT_EQ(map_at(r.map, -1, 0, own).friction, 0.90);                          // outside: as it was
  EXPECT_EQ(map_at(r.map, 15, 11, own).friction, 0.90);
}

TEST(GroundMap, ANumberIsLinear) {
  Raster r({0, 0.002, 0.004, 0.004, 0, 0.002, 0.004, 0.004, 0, 0.002, 0.004, 0.004});
  r.map.number = 3;  // water_depth
  const Ground<double> g = map_at(r.map, 7, 3, ground_of(kGravel));
  EXPECT_NEAR(g.water_depth, 0.0014, 1e-16);
  EXPECT_EQ(g.friction, 0.72);
  Raster t({10, 20, 30, 30, 10, 20, 30, 30, 10, 20, 30, 30});
  t.map.number = kMapTemperature;
  EXPECT_EQ(map_at(t.map, 7, 3, ground_of(kGravel)).told, 1);
  EXPECT_NEAR(map_at(t.map, 7, 3, ground_of(kGravel)).T, 17, 1e-12);
}

// A car on a raster of one surface is a car on that surface; the hash knows the raster; a raster of nonsense is refused.
TEST(GroundMap, UnderACar) {
  Raster r(std::vector<double>(12, 1.0));
  r.grid = {4, 3, -100, -100, 100, 100, r.z.data()};
  surfaces_of(r);
  RoadSpec road;
  road.maps[0] = &r.map;
  for (Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    Car a(on(rally()), all_over(all_of(kGravel)), level, Integrator::rk4, {.vx0 = 15});
    Car b(on(rally()), road, level, Integrator::rk4, {.vx0 = 15});
    for (int i = 0; i < 1500; ++i) {
      const Commands c = drive(i * 1e-3);
      ASSERT_TRUE(a.step(c, 1e-3) && b.step(c, 1e-3));
    }
    EXPECT_NEAR(a.outputs({}).y, b.outputs({}).y, 1e-9) << int(level);
    EXPECT_NEAR(a.outputs({}).wheel[0].t_tread, b.outputs({}).wheel[0].t_tread, 1e-9) << int(level);
  }
  const auto hash = [&] { return Car(sedan(), road, Level::L2, Integrator::rk4, {}).model_hash(); };
  const std::uint64_t before = hash();
  r.z[5] = 2;
  EXPECT_NE(hash(), before);
  r.z[5] = 3;  // there are surfaces 0, 1, 2
  EXPECT_THROW(Car(sedan(), road, Level::L2, Integrator::rk4, {}), BadInput);
  r.z[5] = 0.5;
  EXPECT_THROW(Car(sedan(), road, Level::L2, Integrator::rk4, {}), BadInput);
  r.z[5] = NAN;
  EXPECT_THROW(Car(sedan(), road, Level::L2, Integrator::rk4, {}), BadInput);
}
