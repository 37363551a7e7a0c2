// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/maneuver.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/expression.hpp"
#include "vdsim/config/files.hpp"
#include "vdsim/config/read.hpp"
#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;

const std::vector<std::string> kKeys{"id",     "version", "label",   "standard",   "purpose", "levels",
                                     "scene",  "car",     "human",   "parameters", "first",   "course",
                                     "phases", "metrics", "spectra", "series",     "solve",   "search"};

void read_levels(const Reader& reader, const YamlEntry& entry, std::vector<Level>& out) {
  const std::vector<std::string> names = enum_names<Level>();
  if (entry.value.kind != Kind::list || entry.value.items.empty())
    return reader.fail(entry.value, "levels", "expected a list such as [L2, L3], found " + describe(entry.value));
  for (const YamlNode& item : entry.value.items) {
    const auto found = std::find(names.begin(), names.end(), item.text);
    if (found == names.end())
      reader.fail(item, "levels", fmt::format("unknown level {}{}", describe(item), suggestion(item.text, names)));
    else
      out.push_back(static_cast<Level>(found - names.begin()));
  }
}

void read_parameter(const Reader& reader, const YamlEntry& entry, std::vector<ManeuverParameter>& out) {
  const std::string path = "parameters." + entry.key;
  ManeuverParameter p{entry.key, "-", "", {}};
  if (const std::string problem = expression_name_problem(entry.key); !problem.empty())
    reader.errors.add(reader.at(entry), path, problem);
  if (!is_map(reader, entry.value, path, reader.at(entry))) return;
  for (const YamlEntry& key : entry.value.entries) {
    if (key.key == "value")
      p.value = key.value;
    else if (key.key == "unit")
      p.unit = read_word(reader, key, path + ".unit").value_or("-");
    else if (key.key == "meaning")
      p.meaning = read_word(reader, key, path + ".meaning").value_or("");
    else
      unknown_key(reader, key, path, {"value", "unit", "meaning"});
  }
  if (p.value.kind != Kind::scalar) reader.fail(entry.value, path + ".value", "expected a number or an expression");
  out.push_back(std::move(p));
}

void read_key(const Reader& reader, const YamlEntry& entry, Maneuver& out) {
  const auto word = [&] { return read_word(reader, entry, entry.key).value_or(""); };
  if (entry.key == "id")
    read_name(reader, entry, "id", out.id);
  else if (entry.key == "label")
    out.label = word();
  else if (entry.key == "standard")
    out.standard = word();
  else if (entry.key == "purpose")
    out.purpose = word();
  else if (entry.key == "levels")
    read_levels(reader, entry, out.levels);
  else if (entry.key == "version")
    read_integer(reader, entry, "version", at_least(1));
  else if (std::find(kKeys.begin(), kKeys.end(), entry.key) == kKeys.end())
    unknown_key(reader, entry, "", kKeys);
  else if (entry.key == "parameters" && is_map(reader, entry.value, "parameters", reader.at(entry)))
    for (const YamlEntry& each : entry.value.entries) read_parameter(reader, each, out.parameters);
}

}  // namespace

std::string level_names(const std::vector<Level>& levels) {
  std::string out;
  for (const Level level : levels) out += (out.empty() ? "" : ", ") + enum_name(level);
  return out;
}

Maneuver read_maneuver(std::string_view text, const std::string& file, const std::string& folder, Errors& errors) {
  auto root = parse_yaml(text, file, errors);
  return root ? read_maneuver(std::move(*root), file, folder, errors) : Maneuver{};
}

Maneuver read_maneuver(YamlNode root, const std::string& file, const std::string& folder, Errors& errors) {
  Maneuver out;
  out.file = file, out.folder = folder;
  const Reader reader{file, errors};
  if (!is_map(reader, root, "", {file, 1, 1})) return out;
  for (const YamlEntry& entry : root.entries) read_key(reader, entry, out);
  for (const char* key : {"id", "levels", "phases"})
    if (!root.find(key)) errors.add(reader.at(root), key, "missing key");
  out.root = std::move(root);
  return out;
}

Maneuver load_maneuver(const Catalog& catalog, const std::string& name) {
  Errors errors;
  Maneuver out;
  const auto file = locate({name, "", {"vdsim maneuver", 0, 0}, ""}, catalog.maneuvers(), "manoeuvre", errors);
  if (const YamlNode* root = file ? catalog.files().yaml(*file, errors) : nullptr)
    out = read_maneuver(*root, *file, folder_of(*file), errors);
  errors.throw_if_any();
  return out;
}

}  // namespace vdsim
