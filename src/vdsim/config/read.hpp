// SPDX-License-Identifier: Apache-2.0
// Strict reading of YAML values into the field tables. Every function notes its errors and goes on.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vdsim/config/yaml.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {

class Files;

struct Reader {
  std::string file;
  Errors& errors;
  Files* files = nullptr;  // where files that a value names are read; needed for tires and terrains

  Place at(const YamlNode& node) const { return {file, node.line, node.column}; }
  Place at(const YamlEntry& entry) const { return {file, entry.line, entry.column}; }
  void fail(const YamlNode& node, const std::string& path, std::string what) const {
    errors.add(at(node), path, std::move(what));
  }
};

std::string join_path(const std::string& path, const std::string& key);

// Single values; nothing is returned after an error.
std::optional<double> read_number(const Reader&, const YamlEntry&, const std::string& path, const char* unit,
                                  const Range&);
std::optional<double> read_number(const Reader&, const YamlNode&, const std::string& path, const char* unit,
                                  const Range&);
std::optional<int> read_integer(const Reader&, const YamlEntry&, const std::string& path, const Range&);
std::optional<bool> read_flag(const Reader&, const YamlEntry&, const std::string& path);
std::optional<int> read_choice(const Reader&, const YamlEntry&, const std::string& path,
                               const std::vector<std::string>& names);
std::optional<std::string> read_word(const Reader&, const YamlEntry&, const std::string& path);  // any text
// Of letters, digits, '_', '-', '.': fit for a file name, a shell and one line of any output.
bool good_name(const std::string& name);
// Unchanged after an error.
void read_name(const Reader&, const YamlEntry&, const std::string& path, std::string& out);

// One value into one member (a block: all its keys).
void read_field(const Reader&, const YamlEntry&, const FieldRef&, const std::string& path);
std::vector<std::string> names_of(const std::vector<FieldRef>&);
// Keys of `map` into `fields`; absent keys keep their value. `later` names keys of levels that do not exist yet.
void read_block(const Reader&, const YamlNode& map, const std::vector<FieldRef>& fields, const std::string& path,
                const std::vector<std::string>& later = {});
void unknown_key(const Reader&, const YamlEntry&, const std::string& path, const std::vector<std::string>& valid,
                 const std::vector<std::string>& later = {});
// The path below `fields` at which `key` is known: "lugre.sigma0" for "sigma0"; "" if nowhere.
std::string find_below(const std::string& key, const std::vector<FieldRef>& fields);
// False, with an error, if the node is no map.
bool is_map(const Reader&, const YamlNode&, const std::string& path, const Place& where);

}  // namespace vdsim
