// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/validate.hpp"

#include <algorithm>
#include <cmath>

#include "vdsim/core/road/road.hpp"
#include "vdsim/core/tire/rally_compile.hpp"
#include "vdsim/core/vehicle/compile_sprung.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/step_limit.hpp"
#include "vdsim/engine/tire_rig.hpp"

namespace vdsim {
namespace {

constexpr const char* kNothingThere = "says nothing: give mu, surface or temperature";

void check_number(double value, const FieldRef& field, const std::string& key, const std::string& slot, Faults& out) {
  if (!std::isfinite(value))
    out.push_back({slot, {key}, "expected a finite number, found " + number_text(value)});
  else if (!field.range.holds(value))
    out.push_back(
        {slot, {key}, number_text(value) + " is out of range, expected " + describe(field.range, field.unit)});
}
void check_fields(const std::vector<FieldRef>& fields, const std::string& prefix, const std::string& slot,
                  Faults& out) {
  using Kind = FieldRef::Kind;
  for (const FieldRef& field : fields) {
    const std::string key = prefix + field.name;
    if (field.kind == Kind::number && field.given()) check_number(field.number(), field, key, slot, out);
    if (field.kind == Kind::integer) check_number(field.integer(), field, key, slot, out);
    if (field.kind == Kind::list)
      for (int i = 0; i < field.length(); ++i)
        check_number(field.list()[i], field, key + "[" + std::to_string(i) + "]", slot, out);
    if (field.kind == Kind::choice) {
      const int choice = field.get_choice(field.data);
      if (choice < 0 || choice >= static_cast<int>(field.names.size()))
        out.push_back({slot, {key}, "expected one of its names, found number " + std::to_string(choice)});
    }
    if (field.kind == Kind::block) check_fields(field.block(), key + ".", slot, out);
  }
}

// Nodes of a raster that say nothing: numbers of surfaces that it does not have, numbers out of range.
void check_map(const GroundMap& m, const std::string& key, Faults& out) {
  if (!m.grid == !m.crg || m.surfaces < 0 || m.surfaces > kMaxMapSurfaces || m.number < 0 ||
      m.number > kMapTemperature) {
    out.push_back({"", {key}, "expected a grid or an OpenCRG road, surfaces or the number that it holds"});
    return;
  }
  SurfaceSpec whole;
  const std::vector<FieldRef> fields = fields_of(whole);
  const Range range = m.surfaces > 0                ? between(0, m.surfaces - 1)
                      : m.number == kMapTemperature ? between(-60, 100)
                                                    : fields[std::size_t(m.number)].range;
  long bad = 0;
  double first = 0;
  each_node(m, [&](double value) {
    const bool fine = std::isfinite(value) && range.holds(value) && (m.surfaces == 0 || value == std::floor(value));
    if (!fine && bad++ == 0) first = value;
  });
  if (bad > 0)
    out.push_back({"",
                   {key},
                   std::to_string(bad) + " of its values, the first " + number_text(first) + ", are not " +
                       (m.surfaces > 0 ? "the number of a surface, " : "") + describe(range, "")});
}

// What lies on the road: maps, sections and patches.
void check_covers(RoadSpec& road, Faults& out) {
  for (std::size_t i = 0; i < kMaxMaps; ++i)
    if (road.maps[i]) check_map(*road.maps[i], "maps[" + std::to_string(i) + "]", out);
  for (std::size_t i = 1; i < kMaxMaps; ++i)
    if (road.maps[i] && !road.maps[i - 1]) out.push_back({"", {"maps"}, "must be filled from the first on"});
  const auto counted = [&](int n, int most, const char* key) {
    if (n < 0 || n > most) out.push_back({"", {key}, "expected 0 to " + std::to_string(most)});
    return n < 0 ? 0 : n > most ? most : n;
  };
  const int sections = counted(road.section_count, kMaxSections, "section_count"),
            patches = counted(road.patch_count, kMaxPatches, "patch_count");
  for (int i = 0; i < sections; ++i) {
    RoadSectionSpec& s = road.sections[std::size_t(i)];
    const std::string key = "sections[" + std::to_string(i) + "]";
    check_fields(fields_of(s), key + ".", "", out);
    if (s.mu < 0 && !covers(s.surface, s.temperature)) out.push_back({"", {key}, kNothingThere});
  }
  for (int i = 0; i < patches; ++i) {
    RoadPatchSpec& p = road.patches[std::size_t(i)];
    const std::string key = "patches[" + std::to_string(i) + "]";
    check_fields(fields_of(p), key + ".", "", out);
    if (p.mu < 0 && !covers(p.surface, p.temperature)) out.push_back({"", {key}, kNothingThere});
    if (p.count < 3 || p.count > kMaxVertices) {
      out.push_back({"", {key + ".polygon"}, "expected 3 to " + std::to_string(kMaxVertices) + " corners"});
      continue;
    }
    for (int k = 0; k < p.count; ++k)
      for (const double at : p.polygon[std::size_t(k)])
        if (!std::isfinite(at)) out.push_back({"", {key + ".polygon"}, "expected finite numbers"});
  }
}

bool same(TireSpec a, TireSpec b) {
  return a.schema == b.schema && hash_values(tire_fields(a), kHashStart) == hash_values(tire_fields(b), kHashStart);
}

// Only for L3 and L5: masses and inertias without the wheels.
Faults contradictions_on_springs(const ChassisSpec& c) {
  double wheels = 0, yaw = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double x = i < 2 ? c.cg_to_front : c.cg_to_rear, y = 0.5 * (i < 2 ? c.track_front : c.track_rear);
    wheels += c.unsprung_mass[i];
    yaw += c.unsprung_mass[i] * (x * x + y * y);
  }
  if (wheels >= c.mass)
    return {{"chassis",
             {"unsprung_mass", "mass"},
             "sum " + number_text(wheels, 9) + " kg must be less than mass = " + number_text(c.mass) + " kg"}};
  if (yaw >= 0.95 * c.inertia_diag[2])
    return {{"chassis",
             {"inertia_diag", "unsprung_mass"},
             "the wheels alone have a yaw inertia of " + number_text(yaw, 4) + " kg m^2, little is left for the body"}};
  return {};
}

// Where a polynomial load of a contact patch is refused, and by how much.
std::string poly_numbers(const PatchSpec& s) {
  const double total = patch_poly_total(s), x = patch_poly_least(s);
  switch (patch_poly_fault(s)) {
    case PatchPolyFault::idle: return ", found " + number_text(total, 4);
    case PatchPolyFault::pulls:
      return ", found " + number_text(patch_poly_at(s, x) / total, 3) + " times its mean at x = " + number_text(x, 3);
    default: return "";
  }
}

void append(Faults& all, Faults more) {
  for (Fault& fault : more) all.push_back(std::move(fault));
}

}  // namespace

