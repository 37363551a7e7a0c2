// SPDX-License-Identifier: Apache-2.0
// YAML text as a tree that knows where each value stands in the file.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/formats/file_text.hpp"

namespace vdsim {

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  int line = 0, column = 0;  // from 1
  std::string text;          // scalar
  bool quoted = false;       // scalar: written in quotes, so never a number
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;

  const YamlNode* find(std::string_view key) const;  // of a map; nullptr if absent
};

struct YamlEntry {
  std::string key;
  int line = 0, column = 0;
  YamlNode value;
};

// Exactly one document. Refused: syntax errors, duplicate keys, aliases and tags (nothing here needs them, and a few
// lines of aliases can unfold to gigabytes), more than 64 levels, more than 1 MB. Nothing is returned after an error.
std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& file, Errors& errors);

std::string describe(const YamlNode& node);  // "the text 'abc'", "a list", ... for messages

}  // namespace vdsim
