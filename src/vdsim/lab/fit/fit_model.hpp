// SPDX-License-Identifier: Apache-2.0
// Which parameters of which tire law are fitted, from where and within which bounds.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/formats/fit_data.hpp"

namespace vdsim {

enum class FitStage { longitudinal, lateral, combined, aligning };  // pure Fx, pure Fy, combined Fx and Fy, Mz

struct FitParameter {
  std::string name, unit;
  FitStage stage = FitStage::combined;
  double start = 0;
  double low = 0, high = 0;  // bounds
  double from = 0, to = 0;   // random starts are drawn from here
  std::ptrdiff_t offset = 0;

  double& of(TireSpec& tire) const { return *reinterpret_cast<double*>(reinterpret_cast<char*>(&tire) + offset); }
};

struct FitModel {
  std::string name;
  TireSpec start;  // holds what is not fitted, too
  std::vector<FitParameter> parameters;
  std::vector<std::string> notes;  // what the data cannot show and therefore stays at its start

  TireSpec tire(std::span<const double> values) const;
};

const std::vector<std::string>& fit_model_names();  // mf96, mf61, rally, lugre_patch
// Where the fit starts unless the user names a tire.
TireSpec fit_start(const std::string& model, const FitData& data);
bool fits_model(const std::string& model, const TireSpec& tire);  // the tire has the law of the model
// Parameters that `data` can show (camber only if it was varied, and so on).
FitModel make_fit_model(const std::string& model, const TireSpec& start, const FitData& data);

struct FitForce {
  double fx, fy, mz;
};
// The steady law of `tire` at points[index[i]]; without `moment` mz is 0.
void steady_forces(const TireSpec& tire, std::span<const FitPoint> points, std::span<const std::size_t> index,
                   bool moment, std::span<FitForce> out);

}  // namespace vdsim
