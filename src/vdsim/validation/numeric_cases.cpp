// SPDX-License-Identifier: Apache-2.0
// The books of a step: energy, order of convergence. And what the road generator makes.
#include <algorithm>
#include <cmath>

#include "vdsim/core/road/road.hpp"
#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr Level kAll[] = {Level::L1, Level::L2, Level::L3, Level::L5};
std::string level_id(Level l) { return std::string("_l") + enum_name(l)[1]; }

double square(double x) { return x * x; }

// Worst step of a smooth drive on a slope: what the energy balance leaves open, over the kinetic energy of the start.
double energy_left_open(const VehicleSpec& s, Level level) {
  const double h = 1e-3;
  Car sim(s, slope(0.06, 0.03), level, Integrator::rk4, {.yaw0 = 0.3, .vx0 = 20});
  const auto at = [](double t) {
    Commands c{.steer = 0.03 * square(std::sin(M_PI * t / 1.6))};
    (t < 0.8 ? c.throttle : c.brake) = 0.3 * square(std::sin(M_PI * t / 0.8));
    return c;
  };
  double worst = 0, last = sim.energy().residual();
  for (int i = 0; i < 1600; ++i) {
    sim.step(at(i * h), at((i + 1) * h), h);
    const double now = sim.energy().residual();
    worst = std::max(worst, std::fabs(now - last));
    last = now;
  }
  return worst / sim.energy().kinetic0;
}

// Begins in motion, from a state made at a fine step: at zero slip the sliding speed has its cone tip.
double order(VehicleSpec s, Level level) {
  s = with_tires(s, [](TireSpec& t) { t.lugre.rolling.L_psi = 0.2; });  // unwinds at 100 1/s: resolved by the steps
  const auto ramp = [](double t) { return Commands{.steer = 0.12 * t, .throttle = 0.1 + 0.5 * t}; };
  Car sim(s, {}, level, Integrator::rk4, {.vx0 = 20});
  for (int i = 0; i < 4000; ++i) sim.step(ramp(i * 5e-5), ramp((i + 1) * 5e-5), 5e-5);
  const auto begin = sim.snapshot();
  const auto end = [&](int steps) {
    sim.restore(begin);
    const double h = 0.1 / steps;
    for (int i = 0; i < steps; ++i) sim.step(ramp(0.2 + i * h), ramp(0.2 + (i + 1) * h), h);
    const CarOutputs o = sim.outputs(ramp(0.3));
    return std::array{o.y, o.psi, o.vy, o.r};
  };
  const auto exact = end(3200), coarse = end(200), fine = end(400);
  double a = 0, b = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    a += square((coarse[k] - exact[k]) / exact[k]);
    b += square((fine[k] - exact[k]) / exact[k]);
  }
  return 0.5 * std::log2(a / b);
}

// Root mean square of the heights along 16 km.
double rms(IsoClass c) {
  RoadSpec s;
  s.iso_class = c;
  const RoughTable table = make_rough_table(s);
  const RoadData data{s.grid, s.crg, &table};
  const Road<double> road = compile_road(s);
  double sum = 0;
  const int n = 160000;
  for (int i = 0; i < n; ++i) sum += square(road_height(road_kind(s), data, road, 0.1 * i, 0.0).z);
  return std::sqrt(sum / n);
}

}  // namespace

void add_numeric_cases(const Catalog& catalog, Cases& all) {
  const VehicleSpec s = sedan(catalog);
  for (const Level level : kAll)
    all.push_back({"energy" + level_id(level), ValidationGroup::analytic,
                   "residual of the energy balance per step, " + enum_name(level), "", "",
                   "0, relative to the kinetic energy; throttle, steer, brake on a slope, 1 ms", 1e-9, false,
                   "integration error", [s, level] {
                     return Measurement{energy_left_open(s, level), 0};
                   }});
  for (const Level level : kAll)
    all.push_back({"order" + level_id(level), ValidationGroup::analytic, "order of convergence, " + enum_name(level),
                   "", "", "4 (RK4), log2 of the errors of y, psi, vy, r at 0.5 and 0.25 ms", 0.25, false,
                   "higher terms of the error", [s, level] {
                     return Measurement{order(s, level), 4};
                   }});
  const char* published[] = {"3.5", "7.0", "14.1", "28"};
  for (int k = 0; k < 4; ++k) {
    const char letter = char('a' + k);
    const double exact = 1e3 * std::sqrt(16e-6 * std::pow(4, k) * 0.01 * (1 / 0.0131 - 1 / 2.83));
    all.push_back({std::string("iso8608_") + letter, ValidationGroup::published,
                   std::string("height of an ISO 8608 road of class ") + char('A' + k) + ", RMS over 16 km", "mm",
                   published[k], "sqrt(Gd n0^2 (1/n_min - 1/n_max))", 0.05, true,
                   "the longest wave is 76 m: a few percent over 16 km", [k, exact] {
                     return Measurement{1e3 * rms(IsoClass(int(IsoClass::A) + k)), exact};
                   }});
  }
}

}  // namespace vdsim::validation
