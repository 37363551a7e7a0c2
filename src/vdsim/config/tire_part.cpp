// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/tire_part.hpp"

#include <fmt/core.h>

#include <strings.h>
#include <cassert>

#include "vdsim/config/files.hpp"
#include "vdsim/formats/files.hpp"

namespace vdsim {
namespace {

// Paths in a file start at its folder, paths on the command line in the working folder.
std::string beside(const Reader& reader, const std::string& path) {
  const bool command_line = reader.file.starts_with("--");
  return normal_path(command_line ? path : join_paths(parent_folder(reader.file), path));
}

const YamlEntry* entry_of(const YamlNode& map, const char* key) {
  for (const YamlEntry& entry : map.entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

// Old names of keys, "block.key": read as the key of today.
void rename_old_keys(YamlNode& body) {
  for (const RallyAlias& alias : rally_aliases) {
    const std::string old_key = alias.old_key, key = alias.key;
    const std::size_t dot = old_key.find('.');
    for (YamlEntry& block : body.entries)
      for (YamlEntry& entry : block.value.entries)
        if (block.key == old_key.substr(0, dot) && entry.key == old_key.substr(dot + 1))
          entry.key = key.substr(dot + 1);
  }
}

// Words of VDSim 0.7 for `backend`: read as the word of today, with a note.
void rename_old_backend(const Reader& reader, const std::string& path, YamlNode& body) {
  const std::string now = enum_name(TireBackend::magic_formula);
  for (YamlEntry& entry : body.entries)
    for (const char* old : {"mf2002", "pac2002"}) {
      if (entry.key != "backend" || strcasecmp(entry.value.text.c_str(), old) != 0) continue;
      Errors note;
      note.add(reader.at(entry.value), join_path(path, entry.key),
               fmt::format("{} is an old name and read as {}", old, now));
      reader.errors.warn(note);
      entry.value.text = now;
    }
}

void read_schema(const Reader& reader, const YamlEntry& entry, const std::string& path, TireSpec& tire) {
  const auto choice = read_choice(reader, entry, join_path(path, entry.key), enum_names<TireSchema>());
  if (!choice || static_cast<TireSchema>(*choice) == tire.schema) return;
  tire = TireSpec{};
  tire.schema = static_cast<TireSchema>(*choice);
}

}  // namespace

std::string schema_name(const TireSpec& tire) { return enum_name(tire.schema); }

void read_tir_into(const Reader& reader, const Place& place, const std::string& path, const std::string& file,
                   TireSpec& tire) {
  assert(reader.files);
  Errors found;
  Warnings warnings;
  const TirSpec* tir = reader.files->tir(file, found, warnings, &place);
  for (const InputError& each : found.list())
    reader.errors.add(each.place, each.path.empty() ? path : each.path, each.what);
  reader.errors.warn(warnings);
  if (!tir) return;
  tire.tir = *tir;
  const std::string whole = whole_path(file);
  if (whole.size() > PathText::kMost)
    reader.errors.add(place, path,
                      fmt::format("a path of at most {} letters, found {}", PathText::kMost, whole.size()));
  else
    tire.tir_path = whole.c_str();
}

void read_tire(const Reader& reader, const YamlNode& map, TireSpec& tire, const std::string& path) {
  YamlNode body = map;
  if (const YamlEntry* schema = entry_of(map, "schema")) {
    read_schema(reader, *schema, path, tire);
    std::erase_if(body.entries, [](const YamlEntry& entry) { return entry.key == "schema"; });
  }
  if (tire.schema == TireSchema::lugre_patch_v1)  // `kappa: steady` is the word for 0
    for (YamlEntry& entry : body.entries)
      if (entry.key == "kappa" && entry.value.text == "steady") entry.value.text = "0", entry.value.quoted = false;
  if (tire.schema == TireSchema::rally_v1) rename_old_keys(body);
  if (tire.schema == TireSchema::pacejka_mf96_v1) rename_old_backend(reader, path, body);
  const std::size_t before = reader.errors.size();
  read_block(reader, body, tire_fields(tire), path);
  const YamlEntry* file = tire.schema == TireSchema::pacejka_mf96_v1 ? entry_of(map, "tir_path") : nullptr;
  if (file && reader.errors.size() == before && !tire.tir_path.empty())
    read_tir_into(reader, reader.at(file->value), join_path(path, "tir_path"), beside(reader, tire.tir_path.text),
                  tire);
}

}  // namespace vdsim
