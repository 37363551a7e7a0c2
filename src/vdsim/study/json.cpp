// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/json.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <unordered_set>

#include "vdsim/formats/shown.hpp"

namespace vdsim {
namespace {

using nlohmann::json;
constexpr std::size_t kMostLevels = 64;

// Makes the tree of the parser's events. A function that gives false ends the parse; the error is noted by then.
class JsonTree {
 public:
  JsonTree(const std::string& file, Errors& errors) : file_(file), errors_(errors) {}
  YamlNode take() { return std::move(root_); }

  bool null() { return leaf(YamlNode::Kind::null, ""); }
  bool boolean(bool value) { return leaf(YamlNode::Kind::scalar, value ? "true" : "false"); }
  bool number_integer(json::number_integer_t value) { return leaf(YamlNode::Kind::scalar, std::to_string(value)); }
  bool number_unsigned(json::number_unsigned_t value) { return leaf(YamlNode::Kind::scalar, std::to_string(value)); }
  bool number_float(json::number_float_t, const std::string& text) {
    return leaf(YamlNode::Kind::scalar, json_number(text));
  }
  bool string(std::string& text) {
    if (printable(text) != text) return refuse("control characters are not allowed in a text");
    return leaf(YamlNode::Kind::scalar, text, true);
  }
  bool binary(json::binary_t&) { return refuse("binary values are not allowed"); }
  bool start_object(std::size_t) { return open(YamlNode::Kind::map); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(YamlNode::Kind::list); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (printable(name) != name) return refuse("control characters are not allowed in a key");
    if (!stack_.back().keys.insert(name).second) errors_.add({file_, 0, 0}, name.substr(0, 60), "key given twice");
    stack_.back().node.entries.push_back({name, 0, 0, {}});
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const json::exception& e) {
    const std::string_view what = e.what();  // "[json.exception...] parse error at line 1, column 7: syntax error ..."
    const std::size_t from = what.find(": ");
    return refuse(fmt::format("JSON syntax, byte {}: {}", byte,
                              printable(what.substr(from == std::string_view::npos ? 0 : from + 2).substr(0, 200))));
  }

 private:
  struct Level {
    YamlNode node;
    std::unordered_set<std::string> keys;
  };
  bool refuse(std::string what) {
    errors_.add({file_, 0, 0}, "", std::move(what));
    return false;
  }
  bool open(YamlNode::Kind kind) {
    if (stack_.size() >= kMostLevels) return refuse(fmt::format("nested more than {} levels deep", kMostLevels));
    stack_.emplace_back().node.kind = kind;
    return true;
  }
  bool close() {
    YamlNode done = std::move(stack_.back().node);
    stack_.pop_back();
    return put(std::move(done));
  }
  bool leaf(YamlNode::Kind kind, std::string text, bool quoted = false) {
    YamlNode node;
    node.kind = kind, node.text = std::move(text), node.quoted = quoted;
    return put(std::move(node));
  }
  bool put(YamlNode node) {
    if (stack_.empty())
      root_ = std::move(node);
    else if (stack_.back().node.kind == YamlNode::Kind::list)
      stack_.back().node.items.push_back(std::move(node));
    else
      stack_.back().node.entries.back().value = std::move(node);
    return true;
  }

  std::string file_;
  Errors& errors_;
  YamlNode root_;
  std::vector<Level> stack_;
};

}  // namespace

std::string json_number(std::string kept) {
  for (char& c : kept)
    if (std::string_view("0123456789+-eE").find(c) == std::string_view::npos) c = '.';
  return kept;
}

std::optional<YamlNode> parse_json(std::string_view text, const std::string& file, Errors& errors) {
  const std::size_t before = errors.size();
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {  // which the parser takes for the end
    errors.add({file, 0, 0}, "", fmt::format("JSON syntax, byte {}: is zero", zero + 1));
    return std::nullopt;
  }
  JsonTree tree(file, errors);
  const bool whole = json::sax_parse(text.begin(), text.end(), &tree);
  if (!whole || errors.size() != before) return std::nullopt;
  return tree.take();
}

}  // namespace vdsim
