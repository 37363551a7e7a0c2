// SPDX-License-Identifier: Apache-2.0
// Batches through vdsim.h: the cars of a batch are those of vdsim_sim, to the bit.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include <vdsim.hpp>

namespace {
namespace vd = vdsim::abi;

struct Cars {
  vdsim_batch* batch = nullptr;
  Cars(const vd::Spec& scene, std::size_t n, const char* number = "double") {
    vd::check(vdsim_batch_create(scene.get(), n, number, &batch));
  }
  ~Cars() { vdsim_batch_free(batch); }
  Cars(const Cars&) = delete;
  Cars& operator=(const Cars&) = delete;
};
const vd::Catalog& catalog() {
  static const vd::Catalog out(VDSIM_SOURCE_DIR "/configs");
  return out;
}

// Driven from outside, whatever the driver of the scene would do.
TEST(CBatch, CarsOfAScene) {
  for (const char* id : {"step_steer", "engine_launch", "lugre_grade_demo", "four_surfaces", "crg_road_demo",
                         "terrain_hill_demo", "l3_sedan_kinematics"}) {
    SCOPED_TRACE(id);
    const vd::Spec scene(catalog(), VDSIM_SCENE, id);
    constexpr std::size_t n = 11;
    const double dt = scene.number("solver.dt");
    Cars cars(scene, n);
    std::vector<double> steer(n), brake(n), x(n);
    for (std::size_t i = 0; i < n; ++i) steer[i] = 0.004 * double(i), brake[i] = i % 3 == 0 ? 0.2 : 0;
    vd::check(vdsim_batch_set_input(cars.batch, "steer", steer.data(), sizeof(double)));
    vd::check(vdsim_batch_set_input(cars.batch, "brake", brake.data(), sizeof(double)));
    vd::check(vdsim_batch_step(cars.batch, dt, 150, 2));
    vd::check(vdsim_batch_read(cars.batch, "x", x.data(), sizeof(double)));
    for (std::size_t i = 0; i < n; ++i) {
      vd::Sim sim(scene);
      vdsim_commands c = VDSIM_COMMANDS_INIT;
      c.steer = steer[i], c.brake = brake[i];
      for (int k = 0; k < 150; ++k) vd::check(vdsim_sim_step(sim.get(), &c, nullptr, dt));
      EXPECT_EQ(sim.read("x"), x[i]) << i;
    }
    vdsim_view view = VDSIM_VIEW_INIT;
    vd::check(vdsim_batch_view(cars.batch, "x", &view));
    EXPECT_EQ(view.number, sizeof(double));
    for (std::size_t i = 0; i < n; ++i) {
      double seen;
      std::memcpy(&seen,
                  static_cast<char*>(view.data) + i / view.lanes * view.strides[0] + i % view.lanes * view.strides[1],
                  sizeof seen);
      EXPECT_EQ(seen, x[i]);
    }
  }
}

TEST(CBatch, FieldsResetsSnapshotsStatus) {
  const vd::Spec scene(catalog(), VDSIM_SCENE, "step_steer");
  constexpr std::size_t n = 6;
  Cars cars(scene, n);
  const double mu[3] = {0.3, 0.6, 0.9};
  vd::check(vdsim_batch_set_field(cars.batch, "mu", mu, sizeof(double), 2, 3));
  const double steer = 0.1;
  vd::check(vdsim_batch_set_input(cars.batch, "steer", &steer, 0));
  vd::check(vdsim_batch_step(cars.batch, 1e-3, 500, 0));
  std::vector<double> y(n);
  vd::check(vdsim_batch_read(cars.batch, "y", y.data(), sizeof(double)));
  EXPECT_EQ(y[0], y[1]);
  EXPECT_EQ(y[0], y[5]);
  EXPECT_LT(y[2], y[3]);
  std::size_t bytes = 0;
  vd::check(vdsim_batch_snapshot_size(cars.batch, 2, &bytes));
  std::vector<unsigned char> snapshot(bytes);
  vd::check(vdsim_batch_snapshot(cars.batch, 2, snapshot.data(), bytes));
  std::vector<std::uint8_t> mask(n);
  mask[2] = 1;
  std::vector<vdsim_pose> poses(n, vdsim_pose VDSIM_POSE_INIT);
  poses[2].y = 7;
  vd::check(vdsim_batch_reset(cars.batch, mask.data(), poses.data()));
  std::vector<double> now(n);
  vd::check(vdsim_batch_read(cars.batch, "y", now.data(), sizeof(double)));
  EXPECT_EQ(now[2], 7);
  EXPECT_EQ(now[3], y[3]);
  vd::check(vdsim_batch_restore(cars.batch, 2, snapshot.data(), bytes));
  vd::check(vdsim_batch_read(cars.batch, "y", now.data(), sizeof(double)));
  EXPECT_EQ(now, y);
  EXPECT_EQ(vdsim_batch_restore(cars.batch, 3, snapshot.data(), bytes), VDSIM_BAD_INPUT);  // another mu: another car
  std::vector<std::int32_t> status(n, -1);
  vd::check(vdsim_batch_status(cars.batch, status.data()));
  EXPECT_EQ(status, std::vector<std::int32_t>(n, VDSIM_OK));
  char text[400];
  vd::check(vdsim_batch_info(cars.batch, text, sizeof text, nullptr));
  EXPECT_NE(std::string(text).find("cars per register"), std::string::npos);
}

TEST(CBatch, Refuses) {
  const vd::Spec scene(catalog(), VDSIM_SCENE, "step_steer");
  Cars cars(scene, 4);
  const double two = 2;
  double out[4];
  EXPECT_EQ(vdsim_batch_set_input(cars.batch, "throttle", &two, 0), VDSIM_BAD_INPUT);
  EXPECT_EQ(vdsim_batch_set_field(cars.batch, "chassis.mas", &two, 0, 0, 4), VDSIM_BAD_INPUT);
  EXPECT_NE(std::string(vdsim_error()).find("chassis.mass"), std::string::npos);
  EXPECT_EQ(vdsim_batch_set_field(cars.batch, "mu", &two, 0, 3, 2), VDSIM_BAD_INPUT);
  EXPECT_EQ(vdsim_batch_read(cars.batch, "speed", out, sizeof(double)), VDSIM_BAD_INPUT);
  EXPECT_EQ(vdsim_batch_step(cars.batch, 5, 1, 0), VDSIM_BAD_INPUT);
  EXPECT_EQ(vdsim_batch_read(cars.batch, "x", nullptr, sizeof(double)), VDSIM_MISUSE);
  EXPECT_EQ(vdsim_batch_snapshot(cars.batch, 0, out, 4), VDSIM_MISUSE);
  EXPECT_EQ(vdsim_batch_snapshot(cars.batch, 9, out, sizeof out), VDSIM_BAD_INPUT);
}

}  // namespace
