// SPDX-License-Identifier: Apache-2.0
// An OpenCRG road as the evaluation sees it: a reference line of equally spaced points, heights on a grid along it, and
// the nearest-point tree over the line. Plain pointers, so that a kernel can use it. docs/theory/12_opencrg.md.
//
// Road coordinates: u along the reference line, v to its left [m]. World: x, y, z up [m], headings from x to y [rad].
#pragma once
#include <array>

#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

// What lies beyond the data, in u and in v.
enum class CrgBorder : int { none, zero, keep, repeat, reflect };
template <> struct EnumNames<CrgBorder> {
  static constexpr std::array names{"none", "zero", "keep", "repeat", "reflect"};
};

// An end of the reference line.
struct CrgPose {
  double x, y, phi, cos, sin;  // position [m], heading [rad] with its cosine and sine
};

struct CrgView {
  // reference line: nu >= 2 points
  int nu;
  double u0, u1, du;    // first and last u, spacing [m]
  const double *x, *y;  // [nu] points [m]
  const double* phi;    // [nu] heading of the segment that ends at the point [rad]; null: straight
  const double* refz;   // [nu] height of the line [m]; null: `level` everywhere
  const double* bank;   // [nu] rise to the left per metre of v [-]; null: `bank0` everywhere
  double level, bank0;  // [m], [-]
  CrgPose first, last;  // where and how the line goes on beyond its ends
  bool has_bank;
  // grid of heights above the line, nv >= 2 cuts (long sections of OpenCRG)
  int nv;
  bool v_even;        // cuts at v0 + j dv; otherwise at v[j]
  double v0, v1, dv;  // rightmost and leftmost cut, spacing if even [m]
  const double* v;    // [nv] rising [m]
  const float* z32;   // [nu * nv], v runs fastest [m]; one of the two is null
  const double* z64;
  double z_shift;  // added to each grid value [m]
  // beyond the data
  CrgBorder border_u, border_v;
  double offset_u, offset_v;        // added to z beyond a border in the modes zero and keep [m]
  double smooth_begin, smooth_end;  // lengths over which z fades to the line's height at the ends [m]; 0: none
  bool closable;                    // the ends face each other, so that the line can be a closed track
  bool close_track;                 // and it is one: u is taken modulo the length
  double close_min, close_max;      // range of u of the closed track [m]
  // boxes around runs of kCrgLeaf points, a complete binary tree: node 1 the root, children 2k and 2k + 1
  const double* tree;  // [4 * 2 * leaves]: x low, x high, y low, y high
  int leaves;          // a power of two
};

inline constexpr int kCrgLeaf = 8;

VD_INLINE double crg_node(const CrgView& c, int i, int j) {
  const std::size_t k = std::size_t(i) * std::size_t(c.nv) + std::size_t(j);
  return c.z32 ? double(c.z32[k]) : c.z64[k];
}

VD_INLINE double crg_box_distance2(const double* b, double x, double y) {
  const double dx = max(max(b[0] - x, x - b[1]), 0.0), dy = max(max(b[2] - y, y - b[3]), 0.0);
  return dx * dx + dy * dy;
}

struct CrgNearest {
  double d2;  // squared distance [m^2]
  int i;      // point; the lowest of several equally near ones
};
VD_INLINE void crg_scan_leaf(const CrgView& c, int leaf, double x, double y, CrgNearest& best) {
  const int end = (leaf + 1) * kCrgLeaf < c.nu ? (leaf + 1) * kCrgLeaf : c.nu;
  for (int i = leaf * kCrgLeaf; i < end; ++i) {
    const double d2 = sq(x - c.x[i]) + sq(y - c.y[i]);
    if (d2 < best.d2 || (d2 == best.d2 && i < best.i)) best = {d2, i};
  }
}

// The point of the reference line nearest to (x, y). A box farther away than the best point so far is skipped with all
// that is in it; of two boxes the nearer goes first, so that few are opened.
VD_INLINE int crg_nearest(const CrgView& c, double x, double y) {
  CrgNearest best{detail::inf<double>(), 0};
  int stack[64], depth = 0;
  stack[depth++] = 1;
  while (depth > 0) {
    const int k = stack[--depth];
    if (crg_box_distance2(c.tree + 4 * k, x, y) > best.d2) continue;
    if (k >= c.leaves) {
      crg_scan_leaf(c, k - c.leaves, x, y, best);
      continue;
    }
    const double left = crg_box_distance2(c.tree + 8 * k, x, y), right = crg_box_distance2(c.tree + 8 * k + 4, x, y);
    const int nearer = left <= right ? 2 * k : 2 * k + 1;
    stack[depth++] = 4 * k + 1 - nearer;  // the other child
    stack[depth++] = nearer;
  }
  return best.i;
}

VD_INLINE int crg_leaves(int points) {
  int n = 1;
  while (n * kCrgLeaf < points) n *= 2;
  return n;
}

// Fills tree[8 * leaves]; the box of a run without points is empty and infinitely far away.
VD_INLINE void crg_build_tree(const double* x, const double* y, int points, int leaves, double* tree) {
  const double far = detail::inf<double>();
  for (int k = 2 * leaves - 1; k >= 1; --k) {
    double* b = tree + 4 * k;
    b[0] = b[2] = far;
    b[1] = b[3] = -far;
    if (k < leaves) {
      const double *l = tree + 8 * k, *r = l + 4;
      b[0] = min(l[0], r[0]), b[1] = max(l[1], r[1]);
      b[2] = min(l[2], r[2]), b[3] = max(l[3], r[3]);
    } else {
      for (int i = (k - leaves) * kCrgLeaf; i < points && i < (k - leaves + 1) * kCrgLeaf; ++i) {
        b[0] = min(b[0], x[i]), b[1] = max(b[1], x[i]);
        b[2] = min(b[2], y[i]), b[3] = max(b[3], y[i]);
      }
    }
  }
}

}  // namespace vdsim
