// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/crg_road.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/formats/heightmap_read.hpp"

namespace vdsim {
namespace {

double or_else(double value, double otherwise) { return crg_set(value) ? value : otherwise; }

template <class T> void scale(std::vector<T>& values, double factor) {
  for (T& each : values) each *= static_cast<T>(factor);  // NaN stays NaN
}

// Missing heights in each cross section: 0, or the nearest one to the right, or else the nearest one to the left.
template <class T> void fill_missing(std::vector<T>& grid, std::size_t cuts, int mode, double offset) {
  for (std::size_t row = 0; row + cuts <= grid.size(); row += cuts) {
    T* z = grid.data() + row;
    if (mode == 1) {
      for (std::size_t j = 0; j < cuts; ++j)
        if (std::isnan(z[j])) z[j] = static_cast<T>(offset);
      continue;
    }
    const auto valid = std::find_if(z, z + cuts, [](T x) { return !std::isnan(x); });
    if (valid == z + cuts) continue;
    const T lead = *valid + static_cast<T>(offset);
    T last = *valid;
    for (T* p = z; p < z + cuts; ++p) {
      if (p < valid)
        *p = lead;
      else if (std::isnan(*p))
        *p = last + static_cast<T>(offset);
      else
        last = *p;
    }
  }
}

class Builder {
 public:
  Builder(const CrgFile& file, Errors& errors, Warnings& warnings)
      : in_(file), p_(file.road), m_(file.modifiers), errors_(errors), warnings_(warnings) {}
  std::optional<CrgRoad> build();

 private:
  void scale_all();
  void missing_values();
  void line();
  void integrate_line();
  void height_of_line();
  void ends();
  void closing();
  void place();
  void move(double cx, double cy, double angle, double x, double y, double dz);
  void check();
  void index();
  bool by_point() const;

