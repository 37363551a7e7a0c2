// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/controller.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "vdsim/config/read.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/formats/files.hpp"

namespace vdsim {
namespace {

const std::vector<std::string> kControllerKeys{"fmu", "step", "inputs", "outputs", "parameters"};

void read_fmu_file(const Reader& reader, const YamlEntry& entry, const std::string& path, const std::string& folder,
                   ControllerSpec& out) {
  const auto word = read_word(reader, entry, path);
  if (!word) return;
  const std::string file = whole_path(join_paths(folder, *word));
  if (!is_file(file))
    return reader.fail(entry.value, path,
                       (file_kind(file) == FileKind::none ? "no such file: " : "is no file: ") + file);
  const auto bytes = read_data(file, reader.at(entry.value), reader.errors);
  if (!bytes) return;
  out.file = file, out.content = hash_text(*bytes);
}

// Names of FMUs have dots: a block in a block is one name.
void read_wires(const Reader& reader, const YamlEntry& entry, const std::string& path, const std::string& name,
                std::vector<ControllerSpec::Wire>& out) {
  if (entry.value.kind == YamlNode::Kind::map) {
    for (const YamlEntry& inner : entry.value.entries)
      read_wires(reader, inner, join_path(path, inner.key), name.empty() ? inner.key : name + "." + inner.key, out);
    return;
  }
  if (name.empty()) return reader.fail(entry.value, path, "expected a block of keys, found " + describe(entry.value));
  const auto word = read_word(reader, entry, path);
  if (!word) return;
  const auto found = std::find_if(out.begin(), out.end(), [&](const auto& wire) { return wire.name == name; });
  ControllerSpec::Wire& wire = found == out.end() ? out.emplace_back() : *found;
  wire = {name, *word, reader.at(entry.value), path};
}

}  // namespace

bool is_controller(const YamlNode& node) {
  const auto known = [](const YamlEntry& entry) {
    return std::find(kControllerKeys.begin(), kControllerKeys.end(), entry.key) != kControllerKeys.end();
  };
  return node.kind == YamlNode::Kind::map && std::any_of(node.entries.begin(), node.entries.end(), known);
}

void read_controller(const Reader& reader, const YamlEntry& entry, const std::string& path, const std::string& folder,
                     ControllerSpec& out) {
  for (const YamlEntry& inner : entry.value.entries) {
    const std::string where = join_path(path, inner.key);
    if (inner.key == "fmu")
      read_fmu_file(reader, inner, where, folder, out);
    else if (inner.key == "step")
      out.step = read_number(reader, inner, where, "s", above(0)).value_or(0);
    else if (inner.key == "inputs")
      read_wires(reader, inner, where, "", out.inputs);
    else if (inner.key == "outputs")
      read_wires(reader, inner, where, "", out.outputs);
    else if (inner.key == "parameters")
      read_wires(reader, inner, where, "", out.parameters);
    else
      unknown_key(reader, inner, path, kControllerKeys);
  }
  if (!entry.value.find("fmu") && !out.given())
    reader.errors.add(reader.at(entry), join_path(path, "fmu"), "missing key: the FMU that commands the car");
  if (out.path.empty() || entry.value.find("fmu")) out.place = reader.at(entry), out.path = path;
}

std::string controller_text(const ControllerSpec& c, int indent) {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  std::string out = fmt::format("{}fmu: {}\n", space, quoted_text(c.file));
  if (c.step > 0) out += fmt::format("{}step: {}\n", space, number_text(c.step));
  const auto add = [&](const char* key, const std::vector<ControllerSpec::Wire>& wires) {
    if (!wires.empty()) out += fmt::format("{}{}:\n", space, key);
    for (const auto& wire : wires)
      out += fmt::format("{}  {}: {}\n", space, quoted_text(wire.name), quoted_text(wire.to));
  };
  add("inputs", c.inputs), add("outputs", c.outputs), add("parameters", c.parameters);
  return out;
}

}  // namespace vdsim
