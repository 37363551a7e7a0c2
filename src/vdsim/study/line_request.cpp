// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/line_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/read.hpp"
#include "vdsim/study/json.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;
using Names = std::vector<std::string>;

constexpr double kSameStep = 1e-6;  // of a step: so far a sum of decimal fractions may be from a multiple

const Names kCarKeys{"demand", "read"}, kRequestKeys{"advance", "cars", "demand", "read"};

class RequestReader {
 public:
  RequestReader(const LineScene& scene, const Reader& reader, LineRequest& out)
      : scene_(scene), reader_(reader), out_(out) {
    out_.cars.resize(scene.cars.size());
  }

  void read(const YamlNode& root) {
    if (root.kind != Kind::map) return fail("", "expected a block of keys, found " + describe(root));
    for (const YamlEntry& entry : root.entries) {
      if (entry.key == "advance")
        read_advance(entry);
      else if (entry.key == "cars")
        read_cars(entry);
      else if (std::find(kCarKeys.begin(), kCarKeys.end(), entry.key) == kCarKeys.end())
        unknown_key(reader_, entry, "", kRequestKeys);
      else if (scene_.main)
        read_car_key(entry, entry.key, *scene_.main);
      else
        fail(entry.key,
             fmt::format("the scene has several cars, say of which: cars.{}.{}", scene_.cars[0].spec->id, entry.key));
    }
  }

 private:
  void fail(const std::string& path, std::string what) {
    reader_.errors.add({reader_.file, 0, 0}, path, std::move(what));
  }

  void read_advance(const YamlEntry& entry) {
    const auto time = read_number(reader_, entry, "advance", "s", between(0, 1e7));
    if (!time) return;
    const double steps = std::round(*time / scene_.dt);
    if (std::abs(*time - steps * scene_.dt) > kSameStep * scene_.dt || (steps == 0 && *time > 0))
      fail("advance", fmt::format("{} s is no multiple of the step {} s", entry.value.text, number_text(scene_.dt)));
    else
      out_.steps = static_cast<long>(steps);
  }

  void read_cars(const YamlEntry& entry) {
    if (!is_map(reader_, entry.value, "cars", reader_.at(entry))) return;
    for (const YamlEntry& named : entry.value.entries) {
      const auto found = std::find_if(scene_.cars.begin(), scene_.cars.end(),
                                      [&](const LineCar& car) { return car.spec->id == named.key; });
      const std::string path = join_path("cars", named.key.substr(0, 60));
      if (found == scene_.cars.end())
        unknown_car(named.key, path);
      else if (is_map(reader_, named.value, path, reader_.at(named)))
        for (const YamlEntry& inner : named.value.entries)
          read_car_key(inner, join_path(path, inner.key.substr(0, 60)),
                       static_cast<std::size_t>(found - scene_.cars.begin()));
    }
  }
  void unknown_car(const std::string& id, const std::string& path) {
    Names ids;
    for (const LineCar& car : scene_.cars) ids.push_back(car.spec->id);
    if (!reader_.errors.full()) fail(path, "the scene has no such car" + suggestion(id, ids));
  }

  void read_car_key(const YamlEntry& entry, const std::string& path, std::size_t car) {
    if (entry.key == "demand")
      read_demand(entry, path, car);
    else if (entry.key == "read")
      read_signals(entry, path, car);
    else
      unknown_key(reader_, entry, path.substr(0, path.rfind('.')), kCarKeys);
  }

  void read_demand(const YamlEntry& entry, const std::string& path, std::size_t car) {
    const CarSpec& spec = *scene_.cars[car].spec;
    if (out_.cars[car].demand) return fail(path, fmt::format("car {} has a demand already in this request", spec.id));
    if (spec.controller.given()) return fail(path, fmt::format("car {} is driven by an FMU", spec.id));
    if (spec.control != Control::external)
      return fail(path, fmt::format("car {} is driven by its driver: control: external of the scene, or --set "
                                    "control=external, lets a program drive it",
                                    spec.id));
    if (!is_map(reader_, entry.value, path, reader_.at(entry))) return;
    out_.cars[car].demand = vdsim::read_demand(reader_, entry.value, path, spec.driver.path.given());
  }

  void read_signals(const YamlEntry& entry, const std::string& path, std::size_t car) {
    const std::vector<Column>& signals = scene_.cars[car].signals;
    if (out_.cars[car].read) return fail(path, "given already in this request");
    if (entry.value.kind != Kind::list || entry.value.items.size() > signals.size())
      return fail(path, fmt::format("expected a list of at most {} signals, found {}", signals.size(),
                                    entry.value.kind == Kind::list ? fmt::format("{}", entry.value.items.size())
                                                                   : describe(entry.value)));
    std::vector<std::size_t>& ids = out_.cars[car].read.emplace();
    for (std::size_t i = 0; i < entry.value.items.size() && !reader_.errors.full(); ++i)
      if (const auto id = signal_id(entry.value.items[i], fmt::format("{}[{}]", path, i), signals)) {
        if (std::find(ids.begin(), ids.end(), *id) != ids.end())
          fail(fmt::format("{}[{}]", path, i), fmt::format("'{}' is in the list already", signals[*id].name));
        ids.push_back(*id);
      }
  }
  std::optional<std::size_t> signal_id(const YamlNode& node, const std::string& path,
                                       const std::vector<Column>& signals) {
    if (node.kind != Kind::scalar || !node.quoted) {
      fail(path, fmt::format("expected the name of a signal in quotes, found {}", describe(node)));
      return std::nullopt;
    }
    Names names;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (signals[i].name == node.text) return i;
      names.push_back(signals[i].name);
    }
    fail(path, fmt::format("this car has no signal {}{}", describe(node), suggestion(node.text, names)));
    return std::nullopt;
  }

  const LineScene& scene_;
  const Reader& reader_;
  LineRequest& out_;
};

}  // namespace

std::optional<Demand> read_demand(const Reader& reader, const YamlNode& map, const std::string& path, bool has_path) {
  const std::size_t before = reader.errors.size();
  Demand out;
  read_block(reader, map, demand_fields(out), path);
  Names given;  // a key that has no effect beside another one is an error, as in a driver block
  for (const YamlEntry& key : map.entries) given.push_back(key.key);
  for (const Faults& faults : {overwritten(out, given), validate(out, has_path)})
    for (const Fault& fault : faults) reader.errors.add({reader.file, 0, 0}, join_path(path, fault.path()), fault.what);
  if (reader.errors.size() > before) return std::nullopt;
  return out;
}

LineRequest read_request(const LineScene& scene, std::string_view line, const std::string& place, Errors& errors) {
  LineRequest out;
  const Reader reader{place, errors};
  if (const auto root = parse_json(line, place, errors)) RequestReader(scene, reader, out).read(*root);
  return out;
}

}  // namespace vdsim
