// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/terrain.hpp"

#include <cassert>

#include "vdsim/config/files.hpp"
#include "vdsim/formats/files.hpp"

namespace vdsim {
namespace {

// The deepest key of a dotted path that the scene names.
Place place_of(const Reader& reader, const YamlNode& scene, std::string_view path) {
  const YamlNode* node = &scene;
  Place place = reader.at(scene);
  while (!path.empty() && node && node->kind == YamlNode::Kind::map) {
    const std::string key(path.substr(0, path.find('.')));
    path.remove_prefix(std::min(path.size(), key.size() + 1));
    node = node->find(key);
    if (node) place = reader.at(*node);
  }
  return place;
}

}  // namespace

void read_terrain(const Reader& reader, const YamlNode& scene, const std::string& folder, RoadSpec& road,
                  std::shared_ptr<const Terrain>& terrain) {
  road_faults(
      road, [&](const char* path, const char* what) { reader.errors.add(place_of(reader, scene, path), path, what); });
  if (road.terrain.empty()) return;
  const YamlNode* node = scene.find("terrain");
  const std::string named = road.terrain.text;
  const bool beside = node && node->text == named;
  const std::string path = whole_path(beside ? join_paths(folder, named) : named);
  const Place place = node ? reader.at(*node) : Place{"--set terrain", 0, 0};
  if (path.size() > PathText::kMost || file_kind(path) == FileKind::none) {
    reader.errors.add(place, "terrain", "no such file: " + path);
    return;
  }
  assert(reader.files);
  Warnings warnings;
  terrain = reader.files->terrain(path, reader.errors, warnings);
  reader.errors.warn(warnings);
  if (!terrain) return;
  if (terrain->file.map)
    road.grid = &terrain->grid;
  else
    road.crg = &terrain->crg;
  road.terrain = path.c_str();
}

}  // namespace vdsim
