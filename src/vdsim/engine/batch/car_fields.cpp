// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/batch/car_fields.hpp"

#include <cstring>
#include <functional>

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

using Found = std::function<void(const std::string& path, const FieldRef&, double* number)>;

// Every number under `path`.
void each_number(const std::vector<FieldRef>& fields, const std::string& path, const Found& found) {
  for (const FieldRef& f : fields) {
    const std::string here = path + f.name;
    switch (f.kind) {
      case FieldRef::Kind::number: found(here, f, &f.number()); break;
      case FieldRef::Kind::list:
        for (int i = 0; i < f.length(); ++i) found(here + "[" + std::to_string(i) + "]", f, f.list() + i);
        break;
      case FieldRef::Kind::block: each_number(f.block(), here + ".", found); break;
      default: break;
    }
  }
}

}  // namespace

void CarField::set(VehicleSpec& vehicle, RoadSpec& road, double number) const {
  char* const spec = of_road ? reinterpret_cast<char*>(&road) : reinterpret_cast<char*>(&vehicle);
  for (const std::size_t place : places) std::memcpy(spec + place, &number, sizeof number);
}

CarField find_field(const CarSetup& setup, const std::string& path) {
  CarSetup car = setup;
  CarField out;
  out.path = path;
  std::vector<std::string> names;
  const auto look = [&](const void* spec, bool of_road, bool listed) -> Found {
    return [&, spec, of_road, listed](const std::string& name, const FieldRef& f, double* number) {
      if (listed) names.push_back(name);
      if (name != path) return;
      out.of_road = of_road, out.range = f.range, out.unit = f.unit, out.value = *number;
      out.places.push_back(
          static_cast<std::size_t>(reinterpret_cast<const char*>(number) - static_cast<const char*>(spec)));
    };
  };
  for (const FieldRef& slot : fields_of(car.vehicle))
    if (!std::string(slot.name).starts_with("tire"))
      each_number(slot.block(), std::string(slot.name) + ".", look(&car.vehicle, false, true));
  const std::pair<const char*, TireSpec*> tires[] = {{"tire_fl", &car.vehicle.tire_fl},
                                                     {"tire_fr", &car.vehicle.tire_fr},
                                                     {"tire_rl", &car.vehicle.tire_rl},
                                                     {"tire_rr", &car.vehicle.tire_rr}};
  for (const auto& [name, tire] : tires) {
    each_number(tire_fields(*tire), "tire.", look(&car.vehicle, false, tire == &car.vehicle.tire_fl));
    each_number(tire_fields(*tire), std::string(name) + ".", look(&car.vehicle, false, true));
  }
  each_number(fields_of(car.road), "", look(&car.road, true, true));
  if (out.places.empty()) throw bad_value(path, "is no number of this car or its road" + suggestion(path, names));
  return out;
}

}  // namespace vdsim
