// SPDX-License-Identifier: Apache-2.0
// Field tables: the contact-patch LuGre tire.
#include "vdsim/core/tire/patch_spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

template <> std::vector<FieldRef> fields_of(PatchSpec& s) {
  return table<PatchSpec>(
      {field("fidelity", s.fidelity, "average: mean bristle; exact: moments of the profile; distributed: elements"),
       field("kappa", s.kappa, "-", at_least(0),
             "outflow of the mean bristle, about 1.1 to 1.4; steady (or 0) = such that the steady force is "
             "exact")
           .read_by(when(PatchFidelity::average)),
       field("elements", s.elements, "-", between(4, kPatchElements), "number of elements, whole")
           .read_by(when(PatchFidelity::distributed)),
       field("radius", s.radius, "m", above(0), "rolling radius"),
       field("length", s.length, "m", above(0), "contact patch, leading to trailing edge"),
       field("sigma0", s.sigma0, "1/m", above(0), "bristle stiffness per newton of load, [x, y]"),
       field("sigma1", s.sigma1, "s/m", at_least(0), "bristle damping per newton of load, [x, y]"),
       field("sigma2", s.sigma2, "s/m", at_least(0), "viscous friction per newton of load, [x, y]"),
       field("mu_s", s.mu_s, "-", above(0), "static friction; at least mu_k"),
       field("mu_k", s.mu_k, "-", above(0), "kinetic friction"),
       field("v_s", s.v_s, "m/s", above(0), "Stribeck speed: slip speed of the change from mu_s to mu_k"),
       field("gamma", s.gamma, "-", above(0), "exponent of that change"),
       field("load", s.load, "distribution of the load over the patch"),
       field("load_a", s.load_a, "m", above(0), "end of the rise").read_by(when(PatchLoad::trapezoidal)),
       field("load_b", s.load_b, "m", above(0), "start of the fall; load_a <= load_b < length")
           .read_by(when(PatchLoad::trapezoidal)),
       field("load_centroid", s.load_centroid, "m", above(0),
             "centroid behind the leading edge; 0.4 to 0.6 of the length, else the load is negative somewhere")
           .read_by(when(PatchLoad::cubic)),
       field("load_poly", s.load_poly, "-", any_finite(),
             "coefficients [c0, c1, ...] of the load c0 + c1 x + c2 x^2 + ..., x from 0 (leading edge) to 1 (trailing "
             "edge); scaled to the wheel load, nowhere negative")
           .read_by(when(PatchLoad::polynomial))});
}

}  // namespace vdsim
