// SPDX-License-Identifier: Apache-2.0
// The reference line of an OpenCRG road: (u, v) <-> (x, y), heading and curvature. docs/theory/12_opencrg.md.
#pragma once
#include "vdsim/core/road/crg_data.hpp"

namespace vdsim {

struct CrgXy {
  double x, y;
};
struct CrgUv {
  double u, v;
  int segment;  // from point segment - 1 to point segment; 0: before the first point, nu: after the last one
};
struct CrgHeading {
  double phi, curvature;  // [rad], [1/m], positive to the left
};
// [T12.1]  u of a closed track: back into [close_min, close_max].
VD_INLINE double crg_track_u(const CrgView& c, double u) {
  if (!c.close_track || (u >= c.close_min && u <= c.close_max)) return u;
  const double rest = ::fmod(u - c.close_min, c.close_max - c.close_min);
  return rest > 0 ? rest + c.close_min : rest + c.close_max;
}

struct CrgCell {
  int i;     // lower node
  double f;  // place between the nodes, 0 ... 1
};
VD_INLINE CrgCell crg_cell(double q, int nodes) {
  const double top = nodes - 1;
  if (!(q > 0)) return {0, 0};
  if (q >= top) return {nodes - 2, 1};
  const int i = int(q);
  return {i, q - i};
}

// The segment of the line at u. Not cut to the line: f < 0 before the first point, f > 1 after the last one.
VD_INLINE CrgCell crg_line_cell(const CrgView& c, double u) {
  const double q = (u - c.u0) / c.du;
  const int i = crg_cell(q, c.nu).i;
  return {i, q - i};
}

// ------------------------------------------------------------------------------------------------ (u, v) -> (x, y)

// Left normal of the line from point i to point k, of length 1 (0 if they coincide).
VD_INLINE CrgXy crg_normal(const CrgView& c, int i, int k) {
  const double nx = c.y[i] - c.y[k], ny = c.x[k] - c.x[i], length = sqrt(sq(nx) + sq(ny));
  return length < 1e-10 ? CrgXy{nx, ny} : CrgXy{nx / length, ny / length};
}

// [T12.2]  The quadrilateral of a segment: A(v) = P1 + v a, B(v) = P2 + v b, and X = A + f (B - A). a and b point
// along the normals through P1 and P2 (those of the lines P0P2 and P1P3) and reach as far to the left as the
// segment's own normal.
struct CrgQuad {
  double x, y;            // P1
  double px, py;          // P2 - P1
  double ax, ay, bx, by;  // a, b
};
VD_INLINE CrgXy crg_reach(const CrgXy& n, const CrgXy& own) {
  const double d = n.x * own.x + n.y * own.y;
  return abs(d) > 1e-10 ? CrgXy{n.x / d, n.y / d} : n;
}
VD_INLINE CrgQuad crg_quad(const CrgView& c, int i) {  // segment from point i to point i + 1
  const CrgXy own = crg_normal(c, i, i + 1);
  const CrgXy a = crg_reach(i > 0 ? crg_normal(c, i - 1, i + 1) : own, own);
  const CrgXy b = crg_reach(i + 2 < c.nu ? crg_normal(c, i, i + 2) : own, own);
  return {c.x[i], c.y[i], c.x[i + 1] - c.x[i], c.y[i + 1] - c.y[i], a.x, a.y, b.x, b.y};
}

// [T12.3]  Beyond its ends the line goes on straight.
VD_INLINE CrgXy crg_beyond(const CrgPose& p, double ahead, double v) {
  return {p.x + ahead * p.cos - v * p.sin, p.y + ahead * p.sin + v * p.cos};
}

VD_INLINE CrgXy crg_uv_to_xy(const CrgView& c, double u, double v) {
  const CrgCell at = crg_line_cell(c, crg_track_u(c, u));
  if (at.f < 0) return crg_beyond(c.first, at.f * c.du, v);
  if (at.f > 1) return crg_beyond(c.last, (at.f - 1) * c.du, v);
  const CrgQuad s = crg_quad(c, at.i);
  const double ax = s.x + v * s.ax, ay = s.y + v * s.ay;
  const double bx = s.x + s.px + v * s.bx, by = s.y + s.py + v * s.by;
  return {ax + at.f * (bx - ax), ay + at.f * (by - ay)};
}

// ------------------------------------------------------------------------------------------------ (x, y) -> (u, v)

// (P - Pi) . (Pi+1 - Pi-1): positive if P lies ahead of the normal through point i; the ends use their own segment.
VD_INLINE double crg_ahead(const CrgView& c, int i, double x, double y) {
  const int before = i > 0 ? i - 1 : 0, after = i + 1 < c.nu ? i + 1 : c.nu - 1;
  return (x - c.x[i]) * (c.x[after] - c.x[before]) + (y - c.y[i]) * (c.y[after] - c.y[before]);
}

// [T12.4]  The segment between whose normals P lies, from a start near by: forward while P is ahead of the segment's
// end, then back while it is behind its start. Where the ends of the line face each other the walk goes on across the
// gap, once. Returns the end point of the segment.
VD_INLINE int crg_walk(const CrgView& c, int start, double x, double y) {
  const int end = c.nu - 1;
  int k = start < 1 ? 1 : start;
  bool crossed = false;
  for (int steps = 0; steps < 2 * c.nu && crg_ahead(c, k, x, y) > 0; ++steps) {
    if (k < end) {
      ++k;
    } else {
      if (!c.closable) break;
      const double d = crg_ahead(c, 0, x, y);
      crossed = d != 0;
      if (d <= 0) break;
      k = 1;
    }
  }
  for (int steps = 0; steps < 2 * c.nu && crg_ahead(c, k - 1, x, y) < 0; ++steps) {
    if (k > 1) {
      --k;
    } else {
      if (!c.closable || crossed) break;
      const double d = crg_ahead(c, end, x, y);
      crossed = d != 0;
      if (d >= 0) break;
      k = end;
    }
  }
  return k;
}

VD_INLINE CrgUv crg_pose_uv(const CrgPose& p, double u, int segment, double x, double y) {
  const double dx = x - p.x, dy = y - p.y;
  return {u + dx * p.cos + dy * p.sin, dy * p.cos - dx * p.sin, segment};
}

// [T12.5]  Within the segment P1P2: v is the distance from its line; the parallel to it through P is cut by the two
// normals at A and B, and f = |PA|/|BA| = ta/(ta + tb) with the projections of P on the directions at P1 and P2.
VD_INLINE CrgUv crg_segment_uv(const CrgView& c, int k, double x, double y) {
  const double x1 = c.x[k - 1], y1 = c.y[k - 1], sx = c.x[k] - x1, sy = c.y[k] - y1;
  const int i0 = k > 1 ? k - 2 : 0, i3 = k + 1 < c.nu ? k + 1 : c.nu - 1;
  const double ex = c.x[k] - c.x[i0], ey = c.y[k] - c.y[i0], gx = c.x[i3] - x1, gy = c.y[i3] - y1;
  const double v = (sx * (y - y1) - sy * (x - x1)) / sqrt(sq(sx) + sq(sy));
  const double ta = (ex * (x - x1) + ey * (y - y1)) / (ex * sx + ey * sy);
  const double tb = (gx * (c.x[k] - x) + gy * (c.y[k] - y)) / (gx * sx + gy * sy);
  return {(k - 1) * c.du + ta / (ta + tb) * c.du + c.u0, v, k};
}

// `hint`: a segment near by, as returned for a point before; without one (-1) the search starts at the nearest point of
// the line. Where the road passes over itself a hint keeps the branch.
VD_INLINE CrgUv crg_xy_to_uv(const CrgView& c, double x, double y, int hint = -1) {
  if (!(abs(x) < 1e100 && abs(y) < 1e100)) return {detail::nan<double>(), detail::nan<double>(), 0};
  int start = hint < c.nu ? hint : c.nu - 1;
  const double reach = 10 * c.du + max(abs(c.v0), abs(c.v1));
  if (start < 0 || sq(x - c.x[start]) + sq(y - c.y[start]) > sq(reach)) start = crg_nearest(c, x, y);
  CrgUv at = crg_segment_uv(c, crg_walk(c, start, x, y), x, y);
  if (at.u < c.u0)
    at = crg_pose_uv(c.first, c.u0, 0, x, y);
  else if (at.u > c.u1)
    at = crg_pose_uv(c.last, c.u1, c.nu, x, y);
  if (c.close_track && at.u > c.close_max) return crg_pose_uv(c.first, c.u0, 0, x, y);
  if (c.close_track && at.u < c.close_min) return crg_pose_uv(c.last, c.u1, c.nu, x, y);
  return at;
}

// ------------------------------------------------------------------------------------------------ heading

// [T12.10]  Curvature from two chords of n points each (at least 0.5 m): (P1-P0) x (P2-P1) / (n du)^3; beside the line
// 1/(1/k - v). The heading is that of the chord stored at the lower point; the ends are straight.
VD_INLINE CrgHeading crg_uv_to_pk(const CrgView& c, double u, double v) {
  const int i = crg_line_cell(c, crg_track_u(c, u)).i;
  const double chord = max(1.0, min(floor(0.5 / c.du), double(c.nu)));
  const int n = int(chord);
  if (n > i) return {c.first.phi, 0};
  if (!c.phi || i + n >= c.nu) return {c.last.phi, 0};
  const double ax = c.x[i] - c.x[i - n], ay = c.y[i] - c.y[i - n];
  const double bx = c.x[i + n] - c.x[i], by = c.y[i + n] - c.y[i];
  const double length = c.du * n, k = (ax * by - ay * bx) / (length * length * length);
  if (abs(k) <= 1e-10) return {c.phi[i], k};
  const double radius = 1 / k - v;
  return {c.phi[i], abs(radius) < 1e-6 ? 1e6 : 1 / radius};
}

}  // namespace vdsim
