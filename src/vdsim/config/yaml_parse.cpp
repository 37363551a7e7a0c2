// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/yaml.hpp"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <unordered_map>

#include "vdsim/formats/shown.hpp"

namespace vdsim {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20, kMaxDepth = 64;

struct Refused {};  // ends a parse whose error is already noted

// Builds the tree from parser events; yaml-cpp's own Node would unfold aliases and keep only the first of two equal keys.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& file, Errors& errors) : file_(file), errors_(errors) {}
  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { leaf(make(YamlNode::Kind::null, mark)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "aliases (*name) are not allowed, write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    if (tag != "?" && tag != "!" && !tag.empty()) refuse(mark, fmt::format("tags ({}) are not allowed", tag));
    refuse_control(mark, value);
    YamlNode node = make(YamlNode::Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!";
    leaf(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::list, mark, tag);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark, tag);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    YamlNode node;
    bool key_next = true;  // map: the next scalar is a key
    YamlEntry entry;
    std::unordered_map<std::string, int> lines;  // of the keys so far
  };

  static YamlNode make(YamlNode::Kind kind, const YAML::Mark& mark) {
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    return node;
  }
  [[noreturn]] void refuse(const YAML::Mark& mark, std::string what) {
    errors_.add({file_, mark.line + 1, mark.column + 1}, "", std::move(what));
    throw Refused{};
  }
  // Names and labels reach terminals and other files: nothing in them may move a cursor. Lines may break.
  void refuse_control(const YAML::Mark& mark, const std::string& text) {
    std::string lines = text;
    std::replace(lines.begin(), lines.end(), '\n', ' ');
    if (printable(lines) != lines) refuse(mark, "control characters are not allowed in a text");
  }
  bool wants_key() const {
    return !stack_.empty() && stack_.back().node.kind == YamlNode::Kind::map && stack_.back().key_next;
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") refuse(mark, fmt::format("tags ({}) are not allowed", tag));
    if (wants_key()) refuse(mark, "a key must be a plain name");
    if (stack_.size() >= kMaxDepth) refuse(mark, fmt::format("nested more than {} levels deep", kMaxDepth));
    Level level;
    level.node = make(kind, mark);
    stack_.push_back(std::move(level));
  }
  void close() {
    YamlNode done = std::move(stack_.back().node);
    stack_.pop_back();
    leaf(std::move(done));
  }
  void leaf(YamlNode node) {
    if (stack_.empty()) {
      root_ = std::move(node);
    } else if (stack_.back().node.kind == YamlNode::Kind::list) {
      stack_.back().node.items.push_back(std::move(node));
    } else if (stack_.back().key_next) {
      key(std::move(node));
    } else {
      Level& level = stack_.back();
      level.entry.value = std::move(node);
      level.node.entries.push_back(std::move(level.entry));
      level.key_next = true;
    }
  }
  void key(YamlNode node) {
    Level& level = stack_.back();
    if (node.kind != YamlNode::Kind::scalar) {
      errors_.add({file_, node.line, node.column}, "", "a key must be a plain name");
      throw Refused{};
    }
    const auto [first, fresh] = level.lines.emplace(node.text, node.line);
    if (!fresh)
      errors_.add({file_, node.line, node.column}, node.text,
                  fmt::format("key given twice, first in line {}", first->second));
    level.entry = {std::move(node.text), node.line, node.column, {}};
    level.key_next = false;
  }

  std::string file_;
  Errors& errors_;
  YamlNode root_;
  std::vector<Level> stack_;
};

void parse_documents(std::string_view text, const std::string& file, Errors& errors, YamlNode& root) {
  std::istringstream stream{std::string(text)};
  YAML::Parser parser(stream);
  Builder builder(file, errors);
  if (!parser.HandleNextDocument(builder)) return;
  root = builder.take();
  Builder second(file, errors);
  if (parser.HandleNextDocument(second))
    errors.add({file, second.take().line, 1}, "", "more than one document in one file");
}

}  // namespace

std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& file, Errors& errors) {
  const std::size_t before = errors.size();
  if (text.size() > kMaxBytes) {
    errors.add({file, 0, 0}, "", "larger than 1 MB, not a configuration file");
    return std::nullopt;
  }
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    errors.add({file, 0, 0}, "", fmt::format("byte {} is zero, not a text file", zero));
    return std::nullopt;
  }
  if (const std::size_t at = broken_utf8(text); at != std::string_view::npos) {
    const std::string_view before = text.substr(0, at);
    const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    errors.add({file, line, static_cast<int>(at - (before.rfind('\n') + 1)) + 1}, "",
               "this text is not UTF-8: save the file as UTF-8");
    return std::nullopt;
  }
  YamlNode root;
  try {
    parse_documents(text, file, errors, root);
  } catch (const Refused&) {
  } catch (const YAML::Exception& e) {
    const bool placed = e.mark.line >= 0 && e.mark.column >= 0;
    errors.add({file, placed ? e.mark.line + 1 : 0, placed ? e.mark.column + 1 : 0}, "", "YAML syntax: " + e.msg);
  } catch (const std::bad_alloc&) {
    throw;  // says nothing about the text
  } catch (const std::exception& e) {
    errors.add({file, 0, 0}, "", std::string("YAML syntax: ") + e.what());
  }
  if (errors.size() != before) return std::nullopt;
  return root;
}

}  // namespace vdsim
