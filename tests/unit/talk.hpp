// SPDX-License-Identifier: Apache-2.0
// A run over the line protocol with a program inside the test: `answer` gets every line and gives the next request, or nothing to close.
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/line_protocol.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {

using nlohmann::json;

inline Scenario external_scene(const std::string& name, std::initializer_list<const char*> assignments) {
  static const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  SceneChanges changes;
  changes.set("control=external");
  for (const char* each : assignments) changes.set(each);
  return load_scene(catalog, name, changes);
}

struct Talk {
  std::vector<std::string> lines;  // that came
  RunResult result;
  json last() const { return json::parse(lines.back()); }
};

// A request without its line end gets one.
inline Talk talk(const Scenario& scene, const std::filesystem::path& folder,
                 const std::function<std::optional<std::string>(const std::string& line)>& answer, int digits = 17) {
  Talk out;
  std::string waiting;
  LineProtocol protocol(
      scene,
      [&](std::span<char> into) {
        if (waiting.empty())
          if (const auto next = answer(out.lines.back())) waiting = *next + "\n";
        const std::size_t n = std::min(into.size(), waiting.size());
        waiting.copy(into.data(), n);
        waiting.erase(0, n);
        return n;
      },
      [&](std::string_view line) {
        out.lines.emplace_back(line);
        return true;
      });
  RunOptions options;
  options.out = folder.string();
  options.digits = digits;
  options.control = [&](Fleet& fleet) { return protocol(fleet); };
  out.result = run_scenario(scene, options);
  return out;
}

// One request after the other, then the end of input.
inline Talk say(const Scenario& scene, const std::filesystem::path& folder, const std::vector<std::string>& requests) {
  std::size_t next = 0;
  return talk(scene, folder, [&](const std::string&) -> std::optional<std::string> {
    if (next == requests.size()) return std::nullopt;
    return requests[next++];
  });
}

}  // namespace vdsim
