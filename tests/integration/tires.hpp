// SPDX-License-Identifier: Apache-2.0
// Tires other than those of the Pacejka schema in cars.hpp: of a .tir file, rally, contact patch.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/cars.hpp"
#include "vdsim/formats/tir.hpp"

namespace cars {

inline TireSpec file_tire(const char* name = "book_205_60R15", Law law = Law::rolling) {
  Errors errors;
  Warnings warnings;
  const auto s = read_tir_file(std::string(VDSIM_SOURCE_DIR) + "/configs/tir/" + name + ".tir", errors, warnings);
  EXPECT_TRUE(s) << name;
  TireSpec t = default_pacejka();
  set_law(t, law);
  t.backend = TireBackend::magic_formula;
  t.combined = Combined::automatic;
  t.tir_path = name;
  if (s) t.tir = *s;
  return t;
}
inline TireSpec rally_tire(RallyMode mode = RallyMode::Auto) {
  TireSpec t;
  t.schema = TireSchema::rally_v1;
  t.rally.mode = mode;
  return t;
}
inline TireSpec patch_tire(PatchFidelity fidelity) {  // the sedan's: equal load from both ends, damped
  TireSpec t;
  t.schema = TireSchema::lugre_patch_v1;
  PatchSpec& s = t.patch;
  s.fidelity = fidelity;
  s.length = 0.14, s.sigma0 = {400, 280}, s.sigma1 = {0.4, 0.4}, s.sigma2 = {5e-4, 5e-4};
  s.mu_s = 1.1, s.mu_k = 0.85, s.v_s = 6, s.gamma = 0.8;
  s.load = PatchLoad::trapezoidal, s.load_a = 0.03, s.load_b = 0.11;
  return t;
}

}  // namespace cars
