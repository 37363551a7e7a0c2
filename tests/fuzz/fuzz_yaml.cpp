// SPDX-License-Identifier: Apache-2.0
// Any bytes as a part file: an error or a part, never a crash; and what is accepted must survive a round trip.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/write.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vdsim;
  const std::string text(reinterpret_cast<const char*>(data), size);
  Errors errors;
  auto part = read_part(text, "fuzz.yaml", errors);
  if (part.has_value() != errors.empty()) std::abort();
  for (const std::string& line : errors.lines())
    if (line.empty()) std::abort();
  if (!part) return 0;
  const std::string body = block_text(part->body(), 2);
  Errors none;
  auto again =
      read_part("id: x\ntype: " + part->type + "\nschema: " + part->schema + "\nbody:\n" + body, "again.yaml", none);
  if (!again || block_text(again->body(), 2) != body) std::abort();
  return 0;
}
