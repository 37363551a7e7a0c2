// SPDX-License-Identifier: Apache-2.0
// Every tire law with random valid parameters, and one tire of any law on a drum: force at a state, steady force, and
// a step in time. The laws differ in what they remember; here they all look alike.
#pragma once
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/laws/rolling_rig.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/formats/tir.hpp"

#ifndef VDSIM_SOURCE_DIR
#define VDSIM_SOURCE_DIR "."
#endif

namespace zoo {
using namespace vdsim;
using laws::Rng;

enum class Base { mf96, linear, tir, rally, patch };
enum class Carrier { rolling, breakaway, off, own };  // what carries the steady law; the patch carries itself
struct Law {
  const char* name;
  Base base;
  Carrier carrier;
  int variant;  // rally: mode; patch: fidelity
  bool rolling() const { return carrier == Carrier::rolling; }
};
inline constexpr std::array kLaws{Law{"mf96 rolling", Base::mf96, Carrier::rolling, 0},
                                  Law{"mf96 breakaway", Base::mf96, Carrier::breakaway, 0},
                                  Law{"mf96 off", Base::mf96, Carrier::off, 0},
                                  Law{"linear rolling", Base::linear, Carrier::rolling, 0},
                                  Law{"linear breakaway", Base::linear, Carrier::breakaway, 0},
                                  Law{"linear off", Base::linear, Carrier::off, 0},
                                  Law{"tir rolling", Base::tir, Carrier::rolling, 0},
                                  Law{"tir breakaway", Base::tir, Carrier::breakaway, 0},
                                  Law{"tir off", Base::tir, Carrier::off, 0},
                                  Law{"rally auto", Base::rally, Carrier::rolling, int(RallyMode::Auto)},
                                  Law{"rally brush", Base::rally, Carrier::rolling, int(RallyMode::BrushOnly)},
                                  Law{"rally pacejka", Base::rally, Carrier::rolling, int(RallyMode::PacejkaOnly)},
                                  Law{"patch average", Base::patch, Carrier::own, int(PatchFidelity::average)},
                                  Law{"patch exact", Base::patch, Carrier::own, int(PatchFidelity::exact)},
                                  Law{"patch distributed", Base::patch, Carrier::own, int(PatchFidelity::distributed)}};

// ----------------------------------------------------------------------------------------------- parameters

inline const std::vector<TirSpec>& shipped_tir() {
  static const std::vector<TirSpec> files = [] {
    std::vector<TirSpec> out;
    for (const char* name :
         {"book_205_60R15", "typical_195_65R15_mf52", "typical_195_65R15_mf52_symmetric", "typical_235_45R18_mf62"}) {
      Errors errors;
      Warnings warnings;
      const auto s = read_tir_file(std::string(VDSIM_SOURCE_DIR) + "/configs/tir/" + name + ".tir", errors, warnings);
      if (!s) throw std::runtime_error(std::string("cannot read ") + name);
      out.push_back(*s);
    }
    return out;
  }();
  return files;
}
template <class Block> void shake(Rng& r, double by, Block& b) {
  for (const FieldRef& f : fields_of(b)) f.number() *= 1 + by * r(-1, 1);
}
// One of our files with every coefficient of force and moment off by up to 15 %, as long as the checker finds no fault.
inline TirSpec random_tir(Rng& r, bool book) {
  for (;;) {
    TirSpec s = shipped_tir()[std::size_t(r(0, 4)) % 4];
    shake(r, 0.15, s.longitudinal);
    shake(r, 0.15, s.lateral);
    shake(r, 0.15, s.aligning);
    shake(r, 0.15, s.overturning);
    shake(r, 0.15, s.rolling);
    s.scaling.LMUX *= r(0.7, 1.2), s.scaling.LMUY *= r(0.7, 1.2), s.scaling.LKX *= r(0.7, 1.3),
        s.scaling.LKY *= r(0.7, 1.3);
    s.operating.INFLPRES *= r(0.85, 1.15);
    bool fault = false;
    for (const LintFinding& f : lint_tir(s, book)) fault = fault || f.error;
    if (!fault) return s;
  }
}

inline RallySpec random_rally(Rng& r, RallyMode mode) {
  for (;;) {
    RallySpec s;
    s.mode = mode;
    s.radius = r(0.25, 0.36);
    s.wheel.width = r(0.13, 0.3), s.wheel.tire_pressure = r(120e3, 350e3), s.wheel.vertical_stiffness = r.log(1e5, 4e5);
    auto& c = s.magic_formula;
    c.longitudinal_b = r(8, 25), c.longitudinal_c = r(1.2, 1.95), c.longitudinal_e = r(-3, 0.6);
    c.lateral_b = r(8, 25), c.lateral_c = r(1.15, 1.9), c.lateral_e = r(-3, 0.4);
    c.longitudinal_load_stiffness_sensitivity = r(-0.2, 0.2), c.lateral_load_stiffness_sensitivity = r(-0.2, 0.2);
    c.lateral_load_degression = r(0, 0.3), c.sidewall_stiffness = r(0.6, 1.8);
    c.lateral_camber_stiffness_sensitivity = r(0, 1), c.lateral_camber_curvature_sensitivity = r(-0.5, 0.2);
    c.high_slip_force_retention = r(0, 1);
    auto& f = s.friction;
    f.peak_friction_coefficient = r(0.6, 1.8), f.friction_ellipse_ratio = r(0.7, 1.3), f.load_sensitivity = r(0, 0.3);
    f.reference_load = r(1500, 6000), f.contact_area_grip_exponent = r(0, 0.1);
    if (r(0, 1) < 0.2) {
      f.beamng_no_load_friction_coefficient = r(1, 2), f.beamng_full_load_friction_coefficient = r(0.4, 1);
      f.beamng_load_sensitivity_slope = r.log(5e-5, 4e-4);
    }
    f.combined_slip_coupling = r(0, 1) < 0.2 ? 0 : r(0, 2), f.combined_slip_exponent = r(0, 1) < 0.5 ? 2 : r(1, 2);
    s.patch.relaxation_length = r(0.15, 0.8), s.patch.longitudinal_relaxation_length = r(0.15, 0.8);
    s.patch.contact_patch_stiffness = r.log(2e4, 1e5),
    s.patch.contact_patch_damping = r(0, 1) < 0.3 ? 0 : r.log(2e3, 1e4);
    s.patch.carcass_stiffness = r(0.7, 1.5);
    auto& m = s.moments;
    m.camber_thrust_coefficient = r(0, 1) < 0.3 ? 0 : r(0, 1.5), m.pneumatic_trail = r(0.005, 0.06);
    m.aligning_torque_residual_factor = r(0, 0.25), m.aligning_torque_fx_moment_arm = r(0, 0.03);
    auto& t = s.thermal;
    t.thermal_mass = r.log(3e3, 2e4), t.core_thermal_mass = r.log(1e4, 6e4), t.ambient_temperature = r(-20, 40);
    t.optimal_temperature = r(30, 110), t.temperature_window = r(20, 80), t.tread_heat_share = r(0.2, 0.8);
    s.wear.wear_rate = r.log(1e-10, 1e-8), s.wear.worn_grip_fraction = r(0.4, 1);
    auto& g = s.surface;
    g.friction = r(0.15, 1.2), g.water_depth = r(0, 1) < 0.3 ? r(0, 0.005) : 0, g.rolling_resistance = r(0.008, 0.07);
    g.microtexture = r(0, 1), g.macrotexture = r(0, 1), g.slip_stiffness_scale = r(0.3, 1.2);
    g.relaxation_length_scale = r(0.8, 1.6), g.peak_slip_ratio_scale = r(0.8, 3), g.deformation = r(0, 0.6);
    bool fault = false;
    check_rally(s, [&](const char*, const char*) { fault = true; });
    fault = fault || compile_rally(s).on_own.Ex > 1;
    if (!fault) return s;
  }
}

inline PatchSpec random_patch(Rng& r, PatchFidelity fidelity) {
  PatchSpec s;
  s.fidelity = fidelity;
  s.load = PatchLoad(int(r(0, 4)) % 4);
  s.kappa = r(0, 1) < 0.5 ? 0 : r(1, 1.4);
  s.elements = double(4 << (int(r(0, 4)) % 4 + 1)), s.radius = r(0.25, 0.36), s.length = r(0.08, 0.25);
  s.sigma0 = {r.log(100, 600), r.log(100, 600)};
  if (r(0, 1) < 0.4) s.sigma0[1] = s.sigma0[0];
  const double damp = r(0, 1) < 0.5 ? 0.1 : 0.5;
  s.sigma1 = {r(0, damp), r(0, damp)}, s.sigma2 = {r(0, 0.003), r(0, 0.003)};
  s.mu_s = r(0.5, 1.4), s.mu_k = s.mu_s * r(0.5, 1), s.v_s = r(1, 10), s.gamma = r(0.5, 2);
  s.load_a = s.length * r(0.05, 0.4), s.load_b = s.length * r(0.5, 0.95), s.load_centroid = s.length * r(0.4, 0.6);
  // b_j >= 0 in f = sum b_j C(6, j) x^j (1 - x)^(6 - j): nowhere negative; mostly inside; from digits of what was drawn
  const double choose[7] = {1, 6, 15, 20, 15, 6, 1};
  s.load_poly.count = 7;
  for (int j = 0; j < 7; ++j) {
    const double digits = 1e4 * (j + 1) * s.load_a, drawn = digits - std::floor(digits);
    double c = (0.2 + 0.8 * drawn) * (j == 0 || j == 6 ? 0.3 : 1) * choose[j];
    for (int k = j; k < 7; ++k) s.load_poly.v[k] += c, c *= -double(6 - k) / (k - j + 1);
  }
  return s;
}

inline TireSpec random_mf96(Rng& r) {
  TireSpec t;
  t.B_long = r(5, 25), t.C_long = r(1.1, 2), t.D_long = r(0.6, 1.6), t.E_long = r(-3, 1);
  t.B_lat = r(5, 25), t.C_lat = r(1.1, 2), t.D_lat = r(0.6, 1.6), t.E_lat = r(-3, 1);
  t.mu_nominal = r(0.4, 1.4), t.Fz_nominal = r.log(1000, 8000), t.load_sensitivity = r(0, 0.4),
  t.rolling_resistance = r(0, 0.03);
  t.cornering_stiffness = t.mu_nominal * t.Fz_nominal * r(8, 30);
  t.mu_scaling = t.load_sensitivity > 0.3 ? MuScaling::peak_only : MuScaling::similarity;  // both, without a draw
  t.pneumatic_trail = r(0, 0.08), t.trail_falloff_alpha = r(0.05, 0.4),
  t.camber_stiffness = r(0, 1) < 0.4 ? 0 : r(0, 1.5);
  t.lugre.sigma0 = r.log(5e4, 1e6);
  auto& q = t.lugre.rolling;
  q.sigma0_lat = r.log(5e4, 1e6), q.m_eff = r.log(50, 500), q.v_st = r(0.02, 0.15), q.v_d = r(0.2, 1),
  q.beta = r(0.3, 0.95);
  q.roll_memory = r(0, 1) < 0.2 ? 0 : r(0.005, 0.1), q.kappa_cap = r(1, 3);
  return t;
}

inline TireSpec random_tire(const Law& law, Rng& r) {
  TireSpec t;
  if (law.base == Base::rally) {
    t.schema = TireSchema::rally_v1;
    t.rally = random_rally(r, RallyMode(law.variant));
    return t;
  }
  if (law.base == Base::patch) {
    t.schema = TireSchema::lugre_patch_v1;
    t.patch = random_patch(r, PatchFidelity(law.variant));
    return t;
  }
  t = random_mf96(r);
  t.lugre.enabled = law.carrier != Carrier::off;
  t.lugre.law = law.carrier == Carrier::breakaway ? LugreLaw::breakaway : LugreLaw::rolling;
  if (!law.rolling()) t.combined = Combined(1 + int(r(0, 3)) % 3);  // similarity, ellipse, none
  if (law.base == Base::linear) t.backend = TireBackend::linear;
  if (law.base == Base::tir) {
    t.backend = TireBackend::magic_formula;
    t.tir_flavour = r(0, 1) < 0.3 ? TirFlavour::book : TirFlavour::tno;
    t.tir = random_tir(r, t.tir_flavour == TirFlavour::book);
    t.tir_path = "of the test";
  }
  return t;
}
// The same tire without what pushes at zero slip: camber thrust, shifts of a file.
inline TireSpec plain(TireSpec t) {
  t.camber_stiffness = 0;
  t.rally.moments.camber_thrust_coefficient = 0;
  if (t.backend == TireBackend::magic_formula) t.tir = offset_free(t.tir, t.tir_flavour == TirFlavour::book);
  return t;
}
inline double nominal_load(const TireSpec& t) {
  if (t.schema == TireSchema::rally_v1) return t.rally.friction.reference_load;
  if (t.schema == TireSchema::lugre_patch_v1) return 4000;
  return t.backend == TireBackend::magic_formula ? t.tir.vertical.FNOMIN : t.Fz_nominal;
}
inline double radius_of(const TireSpec& t) {
  if (t.schema == TireSchema::rally_v1) return t.rally.radius;
  if (t.schema == TireSchema::lugre_patch_v1) return t.patch.radius;
  return t.backend == TireBackend::magic_formula ? t.tir.dimension.UNLOADED_RADIUS : 0.32;
}

// ------------------------------------------------------------------------------------------------ one tire

// What the drum does. The slip velocity is an input of its own: v = (Vr - Vx, -Vy).
struct Motion {
  double Vx = 0, vx = 0, vy = 0, psidot = 0, Fz = 4000, mu = 1, gamma = 0;
  double Vr() const { return Vx + vx; }
};
inline Motion between(const Motion& a, const Motion& b, double u) {
  const auto mix = [&](double p, double q) { return p + (q - p) * u; };
  return {mix(a.Vx, b.Vx), mix(a.vx, b.vx), mix(a.vy, b.vy),      mix(a.psidot, b.psidot),
          mix(a.Fz, b.Fz), mix(a.mu, b.mu), mix(a.gamma, b.gamma)};
}
inline Motion slipping(double V, double kappa, double tan_alpha, double Fz) {
  return {V, kappa * std::fabs(V), -tan_alpha * std::fabs(V), 0, Fz};
}

struct Out {
  double Fx, Fy, Mx, Mz, roll;  // roll: rolling resistance [N m]
  double Dx, Dy, lim;
  TireForce<double> force;
  WheelAffine<double> rate;
};

struct Tire {
  TireKind kind;
  TireParams<double> p;
  PatchTire<double> patch{};
  WheelState<double> w{};