  const CrgFile& in_;
  CrgParameters p_;
  CrgModifiers m_;
  Errors& errors_;
  Warnings& warnings_;
  CrgRoad out_;
  std::vector<double> slope_;
};

void Builder::scale_all() {
  CrgView& c = out_.plain;
  if (crg_set(m_.scale_z_grid)) {
    scale(out_.grid32, m_.scale_z_grid);
    scale(out_.grid64, m_.scale_z_grid);
  }
  if (crg_set(m_.scale_slope)) {
    scale(slope_, m_.scale_slope);
    p_.start_s *= m_.scale_slope;
    p_.end_z = kCrgUnset;  // no longer where the line ends
  }
  if (crg_set(m_.scale_banking)) {
    scale(out_.bank, m_.scale_banking);
    p_.start_b *= m_.scale_banking;
    p_.end_b *= m_.scale_banking;
  }
  if (crg_set(m_.scale_length)) {
    c.du *= m_.scale_length;
    p_.end_x = p_.end_y = p_.end_z = kCrgUnset;
  }
  if (crg_set(m_.scale_width)) {
    scale(out_.v, m_.scale_width);
    p_.v_right *= m_.scale_width;
  }
  if (crg_set(m_.scale_curvature)) {
    const double start = or_else(p_.start_phi, 0);
    for (double& each : out_.phi) each = start + m_.scale_curvature * (each - start);
    p_.end_phi = kCrgUnset;
    p_.end_x = p_.end_y = kCrgUnset;
  }
}

void Builder::missing_values() {
  if (crg_set(m_.grid_nan_offset) && !crg_set(m_.grid_nan_mode)) m_.grid_nan_mode = 2;
  const int mode = static_cast<int>(or_else(m_.grid_nan_mode, 0));
  if (mode > 0) {
    fill_missing(out_.grid32, out_.v.size(), mode, or_else(m_.grid_nan_offset, 0));
    fill_missing(out_.grid64, out_.v.size(), mode, or_else(m_.grid_nan_offset, 0));
  }
  const auto holes = [](const auto& grid) {
    return std::count_if(grid.begin(), grid.end(), [](auto x) { return x != x; });
  };
  if (const auto n = holes(out_.grid32) + holes(out_.grid64); n > 0)
    warnings_.add({in_.name, 0, 0}, "", fmt::format("{} heights are missing; the road has holes there", n));
}

// Headings to points, [T12.12] in the theory: each chord as long as du. If the end is given too, the line is
// integrated from both sides and the two are blended, so that rounding of the headings does not add up.
void Builder::integrate_line() {
  const std::size_t n = out_.phi.size();
  const double du = out_.plain.du;
  std::vector<double>&x = out_.x, &y = out_.y;
  const bool both = crg_set(p_.end_x) && crg_set(p_.end_y);
  if (both) {
    x[n - 1] = p_.end_x;
    y[n - 1] = p_.end_y;
    for (std::size_t i = n - 1; i > 0; --i) {
      x[i - 1] = x[i] - du * cos(out_.phi[i]);
      y[i - 1] = y[i] - du * sin(out_.phi[i]);
    }
    const double gap = std::hypot(x[0] - or_else(p_.start_x, 0), y[0] - or_else(p_.start_y, 0));
    if (gap > 1e-6 * du * static_cast<double>(n - 1))
      warnings_.add(
          {in_.name, 0, 0}, "",
          fmt::format("start, headings and end of the reference line disagree by {:.3g} m; spread over the line", gap));
  }
  x[0] = or_else(p_.start_x, 0);
  y[0] = or_else(p_.start_y, 0);
  for (std::size_t i = 1; i < n; ++i) {
    const double w = both ? static_cast<double>(i) / static_cast<double>(n - 1) : 0;
    x[i] = (1 - w) * (x[i - 1] + du * cos(out_.phi[i])) + w * x[i];
    y[i] = (1 - w) * (y[i - 1] + du * sin(out_.phi[i])) + w * y[i];
  }
}

void Builder::line() {
  const std::size_t n = in_.rows;
  CrgView& c = out_.plain;
  out_.x.assign(n, 0);
  out_.y.assign(n, 0);
  if (!out_.phi.empty()) {
    if (!in_.x.empty())
      warnings_.add({in_.name, 0, 0}, "", "columns x and y are not used, because there is a column phi");
    out_.phi[0] = or_else(p_.start_phi, 0);
    integrate_line();
  } else if (!in_.x.empty()) {
    out_.x = in_.x;
    out_.y = in_.y;
    const double s = or_else(m_.scale_length, 1);
    for (std::size_t i = 0; i < n; ++i) {
      out_.x[i] = in_.x[0] + s * (in_.x[i] - in_.x[0]);
      out_.y[i] = in_.y[0] + s * (in_.y[i] - in_.y[0]);
    }
    out_.phi.assign(n, 0);
    for (std::size_t i = 1; i < n; ++i) out_.phi[i] = atan2(out_.y[i] - out_.y[i - 1], out_.x[i] - out_.x[i - 1]);
    out_.phi[0] = or_else(p_.start_phi, out_.phi[1]);
    p_.start_phi = out_.phi[0];
  } else {
    const double phi = or_else(p_.start_phi, 0);
    for (std::size_t i = 0; i < n; ++i) {
      out_.x[i] = or_else(p_.start_x, 0) + static_cast<double>(i) * c.du * cos(phi);
      out_.y[i] = or_else(p_.start_y, 0) + static_cast<double>(i) * c.du * sin(phi);
    }
    if (crg_set(p_.end_x) && crg_set(p_.end_y)) {
      const double gap = std::hypot(p_.end_x - out_.x[n - 1], p_.end_y - out_.y[n - 1]);
      if (gap > 5e-4)
        warnings_.add({in_.name, 0, 0}, "",
                      fmt::format("the straight reference line ends {:.3g} m from END_X, END_Y", gap));
    }
  }
}

// Slopes to heights, as integrate_line(). The slope of a row is that of the segment that ends there.
void Builder::height_of_line() {
  CrgView& c = out_.plain;
  const std::size_t n = in_.rows;
  c.level = or_else(p_.start_z, 0);
  if (!in_.z.empty()) {
    out_.refz = in_.z;
    return;
  }
  const double constant = or_else(p_.start_s, 0);
  if (slope_.empty() && constant == 0) {
    if (crg_set(p_.end_z) && std::abs(p_.end_z - c.level) > 1e-6 * c.du * static_cast<double>(n - 1))
      warnings_.add({in_.name, 0, 0}, "", "REFERENCE_LINE_END_Z is not used: the line has no slope");
    return;
  }
  const auto rise = [&](std::size_t i) { return (slope_.empty() ? constant : slope_[i]) * c.du; };
  std::vector<double>& z = out_.refz;
  z.assign(n, 0);
  const bool both = crg_set(p_.end_z);
  if (both) {
    z[n - 1] = p_.end_z;
    for (std::size_t i = n - 1; i > 0; --i) z[i - 1] = z[i] - rise(i);
    if (std::abs(z[0] - c.level) > 1e-6 * c.du * static_cast<double>(n - 1))
      warnings_.add(
          {in_.name, 0, 0}, "",
          fmt::format("start, slopes and end of the reference line disagree by {:.3g} m in z; spread over the line",
                      std::abs(z[0] - c.level)));
  }
  z[0] = c.level;
  for (std::size_t i = 1; i < n; ++i) {
    // one step behind the weight of x and y, and the last point as given: the blend of ASAM's library
    const double w = !both ? 0 : i == n - 1 ? 1 : static_cast<double>(i - 1) / static_cast<double>(n - 1);
    z[i] = (1 - w) * (z[i - 1] + rise(i)) + w * z[i];
  }
}

CrgPose pose(double x, double y, double phi) { return {x, y, phi, cos(phi), sin(phi)}; }

void Builder::ends() {
  CrgView& c = out_.plain;
  const double start = or_else(p_.start_phi, 0);
  c.first = pose(out_.x.front(), out_.y.front(), start);
  c.last = pose(out_.x.back(), out_.y.back(), or_else(p_.end_phi, out_.phi.empty() ? start : out_.phi.back()));
}

// Whether the ends face each other within 60 degrees without overlap, and at which u they meet: where the two straight
// continuations cross, or half way if they are parallel.
void Builder::closing() {
  CrgView& c = out_.plain;
  const CrgPose &a = c.first, &b = c.last;
  const double along = a.cos * b.cos + a.sin * b.sin, across = a.cos * b.sin - a.sin * b.cos;
  const double dx = a.x - b.x, dy = a.y - b.y;
  const double ahead = (dy * a.sin + dx * a.cos) / along, behind = -(dy * b.sin + dx * b.cos) / along;
  c.closable = along > 0.5 && ahead > 0 && behind < 0;
  if (!c.closable) return;
  c.close_min = c.u0 + 0.5 * behind * along;
  c.close_max = c.u1 + 0.5 * ahead * along;
  if (std::abs(across) > 1e-6) {
    const double l = (a.cos * dy - a.sin * dx) / across, k = (b.cos * dy - b.sin * dx) / across;
    if (l >= 0 && k <= 0) {
      c.close_min = c.u0 + k;
      c.close_max = c.u1 + l;
    }
  }
}

bool Builder::by_point() const {
  for (const double each : {m_.refpoint_u, m_.refpoint_u_fraction, m_.refpoint_v, m_.refpoint_v_fraction, m_.refpoint_x,
                            m_.refpoint_y, m_.refpoint_z, m_.refpoint_phi})
    if (crg_set(each)) return true;
  return false;
}

// Turns the road about (cx, cy), which comes to (x, y), and lifts it by dz.
void Builder::move(double cx, double cy, double angle, double x, double y, double dz) {
  CrgView& c = out_.plain;
  const double co = cos(angle), si = sin(angle);
  for (std::size_t i = 0; i < out_.x.size(); ++i) {
    const double dx = out_.x[i] - cx, dy = out_.y[i] - cy;
    out_.x[i] = x + dx * co - dy * si;
    out_.y[i] = y + dx * si + dy * co;
  }
  for (double& each : out_.phi) each += angle;
  c.first = pose(out_.x.front(), out_.y.front(), c.first.phi + angle);
  c.last = pose(out_.x.back(), out_.y.back(), c.last.phi + angle);
  for (double& each : out_.refz) each += dz;
  if (!out_.refz.empty() || crg_set(p_.start_z))
    c.level += dz;
  else
    c.z_shift += dz;
}

void Builder::place() {
  const CrgView c = out_.view();
  const bool offset = crg_set(m_.refline_offset_x) || crg_set(m_.refline_offset_y) || crg_set(m_.refline_offset_z) ||
                      crg_set(m_.refline_offset_phi);
  if (!by_point()) {
    const double cx = or_else(m_.refline_rotcenter_x, c.first.x), cy = or_else(m_.refline_rotcenter_y, c.first.y);
    if (offset)
      move(cx, cy, or_else(m_.refline_offset_phi, 0), cx + or_else(m_.refline_offset_x, 0),
           cy + or_else(m_.refline_offset_y, 0), or_else(m_.refline_offset_z, 0));
    return;
  }
  if (offset)
    warnings_.add({in_.name, 0, 0}, "", "REFLINE_OFFSET_... is not used, because REFPOINT_... places the road");
  const double u = or_else(m_.refpoint_u, c.u0 + or_else(m_.refpoint_u_fraction, 0) * (c.u1 - c.u0)) +
                   or_else(m_.refpoint_u_offset, 0);
  double v = c.v0 + or_else(m_.refpoint_v_fraction, 0) * (c.v1 - c.v0);
  const double step = (c.v1 - c.v0) / (c.nv - 1);
  const bool even = std::adjacent_find(out_.v.begin(), out_.v.end(), [&](double a, double b) {
                      return std::abs(b - a - step) > 0.5e-3 * step;
                    }) == out_.v.end();
  // ASAM's library knows the right border of listed cuts only from the header
  if (!crg_set(m_.refpoint_v_fraction) && in_.v_listed && !even) v = or_else(p_.v_right, 0);
  v = or_else(m_.refpoint_v, v) + or_else(m_.refpoint_v_offset, 0);
  const CrgXy at = crg_uv_to_xy(c, u, v);
  const double z = crg_uv_to_z(c, u, v);
  if (!std::isfinite(z)) {
    errors_.add(
        {in_.name, 0, 0}, "",
        fmt::format("the road cannot be placed by its reference point u = {}, v = {}: it has no height there", u, v));
    return;
  }
  move(at.x, at.y, or_else(m_.refpoint_phi, 0) - crg_uv_to_pk(c, u, v).phi, or_else(m_.refpoint_x, 0),
       or_else(m_.refpoint_y, 0), or_else(m_.refpoint_z, 0) - z);
}

// Scaled too far, lengths vanish or overflow.
void Builder::check() {
  const CrgView& c = out_.plain;
  const auto finite = [](const std::vector<double>& list) {
    return std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x) && std::abs(x) < 1e100; });
  };
  const bool rising = std::adjacent_find(out_.v.begin(), out_.v.end(),
                                         [](double a, double b) { return !(b - a > 1e-9); }) == out_.v.end();
  if (!finite(out_.x) || !finite(out_.y) || !finite(out_.refz) || !finite(out_.bank) || !finite(out_.phi) ||
      !finite({c.u0, c.u1, c.v0, c.v1, c.level, c.z_shift}) || !(c.du > 1e-9) ||
      !(c.u1 - c.u0 > 0.5 * c.du * (c.nu - 1)) || !rising || !(c.dv > 1e-9))
    errors_.add({in_.name, 0, 0}, "", "positions or scale factors are too large or too small for a road");
  const auto tall =
      std::find_if(out_.grid32.begin(), out_.grid32.end(), [](float z) { return std::abs(z) > float(kHighestRoad); });
  if (tall != out_.grid32.end())
    errors_.add({in_.name, 0, 0}, "", fmt::format("a height of {:.4g} m, expected -1e5 to 1e5 m", *tall));
}

