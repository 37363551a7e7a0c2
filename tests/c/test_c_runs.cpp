// SPDX-License-Identifier: Apache-2.0
// libvdsim.so drives every scene to the bits of the command line, whoever steps it and whatever the host does to floating point.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include <vdsim.hpp>

#include "tests/c/rows.hpp"
#include "tests/comma_locale.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/study/driven_car.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

using namespace vdsim;
namespace vd = vdsim::abi;

const vd::Catalog& catalog() {
  static const vd::Catalog out(VDSIM_SOURCE_DIR "/configs");
  return out;
}
std::vector<std::string> scenes() { return split(catalog().ids(VDSIM_SCENE), '\n'); }
Scenario scene_of(const std::string& id) { return load_scene(Catalog(VDSIM_SOURCE_DIR "/configs"), id); }

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// As a file has them: it writes -0 as 0.
std::vector<double> as_written(std::vector<double> row) {
  for (double& x : row) x += 0.0;
  return row;
}

TEST(CRuns, EverySceneAsTheCommandLine) {
  int cars = 0;
  for (const std::string& id : scenes()) {
    SCOPED_TRACE(id);
    const CommandLine line(id);
    ASSERT_EQ(line.status, 0);
    const vd::Spec scene(catalog(), VDSIM_SCENE, id);
    for (const CarSpec& car : scene_of(id).cars) {
      const Rows rows = line.rows(car.id);
      ASSERT_GT(rows.rows.size(), 10u);
      EXPECT_EQ(scene.hash(), rows.config);
      vd::Sim sim(scene, car.id.c_str());
      ASSERT_EQ(sim.signal_count(), rows.names.size());
      for (std::uint32_t i = 0; i < rows.names.size(); ++i) {
        EXPECT_EQ(sim.signal(i).name, rows.names[i]);
        EXPECT_EQ(sim.signal(i).unit, rows.units[i]);
        EXPECT_EQ(sim.id(rows.names[i]), i);
      }
      for (const std::vector<double>& row : rows.rows) {
        sim.run(row[0]);
        ASSERT_TRUE(same_bits(as_written(sim.read()), row)) << "car " << car.id << ", t = " << row[0];
      }
      ++cars;
    }
  }
  EXPECT_GE(cars, 18);
}

vdsim_commands c_commands(const Commands& c) {
  return {sizeof(vdsim_commands),
          c.gear,
          c.steer,
          c.throttle,
          c.brake,
          c.handbrake,
          {c.torque[0], c.torque[1], c.torque[2], c.torque[3]}};
}
vdsim_demand c_demand(const Demand& d) {
  const vdsim_commands c = c_commands(d.direct);
  return {sizeof(vdsim_demand),
          c.gear,
          c.steer,
          c.throttle,
          c.brake,
          c.handbrake,
          {c.torque[0], c.torque[1], c.torque[2], c.torque[3]},
          d.speed,
          d.speed_rate,
          d.acceleration,
          d.force,
          d.curvature,
          d.follow_path,
          d.wheel_torques};
}

// The scene's driver outside: its tables as demands; and where nothing is held, as plain commands.
TEST(CRuns, SteppedFromOutsideToTheSameBits) {
  int plain = 0, held = 0;
  for (const std::string& id : scenes()) {
    SCOPED_TRACE(id);
    const Scenario scenario = scene_of(id);
    const vd::Spec scene(catalog(), VDSIM_SCENE, id);
    const double dt = scenario.solver.dt, end = std::min(scenario.timing.duration, 2.0);
    for (const CarSpec& car : scenario.cars) {
      vd::Sim inside(scene, car.id.c_str()), outside(scene, car.id.c_str());
      const Demand first = demand_at(car.driver, 0);
      const bool commands =
          !first.holds_pedals() && !first.holds_steer() && std::isnan(first.force) && !first.wheel_torques;
      (commands ? plain : held) += 1;
      for (long k = 0; static_cast<double>(k + 1) * dt < end; ++k) {
        const double t0 = static_cast<double>(k) * dt, t1 = static_cast<double>(k + 1) * dt;
        const vdsim_demand now = c_demand(demand_at(car.driver, t0)), next = c_demand(demand_at(car.driver, t1));
        if (commands) {
          const vdsim_commands from = c_commands(demand_at(car.driver, t0).direct),
                               to = c_commands(demand_at(car.driver, t1).direct);
          outside.step(from, to, dt);
        } else {
          outside.demand(now, next, dt);
        }
        inside.run(t1);
        if (k % 50 == 0) {
          ASSERT_TRUE(same_bits(inside.read(), outside.read())) << "car " << car.id << ", t = " << t1;
        }
      }
      EXPECT_TRUE(same_bits(inside.read(), outside.read())) << car.id;
    }
  }
  EXPECT_GT(plain, 3);
  EXPECT_GT(held, 3);
}

