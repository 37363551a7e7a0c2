// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/mcap/geodesy.hpp"

#include <cmath>
#include <numbers>

namespace vdsim {
namespace {

constexpr double kEquator = 6378137, kFlattening = 1 / 298.257223563;
constexpr double kEccentricity2 = kFlattening * (2 - kFlattening);
constexpr double kDegree = std::numbers::pi / 180;

}  // namespace

Geodetic geodetic(const Geodetic& origin, double x, double y, double z) {
  const double lat = origin.latitude * kDegree, lon = origin.longitude * kDegree;
  const double s = std::sin(lat), c = std::cos(lat), N = kEquator / std::sqrt(1 - kEccentricity2 * s * s);
  // in the meridian plane of the origin: outward from the axis, east, along the axis
  const double out = (N + origin.altitude) * c - s * y + c * z;
  const double up = (N * (1 - kEccentricity2) + origin.altitude) * s + c * y + s * z;
  const double rho = std::hypot(out, x);
  // tan(lat) = (up + e^2 N sin(lat)) / rho: each pass leaves about e^2 = 0.7 % of the error
  double phi = std::atan2(up, rho * (1 - kEccentricity2)), n = kEquator;
  for (int pass = 0; pass < 6; ++pass) {
    n = kEquator / std::sqrt(1 - kEccentricity2 * std::sin(phi) * std::sin(phi));
    phi = std::atan2(up + kEccentricity2 * n * std::sin(phi), rho);
  }
  const double sine = std::sin(phi), cosine = std::cos(phi);
  const double height = rho * cosine + up * sine - kEquator * std::sqrt(1 - kEccentricity2 * sine * sine);
  return {phi / kDegree, (lon + std::atan2(x, out)) / kDegree, height};
}

}  // namespace vdsim
