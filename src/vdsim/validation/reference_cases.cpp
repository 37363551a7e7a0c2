// SPDX-License-Identifier: Apache-2.0
// Numbers of other, independent codes.
#include <fmt/core.h>

#include <cmath>

#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/crg_road.hpp"
#include "vdsim/lab/rig.hpp"
#include "vdsim/lab/tire_eval.hpp"
#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr auto kReference = ValidationGroup::reference;

// The book's 205/60R15 set, plain formulae (use mode 211), 16.7 m/s, 220 kPa: MFeval 4.0.
void add_book_tire(const Catalog& catalog, Cases& all) {
  const struct {
    const char* id;
    double fz, kappa, alpha, gamma;
    int column;  // of fx, fy, mx, my, mz
    double value;
  } rows[] = {{"book_tire_fx_brake", 4000, -0.75, 0, -0.06, 0, -2979.642803848075},
              {"book_tire_fx_drive", 6400, 0.25, 0, 0, 0, 5615.290867596349},
              {"book_tire_fy", 5200, 0, 0.15, 0, 1, -4690.385006822592},
              {"book_tire_fy_camber", 1000, 0, 0.25, 0.06, 1, -1037.233764933382},
              {"book_tire_fx_combined", 2000, 0.2, 0.15, -0.05, 0, 1648.388035625105},
              {"book_tire_fy_combined", 2000, 0.2, 0.15, -0.05, 1, -1445.118837581996},
              {"book_tire_mz", 6400, 0, 0.125, 0, 4, 167.4454921957063},
              {"book_tire_mz_combined", 2000, 0.2, 0.15, -0.05, 4, 6.922964526514331}};
  const char* name[] = {"Fx", "Fy", "Mx", "My", "Mz"};
  SceneChanges changes;
  changes.tire = "tire.book_205_60R15";
  const TireSpec t = load_vehicle(catalog, changes).tire_fl;
  for (const auto& r : rows)
    all.push_back({r.id, kReference,
                   fmt::format("205/60R15, {} at {} N, kappa {}, alpha {}, camber {} rad", name[r.column], r.fz,
                               r.kappa, r.alpha, r.gamma),
                   r.column < 2 ? "N" : "N m", "",
                   "MFeval 4.0, an open MF-Tyre evaluation; `vdsim tire eval --tire tire.book_205_60R15`", 1e-6, true,
                   "guards against division by 0 differ", [t, r] {
                     SteadyPoint p;
                     p.fz = r.fz, p.kappa = r.kappa, p.alpha = r.alpha, p.gamma = r.gamma, p.vx = 16.7,
                     p.pressure = 220000;
                     return Measurement{SteadyTire(t)(p)[std::size_t(r.column)], r.value};
                   }});
}

// Deceleration of a wheel to lock at 8 m/s, 2000 N.
RigOutput brakes_to_lock(bool trapezoidal, double vx, double vy, double at) {
  TireSpec t;
  t.schema = TireSchema::lugre_patch_v1;
  t.patch.radius = 0.25;
  if (trapezoidal) t.patch.sigma0 = {500, 500}, t.patch.load = PatchLoad::trapezoidal;
  TireRig rig(t);
  const auto in = [&](double time) {
    RigInput i;
    i.omega = 16 * (2 - time), i.vx = vx, i.vy = vy, i.fz = 2000;
    return i;
  };
  rig.start(in(0));
  const double h = 1e-3;
  const int n = int(std::lround(at / h));
  for (int i = 0; i < n; ++i) rig.step(in(i * h), in((i + 1) * h), h);
  return rig.output(in(at));
}
void add_patch(Cases& all) {
  const struct {
    const char* id;
    bool trapezoidal;
    double vx, vy, at, fx, fy, mz;
  } rows[] = {
      {"patch_uniform", false, 7.98051240208, 0.558051789953, 0.48, -1623.172972, -479.0968617, 4.074374422},
      {"patch_trapezoidal", true, 7.72740661031, 2.07055236082, 0.48, -1183.593521, -1489.812355, -15.19747767}};
  for (const auto& r : rows) {
    const auto run = once([r] { return brakes_to_lock(r.trapezoidal, r.vx, r.vy, r.at); });
    const std::string what =
        fmt::format("contact-patch LuGre, {} load, wheel braked to lock at 8 m/s and {} deg, t = {} s: ",
                    r.trapezoidal ? "trapezoidal" : "uniform", r.trapezoidal ? 15 : 4, r.at);
    const std::string how = "an independent solver of the distributed model; `vdsim rig`";
    const auto add = [&](const char* tail, const char* unit, double RigOutput::*value, double wanted) {
      all.push_back({std::string(r.id) + "_" + tail, kReference, what + tail, unit, "", how, 1e-3, true,
                     "required of the exact model at 1 ms", [run, value, wanted] {
                       return Measurement{run().*value, wanted};
                     }});
    };
    add("fx", "N", &RigOutput::fx, r.fx), add("fy", "N", &RigOutput::fy, r.fy), add("mz", "N m", &RigOutput::mz, r.mz);
  }
}