  explicit Tire(const TireSpec& s) : kind(tire_kind(s)), p(compile_tire(s, radius_of(s))) {
    if (kind.steady == SteadyLaw::rally) {
      const RallyState<double> y = vdsim::rally_state(s.rally);
      w.T_tread = y.T_tread, w.T_core = y.T_core, w.tread = y.tread;
    }
    if (kind.contact == ContactLaw::patch) {
      patch = {patch_kind(s.patch), compile_patch(s.patch), {}};
      patch_start(patch.kind, patch.p, PatchMotion<double>{0, 0, 0, 1}, patch.memory);
    }
  }

  Contact<double> contact(const Motion& m, double since = 0) const {
    Contact<double> c{m.Vx, -m.vy, m.Vr(), m.psidot, m.mu, m.mu, m.gamma};
    c.Re = p.R0;
    c.patch = &patch;
    c.since = since;
    return c;
  }
  Out eval(const WheelState<double>& state, const Motion& m, double since = 0) const {
    const Contact<double> c = contact(m, since);
    WheelState<double> s = state;
    s.w = m.Vr() / p.R0;
    const TireSlip<double> slip = tire_slip(kind, p, s, c, m.Fz);
    Out o{};
    o.force = tire_force(kind, p, s, c, slip, m.Fz);
    const TireMoments<double> M = tire_rates(kind, p, s, c, slip, o.force, m.Fz, o.rate);
    o.Fx = o.force.Fx, o.Fy = o.force.Fy, o.Mx = M.Mx, o.Mz = M.Mz, o.roll = M.roll;
    o.Dx = o.force.Dx, o.Dy = o.force.Dy, o.lim = kind.contact == ContactLaw::rolling ? o.force.lim : 1;
    return o;
  }
  Out eval(const Motion& m, double since = 0) const { return eval(w, m, since); }

