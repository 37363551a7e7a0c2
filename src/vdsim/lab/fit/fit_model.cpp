// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/fit/fit_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "vdsim/engine/reflect.hpp"

namespace vdsim {
namespace {

using enum FitStage;

enum DataNeed : unsigned { nothing = 0, load = 1, camber = 2, pressure = 4, moment = 8, speed = 16 };

struct Entry {
  const char* name;
  FitStage stage;
  unsigned needs;
  double start;      // NaN: what the tire has
  double low, high;  // cut to the range of the field
  double from, to;   // random starts
};
constexpr double kKeep = NAN;

// mu_nominal and Fz_nominal stay: only mu_nominal D_i shows, and D_i (1 + k_L), D_i k_L/Fz_nominal.
const std::vector<Entry> kMf96{{"B_long", longitudinal, nothing, kKeep, 0.5, 60, 4, 25},
                               {"C_long", longitudinal, nothing, kKeep, 0.5, 2, 1.1, 1.9},
                               {"D_long", longitudinal, nothing, kKeep, 0.02, 5, 0.5, 1.8},
                               {"E_long", longitudinal, nothing, kKeep, -20, 1, -2, 0.9},
                               {"load_sensitivity", longitudinal, load, kKeep, 0, 2, 0, 0.4},
                               {"B_lat", lateral, nothing, kKeep, 0.5, 80, 4, 25},
                               {"C_lat", lateral, nothing, kKeep, 0.5, 2, 1.1, 1.9},
                               {"D_lat", lateral, nothing, kKeep, 0.02, 5, 0.5, 1.8},
                               {"E_lat", lateral, nothing, kKeep, -20, 1, -2, 0.9},
                               {"camber_stiffness", lateral, camber, kKeep, 0, 5, 0, 1.5},
                               {"pneumatic_trail", aligning, moment, kKeep, 0, 0.4, 0.01, 0.1},
                               {"trail_falloff_alpha", aligning, moment, kKeep, 0.005, 2, 0.05, 0.5}};

// Starts: a passenger car tire in round numbers. Version 6.1 of the formulae, signs of ISO-W (PKY1 < 0).
const std::vector<Entry> kMf61{{"PCX1", longitudinal, nothing, 1.6, 1, 2, 1.3, 1.9},
                               {"PDX1", longitudinal, nothing, 1.1, 0.1, 3, 0.7, 1.6},
                               {"PDX2", longitudinal, load, -0.1, -1, 1, -0.3, 0.1},
                               {"PDX3", longitudinal, camber, 0, -20, 20, -5, 5},
                               {"PEX1", longitudinal, nothing, 0, -10, 1, -1, 0.8},
                               {"PEX2", longitudinal, load, 0, -3, 3, -0.5, 0.5},
                               {"PEX3", longitudinal, load, 0, -3, 3, -0.3, 0.3},
                               {"PEX4", longitudinal, nothing, 0, -0.95, 0.95, -0.1, 0.1},
                               {"PKX1", longitudinal, nothing, 22, 3, 100, 12, 40},
                               {"PKX2", longitudinal, load, 0, -50, 50, -5, 5},
                               {"PKX3", longitudinal, load, 0, -2, 2, -0.3, 0.3},
                               {"PHX1", longitudinal, nothing, 0, -0.03, 0.03, -0.002, 0.002},
                               {"PHX2", longitudinal, load, 0, -0.03, 0.03, -0.001, 0.001},
                               {"PVX1", longitudinal, nothing, 0, -0.3, 0.3, -0.02, 0.02},
                               {"PVX2", longitudinal, load, 0, -0.3, 0.3, -0.01, 0.01},
                               {"PPX1", longitudinal, pressure, 0, -3, 3, -0.5, 0.5},
                               {"PPX2", longitudinal, pressure, 0, -5, 5, -0.3, 0.3},
                               {"PPX3", longitudinal, pressure, 0, -3, 3, -0.1, 0.1},
                               {"PPX4", longitudinal, pressure, 0, -5, 5, -0.1, 0.1},
                               {"PCY1", lateral, nothing, 1.3, 0.9, 2, 1.15, 1.7},
                               {"PDY1", lateral, nothing, 1, 0.1, 3, 0.7, 1.5},
                               {"PDY2", lateral, load, -0.1, -1, 1, -0.3, 0.05},
                               {"PDY3", lateral, camber, 0, -30, 30, -5, 5},
                               {"PEY1", lateral, nothing, -0.8, -10, 1, -1.5, 0.5},
                               {"PEY2", lateral, load, -0.5, -5, 5, -1, 0.5},
                               {"PEY3", lateral, nothing, 0, -0.95, 0.95, -0.1, 0.1},
                               {"PEY4", lateral, camber, 0, -50, 50, -10, 10},
                               {"PEY5", lateral, camber, 0, -200, 200, -20, 20},
                               {"PKY1", lateral, nothing, -18, -120, -2, -35, -10},
                               {"PKY2", lateral, load, 1.6, 0.2, 8, 1, 3},
                               {"PKY3", lateral, camber, 0, -5, 5, -1, 1},
                               {"PKY5", lateral, camber, 0, -10, 10, -2, 2},
                               {"PKY6", lateral, camber, -1, -10, 10, -2, 0},
                               {"PKY7", lateral, camber, 0, -10, 10, -0.5, 0.5},
                               {"PHY1", lateral, nothing, 0, -0.05, 0.05, -0.003, 0.003},
                               {"PHY2", lateral, load, 0, -0.05, 0.05, -0.002, 0.002},
                               {"PVY1", lateral, nothing, 0, -0.3, 0.3, -0.02, 0.02},
                               {"PVY2", lateral, load, 0, -0.3, 0.3, -0.02, 0.02},
                               {"PVY3", lateral, camber, 0, -5, 5, -0.3, 0.3},
                               {"PVY4", lateral, camber, 0, -5, 5, -0.3, 0.3},
                               {"PPY1", lateral, pressure, 0, -3, 3, -0.5, 0.5},
                               {"PPY2", lateral, pressure, 0, -5, 5, -0.5, 0.5},
                               {"PPY3", lateral, pressure, 0, -3, 3, -0.1, 0.1},
                               {"PPY4", lateral, pressure, 0, -5, 5, -0.1, 0.1},
                               {"PPY5", lateral, pressure | camber, 0, -5, 5, -0.1, 0.1},
                               {"RBX1", combined, nothing, 12, 1, 60, 6, 25},
                               {"RBX2", combined, nothing, 10, -60, 60, 3, 20},
                               {"RBX3", combined, camber, 0, -60, 60, -1, 1},
                               {"RCX1", combined, nothing, 1, 0.5, 2, 0.9, 1.2},
                               {"REX1", combined, nothing, 0, -5, 1, -0.5, 0.5},
                               {"REX2", combined, load, 0, -3, 3, -0.3, 0.3},
                               {"RHX1", combined, nothing, 0, -0.1, 0.1, -0.01, 0.01},
                               {"RBY1", combined, nothing, 10, 1, 60, 6, 20},
                               {"RBY2", combined, nothing, 8, -60, 60, 2, 15},
                               {"RBY3", combined, nothing, 0, -0.5, 0.5, -0.03, 0.03},
                               {"RBY4", combined, camber, 0, -60, 60, -1, 1},
                               {"RCY1", combined, nothing, 1, 0.5, 2, 0.9, 1.2},
                               {"REY1", combined, nothing, 0, -5, 1, -0.5, 0.5},
                               {"REY2", combined, load, 0, -3, 3, -0.3, 0.3},
                               {"RHY1", combined, nothing, 0, -0.1, 0.1, -0.01, 0.01},
                               {"RHY2", combined, load, 0, -0.1, 0.1, -0.01, 0.01},
                               {"RVY1", combined, nothing, 0, -0.3, 0.3, -0.03, 0.03},
                               {"RVY2", combined, load, 0, -0.5, 0.5, -0.02, 0.02},
                               {"RVY3", combined, camber, 0, -3, 3, -0.1, 0.1},
                               {"RVY4", combined, nothing, 10, 0, 60, 5, 20},
                               {"RVY5", combined, nothing, 1.9, 0.1, 3, 1.5, 2.2},
                               {"RVY6", combined, nothing, 10, -60, 60, 5, 20},
                               {"QBZ1", aligning, moment, 10, 1, 50, 5, 18},
                               {"QBZ2", aligning, moment | load, 0, -15, 15, -2, 2},
                               {"QBZ3", aligning, moment | load, 0, -15, 15, -0.5, 0.5},
                               {"QBZ4", aligning, moment | camber, 0, -5, 5, -0.3, 0.3},
                               {"QBZ5", aligning, moment | camber, 0, -5, 5, -0.3, 0.3},
                               {"QBZ9", aligning, moment, 15, 0, 60, 5, 25},
                               {"QBZ10", aligning, moment, 0, -5, 5, -0.2, 0.2},
                               {"QCZ1", aligning, moment, 1.15, 0.8, 2, 1.05, 1.3},
                               {"QDZ1", aligning, moment, 0.1, 0.005, 0.5, 0.05, 0.18},
                               {"QDZ2", aligning, moment | load, 0, -0.2, 0.2, -0.02, 0.02},
                               {"QDZ3", aligning, moment | camber, 0, -10, 10, -1, 1},
                               {"QDZ4", aligning, moment | camber, 0, -50, 50, -10, 10},
                               {"QDZ6", aligning, moment, 0, -0.1, 0.1, -0.005, 0.005},
                               {"QDZ7", aligning, moment | load, 0, -0.1, 0.1, -0.005, 0.005},
                               {"QDZ8", aligning, moment | camber, 0, -2, 2, -0.2, 0.2},
                               {"QDZ9", aligning, moment | camber | load, 0, -2, 2, -0.1, 0.1},
                               {"QEZ1", aligning, moment, -1.5, -20, 1, -4, 0},
                               {"QEZ2", aligning, moment | load, 0, -10, 10, -1, 1},
                               {"QEZ3", aligning, moment | load, 0, -10, 10, -0.5, 0.5},
                               {"QEZ4", aligning, moment, 0, -2, 2, -0.1, 0.1},
                               {"QEZ5", aligning, moment | camber, 0, -20, 20, -0.5, 0.5},
                               {"QHZ1", aligning, moment, 0, -0.1, 0.1, -0.01, 0.01},
                               {"QHZ2", aligning, moment | load, 0, -0.1, 0.1, -0.01, 0.01},
                               {"QHZ3", aligning, moment | camber, 0, -3, 3, -0.1, 0.1},
                               {"QHZ4", aligning, moment | camber | load, 0, -3, 3, -0.1, 0.1},
                               {"PPZ1", aligning, moment | pressure, 0, -5, 5, -0.3, 0.3},
                               {"SSZ1", aligning, moment, 0, -0.2, 0.2, -0.02, 0.02},
                               {"SSZ2", aligning, moment, 0, -0.2, 0.2, -0.02, 0.02},
                               {"SSZ3", aligning, moment | camber, 0, -2, 2, -0.1, 0.1},
                               {"SSZ4", aligning, moment | camber | load, 0, -2, 2, -0.1, 0.1}};

const std::vector<Entry> kRally{
    {"longitudinal_b", longitudinal, nothing, kKeep, 1, 60, 4, 25},
    {"longitudinal_c", longitudinal, nothing, kKeep, 1.05, 2, 1.2, 1.9},
    {"longitudinal_e", longitudinal, nothing, kKeep, -20, 0.99, -2, 0.6},
    {"longitudinal_load_stiffness_sensitivity", longitudinal, load, kKeep, -0.5, 0.5, -0.2, 0.2},
    {"peak_friction_coefficient", longitudinal, nothing, kKeep, 0.05, 4, 0.6, 1.8},
    {"load_sensitivity", longitudinal, load, kKeep, 0, 1, 0, 0.35},
    {"lateral_b", lateral, nothing, kKeep, 1, 60, 4, 20},
    {"lateral_c", lateral, nothing, kKeep, 1.05, 2, 1.15, 1.8},
    {"lateral_e", lateral, nothing, kKeep, -20, 0.99, -2, 0.6},
    {"lateral_load_stiffness_sensitivity", lateral, load, kKeep, -0.5, 0.5, -0.2, 0.2},
    {"lateral_load_degression", lateral, load, kKeep, 0, 2, 0, 0.4},
    {"friction_ellipse_ratio", lateral, nothing, kKeep, 0.1, 4, 0.7, 1.3},
    {"high_slip_force_retention", lateral, nothing, kKeep, 0, 1, 0.3, 0.9},
    {"high_slip_transition_start", lateral, nothing, kKeep, 0.05, 0.5, 0.15, 0.45},
    {"high_slip_transition_end", lateral, nothing, kKeep, 0.55, 1.5, 0.6, 1.1},
    {"lateral_camber_stiffness_sensitivity", lateral, camber, kKeep, 0, 1.5, 0, 0.8},
    {"lateral_camber_curvature_sensitivity", lateral, camber, kKeep, -1, 1, -0.3, 0.3},
    {"camber_thrust_coefficient", lateral, camber, kKeep, 0, 5, 0, 1.5},
    {"combined_slip_coupling", combined, nothing, kKeep, 0, 20, 0.1, 3},
    {"combined_slip_exponent", combined, nothing, kKeep, 1, 2, 1.2, 2},
    {"pneumatic_trail", aligning, moment, kKeep, 0, 0.3, 0.005, 0.06},
    {"aligning_torque_residual_factor", aligning, moment, kKeep, 0, 1, 0, 0.2},
    {"aligning_torque_fx_moment_arm", aligning, moment, kKeep, 0, 0.1, 0, 0.03}};

// All at once: friction and stiffness show in both directions. The load shape stays as given, steady forces hardly see it.
const std::vector<Entry> kPatch{{"sigma0[0]", combined, nothing, kKeep, 5, 5000, 60, 800},
                                {"sigma0[1]", combined, nothing, kKeep, 5, 5000, 60, 800},
                                {"mu_s", combined, nothing, kKeep, 0.02, 5, 0.6, 1.8},
                                {"mu_k", combined, nothing, kKeep, 0.01, 4, 0.3, 0.9},
                                {"v_s", combined, nothing, kKeep, 0.05, 60, 2, 15},
                                {"gamma", combined, nothing, kKeep, 0.1, 4, 0.4, 1.5},
                                {"length", combined, nothing, kKeep, 0.02, 0.6, 0.1, 0.3}};

struct Law {
  const char* name;
  TireSchema schema;
  TireBackend backend;
  std::vector<FieldRef> (*fields)(TireSpec&);
  const std::vector<Entry>& entries;
};
const std::vector<Law>& laws() {
  using enum TireSchema;
  static const std::vector<Law> all{
      {"mf96", pacejka_mf96_v1, TireBackend::mf96, [](TireSpec& t) { return fields_of(t); }, kMf96},
      {"mf61", pacejka_mf96_v1, TireBackend::magic_formula, [](TireSpec& t) { return fields_of(t.tir); }, kMf61},
      {"rally", rally_v1, TireBackend::mf96, [](TireSpec& t) { return fields_of(t.rally); }, kRally},
      {"lugre_patch", lugre_patch_v1, TireBackend::mf96, [](TireSpec& t) { return fields_of(t.patch); }, kPatch}};
  return all;
}
const Law& law_of(const std::string& name) {
  for (const Law& law : laws())
    if (name == law.name) return law;
  throw std::logic_error("no such model: " + name);
}

struct Found {
  double* at = nullptr;
  Range range = any_finite();
  std::string unit;
};

// "sigma0[1]" is the second number of the list sigma0; blocks are searched in order.
Found find_number(const std::vector<FieldRef>& fields, const std::string& name) {
  const std::string stem = name.substr(0, name.find('['));
  for (const FieldRef& f : fields) {
    if (f.kind == FieldRef::Kind::number && f.name == name) return {&f.number(), f.range, f.unit};
    if (f.kind == FieldRef::Kind::list && f.name == stem && stem != name)
      return {f.list() + (name[stem.size() + 1] - '0'), f.range, f.unit};
  }
  for (const FieldRef& f : fields)  // no parameter of mf96 hides in a block, and no name is there twice
    if (f.kind == FieldRef::Kind::block)
      if (Found found = find_number(f.block(), name); found.at) return found;
  return {};
}

// Smallest and largest value of a column.
struct Extent {
  double low = INFINITY, high = -INFINITY;
};
Extent extent(const FitData& data, double FitPoint::*column) {
  Extent out;
  for (const FitPoint& p : data.points) {
    out.low = std::min(out.low, p.*column);
    out.high = std::max(out.high, p.*column);
  }
  return out;
}

double middle(const FitData& data, double FitPoint::*column) {
  std::vector<double> values;
  for (const FitPoint& p : data.points) values.push_back(p.*column);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// A file says where its coefficients hold: what was measured, and a little more load.
void set_ranges(const FitData& data, TirRanges& r) {
  const Extent fz = extent(data, &FitPoint::fz), kappa = extent(data, &FitPoint::kappa),
               alpha = extent(data, &FitPoint::alpha), gamma = extent(data, &FitPoint::gamma);
  const auto most = [](const Extent& e) { return std::max(std::abs(e.low), std::abs(e.high)); };
  r.FZMIN = 0;
  r.FZMAX = 1.2 * fz.high;
  r.KPUMAX = most(kappa);
  r.KPUMIN = -r.KPUMAX;
  r.ALPMAX = most(alpha);
  r.ALPMIN = -r.ALPMAX;
  r.CAMMAX = std::max(most(gamma), 0.1);
  r.CAMMIN = -r.CAMMAX;
}

// What the data do not vary.
unsigned missing_of(const FitData& data, std::vector<std::string>& notes) {
  unsigned out = 0;
  const auto lack = [&](bool missing, DataNeed need, const char* text) {
    if (!missing) return;
    out |= need;
    notes.push_back(text);
  };
  const Extent fz = extent(data, &FitPoint::fz), gamma = extent(data, &FitPoint::gamma),
               p = extent(data, &FitPoint::pressure);
  lack(fz.high < 1.1 * fz.low, load, "one load only: everything that depends on the load stays at its start");
  lack(gamma.high - gamma.low < 0.01, camber, "no camber varied: camber terms stay at their start");
  lack(p.high < 1.03 * p.low || p.low <= 0, pressure, "one pressure only: pressure terms stay at their start");
  lack(!data.has_mz, moment, "no column mz: terms of the aligning moment stay at their start");
  return out;
}

}  // namespace

TireSpec FitModel::tire(std::span<const double> values) const {
  TireSpec out = start;
  for (std::size_t k = 0; k < parameters.size(); ++k) parameters[k].of(out) = values[k];
  out.patch.mu_k = std::min(out.patch.mu_k, out.patch.mu_s);  // the part demands it
  return out;
}

const std::vector<std::string>& fit_model_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Law& law : laws()) out.push_back(law.name);
    return out;
  }();
  return names;
}

