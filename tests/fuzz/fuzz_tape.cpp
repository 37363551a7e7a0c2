// SPDX-License-Identifier: Apache-2.0
// A tape of any bytes is refused with every error, or read, written and read again as the same.
#include <cstdlib>

#include "vdsim/study/live/tape.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace vdsim;
  Errors errors;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto tape = read_tape(text, "fuzz", errors);
  if (!tape || !errors.empty()) return 0;
  const std::string written = tape_text(*tape);
  const auto again = read_tape(written, "again", errors);
  if (!errors.empty() || !again || tape_text(*again) != written) std::abort();
  return 0;
}
