// SPDX-License-Identifier: Apache-2.0
// An OpenCRG file made ready for evaluation: modifiers applied, reference line integrated, search tree built.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vdsim/core/road/crg.hpp"
#include "vdsim/formats/crg_read.hpp"

namespace vdsim {

class CrgRoad {
 public:
  // Valid as long as the road lives.
  CrgView view() const;
  std::size_t bytes() const;  // of all arrays

  std::vector<double> x, y, phi, refz, bank, v, grid64, tree;
  std::vector<float> grid32;
  CrgView plain{};  // all but the pointers
};

// Without a modifier block the defaults of ASAM's library act: missing heights take the value beside them, and the
// first point of the right border comes to x = y = z = 0 with heading 0.
std::optional<CrgRoad> build_crg(const CrgFile&, Errors&, Warnings&);

// Both steps.
std::optional<CrgRoad> load_crg(const std::string& path, Errors&, Warnings&, const Place* from = nullptr);

}  // namespace vdsim
