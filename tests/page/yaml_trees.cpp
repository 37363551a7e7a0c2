// SPDX-License-Identifier: Apache-2.0
// Texts from stdin, each "<bytes>\n<text>"; a line of JSON for each: its tree as web/page/src/engine/yaml_tree.mjs has it, or {"error"}.
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "vdsim/config/yaml.hpp"

namespace {

using Json = nlohmann::ordered_json;
using namespace vdsim;

Json tree(const YamlNode& node) {
  static const char* const names[] = {"null", "scalar", "list", "map"};
  Json out{{"k", names[static_cast<int>(node.kind)]}, {"l", node.line}, {"c", node.column}};
  if (node.kind == YamlNode::Kind::scalar) out["t"] = node.text;
  if (node.quoted) out["q"] = true;
  if (node.kind == YamlNode::Kind::list) {
    out["i"] = Json::array();
    for (const YamlNode& item : node.items) out["i"].push_back(tree(item));
  }
  if (node.kind == YamlNode::Kind::map) {
    out["e"] = Json::array();
    for (const YamlEntry& e : node.entries) out["e"].push_back({e.key, e.line, e.column, tree(e.value)});
  }
  return out;
}

}  // namespace

int main() {
  std::string head;
  while (std::getline(std::cin, head)) {
    std::string text(std::stoul(head), '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    Errors errors;
    const auto root = parse_yaml(text, "text", errors);
    const Json out = root ? tree(*root) : Json{{"error", errors.list().front().text()}};
    std::puts(out.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  }
}
