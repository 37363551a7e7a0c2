// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/steady_tire.hpp"

#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/engine/tire_rig.hpp"

namespace vdsim {
namespace {

std::vector<double> numbers(const TirOutput<double>& o) {
  return {o.Fx,  o.Fy, o.Mx,  o.My, o.Mz, o.Re, o.rho, o.a,   o.b,      o.trail,  o.mux,
          o.muy, o.Rl, o.Mzr, o.Cx, o.Cy, o.Cz, o.Kya, o.Kxk, o.sigmax, o.sigmay, o.clamped};
}
const std::vector<std::string> kTirColumns{"fx", "fy",    "mx",  "my",     "mz",     "re",     "rho", "a",
                                           "b",  "trail", "mux", "muy",    "rl",     "mzr",    "cx",  "cy",
                                           "cz", "kya",   "kxk", "sigmax", "sigmay", "clamped"};
const std::vector<std::string> kColumns{"fx", "fy", "mx", "my", "mz"};

// The breakaway law has a steady state that is not its steady law; without bristles the chain is the law itself.
TireSpec without_breakaway(TireSpec spec) {
  if (spec.schema != TireSchema::pacejka_mf96_v1) return spec;
  if (spec.lugre.enabled && spec.lugre.law == LugreLaw::rolling) return spec;
  spec.lugre.enabled = false;
  spec.low_speed_mode = LowSpeedMode::none;
  spec.relaxation_length_long = spec.relaxation_length_lat = 0;
  spec.belt.enabled = false;
  return spec;
}

}  // namespace

struct SteadyTire::Law {
  std::optional<TireRig> chain;  // absent for .tir
  TirKind kind{};
  TirParams<double> p{};
  TirMode mode{};
  double speed = 16.7, pressure = 0;

  std::vector<double> by_file(const SteadyPoint& at) const {
    TirInput<double> in{};
    in.Fz = at.fz;
    in.kappa = at.kappa;
    in.alpha = at.alpha;
    in.gamma = at.gamma;
    in.phit = at.phit;
    in.Vx = at.vx.value_or(speed);
    in.p = at.pressure.value_or(pressure);
    in.mu_long = in.mu_lat = at.mu;
    in.omega = at.omega.value_or(mf_tyre_spin(kind, p, in.Fz, in.kappa, in.Vx, in.p));
    return numbers(mf_tyre(kind, p, mode, in));
  }

  std::vector<double> by_chain(const SteadyPoint& at) const {
    RigInput in;
    in.vx = at.vx.value_or(speed);
    in.fz = at.fz;
    in.gamma = at.gamma;
    in.pressure = at.pressure.value_or(0);
    in.mu = at.mu;
    TireRig rig = *chain;
    in = rig.at_slip(in, in.vx < 0 ? -at.kappa : at.kappa, at.alpha);
    rig.start(in);
    const RigOutput o = rig.output(in);
    return {o.fx, o.fy, o.mx, o.my, o.mz};
  }
};

bool is_tir(const TireSpec& spec) {
  return spec.schema == TireSchema::pacejka_mf96_v1 && spec.backend == TireBackend::magic_formula;
}

SteadyTire::SteadyTire(const TireSpec& spec, const EvalOptions& options) : law_(std::make_unique<Law>()) {
  if (!is_tir(spec)) {
    law_->chain.emplace(without_breakaway(spec));
    law_->speed = law_->chain->usual_speed();
    return;
  }
  law_->kind = tir_kind(spec.tir, options.flavour.value_or(spec.tir_flavour) == TirFlavour::book);
  law_->p = compile_tir(spec.tir);
  law_->mode = tir_mode(options.use_mode);
  law_->speed = spec.tir.model.LONGVL;
  law_->pressure = spec.tir.operating.INFLPRES;
}
SteadyTire::~SteadyTire() = default;
SteadyTire::SteadyTire(SteadyTire&&) noexcept = default;

const std::vector<std::string>& SteadyTire::columns() const { return law_->chain ? kColumns : kTirColumns; }

std::vector<double> SteadyTire::operator()(const SteadyPoint& at) const {
  return law_->chain ? law_->by_chain(at) : law_->by_file(at);
}

}  // namespace vdsim
