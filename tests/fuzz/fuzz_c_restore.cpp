// SPDX-License-Identifier: Apache-2.0
// Through vdsim.h: any bytes as a snapshot of a car on springs and of a contact-patch tire: refused, or exactly what was saved;
// after a byte 'F' as bits to flip in a good one.
#include <cstdint>
#include <cstdlib>

#include <vdsim.hpp>

namespace vd = vdsim::abi;

namespace {

template <class T> void probe(T& thing, const vd::Snapshot& good, const std::uint8_t* data, std::size_t size) {
  vd::Snapshot bytes(data, data + size);
  if (size > 0 && data[0] == 'F') {
    bytes = good;
    for (std::size_t i = 1; i + 2 < size; i += 3)
      bytes[(std::size_t(data[i]) | std::size_t(data[i + 1]) << 8) % bytes.size()] ^= data[i + 2];
  }
  bool taken = true;
  try {
    thing.restore(bytes);
  } catch (const vd::Error& e) {
    if (e.status != VDSIM_BAD_INPUT && !(bytes.empty() && e.status == VDSIM_MISUSE)) std::abort();
    taken = false;
  }
  if (taken != (bytes == good) || thing.snapshot() != good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const vd::Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  static vd::Sim sim(vd::Spec::read(catalog, VDSIM_SCENE, "{id: a, fleet: [{id: b, level: L3, vx0: 9}]}"));
  static vd::Tire tire(vd::Spec(catalog, VDSIM_PART, "tire.lugre_patch"));
  static const vd::Snapshot of_sim = sim.snapshot(), of_tire = tire.snapshot();
  probe(sim, of_sim, data, size);
  probe(tire, of_tire, data, size);
  return 0;
}
