// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/yaml.hpp"

#include <fmt/core.h>

namespace vdsim {

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null: return "nothing";
    case YamlNode::Kind::list: return "a list";
    case YamlNode::Kind::map: return "a block of keys";
    case YamlNode::Kind::scalar: break;
  }
  std::string shown = node.text.substr(0, 40);
  if (shown.size() < node.text.size()) shown += "...";
  for (char& c : shown)
    if (c == '\n') c = ' ';
  return node.quoted ? fmt::format("the text \"{}\"", shown) : fmt::format("'{}'", shown);
}

}  // namespace vdsim
