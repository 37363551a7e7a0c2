// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/read.hpp"
#include "vdsim/study/json.hpp"
#include "vdsim/study/live/tape.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;
using Names = std::vector<std::string>;

const Names kTapeKeys{"schema", "vdsim", "config", "dt", "cars", "scene", "events", "hashes", "end", "hash"};
constexpr double kMostSteps = 1e12;

bool is_hash(const std::string& text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

class TapeReader {
 public:
  TapeReader(const Reader& reader, Tape& out) : reader_(reader), out_(out) {}

  void read(const YamlNode& root) {
    if (!is_map(reader_, root, "", {reader_.file, 0, 0})) return;
    for (const YamlEntry& entry : root.entries)
      if (std::find(kTapeKeys.begin(), kTapeKeys.end(), entry.key) == kTapeKeys.end())
        unknown_key(reader_, entry, "", kTapeKeys);
    const auto with = [&](const char* key, auto&& read_it) {
      if (const YamlNode* node = root.find(key))
        read_it(*node);
      else
        fail(key, "missing key");
    };
    with("schema", [&](const YamlNode& node) {
      const std::string schema = text_of(node, "schema");
      if (!schema.empty() && schema != Tape::kSchema)
        fail("schema", fmt::format("is '{}', expected {}", schema.substr(0, 60), Tape::kSchema));
    });
    with("vdsim", [&](const YamlNode& node) { out_.vdsim = text_of(node, "vdsim"); });
    with("config", [&](const YamlNode& node) { out_.config = hash_of(node, "config"); });
    with("dt", [&](const YamlNode& node) { out_.dt = read_number(reader_, node, "dt", "s", above(0)).value_or(0); });
    with("cars", [&](const YamlNode& node) { read_cars(node); });
    with("scene", [&](const YamlNode& node) { read_scene_lines(node); });
    with("end", [&](const YamlNode& node) {
      end_ = steps_of(node, "end");
      out_.end = end_.value_or(0);
    });
    with("events", [&](const YamlNode& node) { read_events(node); });
    with("hashes", [&](const YamlNode& node) { read_hashes(node); });
    with("hash", [&](const YamlNode& node) { out_.hash = hash_of(node, "hash"); });
    if (!cars_right_) out_.cars.clear();
  }

 private:
  void fail(const std::string& path, std::string what) {
    if (!reader_.errors.full()) reader_.errors.add({reader_.file, 0, 0}, path, std::move(what));
  }
  bool is_list(const YamlNode& node, const std::string& path) {
    if (node.kind != Kind::list) fail(path, "expected a list, found " + describe(node));
    return node.kind == Kind::list;
  }
  std::string text_of(const YamlNode& node, const std::string& path) {
    if (node.kind == Kind::scalar && node.quoted && !node.text.empty()) return node.text;
    fail(path, "expected a text, found " + describe(node));
    return "";
  }
  std::string hash_of(const YamlNode& node, const std::string& path) {
    const std::string text = text_of(node, path);
    if (text.empty() || is_hash(text)) return text;
    fail(path, "expected 16 hex digits, found " + describe(node));
    return "";
  }
  std::optional<std::int64_t> steps_of(const YamlNode& node, const std::string& path) {
    const auto number = read_number(reader_, node, path, "", between(0, kMostSteps));
    if (!number) return std::nullopt;
    if (*number != std::floor(*number)) {
      fail(path, "expected a whole number of steps, found " + node.text);
      return std::nullopt;
    }
    return static_cast<std::int64_t>(*number);
  }

  void read_cars(const YamlNode& node) {
    cars_right_ = false;
    if (!is_list(node, "cars")) return;
    const std::size_t before = reader_.errors.size();
    if (node.items.empty()) fail("cars", "is empty: a drive has a car");
    for (std::size_t i = 0; i < node.items.size() && !reader_.errors.full(); ++i) {
      const std::string path = fmt::format("cars[{}]", i), id = text_of(node.items[i], path);
      if (!id.empty() && std::find(out_.cars.begin(), out_.cars.end(), id) != out_.cars.end())
        fail(path, fmt::format("'{}' is in the list already", id.substr(0, 60)));
      out_.cars.push_back(id);
    }
    cars_right_ = reader_.errors.size() == before;
  }

  void read_scene_lines(const YamlNode& node) {
    if (!is_list(node, "scene")) return;
    if (node.items.empty()) fail("scene", "is empty");
    const std::size_t before = reader_.errors.size();
    for (std::size_t i = 0; i < node.items.size() && !reader_.errors.full(); ++i) {
      const YamlNode& line = node.items[i];
      if (line.kind != Kind::scalar || !line.quoted)
        fail(fmt::format("scene[{}]", i), "expected a line of YAML as a text, found " + describe(line));
      out_.scene += line.text + "\n";
    }
    if (reader_.errors.size() != before) out_.scene.clear();
  }

  void read_hashes(const YamlNode& node) {
    if (!is_list(node, "hashes")) return;
    for (std::size_t i = 0; i < node.items.size() && !reader_.errors.full(); ++i)
      out_.hashes.push_back(hash_of(node.items[i], fmt::format("hashes[{}]", i)));
    const std::int64_t due = out_.end / Tape::kHashEvery + 1;
    if (end_ && static_cast<std::int64_t>(node.items.size()) != due)
      fail("hashes", fmt::format("are {}, but {} steps have {}: one at step 0 and one every {}", node.items.size(),
                                 out_.end, due, Tape::kHashEvery));
  }

  // --- events
  void read_events(const YamlNode& node) {
    if (!is_list(node, "events")) return;
    if (node.items.size() > Tape::kMostEvents)
      return fail("events", fmt::format("are {}, at most {} are read", node.items.size(), Tape::kMostEvents));
    std::int64_t before = 0;
    for (std::size_t i = 0; i < node.items.size() && !reader_.errors.full(); ++i) {
      const std::string path = fmt::format("events[{}]", i);
      const YamlNode& item = node.items[i];
      if (!is_list(item, path)) continue;
      if (item.items.size() != 3) {
        fail(path, fmt::format("expected [step, car, command, edit or reset], found {} values", item.items.size()));
        continue;
      }
      TapeEvent event;
      if (const auto step = steps_of(item.items[0], path + "[0]")) {
        event.step = *step;
        if (*step < before) fail(path + "[0]", fmt::format("step {} after step {}", *step, before));
        if (end_ && *step > *end_) fail(path + "[0]", fmt::format("step {} is after the end, {}", *step, out_.end));
        before = std::max(before, *step);
      }
      read_what(item.items[2], path + "[2]", event);
      read_car(item.items[1], path + "[1]", event);
      out_.events.push_back(std::move(event));
    }
  }
  void read_car(const YamlNode& node, const std::string& path, TapeEvent& event) {
    if (event.kind != TapeEvent::Kind::command) {
      if (node.kind != Kind::null) fail(path, "expected null: it acts on the scene, found " + describe(node));
      return;
    }
    const std::string id = text_of(node, path);
    const auto found = std::find(out_.cars.begin(), out_.cars.end(), id);
    if (found != out_.cars.end())
      event.car = static_cast<std::size_t>(found - out_.cars.begin());
    else if (!id.empty() && cars_right_)
      fail(path, fmt::format("the drive has no car '{}'{}", id.substr(0, 60), suggestion(id, out_.cars)));
  }
  void read_what(const YamlNode& node, const std::string& path, TapeEvent& event) {
    if (node.kind == Kind::scalar && node.quoted && node.text == enum_name(TapeEvent::Kind::reset)) return;
    if (node.kind != Kind::map || node.entries.size() != 1)
      return fail(path, "expected {\"command\": ...}, {\"edit\": ...} or \"reset\", found " + describe(node));
    const YamlEntry& entry = node.entries[0];
    const std::string inner = join_path(path, entry.key.substr(0, 60));
    if (entry.key == enum_name(TapeEvent::Kind::command)) {
      event.kind = TapeEvent::Kind::command;
      read_demand(entry, inner, event.demand);
    } else if (entry.key == enum_name(TapeEvent::Kind::edit)) {
      event.kind = TapeEvent::Kind::edit;
      read_sets(entry.value, inner, event.sets);
    } else {
      unknown_key(reader_, entry, path, enum_names<TapeEvent::Kind>());
    }
  }
  void read_demand(const YamlEntry& entry, const std::string& path, Demand& out) {
    if (!is_map(reader_, entry.value, path, reader_.at(entry))) return;
    Demand demand;
    const std::size_t before = reader_.errors.size();
    read_block(reader_, entry.value, demand_fields(demand), path);
    if (reader_.errors.size() != before) return;
    if (!same(rounded(demand), demand))
      fail(path, fmt::format("has a number that is no multiple of 1/{}", Tape::kSteps));
    for (const Fault& fault : validate(demand, true)) fail(join_path(path, fault.path()), fault.what);
    out = demand;
  }
  void read_sets(const YamlNode& node, const std::string& path, std::vector<Assignment>& out) {
    if (!is_list(node, path)) return;
    if (node.items.empty()) fail(path, "is empty: expected [[path, value], ...]");
    for (std::size_t i = 0; i < node.items.size() && !reader_.errors.full(); ++i) {
      const YamlNode& set = node.items[i];
      const std::string where = fmt::format("{}[{}]", path, i);
      if (set.kind != Kind::list || set.items.size() != 2) {
        fail(where, "expected [path, value] as texts, found " + describe(set));
        continue;
      }
      const std::string name = text_of(set.items[0], where + "[0]"), value = set.items[1].text;
      if (!set.items[1].quoted) fail(where + "[1]", "expected a text, found " + describe(set.items[1]));
      out.push_back({fmt::format("{}={}", name, value), name, value});
    }
  }

  // end_, cars_right_: an error that only follows from another one is not told.
  const Reader& reader_;
  Tape& out_;
  std::optional<std::int64_t> end_;
  bool cars_right_ = false;
};

}  // namespace

std::optional<Tape> read_tape(std::string_view text, const std::string& file, Errors& errors) {
  if (text.size() > Tape::kMostBytes) {
    errors.add({file, 0, 0}, "", fmt::format("has {} bytes, a tape has at most {}", text.size(), Tape::kMostBytes));
    return std::nullopt;
  }
  const auto root = parse_json(text, file, errors);
  if (!root) return std::nullopt;
  Tape out;
  const Reader reader{file, errors};
  TapeReader(reader, out).read(*root);
  return out;
}

}  // namespace vdsim