std::vector<FieldRef> tire_fields(TireSpec& tire) {
  switch (tire.schema) {
    case TireSchema::rally_v1: return fields_of(tire.rally);
    case TireSchema::lugre_patch_v1: return fields_of(tire.patch);
    default: return fields_of(tire);
  }
}

std::string Fault::path() const { return slot.empty() ? keys[0] : slot + "." + keys[0]; }
std::string Fault::text() const { return path() + ": " + what; }

Faults contradictions(const ChassisSpec& c) {
  Faults out;
  const double sum = c.cg_to_front + c.cg_to_rear;
  if (std::abs(c.wheelbase - sum) > 1e-6)
    out.push_back(
        {"chassis",
         {"wheelbase", "cg_to_front", "cg_to_rear"},
         number_text(c.wheelbase) + " m must equal cg_to_front + cg_to_rear = " + number_text(sum, 9) + " m"});
  if (c.mass_sprung > c.mass)
    out.push_back({"chassis",
                   {"mass_sprung", "mass"},
                   number_text(c.mass_sprung) + " kg must not exceed mass = " + number_text(c.mass) + " kg"});
  return out;
}

Faults contradictions(const TireSpec& t) {
  Faults out;
  if (t.schema == TireSchema::lugre_patch_v1)
    check_patch(t.patch, [&](const char* key, const char* what) {
      out.push_back({"tire", {key}, what + (std::string(key) == "load_poly" ? poly_numbers(t.patch) : "")});
    });
  if (t.schema == TireSchema::rally_v1)
    check_rally(t.rally, [&](const std::string& path, const std::string& what) {
      out.push_back({"tire", {path.substr(0, path.find('.'))}, path + " " + what});
    });
  if (t.schema != TireSchema::pacejka_mf96_v1) return out;
  const bool file = t.backend == TireBackend::magic_formula;
  if (file && t.tir_path.empty())
    return {{"tire", {"tir_path", "backend"}, "backend magic_formula needs an MF-Tyre property file"}};
  if (!file && !t.tir_path.empty())
    return {{"tire",
             {"backend", "tir_path"},
             std::string("tir_path is only read with backend magic_formula, found ") + enum_name(t.backend)}};
  if (!t.lugre.enabled || t.lugre.law != LugreLaw::rolling) return {};
  if (!t.combined_slip_enabled || t.combined == Combined::none)
    return {
        {"tire",
         {t.combined_slip_enabled ? "combined" : "combined_slip_enabled", "lugre"},
         "lugre.law rolling always combines its slips; switch it off with lugre.law breakaway or lugre.enabled false"}};
  if (t.combined == Combined::ellipse)
    return {{"tire",
             {"combined", "lugre"},
             "ellipse does not work with lugre.law rolling: a spinning wheel at rest would keep its side grip; use "
             "auto or similarity"}};
  return {};
}

