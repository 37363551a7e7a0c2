// SPDX-License-Identifier: Apache-2.0
// The contact-patch LuGre tire on a car and in the catalog: the energy of its bristles in the balance, a load given as a
// polynomial, the tire and the figures of its paper.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/integration/cars.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/core/tire/patch.hpp"
#include "vdsim/lab/paper_lugre.hpp"

using namespace cars;

namespace {

VehicleSpec on_patches(PatchFidelity fidelity, PatchLoad load) {
  TireSpec t;
  t.schema = TireSchema::lugre_patch_v1;
  PatchSpec& s = t.patch;
  s = paper_tire();
  s.fidelity = fidelity, s.load = load, s.sigma0 = {300, 250}, s.sigma1 = {2, 2};
  VehicleSpec car;
  car.tire_fl = car.tire_fr = car.tire_rl = car.tire_rr = t;
  return car;
}

}  // namespace

// Parked on a grade, wheels locked: the bristles of a wheel are all bent alike, and what they hold is that of a spring of
// stiffness sigma0 Fz: Fx^2/(2 sigma0 Fz). The car came to rest from (nearly) 0: what gravity gave is there or lost. A car that starts at
// rest has it from the first instant on, and nothing slips.
TEST(PatchTire, ParkedCarHoldsTheEnergyOfItsBristles) {
  for (const PatchFidelity fidelity : {PatchFidelity::average, PatchFidelity::exact, PatchFidelity::distributed})
    for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
      Car car(on_patches(fidelity, PatchLoad::trapezoidal), slope(0.1), level, Integrator::rk4, {.vx0 = 1e-9});
      const Commands brake{.brake = 1};
      ASSERT_TRUE(run(car, brake, 4, 1e-3));
      const CarOutputs o = car.outputs(brake);
      double spring = 0;
      for (int i = 0; i < o.wheels; ++i)
        spring += (level == Level::L1 ? 2 : 1) * o.wheel[i].fx * o.wheel[i].fx / (2 * 300 * o.wheel[i].fz);
      const EnergyBalance e = car.energy();
      EXPECT_GT(spring, 0.2) << name(level);
      EXPECT_NEAR(e.stored / spring, 1, 2e-3) << name(level);  // the last of the swing
      EXPECT_GT(e.slip(), 0) << name(level);

      Car held(on_patches(fidelity, PatchLoad::trapezoidal), slope(0.1), level, Integrator::rk4, {});
      ASSERT_TRUE(run(held, brake, 1, 1e-3));
      const EnergyBalance h = held.energy();
      EXPECT_GT(h.stored0, 0.9 * spring) << name(level);
      EXPECT_NEAR(h.stored / h.stored0, 1, 1e-6) << name(level);
      EXPECT_NEAR(h.slip(), 0, 1e-6 * spring) << name(level);
    }
}

// Uniform load on a plane road: slip takes, never gives, once the bristles are in the book. Against the work alone, which falls when
// the bristles push the car back. Steps of 1 ms: 1e-3 of what moves.
TEST(PatchTire, SlipOnlyTakes) {
  Car car(on_patches(PatchFidelity::exact, PatchLoad::uniform), flat(), Level::L1, Integrator::rk4, {.vx0 = 3});
  double slip = 0, contact = 0, given_back = 0, back = 0, largest = 0;
  for (int k = 0; k < 4000; ++k) {
    ASSERT_TRUE(car.step({.brake = 1}, 1e-3));
    const EnergyBalance e = car.energy();
    back = std::max(back, contact - e.contact), contact = std::max(contact, e.contact);
    given_back = std::max(given_back, slip - e.slip()), slip = std::max(slip, e.slip());
    largest = std::max(largest, e.stored);
  }
  EXPECT_GT(back, 0.5 * largest * 0.1);  // it did swing
  EXPECT_LT(given_back, 0.02 * back) << "swing " << back << " J, largest store " << largest << " J";
}

// A snapshot carries the load that the energy is counted with.
TEST(PatchTire, EnergySurvivesASnapshot) {
  Car car(on_patches(PatchFidelity::exact, PatchLoad::polynomial), flat(), Level::L2, Integrator::rk4, {.vx0 = 10});
  ASSERT_TRUE(run(car, {.steer = 0.03, .throttle = 0.3}, 1, 1e-3));
  Car copy(on_patches(PatchFidelity::exact, PatchLoad::polynomial), flat(), Level::L2, Integrator::rk4, {.vx0 = 10});
  ASSERT_TRUE(copy.restore(car.snapshot()));
  EXPECT_GT(car.energy().stored, 0.1);
  EXPECT_EQ(copy.energy().stored, car.energy().stored);
}

// The part is the tire of the figures, key by key.
TEST(PatchTire, PaperTireIsInTheCatalog) {
  const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  Errors errors;
  const auto part = load_part(catalog, {"tire.lugre_2004", "", {}, ""}, "tire", errors);
  ASSERT_TRUE(part) << errors.lines()[0];
  VehicleSpec given, drawn;
  given.tire_fl = drawn.tire_fl = part->tire;
  drawn.tire_fl.patch = paper_tire();
  EXPECT_EQ(vehicle_text(given, 0), vehicle_text(drawn, 0));
  EXPECT_NE(vehicle_text(given, 0).find("load_poly: [0, 12.59416"), std::string::npos);
}

// Figure 3: loads with one total and one centroid, zero at both ends, nowhere negative; trapezoids of 0.5 mm.
TEST(PatchTire, FigureThreeShowsLoadsOfOneCentroid) {
  const Paper paper = paper_lugre2004();
  ASSERT_EQ(paper.figures.front().name, "figure3");
  const auto& columns = paper.figures.front().columns;
  ASSERT_EQ(columns.size(), 4u);
  const std::vector<double>& zeta = columns[0].values;
  for (std::size_t c = 1; c < columns.size(); ++c) {
    const std::vector<double>& f = columns[c].values;
    double total = 0, first = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      const double w = (i == 0 || i + 1 == f.size() ? 0.5 : 1) / 300;
      total += w * f[i], first += w * f[i] * zeta[i];
      EXPECT_GE(f[i], -1e-12) << columns[c].name;
    }
    EXPECT_NEAR(total, 1, 2e-4) << columns[c].name;
    EXPECT_NEAR(first / total, 0.9 / 14, 2e-5) << columns[c].name;
    EXPECT_NEAR(f.front(), 0, 1e-9) << columns[c].name;
    EXPECT_NEAR(f.back(), 0, 1e-9) << columns[c].name;
  }
  // as the paper sees it: near the leading edge the trapezoid carries more than the cubic
  EXPECT_GT(columns[1].values[30], 1.1 * columns[2].values[30]);
  const std::string page = paper_page(paper);
  for (const char* said : {"Tsiotras", "Velenis", "Sorine", "our choice", "Figure 3", "Figure 6", "tire.lugre_2004"})
    EXPECT_NE(page.find(said), std::string::npos) << said;
}
