// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/car_model.hpp"

#include "vdsim/engine/reflect.hpp"

namespace vdsim {
namespace {

std::uint64_t hash_road_data(const RoadSpec& road, std::uint64_t h) {
  const auto add = [&](const auto* data, std::size_t count) {
    if (data) h = fnv1a({reinterpret_cast<const char*>(data), sizeof *data * count}, h);
  };
  RoadSpec spec = road;
  for (int i = 0; i < road.section_count; ++i) h = hash_values(fields_of(spec.sections[std::size_t(i)]), h);
  for (int i = 0; i < road.patch_count; ++i) {
    RoadPatchSpec& patch = spec.patches[std::size_t(i)];
    h = fnv1a(bytes_view(patch.polygon), hash_values(fields_of(patch), h));
  }
  const auto add_all = [&](const auto&... values) { ((h = fnv1a(bytes_view(values), h)), ...); };
  const auto add_grid = [&](const RoadGrid* g) {
    if (!g) return;
    add(g->z, std::size_t(g->nx) * std::size_t(g->ny));
    add_all(g->nx, g->ny, g->x0, g->y0, g->dx, g->dy);
  };
  const auto add_crg = [&](const CrgView* c) {
    if (!c) return;
    const std::size_t nu = std::size_t(c->nu), nv = std::size_t(c->nv);
    for (const double* line : {c->x, c->y, c->phi, c->refz, c->bank}) add(line, nu);
    add(c->v_even ? nullptr : c->v, nv);
    add(c->z32, nu * nv);
    add(c->z64, nu * nv);
    add_all(c->nu, c->u0, c->u1, c->du, c->level, c->bank0, c->first, c->last, c->has_bank, c->nv, c->v_even, c->v0,
            c->v1, c->dv, c->z_shift, c->border_u, c->border_v, c->offset_u, c->offset_v, c->smooth_begin,
            c->smooth_end, c->close_track, c->close_min, c->close_max);
  };
  add_grid(road.grid), add_crg(road.crg);
  for (const GroundMap* map : road.maps)
    if (map) {
      add_grid(map->grid), add_crg(map->crg);
      add_all(map->surfaces, map->number);
      add(map->surface, std::size_t(map->surfaces));
    }
  return h;
}

}  // namespace

std::uint64_t spec_hash(VehicleSpec spec, RoadSpec road) {
  std::uint64_t h = kHashStart;
  road.terrain = "";  // where a file lies does not matter, what is in it does
  for (TireSpec* tire : {&spec.tire_fl, &spec.tire_fr, &spec.tire_rl, &spec.tire_rr}) {
    tire->tir_path = "";
    h = hash_values(fields_of(tire->patch), fnv1a(bytes_view(tire->schema), h));
  }
  return hash_road_data(road, hash_values(fields_of(road), hash_values(fields_of(spec), h)));
}

UnitParams compile_units(const VehicleSpec& spec, Level level) {
  UnitParams u;
  u.kind = equipment_kind(spec);
  u.p = compile_fitted_equipment(spec, level);
  for (int i = 0; i < kActuators; ++i) {
    u.actuator_kind[i] = actuator_kind(spec.actuator, i);
    u.actuator[i] = compile_actuator(spec.actuator, i, 1e-3);
    u.actuators = u.actuators || u.actuator_kind[i].acts();
  }
  u.any = u.kind.any || u.actuators;
  return u;
}

}  // namespace vdsim