// control: external: whoever steps it drives it, as any other car; left alone it goes on until its commands are stale, and brakes.
TEST(CRuns, AnExternalCarIsYours) {
  vd::Spec inside(catalog(), VDSIM_SCENE, "step_steer");
  inside.set("driver", "{speed: null, steer: null}");  // who has begun to hold a speed goes on from there
  vd::Spec outside = inside;
  outside.set("control", "external");
  EXPECT_EQ(outside.get("control"), "external");
  EXPECT_NE(outside.hash(), inside.hash());
  vd::Sim a(inside), b(outside);
  vdsim_commands commands = VDSIM_COMMANDS_INIT;
  commands.steer = 0.02, commands.throttle = 0.3;
  vdsim_demand demand = VDSIM_DEMAND_INIT;
  demand.speed = 15, demand.curvature = 0.01;
  for (int i = 0; i < 200; ++i) {
    if (i < 100)
      a.step(commands, 0.001), b.step(commands, 0.001);
    else
      a.demand(demand, demand, 0.001), b.demand(demand, demand, 0.001);
    for (const char* name : {"x", "y", "vx", "r", "fz_fl", "throttle"})
      ASSERT_EQ(a.read(name), b.read(name)) << name << " " << i;
  }
  b.run(0.3);
  EXPECT_EQ(b.read("stale"), 0);
  const double steer = b.read("steer_command");
  b.run(0.302);
  EXPECT_EQ(b.read("stale"), 1);
  EXPECT_EQ(b.read("brake"), 0.3);
  EXPECT_EQ(b.read("throttle"), 0);
  EXPECT_NEAR(b.read("steer_command"), steer, 1e-3);
  b.step(commands, 0.001);
  EXPECT_EQ(b.read("stale"), 0);
  EXPECT_EQ(b.read("brake"), 0);
}

// Any number of runs, also ends off the grid of steps, as far as the step that is shortened.
TEST(CRuns, RunIsTheSameInOneOrManyParts) {
  const vd::Spec scene(catalog(), VDSIM_SCENE, "step_steer");
  vd::Sim once(scene), often(scene);
  once.run(1.0);
  for (int i = 1; i <= 40; ++i) often.run(0.025 * i);
  EXPECT_TRUE(same_bits(once.read(), often.read()));
  once.run(1.2345);
  EXPECT_EQ(once.read("t"), 1.2345);
  once.run(1.2345);
  EXPECT_EQ(once.read("t"), 1.2345);
}

std::vector<double> drive(const std::string& id) {
  const vd::Catalog fresh(VDSIM_SOURCE_DIR "/configs");  // reads its files again
  vd::Spec scene = vd::Spec::read(fresh, VDSIM_SCENE, vd::Spec(fresh, VDSIM_SCENE, id).text());
  scene.set("chassis.cg_height", 0.5125).set("mu", "0.95");
  vd::Sim sim(scene);
  sim.run(1.5);
  std::vector<double> out = sim.read();
  const vd::Snapshot bytes = sim.snapshot();
  vd::Sim(scene).restore(bytes);
  const vd::Spec part = vd::Spec::read(fresh, VDSIM_PART, vd::Spec(fresh, VDSIM_PART, "tire.lugre_on").text());
  vdsim_rig_input in = VDSIM_RIG_INPUT_INIT;
  in.vx = 20, in.omega = 61, in.fz = 3500;
  vd::Tire tire(part);
  tire.start(in);
  in.vy = 0.3;
  out.push_back(tire.step(in, in, 0.001).fy);
  return out;
}

