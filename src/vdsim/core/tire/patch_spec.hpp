// SPDX-License-Identifier: Apache-2.0
// What a user edits of the contact-patch LuGre tire (schema lugre_patch_v1; docs/theory/22_lugre_patch.md).
// zeta runs from the leading edge (0) to the trailing edge (length) of the contact patch.
#pragma once
#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/math/number_list.hpp"

namespace vdsim {

enum class PatchFidelity { average, exact, distributed };
enum class PatchLoad { uniform, trapezoidal, cubic, polynomial };
template <> struct EnumNames<PatchFidelity> { static constexpr std::array names{"average", "exact", "distributed"}; };
template <> struct EnumNames<PatchLoad> {
  static constexpr std::array names{"uniform", "trapezoidal", "cubic", "polynomial"};
};

inline constexpr int kPatchElements = 64;  // largest number of elements of the distributed model
inline constexpr int kPatchDegree = 6;     // highest degree of a polynomial load

struct PatchSpec {
  PatchFidelity fidelity = PatchFidelity::exact;
  double kappa = 0, elements = 32;
  double radius = 0.32, length = 0.15;
  std::array<double, 2> sigma0{150, 150}, sigma1{0.05, 0.05}, sigma2{0.001, 0.001};
  double mu_s = 1.1, mu_k = 0.8, v_s = 5.5, gamma = 0.6;
  PatchLoad load = PatchLoad::uniform;
  double load_a = 0.02, load_b = 0.08, load_centroid = 0.075;
  NumberList<kPatchDegree + 1> load_poly;
};

// [T22.19]  f(x) = sum c_k x^k of a polynomial load, before it is scaled to integral 1; x = zeta/length
inline double patch_poly_at(const PatchSpec& s, double x) {
  double f = 0;
  for (int k = s.load_poly.count; k-- > 0;) f = f * x + s.load_poly.v[k];
  return f;
}
inline double patch_poly_total(const PatchSpec& s) {
  double sum = 0;
  for (int k = 0; k < s.load_poly.count; ++k) sum += s.load_poly.v[k] / (k + 1);
  return sum;
}
// Where f is least on [0, 1]: the lowest of 257 points, and between its neighbours by thirds. A polynomial of degree 6 has
// at most two dips inside; one narrower than 1/256 is shallower than 1e-5 of its size.
inline double patch_poly_least(const PatchSpec& s) {
  constexpr int n = 256;
  int low = 0;
  for (int i = 1; i <= n; ++i)
    if (patch_poly_at(s, double(i) / n) < patch_poly_at(s, double(low) / n)) low = i;
  double from = double(low > 0 ? low - 1 : 0) / n, to = double(low < n ? low + 1 : n) / n;
  for (int i = 0; i < 80; ++i) {
    const double a = from + (to - from) / 3, b = to - (to - from) / 3;
    (patch_poly_at(s, a) < patch_poly_at(s, b) ? to : from) = patch_poly_at(s, a) < patch_poly_at(s, b) ? b : a;
  }
  const double x = 0.5 * (from + to), at = double(low) / n;
  return patch_poly_at(s, at) <= patch_poly_at(s, x) ? at : x;
}
// What is wrong with a polynomial load.
enum class PatchPolyFault { none, empty, idle, pulls };
inline PatchPolyFault patch_poly_fault(const PatchSpec& s) {
  if (s.load_poly.count == 0) return PatchPolyFault::empty;
  double size = 0;
  for (const double c : s.load_poly.v) size += c < 0 ? -c : c;
  if (!(patch_poly_total(s) > 1e-9 * size)) return PatchPolyFault::idle;
  return patch_poly_at(s, patch_poly_least(s)) < -1e-9 * size ? PatchPolyFault::pulls : PatchPolyFault::none;
}

// Values that each lie in their range but not together: complain(key, text) for every fault.
template <class F> void check_patch(const PatchSpec& s, F&& complain) {
  if (s.mu_k > s.mu_s) complain("mu_k", "must not exceed mu_s");
  if (s.elements != static_cast<double>(static_cast<int>(s.elements))) complain("elements", "must be a whole number");
  if (s.load == PatchLoad::trapezoidal) {
    if (s.load_a > s.load_b) complain("load_a", "must not exceed load_b");
    if (s.load_b >= s.length) complain("load_b", "must be less than length");
  }
  if (s.load == PatchLoad::polynomial) {
    const PatchPolyFault fault = patch_poly_fault(s);
    if (fault == PatchPolyFault::empty)
      complain("load_poly",
               "load polynomial needs the coefficients [c0, c1, ...] of f = c0 + c1 x + c2 x^2 + ..., "
               "x from 0 (leading edge) to 1 (trailing edge)");
    if (fault == PatchPolyFault::idle)
      complain("load_poly", "must carry load: the sum of c_k/(k + 1) must be positive");
    if (fault == PatchPolyFault::pulls)
      complain("load_poly", "must not be negative from x = 0 (leading edge) to 1: the road does not pull");
  }
  const double slack = 1e-9 * s.length;
  if (s.load == PatchLoad::cubic &&
      (s.load_centroid < 0.4 * s.length - slack || s.load_centroid > 0.6 * s.length + slack))
    complain("load_centroid", "must lie between 0.4 and 0.6 of length, else the load is negative somewhere");
}

}  // namespace vdsim
