// SPDX-License-Identifier: Apache-2.0
// The steady law of a tire at single points.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

// ISO 8855 wheel frame, SI, rad. kappa as MF-Tyre defines it, (omega Re - vx)/vx: -1 is locked in both directions.
struct SteadyPoint {
  double fz = 0, kappa = 0, alpha = 0, gamma = 0;  // [N], [-], [rad]
  double phit = 0;                                 // turn slip [1/m], .tir only
  std::optional<double> vx, pressure, omega;       // [m/s], [Pa], [rad/s]; absent: LONGVL or 16.7 m/s, the tire's own,
                                                   // by kappa and the effective radius; omega is read by .tir only
  double mu = 1;                                   // road friction factor
};

struct EvalOptions {
  int use_mode =
      211;  // .tir: 1 or 2, three times: limits or none, alpha as it is or tan(alpha), without or with turn slip
  std::optional<TirFlavour> flavour;  // .tir: instead of the part's
};

class SteadyTire {
 public:
  explicit SteadyTire(const TireSpec&, const EvalOptions& = {});
  ~SteadyTire();
  SteadyTire(SteadyTire&&) noexcept;

  const std::vector<std::string>& columns() const;  // fx, fy, mx, my, mz, and of a .tir re, rho, ...
  std::vector<double> operator()(const SteadyPoint&) const;

 private:
  struct Law;
  std::unique_ptr<Law> law_;
};

bool is_tir(const TireSpec&);

}  // namespace vdsim
