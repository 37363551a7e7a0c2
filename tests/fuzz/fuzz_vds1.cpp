// SPDX-License-Identifier: Apache-2.0
// Any bytes as frames of VDS1: taken or counted, never both; what is taken reads back to its own bytes but for padding.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vdsim/formats/crc32.hpp"
#include "vdsim/formats/little_endian.hpp"
#include "vdsim/study/live/frames.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vdsim;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  CommandGate gate(3);
  std::uint64_t sent = 0;
  for (const bool sealed : {false, true}) {  // as they are, and with a sum that is right
    if (sealed && bytes.size() >= 4) {
      bytes.resize(bytes.size() - 4);
      put_le(bytes, crc32(bytes));
    }
    const auto taken = gate.take(bytes);
    if (gate.taken() + gate.refused() != ++sent) std::abort();
    if (taken &&
        (taken->vehicle > 2 || !(taken->throttle >= 0 && taken->throttle <= 1) || !std::isfinite(taken->steer)))
      std::abort();
    read_state_frame(bytes);
    const auto values = read_values_frame(bytes);
    if (const ValuesFrame* frame = std::get_if<ValuesFrame>(&values))
      if (frame_bytes(*frame, frame->values) != bytes) std::abort();
  }
  return 0;
}
