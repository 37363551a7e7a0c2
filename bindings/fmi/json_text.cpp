// SPDX-License-Identifier: Apache-2.0
// parse_yaml() of the library in an FMU: it reads JSON, which is YAML too, and needs no library for it.
#include <nlohmann/json.hpp>

#include "vdsim/study/json.hpp"

namespace vdsim {
namespace {

// Builds the tree as the text goes by, so that numbers keep their digits.
class Builder {
 public:
  using json = nlohmann::json;
  bool null() { return leaf(YamlNode{}); }
  bool boolean(bool value) { return scalar(value ? "true" : "false", false); }
  bool number_integer(json::number_integer_t value) { return scalar(std::to_string(value), false); }
  bool number_unsigned(json::number_unsigned_t value) { return scalar(std::to_string(value), false); }
  bool number_float(json::number_float_t, const json::string_t& text) { return scalar(json_number(text), false); }
  bool string(json::string_t& text) { return scalar(text, true); }
  bool binary(json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(YamlNode::Kind::map); }
  bool start_array(std::size_t) { return open(YamlNode::Kind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(json::string_t& name) {
    stack_.back().key = name;
    return true;
  }
  bool parse_error(std::size_t at, const std::string& /*token*/, const json::exception& e) {
    error = "byte " + std::to_string(at) + ": " + e.what();
    return false;
  }
  YamlNode root;
  std::string error = "more than 64 levels deep";

 private:
  struct Level {
    YamlNode node;
    std::string key;
  };
  bool scalar(std::string text, bool quoted) {
    YamlNode node;
    node.kind = YamlNode::Kind::scalar, node.text = std::move(text), node.quoted = quoted;
    return leaf(std::move(node));
  }
  bool open(YamlNode::Kind kind) {
    if (stack_.size() >= 64) return false;
    stack_.emplace_back().node.kind = kind;
    return true;
  }
  bool close() {
    YamlNode done = std::move(stack_.back().node);
    stack_.pop_back();
    return leaf(std::move(done));
  }
  bool leaf(YamlNode node) {
    if (stack_.empty()) {
      root = std::move(node);
    } else if (Level& top = stack_.back(); top.node.kind == YamlNode::Kind::list) {
      top.node.items.push_back(std::move(node));
    } else {
      YamlEntry entry;
      entry.key = std::move(top.key), entry.value = std::move(node);
      top.node.entries.push_back(std::move(entry));
    }
    return true;
  }
  std::vector<Level> stack_;
};

}  // namespace

std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& file, Errors& errors) {
  Builder builder;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::move(builder.root);
  errors.add({file, 0, 0}, "", "no JSON: " + builder.error);
  return std::nullopt;
}

}  // namespace vdsim
