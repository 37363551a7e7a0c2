// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/assignment.hpp"

#include <algorithm>

namespace vdsim {
namespace {

void clear_places(YamlNode& node) {
  node.line = node.column = 0;
  for (YamlNode& item : node.items) clear_places(item);
  for (YamlEntry& entry : node.entries) {
    entry.line = entry.column = 0;
    clear_places(entry.value);
  }
}

}  // namespace

std::optional<Assignment> split_assignment(const std::string& option, const std::string& text, Errors& errors) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals != 0)
    return Assignment{option + " " + text, text.substr(0, equals), text.substr(equals + 1)};
  errors.add({option + " " + text, 0, 0}, "", "expected PATH=VALUE");
  return std::nullopt;
}

std::optional<YamlEntry> nest(const Assignment& set, Errors& errors) {
  auto value = parse_yaml(set.value, set.shown, errors);
  if (!value) return std::nullopt;
  clear_places(*value);
  std::vector<std::string> keys;
  for (std::size_t from = 0; from <= set.path.size();) {
    const std::size_t dot = std::min(set.path.find('.', from), set.path.size());
    keys.push_back(set.path.substr(from, dot - from));
    from = dot + 1;
  }
  if (keys.size() > 8 || std::count(keys.begin(), keys.end(), "")) {
    errors.add({set.shown, 0, 0}, set.path, "no such path");
    return std::nullopt;
  }
  YamlNode node = std::move(*value);
  for (std::size_t i = keys.size(); i-- > 1;) {
    YamlNode outer;
    outer.kind = YamlNode::Kind::map;
    outer.entries.push_back({keys[i], 0, 0, std::move(node)});
    node = std::move(outer);
  }
  return YamlEntry{keys[0], 0, 0, std::move(node)};
}

}  // namespace vdsim
