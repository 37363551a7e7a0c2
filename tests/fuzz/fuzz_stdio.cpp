// SPDX-License-Identifier: Apache-2.0
// Any bytes on the input of `vdsim run --stdio`, in pieces of any size: each line gets one reply, every reply is JSON, a refused line
// lets no time go, and the run ends.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/line_protocol.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vdsim;
  static const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  static const Scenario scene = [] {
    Errors errors;
    return read_scene(
        catalog,
        "id: s\nduration: 0.03\nfleet: [{id: a, control: external, level: L1, vx0: 20, driver: {path: [[0, 0], "
        "[9, 0], [99, 1]]}}, {id: b, level: L1}]\n",
        "s.yaml", "", {}, errors);
  }();
  std::size_t at = 0;
  double before = -1;
  LineProtocol protocol(
      scene,
      [&](std::span<char> into) {
        const std::size_t piece = at < size ? 1 + data[at] % 97 : 0, n = std::min({into.size(), piece, size - at});
        std::copy_n(data + at, n, into.begin());
        at += n;
        return n;
      },
      [&](std::string_view line) {
        const auto reply = nlohmann::json::parse(line);  // throws: a fault
        if (line.find('\n') != std::string_view::npos) std::abort();
        const double t = reply.value("t", 0.0);
        if (t < before || (reply.contains("error") && t != std::max(before, 0.0))) std::abort();
        before = t;
        return true;
      });
  const Fleet::Control control = [&](Fleet& fleet) { return protocol(fleet); };
  Fleet fleet(scene, scene.cars, control);
  for (int i = 0; !fleet.done(); ++i)
    if (i > 30 || !fleet.step()) std::abort();
  return 0;
}
