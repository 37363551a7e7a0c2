// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/read.hpp"

#include <fmt/format.h>

#include <strings.h>
#include <algorithm>
#include <cmath>

#include "vdsim/formats/number.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;

// A key without a value has no place of its own: point at the key.
Place place_of(const Reader& reader, const YamlEntry& entry) {
  return entry.value.kind == Kind::null ? reader.at(entry) : reader.at(entry.value);
}

constexpr double kLargest =
    1e12;  // SI units; where a table names no limit. Squares and products stay far from overflow.

enum class NumberText { fine, not_a_number, not_finite };

NumberText parse_number(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (text == ".inf" || text == "-.inf" || text == ".nan" || text == ".NaN" || text == ".Inf")
    return NumberText::not_finite;
  const char* end = text.data() + text.size();
  const auto [stop, ec] = number_from(text.data(), end, value);
  if (stop != end || ec == std::errc::invalid_argument) return NumberText::not_a_number;
  if (ec == std::errc::result_out_of_range || !std::isfinite(value)) return NumberText::not_finite;
  return NumberText::fine;
}

std::optional<double> number_at(const Reader& reader, const YamlNode& node, const Place& place, const std::string& path,
                                const char* unit, const Range& range) {
  double value = 0;
  NumberText text = NumberText::not_a_number;
  if (node.kind == Kind::scalar && !node.quoted) text = parse_number(node.text, value);
  if (text == NumberText::not_a_number) {
    reader.errors.add(place, path,
                      fmt::format("expected a number{}, found {}",
                                  *unit && *unit != '-' ? fmt::format(" [{}]", unit) : "", describe(node)));
    return std::nullopt;
  }
  if (text == NumberText::not_finite) {
    reader.errors.add(place, path, fmt::format("expected a finite number, found {}", describe(node)));
    return std::nullopt;
  }
  if (!range.holds(value)) {
    reader.errors.add(place, path, fmt::format("{} is out of range, expected {}", node.text, describe(range, unit)));
    return std::nullopt;
  }
  if (std::abs(value) > kLargest) {
    reader.errors.add(place, path,
                      fmt::format("{} is out of range: no quantity of a car or a road is that large", node.text));
    return std::nullopt;
  }
  return value;
}

void read_list(const Reader& reader, const YamlEntry& entry, const FieldRef& field, const std::string& path) {
  const YamlNode& node = entry.value;
  const int found = node.kind == Kind::list ? static_cast<int>(node.items.size()) : -1;
  if (field.used ? found < 0 || found > field.count : found != field.count) {
    reader.errors.add(place_of(reader, entry), path,
                      fmt::format("expected a list of {}{} numbers, found {}", field.used ? "at most " : "",
                                  field.count, found < 0 ? describe(node) : fmt::format("{} values", found)));
    return;
  }
  for (int i = 0; i < found; ++i) {
    const auto value = read_number(reader, node.items[i], fmt::format("{}[{}]", path, i), field.unit, field.range);
    if (value) field.list()[i] = *value;
  }
  if (!field.used) return;
  *field.used = found;
  std::fill(field.list() + found, field.list() + field.count, 0.0);
}

}  // namespace

bool good_name(const std::string& name) {
  const auto fine = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.'; };
  return !name.empty() && name.size() <= 64 && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), fine);
}

std::string join_path(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

std::string find_below(const std::string& key, const std::vector<FieldRef>& fields) {
  for (const FieldRef& field : fields) {
    if (field.kind != FieldRef::Kind::block) continue;
    const std::vector<FieldRef> inner = field.block();
    for (const FieldRef& child : inner)
      if (key == child.name) return std::string(field.name) + "." + child.name;
    if (const std::string deeper = find_below(key, inner); !deeper.empty())
      return std::string(field.name) + "." + deeper;
  }
  return "";
}

std::optional<double> read_number(const Reader& reader, const YamlEntry& entry, const std::string& path,
                                  const char* unit, const Range& range) {
  return number_at(reader, entry.value, place_of(reader, entry), path, unit, range);
}

std::optional<double> read_number(const Reader& reader, const YamlNode& node, const std::string& path, const char* unit,
                                  const Range& range) {
  return number_at(reader, node, reader.at(node), path, unit, range);
}

std::optional<int> read_integer(const Reader& reader, const YamlEntry& entry, const std::string& path,
                                const Range& range) {
  const auto value = read_number(reader, entry, path, "", range);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value) || std::abs(*value) > 1e9) {
    reader.errors.add(place_of(reader, entry), path,
                      fmt::format("expected a whole number, found {}", describe(entry.value)));
    return std::nullopt;
  }
  return static_cast<int>(*value);
}

