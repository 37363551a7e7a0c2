// SPDX-License-Identifier: Apache-2.0
// MF-Tyre property files (.tir): reading what is found in the wild, writing, mirroring, checking. docs/TIR_FILES.md
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/core/tire/tir_spec.hpp"
#include "vdsim/engine/errors.hpp"

namespace vdsim {

using Warnings = Errors;  // same places and limits; the caller prints them and goes on

// Everything in SI and radians, version 52, 61 or 62. Nothing is returned after an error.
std::optional<TirSpec> read_tir(std::string_view text, const std::string& file, Errors&, Warnings&);
std::optional<TirSpec> read_tir_file(const std::string& path, Errors&, Warnings&, const Place* from = nullptr);

// A file in SI units. read_tir() of it gives the same bits in every member but `mirrored`, which is no key.
std::string tir_text(const TirSpec&, std::string_view title = "");

// The tire of the other side of the car: Fy, Mx and Mz of (alpha, gamma, turn slip) become minus those of the negative
// inputs, Fx and My those of the negative inputs. The book reads QDZ3 with |gamma|, so there it keeps its sign.
TirSpec mirrored(const TirSpec&, bool book = false);
// The mean of both sides (TYRESIDE symmetric): every coefficient that mirrored() turns is 0.
TirSpec symmetric(const TirSpec&, bool book = false);
// Also without offsets of Fx, and with no force or moment at zero slip and zero camber.
TirSpec offset_free(const TirSpec&, bool book = false);

struct LintFinding {
  bool error = false;  // at nominal load and pressure without camber; false = elsewhere in the range, a warning
  std::string rule;    // "Cx > 0"
  double value = 0;    // what was found
  double Fz = 0, gamma = 0, pressure = 0;  // where [N], [rad], [Pa]
  int slip_sign = 0;                       // +1, -1 where it depends on the sign of slip
  std::string text() const;                // one line for the user
};
// Shape factors > 0, friction > 0, slip stiffnesses and the slope of the trail of the right sign, curvature <= 1. One
// finding per rule and severity; a warning names the worst point.
std::vector<LintFinding> lint_tir(const TirSpec&, bool book = false);

}  // namespace vdsim
