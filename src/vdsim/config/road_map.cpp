// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/road_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vdsim/config/files.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/engine/validate.hpp"
#include "vdsim/formats/files.hpp"

namespace vdsim {
namespace {

// Numbers of the ground that a raster may hold, in the order of GroundMap::number.
std::vector<std::string> map_numbers() {
  SurfaceSpec blank;
  std::vector<std::string> out;
  for (const FieldRef& field : fields_of(blank)) out.push_back(field.name);
  out.push_back("temperature");
  return out;
}

void read_map_surfaces(const PartSource& parts, const Reader& reader, const YamlEntry& entry, const std::string& path,
                       RoadMap& out) {
  const std::vector<YamlNode>& items = entry.value.items;
  if (entry.value.kind != YamlNode::Kind::list || items.empty() || items.size() > kMaxMapSurfaces)
    return reader.errors.add(reader.at(entry), path,
                             fmt::format("expected a list of 1 to {} surfaces", kMaxMapSurfaces));
  for (std::size_t i = 0; i < items.size(); ++i) {
    SurfaceOverride numbers;
    const std::string where = fmt::format("{}[{}]", path, i);
    read_surface(parts, reader, {where, items[i].line, items[i].column, items[i]}, where, numbers);
    out.surfaces.push_back(override_surface({}, numbers));
  }
}

void read_map_file(const PartSource& parts, const Reader& reader, const YamlEntry& entry, const std::string& path,
                   RoadMap& out) {
  const auto word = read_word(reader, entry, path);
  if (!word) return;
  out.path = whole_path(join_paths(parts.folder, *word));
  if (file_kind(out.path) == FileKind::none) return reader.fail(entry.value, path, "no such file: " + out.path);
  Warnings warnings;
  out.file = reader.files->terrain(out.path, reader.errors, warnings);
  reader.errors.warn(warnings);
}

std::shared_ptr<const RoadMap> read_map(const PartSource& parts, const Reader& reader, const YamlNode& node,
                                        const std::string& path) {
  auto out = std::make_shared<RoadMap>();
  if (!is_map(reader, node, path, reader.at(node))) return nullptr;
  const std::size_t before = reader.errors.size();
  const std::vector<std::string> numbers = map_numbers();
  for (const YamlEntry& entry : node.entries) {
    const std::string where = join_path(path, entry.key);
    if (entry.key == "file") {
      read_map_file(parts, reader, entry, where, *out);
    } else if (entry.key == "surfaces") {
      read_map_surfaces(parts, reader, entry, where, *out);
    } else if (entry.key == "number") {
      if (const auto choice = read_choice(reader, entry, where, numbers))
        out->map.number = *choice, out->number = numbers[static_cast<std::size_t>(*choice)];
    } else {
      unknown_key(reader, entry, path, {"file", "surfaces", "number"});
    }
  }
  if (!node.find("file")) reader.fail(node, join_path(path, "file"), "missing key");
  if (!node.find("surfaces") == !node.find("number"))
    reader.fail(node, path, "give surfaces (what its values stand for) or number (what its values are)");
  if (reader.errors.size() != before || !out->file) return nullptr;
  if (out->file->file.map)
    out->map.grid = &out->file->grid;
  else
    out->map.crg = &out->file->crg;
  out->map.surfaces = static_cast<int>(out->surfaces.size());
  std::transform(out->surfaces.begin(), out->surfaces.end(), out->map.surface, ground_of);
  for (const Fault& fault : validate(out->map)) reader.fail(node, join_path(path, fault.path()), fault.what);
  return reader.errors.size() == before ? out : nullptr;
}

}  // namespace

void read_maps(const PartSource& parts, const Reader& reader, const YamlEntry& entry, RoadMaps& out, RoadSpec& road) {
  const YamlNode& list = entry.value;
  if (list.kind != YamlNode::Kind::list || list.items.size() > kMaxMaps)
    return reader.errors.add(reader.at(entry), entry.key,
                             fmt::format("expected a list of at most {} maps, found {}", kMaxMaps, describe(list)));
  for (std::size_t i = 0; i < list.items.size(); ++i)
    if (auto map = read_map(parts, reader, list.items[i], fmt::format("maps[{}]", i))) {
      road.maps[out.size()] = &map->map;
      out.push_back(std::move(map));
    }
}

std::string maps_text(const RoadMaps& maps) {
  std::string out = maps.empty() ? "" : "maps:\n";
  for (const auto& map : maps) {
    out += fmt::format("  - file: {}\n", quoted_text(map->path));
    if (map->surfaces.empty()) out += fmt::format("    number: {}\n", map->number);
    if (!map->surfaces.empty()) out += "    surfaces:\n";
    for (SurfaceSpec surface : map->surfaces) out += block_text(fields_of(surface), 8).replace(6, 1, "-");
  }
  return out;
}

}  // namespace vdsim
