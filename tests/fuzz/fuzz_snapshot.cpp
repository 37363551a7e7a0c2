// SPDX-License-Identifier: Apache-2.0
// Any bytes as a snapshot: refused, or exactly a state that was saved; after a byte 'F' as bits to flip in a good one, which
// must then be refused, with the car as it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "vdsim/engine/car.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vdsim;
  static Car car{CarSetup{}};
  static const std::vector<std::byte> good = car.snapshot();
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  if (size > 0 && data[0] == 'F') {
    bytes = good;
    for (std::size_t i = 1; i + 2 < size; i += 3) {
      const std::size_t at = (std::size_t(data[i]) | std::size_t(data[i + 1]) << 8) % bytes.size();
      bytes[at] ^= std::byte(data[i + 2]);
    }
  }
  const bool taken = car.restore(bytes);
  if (taken != (bytes == good)) std::abort();
  if (car.snapshot() != good) std::abort();
  return 0;
}