Faults contradictions(const PowertrainSpec& s) {
  Faults out;
  Complaint found[kMaxComplaints];
  const int n = powertrain_complaints(s, found);
  for (int i = 0; i < n; ++i) {
    const std::string key = found[i].key;
    out.push_back({"powertrain", {key.substr(0, key.find('.'))}, key + " " + found[i].what});
  }
  return out;
}
Faults contradictions(const ControlSpec& s) {
  if (s.abs.slip_most > s.abs.slip_start) return {};
  return {{"control", {"abs"}, "abs.slip_most must be above abs.slip_start"}};
}
Faults contradictions(const ActuatorSpec& s) {
  Faults out;
  const auto need = [&](double lo, double hi, const std::string& name) {
    if (lo > hi) out.push_back({"actuator", {name + "_min", name + "_max"}, "is above the upper limit"});
  };
  need(s.steer_min, s.steer_max, "steer");
  need(s.drive_min, s.drive_max, "drive");
  need(s.brake_min, s.brake_max, "brake");
  return out;
}

Faults contradictions(const VehicleSpec& v, Level level) {
  Faults out;
  if (level == Level::L1 && !(same(v.tire_fl, v.tire_fr) && same(v.tire_rl, v.tire_rr)))
    out.push_back({"", {"level"}, "L1 has one tire per axle, but left and right differ; use L2"});
  append(out, contradictions(v.chassis));
  if (on_springs(level)) append(out, contradictions_on_springs(v.chassis));
  append(out, contradictions(v.powertrain));
  append(out, contradictions(v.control));
  append(out, contradictions(v.actuator));
  for (const TireSpec* tire : {&v.tire_fl, &v.tire_fr, &v.tire_rl, &v.tire_rr})
    if (const Faults found = contradictions(*tire); !found.empty()) {
      out.push_back(found[0]);  // the four are often the same
      break;
    }
  return out;
}

Faults contradictions(const RoadSpec& road) {
  Faults out;
  road_faults(road, [&](const char* path, const char* what) { out.push_back({"", {path}, what}); });
  return out;
}

