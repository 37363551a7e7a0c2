// SPDX-License-Identifier: Apache-2.0
// parse_yaml() of the page: the host parses, with npm's `yaml`, and hands back the tree, or why not.
#include <nlohmann/json.hpp>

#include "bindings/wasm/border.hpp"
#include "vdsim/config/yaml.hpp"

extern "C" {
// Gives the length of its answer, which then stands in vd_text(): the tree, or {"error": {"l", "c", "path", "what"}}.
[[clang::import_module("env"), clang::import_name("yaml")]] std::size_t vd_yaml(const char* text, std::size_t size);
}

namespace vdsim {
namespace wasm {

YamlNode tree_of(const Question& json) {
  YamlNode out;
  const std::string kind = json["k"];
  out.line = json.value("l", 0), out.column = json.value("c", 0);
  if (kind == "scalar") {
    out.kind = YamlNode::Kind::scalar, out.text = json["t"], out.quoted = json.value("q", false);
  } else if (kind == "list") {
    out.kind = YamlNode::Kind::list;
    for (const auto& item : json["i"]) out.items.push_back(tree_of(item));
  } else if (kind == "map") {
    out.kind = YamlNode::Kind::map;
    for (const auto& entry : json["e"]) out.entries.push_back({entry[0], entry[1], entry[2], tree_of(entry[3])});
  }
  return out;
}

}  // namespace wasm

std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& file, Errors& errors) {
  const std::size_t size = vd_yaml(text.data(), text.size());
  const auto json = nlohmann::json::parse(wasm::received(size));
  if (!json.contains("error")) return wasm::tree_of(json);
  const auto& error = json["error"];
  errors.add({file, error["l"], error["c"]}, error.value("path", ""), error["what"]);
  return std::nullopt;
}

}  // namespace vdsim
