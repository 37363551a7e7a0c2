// SPDX-License-Identifier: Apache-2.0
// Any bytes as an OpenCRG file: errors or a road, never a crash; what is accepted can be evaluated anywhere and
// survives writing to the bit.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vdsim/formats/crg_road.hpp"
#include "vdsim/formats/crg_write.hpp"

namespace {

using namespace vdsim;

bool same(double a, double b) { return a == b || (a != a && b != b); }

void compare(const CrgFile& a, const CrgFile& b) {
  if (a.rows != b.rows || a.v.size() != b.v.size()) std::abort();
  for (std::size_t k = 0; k < a.rows * a.v.size(); ++k)
    if (!same(a.grid(k), b.grid(k))) std::abort();
  for (std::size_t k = 0; k < a.phi.size(); ++k)
    if (!same(a.phi[k], b.phi[k])) std::abort();
  for (const auto& key : crg_modifier_keys())
    if (!same(a.modifiers.*(key.member), b.modifiers.*(key.member))) std::abort();
}

void evaluate(const CrgRoad& road) {
  const CrgView c = road.view();
  for (const double x : {-1e9, -1.0, 0.0, 0.3, 7.0, 1e9})
    for (const double y : {-1e9, 0.0, 0.7, 1e9}) {
      const CrgUv at = crg_xy_to_uv(c, x, y);
      if (at.segment < 0 || at.segment > c.nu) std::abort();
      crg_height_at(c, x, y, at.segment);
      crg_uv_to_xy(c, x, y);
      crg_uv_to_pk(c, x, y);
      crg_surface(c, x, y);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // After a byte 'B' the text stands before valid data, so that it gets further.
  static const std::string valid =
      "$\n$ROAD_CRG\nREFERENCE_LINE_INCREMENT=1\nLONG_SECTION_V_INCREMENT=1\nLONG_SECTION_V_RIGHT=-1\n$\n"
      "$KD_Definition\n#:LRFI\nD:reference line phi,rad\nD:long section 1,m\nD:long section 2,m\n$\n$$$$\n"
      "         0         1 *missing*\n       0.1       0.2      -0.3\n       0.2       0.5       0.1\n";
  std::string text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('B')) text = text.substr(1) + "\n" + valid;
  Errors errors;
  Warnings warnings;
  const auto file = read_crg(text, "fuzz.crg", errors, warnings);
  if (file.has_value() != errors.empty()) std::abort();
  for (const Errors* list : {&errors, &warnings})
    for (const std::string& line : list->lines())
      if (line.empty()) std::abort();
  if (!file) return 0;
  if (const auto road = build_crg(*file, errors, warnings)) evaluate(*road);
  Errors none;
  const auto again = read_crg(crg_text(*file, {true, false}), "again.crg", none, warnings);
  if (!again) std::abort();
  compare(*file, *again);
  return 0;
}
