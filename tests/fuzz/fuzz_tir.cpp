// SPDX-License-Identifier: Apache-2.0
// Any bytes as a .tir file: errors or a tire, never a crash; what is accepted survives writing, mirroring and checking.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vdsim/formats/tir.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vdsim;
  // A tire takes ten keys in six blocks: after a byte 'B' the text stands behind a valid one, so that it gets further.
  static const std::string valid =
      "[UNITS]\nLENGTH='m'\nFORCE='N'\nANGLE='rad'\nMASS='kg'\nTIME='s'\n[MODEL]\nFITTYP=61\n[DIMENSION]\n"
      "UNLOADED_RADIUS=0.3\n[VERTICAL]\nFNOMIN=4000\nVERTICAL_STIFFNESS=200000\n[LONGITUDINAL_COEFFICIENTS]\nPCX1=1.6\n"
      "PDX1=1\nPKX1=20\n[LATERAL_COEFFICIENTS]\nPCY1=1.3\nPDY1=1\nPKY1=-15\nPKY2=2\n";
  std::string text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('B')) text = valid + text.substr(1);
  Errors errors;
  Warnings warnings;
  const auto spec = read_tir(text, "fuzz.tir", errors, warnings);
  if (spec.has_value() != errors.empty()) std::abort();
  for (const Errors* list : {&errors, &warnings})
    for (const std::string& line : list->lines())
      if (line.empty()) std::abort();
  if (!spec) return 0;
  Errors none;
  Warnings again_warnings;
  const auto again = read_tir(tir_text(*spec, "fuzz"), "again.tir", none, again_warnings);
  if (!again || !(*again == *spec)) std::abort();
  if (!(mirrored(mirrored(*spec)) == *spec)) std::abort();
  for (const LintFinding& finding : lint_tir(*spec))
    if (finding.text().empty()) std::abort();
  return 0;
}