  // Every memory where it stays: bristles at the steady force, slips at the rim's, the patch as if it had always rolled so.
  void settle(const Motion& m) {
    const Contact<double> c = contact(m);
    if (kind.contact == ContactLaw::patch) return patch_start(patch.kind, patch.p, patch_motion(c), patch.memory);
    if (kind.roll_memory) w.roll = (m.Vr() < 0 ? -1 : 1) / p.inv_b;
    w.pivot = 0;
    w.w = m.Vr() / p.R0;
    const TireSlip<double> slip = tire_slip(kind, p, w, c, m.Fz);
    if (kind.contact == ContactLaw::rolling) {
      const auto& r = slip.rolling;
      const TireForce<double> f = tire_force(kind, p, w, c, slip, m.Fz);
      w.zx = (r.s.dx * r.s.fx * f.Dx + f.dFx) / p.sigma0_x;
      w.zy = (r.s.dy * r.s.fy * f.Dy + f.dFy) / p.sigma0_y;
    } else if (kind.contact == ContactLaw::breakaway) {
      const TireForce<double> f = tire_force(kind, p, w, c, slip, m.Fz);
      w.zx = sign(m.vx) * f.gx / p.sigma0_x;
      w.zy = sign(m.vy) * f.gy / p.sigma0_y;
    }
  }
  Out steady(const Motion& m) {
    settle(m);
    return eval(m);
  }