// A steer angle so small that the yaw rate is no normal number: a host that flushes to zero would have none.
std::vector<double> steer_a_little() {
  vd::Sim sim(vd::Spec(catalog(), VDSIM_SCENE, "step_steer"));
  vdsim_commands commands = VDSIM_COMMANDS_INIT;
  commands.steer = 1e-310;
  for (int i = 0; i < 20; ++i) sim.step(commands, 0.001);
  return sim.read();
}

TEST(CRuns, HostsFloatingPointAndLocaleChangeNothing) {
  const std::vector<double> little = steer_a_little();
  EXPECT_TRUE(std::any_of(little.begin(), little.end(), [](double x) { return std::fpclassify(x) == FP_SUBNORMAL; }));
  for (const char* id : {"step_steer", "lugre_grade_demo", "accel_brake"}) {
    SCOPED_TRACE(id);
    const std::vector<double> plain = drive(id);
    {
      const CommaLocale comma;
      EXPECT_EQ(comma.in_c(), comma.can_be_made());
      EXPECT_TRUE(same_bits(drive(id), plain));
    }
    for (const int rounding : {FE_TOWARDZERO, FE_DOWNWARD}) {
      std::fesetround(rounding);
      const std::vector<double> other = drive(id);
      const int after = std::fegetround();
      std::fesetround(FE_TONEAREST);
      EXPECT_TRUE(same_bits(other, plain)) << rounding;
      EXPECT_EQ(after, rounding) << "the host's own setting is back";
    }
#if defined(__x86_64__)
    const unsigned before = _mm_getcsr(), flush = before | 0x8040;  // to zero, results and operands
    _mm_setcsr(flush);
    const std::vector<double> other = drive(id), other_little = steer_a_little();
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_TRUE(same_bits(other, plain));
    EXPECT_TRUE(same_bits(other_little, little));
    EXPECT_EQ(after & ~0x3fu, flush & ~0x3fu);
#endif
  }
}

// Sensors, a preview driver, a slope from the first step on, an engine, contact-patch and rally tires.
TEST(CRuns, SnapshotGoesOnToTheSameBits) {
  std::vector<vd::Spec> scenes;
  for (const char* id :
       {"step_steer", "lugre_grade_demo", "banked_oval", "rough_road", "engine_launch", "four_surfaces"})
    scenes.emplace_back(catalog(), VDSIM_SCENE, id);
  for (const char* tire : {"tire.lugre_patch", "tire.rally_gravel"})
    scenes.push_back(vd::Spec::read(catalog(), VDSIM_SCENE,
                                    "{id: a, grade: 0.05, fleet: [{id: b, vx0: 9, parts: {tire: " + std::string(tire) +
                                        "}, driver: {steer: [[0, 0], [1, 0.05]], speed: 10}}]}"));
  for (const vd::Spec& scene : scenes) {
    SCOPED_TRACE(scene.text().substr(0, 30));
    for (const double at : {0.0, 0.001, 0.703}) {  // also after an odd number of steps
      vd::Sim through(scene), saved(scene), other(scene);
      through.run(1.4);
      saved.run(at);
      const vd::Snapshot bytes = saved.snapshot();
      saved.run(1.003);
      saved.restore(bytes);
      EXPECT_EQ(saved.snapshot(), bytes);
      saved.run(1.4);
      other.restore(bytes);
      other.run(1.4);
      EXPECT_TRUE(same_bits(saved.read(), through.read())) << "back to " << at;
      EXPECT_TRUE(same_bits(other.read(), through.read())) << "elsewhere from " << at;
      EXPECT_EQ(other.snapshot(), through.snapshot()) << "elsewhere from " << at;
    }
  }
}