Faults contradictions(const VehicleSpec& v, const RoadSpec& road, Level level) {
  Faults out;
  for (const TireSpec* tire : {&v.tire_fl, &v.tire_fr, &v.tire_rl, &v.tire_rr})
    if (tire->schema == TireSchema::rally_v1 && out.empty())
      each_cover(road, [&](const SurfaceOverride& o, double) {
        if (o.peak_slip_ratio_scale >= 0 && turns_over(tire->rally.magic_formula, o.peak_slip_ratio_scale))
          out.push_back(
              {"surface", {"peak_slip_ratio_scale"}, number_text(o.peak_slip_ratio_scale) + " " + kTurnsOver});
      });
  if (road.stunt.loop.radius > 0 && level != Level::L5)
    out.push_back(
        {"", {"level"}, std::string(enum_name(level)) + " cannot drive a vertical loop (stunt.loop); use L5"});
  return out;
}

Faults validate(const VehicleSpec& spec, Level level) {
  VehicleSpec v = spec;  // a table names members to read or to write
  Faults out;
  for (const FieldRef& slot : fields_of(v))
    if (!std::string(slot.name).starts_with("tire")) check_fields(slot.block(), "", slot.name, out);
  const std::pair<const char*, TireSpec*> tires[] = {
      {"tire_fl", &v.tire_fl}, {"tire_fr", &v.tire_fr}, {"tire_rl", &v.tire_rl}, {"tire_rr", &v.tire_rr}};
  for (const auto& [name, tire] : tires) check_fields(tire_fields(*tire), "", name, out);
  return out.empty() ? contradictions(spec, level) : out;
}

Faults validate(const GroundMap& map) {
  Faults out;
  check_map(map, "file", out);
  return out;
}

Faults validate(const RoadSpec& spec) {
  RoadSpec road = spec;
  Faults out;
  check_fields(fields_of(road), "", "", out);
  check_covers(road, out);
  if (!road.terrain.empty() && !road.grid && !road.crg)
    out.push_back({"", {"terrain"}, "names a file that was not read: set grid or crg to its data, or leave it empty"});
  return out.empty() ? contradictions(spec) : out;
}

Faults validate(const StartPose& pose) {
  Faults out;
  const auto check = [&](double value, const char* key, const char* unit, Range range) {
    FieldRef field;
    field.unit = unit, field.range = range;
    check_number(value, field, key, "", out);
  };
  check(pose.x0, "x0", "m", any_finite());
  check(pose.y0, "y0", "m", any_finite());
  check(pose.yaw0, "yaw0", "rad", any_finite());
  check(pose.vx0, "vx0", "m/s", between(-150, 150));
  check(pose.z0, "z0", "m", between(0, 1000));
  return out;
}

Faults validate(const Commands& c) {
  Faults out;
  const auto check = [&](double value, const char* key, Range range) {
    if (range.holds(value)) return;  // at every step: nothing is made where nothing is wrong
    FieldRef field;
    field.range = range;
    check_number(value, field, key, "", out);
  };
  check(c.steer, "steer", any_finite());
  check(c.throttle, "throttle", between(0, 1));
  check(c.brake, "brake", between(0, 1));
  check(c.handbrake, "handbrake", between(0, 1));
  check(c.gear, "gear", between(-1, 10));
  for (const double torque : c.torque) check(torque, "torque", any_finite());
  return out;
}

Faults validate(const RigInput& in) {
  Faults out;
  const auto check = [&](double value, const char* key, Range range) {
    if (range.holds(value)) return;
    FieldRef field;
    field.range = range;
    check_number(value, field, key, "", out);
  };
  for_each_field<RigInput>([&](const auto& f) { check(in.*f.member, f.name, f.range); });
  return out;
}

Faults validate_step(const VehicleSpec& v, Level level, Integrator integrator, double dt) {
  const std::string fault = step_fault(v, level, integrator, dt, true);
  if (fault.empty()) return {};
  if (!(dt > 0 && dt <= kLongestStep)) return {{"solver", {"dt"}, fault}};
  return {{"", {"level"}, "solver.dt = " + fault}};
}

void throw_if_any(const Faults& faults) {
  if (faults.empty()) return;
  std::vector<std::string> lines;
  std::vector<InputError> items;
  for (const Fault& fault : faults) {
    lines.push_back(fault.text());
    InputError& item = items.emplace_back();
    item.path = fault.path(), item.what = fault.what;
  }
  throw BadInput(std::move(lines), std::move(items));
}

}  // namespace vdsim