  // One step over a motion that runs linearly from a to b, as the car's RK4 takes it.
  void step(const Motion& a, const Motion& b, double h) {
    if (kind.contact == ContactLaw::patch) {
      patch_advance(patch.kind, patch.p, patch.memory, patch_motion(contact(b)), h);
      return;
    }
    const Motion mid = between(a, b, 0.5);
    const Motion* at[4] = {&a, &mid, &mid, &b};
    const bool quarters = kind.contact == ContactLaw::breakaway;
    Out o = eval(a);
    w.zx = o.force.zx, w.zy = o.force.zy;
    const WheelState<double> y0 = w;
    WheelAffine<double> r[4] = {o.rate, {}, {}, {}};
    for (int stage = 1; stage <= 4; ++stage) {
      if (quarters) {
        const Contact<double> c = contact(*at[stage - 1]);
        tire_advance(kind, p, TireOut<double>{c, tire_slip(kind, p, w, c, at[stage - 1]->Fz), o.force, {}}, 0.25 * h,
                     w);
      }
      each_affine<double>(kind, [&](auto s, auto v) {
        if (s != &WheelState<double>::w) w.*s = rkmk4(stage, y0.*s, r[0].*v, r[1].*v, r[2].*v, r[3].*v, h);
      });
      if (stage < 4) o = eval(*at[stage]), r[stage] = o.rate;
    }
  }
  void run(const Motion& m, double time, int steps) {
    for (int i = 0; i < steps; ++i) step(m, m, time / steps);
  }
  // What the bristles of the rolling law store [J].
  double stored() const { return has_bristles(kind) ? 0.5 * (p.sigma0_x * w.zx * w.zx + p.sigma0_y * w.zy * w.zy) : 0; }
};

// ---------------------------------------------------------------------------------------- stated stiffness

struct Stiffness {
  double x, y;  // dF/ds at zero slip [N]
};
// Written from the theory: B C D; a file's own K; sigma0 times the centroid of the load.
inline Stiffness stated_stiffness(const Law& law, const TireSpec& t, const Motion& m) {
  const double q = m.Fz / t.Fz_nominal, road = t.mu_scaling == MuScaling::peak_only ? m.mu : 1,
               mu = std::fmax(0.3, 1 - t.load_sensitivity * (q - 1)) * t.mu_nominal * road;
  switch (law.base) {
    case Base::mf96: return {t.B_long * t.C_long * t.D_long * mu * m.Fz, t.B_lat * t.C_lat * t.D_lat * mu * m.Fz};
    case Base::linear:  // stiffness at the nominal load; with the load it grows as the peak does
      return {t.B_long * t.C_long * t.D_long * mu * m.Fz, t.cornering_stiffness * mu / t.mu_nominal * q};
    case Base::tir: {
      const bool book = t.tir_flavour == TirFlavour::book;
      const TirOutput<double> o = mf_tyre(
          tir_kind(t.tir, book), compile_tir(t.tir), tir_mode(111),
          TirInput<double>{m.Fz, 0, 0, m.gamma, 0, m.Vx, t.tir.operating.INFLPRES, m.Vx / radius_of(t), m.mu, m.mu});
      return {o.Kxk, -o.Kya};
    }
    case Base::rally: {
      const RallyKind k = rally_kind(t.rally);  // new and at ambient temperature
      const RallyParams<double> p = compile_rally(t.rally);
      const RallyCurves<double> c =
          rally_curves(k, p, rally_env(k, p, p.on_own, vdsim::rally_state(t.rally), m.Vx), m.Fz, m.gamma, m.mu, m.mu);
      return {c.lon.B * c.lon.C * c.Dx, c.lat.B * c.lat.C * c.Dy};
    }
    case Base::patch: {  // z = v zeta/|w r|: sigma0 times the centroid; `average` with a given kappa: length/kappa
      const PatchSpec& s = t.patch;
      double at = 0.5 * s.length;
      if (s.load == PatchLoad::cubic) at = s.load_centroid;
      if (s.load == PatchLoad::polynomial) {
        double total = 0, first = 0;
        for (int k = 0; k < 7; ++k) total += s.load_poly.v[k] / (k + 1), first += s.load_poly.v[k] / (k + 2);
        at = s.length * first / total;
      }
      if (s.load == PatchLoad::trapezoidal) {  // triangle, rectangle, triangle; top 1
        const double a = s.load_a, b = s.load_b, L = s.length, A = a / 2, B = b - a, C = (L - b) / 2;
        at = (A * 2 * a / 3 + B * (a + b) / 2 + C * (b + (L - b) / 3)) / (A + B + C);
      }
      if (s.fidelity == PatchFidelity::average && s.kappa > 0) at = s.length / s.kappa;
      const double V = std::fabs(m.Vx);
      return {m.Fz * (s.sigma0[0] * at + s.sigma2[0] * V), m.Fz * (s.sigma0[1] * at + s.sigma2[1] * V)};
    }
  }
  return {};
}

}  // namespace zoo
