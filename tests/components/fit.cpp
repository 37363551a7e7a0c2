// SPDX-License-Identifier: Apache-2.0
// Component fit: the grip of a tire comes back from its own forces.
#include <cmath>
#include <cstdio>
#include <numeric>

#include <vdsim/lab/fit/fit.hpp>

using namespace vdsim;

int main() {
  FitData data;
  for (int i = 0; i < 200; ++i) {
    const double slip = 0.01 * (i % 20 - 9.5), fz = 2000.0 + 500 * (i / 40);
    data.points.push_back({fz, i % 2 ? slip : 0, i % 2 ? 0 : slip});
  }
  TireSpec truth;
  truth.D_lat = 1.1;
  std::vector<std::size_t> all(data.points.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<FitForce> forces(all.size());
  steady_forces(truth, data.points, all, false, forces);
  for (const std::size_t i : all) data.points[i].fx = forces[i].fx, data.points[i].fy = forces[i].fy;

  FitOptions options;
  options.starts = 1;
  const FitResult result = fit_tire(make_fit_model("mf96", TireSpec{}, data), data, options);
  std::printf("fit: D_lat %.3f\n", result.tire.D_lat);
  return std::abs(result.tire.D_lat - truth.D_lat) < 1e-3 ? 0 : 1;
}