// A line of 22 pieces of 4 m that turns by 0.125 rad from piece to piece, once by 1.125, with a bumpy strip at 28 to 32 m.
CrgRoad bent_road() {
  CrgFile f;
  f.name = "bent.crg";
  f.format = {true, false};
  f.v_listed = true;
  f.v = {-1.5, -1.25, -1, 0, 1, 1.25, 1.5};
  f.rows = 23;
  f.road.increment = 4;
  f.road.v_right = -1.5, f.road.v_left = 1.5;
  f.phi = {0};
  for (int i = 0; i < 22; ++i) f.phi.push_back(std::min(0.125 * i + (i > 8 ? 1 : 0), 3.125));
  f.road.end_phi = 3.125;
  f.grid64.assign(23 * 7, 0);
  const float a = 0.0111111f, b = 0.0222222f, c = 0.0333333f;
  const float strip[2][7] = {{a, a, a, 0, a, b, c}, {a, a, 0, 0, 0, a, b}};
  for (std::size_t i = 0; i < 14; ++i) f.grid64[7 * 7 + i] = double(strip[i / 7][i % 7]);
  Errors errors;
  Warnings warnings;
  auto road = build_crg(f, errors, warnings);
  errors.throw_if_any();
  return std::move(*road);
}
void add_crg(Cases& all) {
  const auto road = once([] { return bent_road(); });
  const auto add = [&](const char* id, const char* what, const char* unit, double limit, double wanted,
                       const std::function<double(const CrgView&)>& value) {
    all.push_back({id, kReference, std::string("OpenCRG, bent road: ") + what, unit, "",
                   "C API of ASAM OpenCRG 1.x on the same road; `vdsim road eval`", limit, false,
                   "10 digits of the reference", [road, wanted, value] {
                     return Measurement{value(road().view()), wanted};
                   }});
  };
  add("crg_x", "x at u 60.456, v 0.9", "m", 1e-9, 11.374980872,
      [](const CrgView& c) { return crg_uv_to_xy(c, 60.456, 0.9).x; });
  add("crg_y", "y there", "m", 1e-9, 32.3220146379, [](const CrgView& c) { return crg_uv_to_xy(c, 60.456, 0.9).y; });
  add("crg_curvature", "curvature at u 33.352, v 1.8", "1/m", 1e-9, 0.03302129803,
      [](const CrgView& c) { return crg_uv_to_pk(c, 33.352, 1.8).curvature; });
  add("crg_z", "height at u 30.448, v 1.62, beyond the edge", "m", 6e-10, 0.02653330765,
      [](const CrgView& c) { return crg_uv_to_z(c, 30.448, 1.62); });
  add("crg_z_inside", "height at u 31.416, v 1.44", "m", 6e-10, 0.02117775709,
      [](const CrgView& c) { return crg_uv_to_z(c, 31.416, 1.44); });
  add("crg_u", "u of the point x 26.290894083, y 14.9340435988", "m", 1e-9, 31.416,
      [](const CrgView& c) { return crg_xy_to_uv(c, 26.290894083, 14.9340435988).u; });
}

}  // namespace

void add_reference_cases(const Catalog& catalog, Cases& all) {
  add_book_tire(catalog, all);
  add_patch(all);
  add_crg(all);
}

}  // namespace vdsim::validation
