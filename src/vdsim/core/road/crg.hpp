// SPDX-License-Identifier: Apache-2.0
// Height of an OpenCRG road and its slopes, at (u, v) and at (x, y). docs/theory/12_opencrg.md.
// Where the standard leaves a choice the results are those of ASAM's own library.
#pragma once
#include "vdsim/core/road/crg_line.hpp"
#include "vdsim/core/road/height.hpp"

namespace vdsim {

struct CrgSurface {
  double z, zu, zv;  // height [m] and its slopes along u and v [-]; NaN where there is none
};

// A coordinate after the border mode of its axis.
struct CrgAlong {
  double q;     // from the first node, in the unit of the axis, 0 ... span
  double dir;   // dq per step outward on the axis: 1, -1 where reflected, 0 where held
  bool beyond;  // outside the data, and not brought back into it
};
// [T12.6]  repeat: q modulo the span; reflect: folded at both ends; keep and zero: held at the end.
VD_INLINE CrgAlong crg_border(double q, double span, CrgBorder mode) {
  if (mode == CrgBorder::repeat) {
    const double rest = ::fmod(q, span);
    return {rest < 0 ? rest + span : rest, 1, false};
  }
  if (mode == CrgBorder::reflect) {
    const double a = abs(q), turns = floor(a / span), rest = a - turns * span, side = q < 0 ? -1.0 : 1.0;
    const bool odd = ::fmod(turns, 2.0) != 0;
    return {odd ? span - rest : rest, odd ? -side : side, false};
  }
  return {q < 0 ? 0 : span, 0, true};
}

// [T12.7]  Bilinear in the cell, and its slopes per cell.
VD_INLINE CrgSurface crg_bilinear(const CrgView& c, const CrgCell& u, const CrgCell& v) {
  const double z00 = crg_node(c, u.i, v.i), z10 = crg_node(c, u.i + 1, v.i) - z00;
  const double far = crg_node(c, u.i, v.i + 1), z11 = crg_node(c, u.i + 1, v.i + 1) - (z10 + far), z01 = far - z00;
  return {(z11 * v.f + z10) * u.f + z01 * v.f + z00 + c.z_shift, z11 * v.f + z10, z11 * u.f + z01};
}

// Node positions by bisection: the last v[i] <= at.
VD_INLINE CrgCell crg_uneven_cell(const CrgView& c, double at) {
  int low = 0, high = c.nv - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (at < c.v[middle] ? high : low) = middle;
  }
  return {low, clamp((at - c.v[low]) / (c.v[low + 1] - c.v[low]), 0.0, 1.0)};
}

struct CrgAcross {
  CrgCell cell;
  double dir, bank_v;  // v at which the banking acts, inside the data [m]
  double width;        // of the cell [m]
  CrgBorder mode;      // in force; keep within 1e-8 m of an uneven border
  bool outside, beyond;
};
VD_INLINE CrgAcross crg_across(const CrgView& c, double v) {
  CrgAlong at{v - c.v0, 1, false};
  CrgBorder mode = c.border_v;
  const bool outside = v < c.v0 || v > c.v1;
  if (outside) {
    if (!c.v_even && (abs(v - c.v0) < 1e-8 || abs(v - c.v1) < 1e-8)) mode = CrgBorder::keep;
    at = crg_border(at.q, c.v1 - c.v0, mode);
  }
  const double back = c.v0 + at.q;
  const double bank_v = clamp(outside && !c.v_even ? v : back, c.v0, c.v1);  // as ASAM's library does
  if (c.v_even) return {crg_cell(at.q / c.dv, c.nv), at.dir, bank_v, c.dv, mode, outside, at.beyond};
  const CrgCell cell = crg_uneven_cell(c, back);
  return {cell, at.dir, bank_v, c.v[cell.i + 1] - c.v[cell.i], mode, outside, at.beyond};
}

// [T12.8]  Near the ends z fades to the height h of the line there: z <- h + w (z - h), w = distance from the end /
// length.
VD_INLINE CrgSurface crg_fade(const CrgView& c, CrgSurface s, double u) {
  double w = -1, slope = 0, h = 0;
  if (c.smooth_begin > 0 && u - c.u0 <= c.smooth_begin) {
    w = max(0.0, (u - c.u0) / c.smooth_begin);
    slope = w > 0 ? 1 / c.smooth_begin : 0;
    h = c.refz ? c.refz[0] : c.level;
  }
  if (c.smooth_end > 0 && c.u1 - u <= c.smooth_end) {
    w = max(0.0, (c.u1 - u) / c.smooth_end);
    slope = w > 0 ? -1 / c.smooth_end : 0;
    h = c.refz ? c.refz[c.nu - 1] : c.level;
  }
  if (w < 0) return s;
  return {h + (s.z - h) * w, s.zu * w + (s.z - h) * slope, s.zv * w};
}

