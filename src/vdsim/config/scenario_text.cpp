// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "vdsim/config/road_map.hpp"
#include "vdsim/config/scenario_read.hpp"
#include "vdsim/config/terrain.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/formats/shown.hpp"
#include "vdsim/formats/tir.hpp"

namespace vdsim {
namespace {

std::string path_text(const DriverSpec& d) {
  std::string out;
  for (const auto& p : d.path.points)
    out += fmt::format("{}[{}, {}]", out.empty() ? "" : ", ", number_text(p[0]), number_text(p[1]));
  out = fmt::format("      path: [{}]\n      lookahead: {}\n      path_closed: {}\n", out, number_text(d.lookahead),
                    d.path_closed);
  HumanSpec human = d.human;
  return human.preview > 0 ? out + "      human:\n" + block_text(fields_of(human), 8) : out;
}

// An entry of a list: what it has, and `more` after that.
std::string item_text(std::vector<FieldRef> fields, const std::string& more) {
  std::erase_if(fields, [](const FieldRef& f) { return f.kind == FieldRef::Kind::integer; });
  std::string out = block_text(fields, 4) + more;
  return out.replace(2, 1, "-");
}
std::string polygon_text(const RoadPatchSpec& patch) {
  std::string out = "    polygon: [";
  for (int k = 0; k < patch.count; ++k) {
    const auto& corner = patch.polygon[static_cast<std::size_t>(k)];
    out += fmt::format("{}[{}, {}]", k ? ", " : "", number_text(corner[0]), number_text(corner[1]));
  }
  return out + "]\n";
}

std::string road_text(RoadSpec road) {
  std::string out;
  RoadSpec plain;
  const std::vector<FieldRef> none = fields_of(plain);
  std::size_t i_field = 0;
  for (const FieldRef& field : fields_of(road)) {
    const FieldRef& def = none[i_field++];
    const bool always = field.kind == FieldRef::Kind::number && i_field <= 3;  // mu, grade, bank
    const std::string name = field.name;
    using Kind = FieldRef::Kind;
    if (name == "split_mu" || field.kind == Kind::integer || field.kind == Kind::other || !field.given()) continue;
    if (field.kind == FieldRef::Kind::block) {
      if (block_text(field.block(), 2) != block_text(def.block(), 2))
        out += name + ":\n" + block_text(field.block(), 2);
    } else if (always || value_text(field) != value_text(def)) {
      out += fmt::format("{}: {}\n", name, value_text(field));
    }
  }
  if (has_split(road)) out += "split_mu:\n" + block_text(fields_of(road.split_mu), 2);
  if (road.section_count > 0) out += "sections:\n";
  for (int i = 0; i < road.section_count; ++i)
    out += item_text(fields_of(road.sections[static_cast<std::size_t>(i)]), "");
  if (road.patch_count > 0) out += "patches:\n";
  for (int i = 0; i < road.patch_count; ++i) {
    RoadPatchSpec& patch = road.patches[static_cast<std::size_t>(i)];
    out += item_text(fields_of(patch), polygon_text(patch));
  }
  return out;
}

std::string car_text(CarSpec car, bool with_units) {
  std::string out = fmt::format("  - id: {}\n    level: {}\n", quoted_text(car.id), enum_name(car.level));
  if (with_units)
    for (const std::string& line : car.origin) out += "    # from " + printable(line) + "\n";
  if (car.controller.given())
    out += "    control:\n" + controller_text(car.controller, 6);
  else if (car.control != Control::internal)
    out += fmt::format("    control: {}\n", enum_name(car.control));
  out += block_text(fields_of(car.start), 4);
  std::string driver;
  for (const FieldRef& field : fields_of(car.driver)) {
    if (!is_channel(field)) continue;
    if (const Table& table = *static_cast<const Table*>(field.data); table.given())
      driver += fmt::format("      {}: {}\n", field.name, table_text(table));
  }
  if (car.driver.path.given()) driver += path_text(car.driver);
  if (!driver.empty()) out += "    driver:\n" + driver;
  return out + "    overrides:\n" + vehicle_text(car.vehicle, 6, with_units);
}

}  // namespace

std::string table_text(const Table& table) {
  if (table.points.size() == 1) return number_text(table.points[0].value);
  std::string out = "[";
  for (const Table::Point& p : table.points)
    out += fmt::format("{}[{}, {}]", out.size() > 1 ? ", " : "", number_text(p.t), number_text(p.value));
  return out + "]";
}

std::string scenario_text(const Scenario& scene, bool with_units) {
  Scenario s = scene;
  std::string out = fmt::format("id: {}\nversion: {}\nlabel: {}\n", quoted_text(s.id), s.version, quoted_text(s.label));
  out += block_text(fields_of(s.timing), 0) + road_text(s.road) + maps_text(s.maps) + "solver:\n" +
         block_text(fields_of(s.solver), 2) + "fleet:\n";
  for (const CarSpec& car : s.cars) out += car_text(car, with_units);
  return out;
}

// The numbers a terrain is made of.
static std::string terrain_bytes(const Terrain& t) {
  std::string out;
  const auto add = [&](const auto& numbers) {
    out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]);
  };
  if (t.file.map) add(t.file.map->z);
  if (t.file.crg)
    add(t.file.crg->x), add(t.file.crg->y), add(t.file.crg->refz), add(t.file.crg->bank), add(t.file.crg->grid64),
        add(t.file.crg->grid32);
  return out;
}

void name_by_content(TireSpec& tire) {
  if (!tire.tir_path.empty()) tire.tir_path = hash_text(tir_text(tire.tir)).c_str();
}

// Of what a tire, a road or an FMU says, not of where it lies.
std::string scenario_hash(const Scenario& scene) {
  Scenario s = scene;
  if (s.terrain) s.road.terrain = hash_text(terrain_bytes(*s.terrain)).c_str();
  for (auto& map : s.maps) {
    auto copy = std::make_shared<RoadMap>(*map);
    copy->path = hash_text(terrain_bytes(*map->file));
    map = copy;
  }
  for (CarSpec& car : s.cars)
    if (car.controller.given()) car.controller.file = car.controller.content;
  for (CarSpec& car : s.cars)
    for (TireSpec* tire : {&car.vehicle.tire_fl, &car.vehicle.tire_fr, &car.vehicle.tire_rl, &car.vehicle.tire_rr})
      name_by_content(*tire);
  return hash_text(scenario_text(s));
}

}  // namespace vdsim
