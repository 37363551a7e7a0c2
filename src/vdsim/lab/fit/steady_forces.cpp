// SPDX-License-Identifier: Apache-2.0
// The steady laws read directly, a few times faster than a rig that settles; the same numbers as SteadyTire.
#include <cmath>

#include "vdsim/core/tire/compile.hpp"
#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/core/tire/tire.hpp"
#include "vdsim/lab/fit/fit_model.hpp"
#include "vdsim/lab/tire_eval.hpp"

namespace vdsim {
namespace {

Contact<double> contact_of(const FitPoint& at, double radius) {
  Contact<double> c{};
  c.Vx = at.vx;
  c.Vy = std::tan(at.alpha) * at.vx;
  c.Vr = at.vx + at.kappa * at.vx;
  c.Re = radius;
  c.mu_long = c.mu_lat = 1;
  c.gamma = at.gamma;
  c.pressure = at.pressure;
  return c;
}

// At rest the bristle of the rolling law carries F = d f D + dF; the moment is read at that deflection.
class RollingLaw {
 public:
  explicit RollingLaw(const TireSpec& spec)
      : kind_(tire_kind(spec)), p_(compile_tire(spec, spec.radius > 0 ? spec.radius : 0.32)) {
    if (kind_.roll_memory) w_.roll = 1 / p_.inv_b;
    fresh_tire(kind_, p_, w_);
  }

  FitForce operator()(const FitPoint& at, bool moment) const {
    const Contact<double> c = contact_of(at, p_.R0);
    WheelState<double> w = w_;
    w.w = c.Vr / p_.R0;
    const TireSlip<double> slip = tire_slip(kind_, p_, w, c, at.fz);
    TireForce<double> f = tire_force(kind_, p_, w, c, slip, at.fz);
    const Similarity<double>& s = slip.rolling.s;
    FitForce out{s.dx * s.fx * f.Dx + f.dFx, s.dy * s.fy * f.Dy + f.dFy, 0};
    if (!moment) return out;
    w.zx = out.fx / p_.sigma0_x;
    w.zy = out.fy / p_.sigma0_y;
    f = tire_force(kind_, p_, w, c, slip, at.fz);
    WheelAffine<double> rate{};
    out.mz = tire_rates(kind_, p_, w, c, slip, f, at.fz, rate).Mz;
    return out;
  }

 private:
  TireKind kind_;
  TireParams<double> p_;
  WheelState<double> w_{};
};

class FileLaw {
 public:
  explicit FileLaw(const TireSpec& spec)
      : kind_(tir_kind(spec.tir, spec.tir_flavour == TirFlavour::book)),
        p_(compile_tir(spec.tir)),
        pressure_(spec.tir.operating.INFLPRES),
        radius_(spec.tir.dimension.UNLOADED_RADIUS) {}

  FitForce operator()(const FitPoint& at, bool moment) const {
    TirInput<double> in{};
    in.Fz = at.fz;
    in.kappa = at.kappa;
    in.alpha = at.alpha;
    in.gamma = at.gamma;
    in.Vx = at.vx;
    in.p = at.pressure > 0 ? at.pressure : pressure_;
    in.mu_long = in.mu_lat = 1;
    in.omega = at.vx * (1 + at.kappa) / radius_;
    const auto f = mf_tyre_force(kind_, p_, mode_, in);
    return {f.Fx, f.Fy, moment ? mf_tyre_mz(kind_, p_, mode_, f).Mz : 0};
  }

 private:
  TirKind kind_;
  TirParams<double> p_;
  TirMode mode_ = tir_mode(211);
  double pressure_, radius_;
};

class AnyLaw {
 public:
  explicit AnyLaw(const TireSpec& spec) : law_(spec) {}
  FitForce operator()(const FitPoint& at, bool) const {
    SteadyPoint p{at.fz, at.kappa, at.alpha, at.gamma, 0, at.vx, std::nullopt, std::nullopt, 1};
    if (at.pressure > 0) p.pressure = at.pressure;
    const std::vector<double> o = law_(p);
    return {o[0], o[1], o[4]};
  }

 private:
  SteadyTire law_;
};

}  // namespace

void steady_forces(const TireSpec& tire, std::span<const FitPoint> points, std::span<const std::size_t> index,
                   bool moment, std::span<FitForce> out) {
  const auto all = [&](const auto& law) {
    for (std::size_t i = 0; i < index.size(); ++i) out[i] = law(points[index[i]], moment);
  };
  const bool pacejka = tire.schema == TireSchema::pacejka_mf96_v1;
  if (pacejka && tire.backend == TireBackend::magic_formula)
    all(FileLaw(tire));
  else if (tire.schema != TireSchema::lugre_patch_v1 && tire.lugre.enabled && tire.lugre.law == LugreLaw::rolling)
    all(RollingLaw(tire));
  else
    all(AnyLaw(tire));
}

}  // namespace vdsim