// [T12.9]  z = grid + line + bank v, then offset or zero beyond the borders, then the fading at the ends.
VD_INLINE CrgSurface crg_surface(const CrgView& c, double u_in, double v) {
  const CrgSurface nothing{detail::nan<double>(), detail::nan<double>(), detail::nan<double>()};
  if (!(abs(u_in) < 1e100 && abs(v) < 1e100)) return nothing;
  double u = crg_track_u(c, u_in);
  CrgAlong along{(u - c.u0) / c.du, 1, false};
  const bool outside = u < c.u0 || u > c.u1;
  if (outside) {
    along = crg_border(along.q, (c.u1 - c.u0) / c.du, c.border_u);
    if (!along.beyond) u = c.u0 + along.q * c.du;
  }
  const CrgAcross across = crg_across(c, v);
  const bool zero_u = along.beyond && c.border_u == CrgBorder::zero;
  const bool zero_v = across.beyond && across.mode == CrgBorder::zero;
  if ((along.beyond && c.border_u == CrgBorder::none) || (across.beyond && across.mode == CrgBorder::none))
    return nothing;
  const CrgCell cell = crg_cell(along.q, c.nu);
  CrgSurface s{0, 0, 0};
  if (!zero_u && !zero_v) {
    s = crg_bilinear(c, cell, across.cell);
    s.zv *= across.dir / across.width;
  }
  const double z_rise = c.refz ? c.refz[cell.i + 1] - c.refz[cell.i] : 0;
  s.z += c.refz ? c.refz[cell.i] + cell.f * z_rise : c.level;
  s.zu += z_rise;
  if (c.has_bank && !zero_u) {
    const double turn = c.bank ? c.bank[cell.i + 1] - c.bank[cell.i] : 0;
    const double bank = c.bank ? c.bank[cell.i] + cell.f * turn : c.bank0;
    s.z += bank * across.bank_v;
    s.zu += turn * across.bank_v;
    s.zv += across.outside && !c.v_even ? 0 : bank * across.dir;
  }
  s.zu *= along.dir / c.du;
  const double offset = (outside ? c.offset_u : 0) + (across.outside ? c.offset_v : 0);
  if (zero_u || (zero_v && !along.beyond))
    s = {offset, 0, 0};
  else if (along.beyond || across.beyond)
    s.z += offset;
  return crg_fade(c, s, u);
}

VD_INLINE double crg_uv_to_z(const CrgView& c, double u, double v) { return crg_surface(c, u, v).z; }
VD_INLINE double crg_xy_to_z(const CrgView& c, double x, double y, int hint = -1) {
  const CrgUv at = crg_xy_to_uv(c, x, y, hint);
  return crg_uv_to_z(c, at.u, at.v);
}

// ------------------------------------------------------------------------------------------------ for the wheels

// [T12.11]  Slopes in world axes: the Jacobian X_u = (B - A)/du, X_v = (1 - f) a + f b, inverted.
VD_INLINE RoadHeight<double> crg_height_at(const CrgView& c, double x, double y, int hint = -1) {
  const CrgUv at = crg_xy_to_uv(c, x, y, hint);
  const CrgSurface s = crg_surface(c, at.u, at.v);
  double xu, yu, xv, yv;
  if (at.segment > 0 && at.segment < c.nu) {
    const CrgQuad q = crg_quad(c, at.segment - 1);
    const double f = (at.u - c.u0) / c.du - (at.segment - 1);
    xu = (q.px + at.v * (q.bx - q.ax)) / c.du, yu = (q.py + at.v * (q.by - q.ay)) / c.du;
    xv = q.ax + f * (q.bx - q.ax), yv = q.ay + f * (q.by - q.ay);
  } else {
    const CrgPose& p = at.segment == 0 ? c.first : c.last;
    xu = p.cos, yu = p.sin, xv = -p.sin, yv = p.cos;
  }
  const double det = xu * yv - yu * xv;
  const double inverse = abs(det) > 1e-9 ? 1 / det : 0;  // 0: at a centre of curvature there is no slope
  return {s.z, (s.zu * yv - s.zv * yu) * inverse, (s.zv * xu - s.zu * xv) * inverse};
}

template <class R> VD_NOINLINE RoadHeight<R> crg_height(const CrgView& c, R x, R y) {
  RoadHeight<R> out{R(0.0), R(0.0), R(0.0)};
  for (int i = 0; i < lanes<R>; ++i) {
    const RoadHeight<double> one = crg_height_at(c, double(lane(x, i)), double(lane(y, i)));
    set_lane(out.z, i, scalar_t<R>(one.z));
    set_lane(out.zx, i, scalar_t<R>(one.zx));
    set_lane(out.zy, i, scalar_t<R>(one.zy));
  }
  return out;
}

// Station along the reference line [m].
template <class R> VD_NOINLINE R crg_station(const CrgView& c, R x, R y) {
  R out = R(0.0);
  for (int i = 0; i < lanes<R>; ++i)
    set_lane(out, i, scalar_t<R>(crg_xy_to_uv(c, double(lane(x, i)), double(lane(y, i))).u));
  return out;
}

}  // namespace vdsim
