// What a user edits of the contact-patch LuGre tire (schema lugre_patch_v1; docs/theory/22_lugre_patch.md).
// zeta runs from the leading edge (0) to the trailing edge (length) of the contact patch.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

enum class PatchFidelity { average, exact, distributed };
enum class PatchLoad { uniform, trapezoidal, cubic };
template <> struct EnumNames<PatchFidelity> { static constexpr std::array names{"average", "exact", "distributed"}; };
template <> struct EnumNames<PatchLoad> { static constexpr std::array names{"uniform", "trapezoidal", "cubic"}; };

inline constexpr int kPatchElements = 64;  // largest number of elements of the distributed model

struct PatchSpec {
  PatchFidelity fidelity = PatchFidelity::exact;
  double kappa = 0, elements = 32;
  double radius = 0.32, length = 0.15;
  std::array<double, 2> sigma0{150, 150}, sigma1{0.05, 0.05}, sigma2{0.001, 0.001};
  double mu_s = 1.1, mu_k = 0.8, v_s = 5.5, gamma = 0.6;
  PatchLoad load = PatchLoad::uniform;
  double load_a = 0.02, load_b = 0.08, load_centroid = 0.075;
};

// Values that each lie in their range but not together: complain(key, text) for every fault.
template <class F> void check_patch(const PatchSpec& s, F&& complain) {
  if (s.mu_k > s.mu_s) complain("mu_k", "must not exceed mu_s");
  if (s.elements != static_cast<double>(static_cast<int>(s.elements))) complain("elements", "must be a whole number");
  if (s.load == PatchLoad::trapezoidal) {
    if (s.load_a > s.load_b) complain("load_a", "must not exceed load_b");
    if (s.load_b >= s.length) complain("load_b", "must be less than length");
  }
  const double slack = 1e-9 * s.length;
  if (s.load == PatchLoad::cubic &&
      (s.load_centroid < 0.4 * s.length - slack || s.load_centroid > 0.6 * s.length + slack))
    complain("load_centroid", "must lie between 0.4 and 0.6 of length, else the load is negative somewhere");
}

}  // namespace vdsim