void Builder::index() {
  CrgView& c = out_.plain;
  c.leaves = crg_leaves(c.nu);
  out_.tree.assign(8 * static_cast<std::size_t>(c.leaves), 0);
  crg_build_tree(out_.x.data(), out_.y.data(), c.nu, c.leaves, out_.tree.data());
}

std::optional<CrgRoad> Builder::build() {
  CrgView& c = out_.plain;
  const CrgOptions& o = in_.options;
  if (!in_.has_modifiers) {
    m_.grid_nan_mode = 2;
    m_.refpoint_x = m_.refpoint_y = m_.refpoint_z = m_.refpoint_phi = 0;
  }
  out_.phi = in_.phi;
  out_.bank = in_.bank;
  out_.v = in_.v;
  out_.grid32 = in_.grid32;
  // ASAM's library evaluates 4-byte heights whatever the format: so do we, and answers agree to rounding
  out_.grid32.insert(out_.grid32.end(), in_.grid64.begin(), in_.grid64.end());
  slope_ = in_.slope;
  c.du = p_.increment;
  scale_all();
  missing_values();
  c.nu = static_cast<int>(in_.rows);
  c.nv = static_cast<int>(out_.v.size());
  c.u0 = or_else(p_.start_u, 0);
  c.u1 = c.u0 + c.du * (c.nu - 1);
  c.v_even = !in_.v_listed;
  c.v0 = out_.v.front();
  c.v1 = out_.v.back();
  c.dv = (c.v1 - c.v0) / (c.nv - 1);
  c.bank0 = or_else(p_.start_b, 0);
  c.has_bank = !out_.bank.empty() || c.bank0 != 0;
  c.border_u = static_cast<CrgBorder>(static_cast<int>(o.border_mode_u));
  c.border_v = static_cast<CrgBorder>(static_cast<int>(o.border_mode_v));
  c.offset_u = o.border_offset_u;
  c.offset_v = o.border_offset_v;
  c.smooth_begin = o.border_smooth_ubeg;
  c.smooth_end = o.border_smooth_uend;
  line();
  height_of_line();
  ends();
  closing();
  c.close_track = c.closable && o.refline_continuation == 1;
  if (o.refline_continuation == 1 && !c.closable)
    warnings_.add({in_.name, 0, 0}, "", "the ends of the reference line do not face each other: it stays open");
  check();
  if (errors_.empty()) place();
  if (errors_.empty()) check();
  if (!errors_.empty()) return std::nullopt;
  index();
  return std::move(out_);
}

}  // namespace

CrgView CrgRoad::view() const {
  CrgView c = plain;
  const auto or_null = [](const auto& list) { return list.empty() ? nullptr : list.data(); };
  c.x = x.data();
  c.y = y.data();
  c.phi = or_null(phi);
  c.refz = or_null(refz);
  c.bank = or_null(bank);
  c.v = v.data();
  c.z32 = or_null(grid32);
  c.z64 = or_null(grid64);
  c.tree = or_null(tree);
  return c;
}

std::size_t CrgRoad::bytes() const {
  return 8 * (x.size() + y.size() + phi.size() + refz.size() + bank.size() + v.size() + grid64.size() + tree.size()) +
         4 * grid32.size();
}

std::optional<CrgRoad> build_crg(const CrgFile& file, Errors& errors, Warnings& warnings) {
  Errors own;
  auto out = Builder(file, own, warnings).build();
  for (const InputError& each : own.list()) errors.add(each.place, each.path, each.what);
  return out;
}

std::optional<CrgRoad> load_crg(const std::string& path, Errors& errors, Warnings& warnings, const Place* from) {
  const auto file = read_crg_file(path, errors, warnings, from);
  return file ? build_crg(*file, errors, warnings) : std::nullopt;
}

}  // namespace vdsim