bool fits_model(const std::string& model, const TireSpec& tire) {
  const Law& law = law_of(model);
  return tire.schema == law.schema && (law.schema != TireSchema::pacejka_mf96_v1 || tire.backend == law.backend);
}

TireSpec fit_start(const std::string& model, const FitData& data) {
  const Law& law = law_of(model);
  TireSpec out;
  out.schema = law.schema;
  out.backend = law.backend;
  out.tir.lateral.PKY4 = 2;  // as nearly every file has it; PKY1 and PKY2 carry the load
  out.tir.model.LONGVL = middle(data, &FitPoint::vx);
  if (data.has_pressure) out.tir.operating.NOMPRES = out.tir.operating.INFLPRES = middle(data, &FitPoint::pressure);
  const std::vector<FieldRef> fields = law.fields(out);
  for (const Entry& e : law.entries)
    if (Found found = find_number(fields, e.name); found.at && !std::isnan(e.start)) *found.at = e.start;
  return out;
}

FitModel make_fit_model(const std::string& model, const TireSpec& start, const FitData& data) {
  const Law& law = law_of(model);
  FitModel out{model, start, {}, {}};
  const unsigned missing = missing_of(data, out.notes);
  if (law.backend == TireBackend::magic_formula) set_ranges(data, out.start.tir.ranges);
  const std::vector<FieldRef> fields = law.fields(out.start);
  for (const Entry& e : law.entries) {
    if (e.needs & missing) continue;
    const Found found = find_number(fields, e.name);
    if (!found.at) throw std::logic_error(fmt::format("{}: no parameter {}", model, e.name));
    FitParameter p{e.name, found.unit, e.stage};
    p.offset = reinterpret_cast<char*>(found.at) - reinterpret_cast<char*>(&out.start);
    p.low = std::max(e.low, found.range.lo);
    p.high = std::min(e.high, found.range.hi);
    p.start = std::clamp(*found.at, p.low, p.high);
    p.from = std::max(e.from, p.low);
    p.to = std::min(e.to, p.high);
    out.parameters.push_back(std::move(p));
  }
  return out;
}

}  // namespace vdsim