std::optional<bool> read_flag(const Reader& reader, const YamlEntry& entry, const std::string& path) {
  if (entry.value.kind == Kind::scalar && !entry.value.quoted) {
    if (strcasecmp(entry.value.text.c_str(), "true") == 0) return true;
    if (strcasecmp(entry.value.text.c_str(), "false") == 0) return false;
  }
  reader.errors.add(place_of(reader, entry), path,
                    fmt::format("expected true or false, found {}", describe(entry.value)));
  return std::nullopt;
}

std::optional<int> read_choice(const Reader& reader, const YamlEntry& entry, const std::string& path,
                               const std::vector<std::string>& names) {
  if (entry.value.kind == Kind::scalar)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (strcasecmp(entry.value.text.c_str(), names[i].c_str()) == 0) return static_cast<int>(i);
  std::string what = fmt::format("expected one of {}, found {}", fmt::join(names, ", "), describe(entry.value));
  if (entry.value.kind == Kind::scalar)
    if (const std::string best = nearest(entry.value.text, names); !best.empty())
      what += fmt::format(", did you mean '{}'?", best);
  reader.errors.add(place_of(reader, entry), path, std::move(what));
  return std::nullopt;
}

std::optional<std::string> read_word(const Reader& reader, const YamlEntry& entry, const std::string& path) {
  if (entry.value.kind == Kind::scalar) return entry.value.text;
  reader.errors.add(place_of(reader, entry), path, fmt::format("expected a text, found {}", describe(entry.value)));
  return std::nullopt;
}

void read_name(const Reader& reader, const YamlEntry& entry, const std::string& path, std::string& out) {
  const auto word = read_word(reader, entry, path);
  if (!word) return;
  if (good_name(*word))
    out = *word;
  else
    reader.fail(entry.value, path,
                fmt::format("{} is no name: use letters, digits, '_', '-', '.'", describe(entry.value)));
}

void read_field(const Reader& reader, const YamlEntry& entry, const FieldRef& field, const std::string& path) {
  switch (field.kind) {
    case FieldRef::Kind::number:
      if (const auto value = read_number(reader, entry, path, field.unit, field.range)) field.number() = *value;
      break;
    case FieldRef::Kind::integer:
      if (const auto value = read_integer(reader, entry, path, field.range)) field.integer() = *value;
      break;
    case FieldRef::Kind::flag:
      if (const auto value = read_flag(reader, entry, path)) field.flag() = *value;
      break;
    case FieldRef::Kind::choice:
      if (const auto value = read_choice(reader, entry, path, field.choices())) field.set_choice(field.data, *value);
      break;
    case FieldRef::Kind::text:
      if (const auto value = read_word(reader, entry, path)) {
        if (value->size() > PathText::kMost)
          reader.errors.add(place_of(reader, entry), path,
                            fmt::format("a path of at most {} letters", PathText::kMost));
        else
          field.text() = value->c_str();
      }
      break;
    case FieldRef::Kind::list: read_list(reader, entry, field, path); break;
    case FieldRef::Kind::block:
      if (is_map(reader, entry.value, path, place_of(reader, entry)))
        read_block(reader, entry.value, field.block(), path);
      break;
    case FieldRef::Kind::whole:
    case FieldRef::Kind::blocks:
    case FieldRef::Kind::other: reader.errors.add(reader.at(entry), path, "cannot be set here"); break;
  }
}

std::vector<std::string> names_of(const std::vector<FieldRef>& fields) {
  std::vector<std::string> out;
  for (const FieldRef& field : fields) out.push_back(field.name);
  return out;
}

void read_block(const Reader& reader, const YamlNode& map, const std::vector<FieldRef>& fields, const std::string& path,
                const std::vector<std::string>& later) {
  for (const YamlEntry& entry : map.entries) {
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const FieldRef& f) { return entry.key == f.name; });
    if (found != fields.end()) {
      read_field(reader, entry, *found, join_path(path, entry.key));
      continue;
    }
    const std::string below = find_below(entry.key, fields);
    if (below.empty())
      unknown_key(reader, entry, path, names_of(fields), later);
    else
      reader.errors.add(reader.at(entry), join_path(path, entry.key),
                        fmt::format("unknown key, did you mean '{}'?", below));
  }
}

void unknown_key(const Reader& reader, const YamlEntry& entry, const std::string& path,
                 const std::vector<std::string>& valid, const std::vector<std::string>& later) {
  if (reader.errors.full()) return;
  const bool known = std::find(later.begin(), later.end(), entry.key) != later.end();
  reader.errors.add(
      reader.at(entry), join_path(path, entry.key.substr(0, 60)),
      known ? "needs a level or model that is not there yet" : "unknown key" + suggestion(entry.key, valid));
}

bool is_map(const Reader& reader, const YamlNode& node, const std::string& path, const Place& where) {
  if (node.kind == Kind::map) return true;
  const bool empty_file = path.empty() && node.kind == Kind::null;
  reader.errors.add(
      where, path,
      empty_file ? "the file is empty" : fmt::format("expected a block of keys, found {}", describe(node)));
  return false;
}

}  // namespace vdsim