TEST(CRuns, ResetStartsAgain) {
  const vd::Spec scene(catalog(), VDSIM_SCENE, "step_steer");
  vd::Sim sim(scene);
  sim.run(1);
  const std::vector<double> first = sim.read();
  sim.reset();
  EXPECT_EQ(sim.read("t"), 0);
  sim.run(1);
  EXPECT_TRUE(same_bits(sim.read(), first));
  vdsim_pose pose = VDSIM_POSE_INIT;
  pose.x = 5, pose.y = -2, pose.yaw = 0.25, pose.vx = 12;
  sim.reset(&pose);
  EXPECT_EQ(sim.read("x"), 5);
  EXPECT_EQ(sim.read("y"), -2);
  EXPECT_NEAR(sim.read("psi"), 0.25, 1e-15);
  EXPECT_NEAR(sim.read("vx"), 12, 1e-12);
}

// A and B by the names of the states, and what a wrong call says.
TEST(CRuns, JacobianOfAPlainCar) {
  vd::Spec scene(catalog(), VDSIM_SCENE, "step_steer");
  scene.set("powertrain.enabled", "false");
  vd::Sim sim(scene);
  sim.run(0.2);
  size_t n = 0;
  ASSERT_EQ(vdsim_state_count(sim.get(), &n), 0);
  ASSERT_GT(n, 20u);
  std::vector<double> A(n * n), B(n * 4), twice(n * n);
  ASSERT_EQ(vdsim_sim_jacobian(sim.get(), A.data(), B.data()), 0) << vdsim_error();
  ASSERT_EQ(vdsim_sim_jacobian(sim.get(), twice.data(), nullptr), 0);
  EXPECT_TRUE(same_bits(A, twice));
  std::map<std::string, size_t> at;
  for (uint32_t i = 0; i < n; ++i) {
    vdsim_signal info = {sizeof info, nullptr, nullptr, nullptr};
    ASSERT_EQ(vdsim_state_info(sim.get(), i, &info), 0);
    at[info.name] = i;
  }
  EXPECT_EQ(A[at["psi"] * n + at["r"]], 1);         // psi' = r
  EXPECT_NEAR(A[at["x"] * n + at["vx"]], 1, 1e-6);  // x' = vx cos psi - vy sin psi, still straight on
  for (size_t k = 0; k < 4; ++k) EXPECT_EQ(B[at["x"] * 4 + k], 0);
  EXPECT_LT(B[at["wheel[1].w"] * 4 + 2], 0);  // the brake slows the wheel
  vdsim_signal info = {sizeof info, nullptr, nullptr, nullptr};
  EXPECT_EQ(vdsim_state_info(sim.get(), uint32_t(n), &info), 5);
  EXPECT_EQ(vdsim_sim_jacobian(nullptr, A.data(), B.data()), 5);
  scene.set("control.abs.enabled", "true");
  EXPECT_EQ(vdsim_sim_jacobian(vd::Sim(scene).get(), A.data(), B.data()), 2);
  EXPECT_NE(std::string(vdsim_error()).find("control"), std::string::npos);
}

// Less grip while driving: the motion goes on, the forces follow the new road.
TEST(CRuns, ChangeKeepsTheMotion) {
  vd::Spec scene(catalog(), VDSIM_SCENE, "step_steer");
  vd::Sim sim(scene);
  sim.run(2);
  const double vx = sim.read("vx"), r = sim.read("r"), x = sim.read("x");
  const vd::Snapshot before = sim.snapshot();
  scene.set("mu", 0.2);
  sim.change(scene);
  EXPECT_EQ(sim.read("t"), 2);
  EXPECT_EQ(sim.read("vx"), vx);
  EXPECT_EQ(sim.read("r"), r);
  EXPECT_EQ(sim.read("x"), x);
  EXPECT_THROW(sim.restore(before), vd::Error);  // of another road
  sim.run(4);
  EXPECT_LT(std::abs(sim.read("ay")), 0.25 * 9.81);
  vd::Spec heavier(catalog(), VDSIM_VEHICLE, "vehicle.sedan_comfort");
  heavier.set("chassis", "{mass: 2000, mass_sprung: 1800}");
  const auto load = [&] { return sim.read("fz_fl") + sim.read("fz_fr") + sim.read("fz_rl") + sim.read("fz_rr"); };
  const double light = load(), mass = scene.number("chassis.mass");
  sim.change(heavier);
  EXPECT_NEAR(load() - light, (2000 - mass) * 9.80665, 1e-6 * light);  // lift is that of the same speed
}

}  // namespace
