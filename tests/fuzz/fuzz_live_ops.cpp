// SPDX-License-Identifier: Apache-2.0
// Lines of any bytes as messages of two clients of a live session: every answer is JSON or a frame, numbers stay finite, the queues short.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/live/server/hub.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vdsim;
  static const auto catalog = std::make_shared<const Catalog>(VDSIM_SOURCE_DIR "/configs");
  static const Scenario scene = [] {
    Errors errors;
    return read_scene(*catalog, "id: s\nduration: 9\nfleet: [{id: a, level: L1, vx0: 20}, {id: b, level: L2}]\n",
                      "s.yaml", "", {}, errors);
  }();
  LiveHost host(catalog, scene);
  LiveHub hub(host, 0, "/nonexistent");
  const LiveHub::Client clients[] = {hub.join(LiveProtocol::json, "", 0), hub.join(LiveProtocol::binary, "", 0)};
  std::string_view all(reinterpret_cast<const char*>(data), size);
  double now = 0;
  for (int i = 0; !all.empty() && i < 50; ++i) {
    const std::string_view line = all.substr(0, all.find('\n'));
    all.remove_prefix(std::min(all.size(), line.size() + 1));
    if (line.find("record") != line.npos || line.find("\\u") != line.npos) continue;  // no files from here
    hub.receive(clients[i % 2], line, false, now);
    hub.run(now += 0.006);
    for (const LiveHub::Client client : clients)
      for (int n = 0; const auto message = hub.next(client); ++n) {
        if (n > 1000) std::abort();
        if (!message->binary && nlohmann::json::parse(message->data).is_null()) std::abort();  // or throws
      }
  }
  return 0;
}
