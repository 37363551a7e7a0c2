#include <fmt/format.h>

#include "io/tir.hpp"
#include "io/vehicle.hpp"
#include "io/write.hpp"
#include "sim/scenario_read.hpp"

namespace vdsim {
namespace {

std::string table_text(const Table& table) {
  if (table.points.size() == 1) return number_text(table.points[0].value);
  std::string out = "[";
  for (const Table::Point& p : table.points)
    out += fmt::format("{}[{}, {}]", out.size() > 1 ? ", " : "", number_text(p.t), number_text(p.value));
  return out + "]";
}

std::string road_text(RoadSpec road) {
  std::string out;
  for (const FieldRef& field : fields_of(road))
    if (field.kind == FieldRef::Kind::number) out += fmt::format("{}: {}\n", field.name, value_text(field));
  if (has_split(road)) out += "split_mu:\n" + block_text(fields_of(road.split_mu), 2);
  if (road.patch_count > 0) out += "patches:\n";
  for (int i = 0; i < road.patch_count; ++i) {
    const RoadPatchSpec& patch = road.patches[static_cast<std::size_t>(i)];
    out += fmt::format("  - mu: {}\n    edge: {}\n    polygon: [", number_text(patch.mu), number_text(patch.edge));
    for (int k = 0; k < patch.count; ++k) {
      const auto& corner = patch.polygon[static_cast<std::size_t>(k)];
      out += fmt::format("{}[{}, {}]", k ? ", " : "", number_text(corner[0]), number_text(corner[1]));
    }
    out += "]\n";
  }
  return out;
}

std::string car_text(CarSpec car, bool with_units) {
  std::string out = fmt::format("  - id: {}\n    level: {}\n", quoted_text(car.id),
                                EnumNames<Level>::names[static_cast<std::size_t>(car.level)]);
  if (with_units)
    for (const std::string& line : car.origin) out += "    # from " + line + "\n";
  out += block_text(fields_of(car.start), 4);
  std::string driver;
  for (const FieldRef& field : fields_of(car.driver))
    if (const Table& table = *static_cast<const Table*>(field.data); table.given())
      driver += fmt::format("      {}: {}\n", field.name, table_text(table));
  if (!driver.empty()) out += "    driver:\n" + driver;
  return out + "    overrides:\n" + vehicle_text(car.vehicle, 6, with_units);
}

}  // namespace

std::string scenario_text(const Scenario& scene, bool with_units) {
  Scenario s = scene;
  std::string out = fmt::format("id: {}\nversion: {}\nlabel: {}\n", quoted_text(s.id), s.version, quoted_text(s.label));
  out += block_text(fields_of(s.timing), 0) + road_text(s.road) + "solver:\n" + block_text(fields_of(s.solver), 2) +
         "fleet:\n";
  for (const CarSpec& car : s.cars) out += car_text(car, with_units);
  return out;
}

// Of what a tire file says, not of where it lies.
std::string scenario_hash(const Scenario& scene) {
  Scenario s = scene;
  for (CarSpec& car : s.cars)
    for (TireSpec* tire : {&car.vehicle.tire_fl, &car.vehicle.tire_fr, &car.vehicle.tire_rl, &car.vehicle.tire_rr})
      if (!tire->tir_path.empty()) tire->tir_path = hash_text(tir_text(tire->tir)).c_str();
  return hash_text(scenario_text(s));
}

}  // namespace vdsim
