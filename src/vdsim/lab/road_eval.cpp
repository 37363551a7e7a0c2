// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/road_eval.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "vdsim/engine/reflect.hpp"
#include "vdsim/formats/table_read.hpp"

namespace vdsim {
namespace {

constexpr int kCurve = 400;  // points of a drawn line

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  std::string text(const char* unit) const { return fmt::format("{:.6g} to {:.6g} {}", low, high, unit); }
};

template <class List> Extent extent_of(const List& values) {
  Extent out;
  for (const auto each : values) out.add(double(each));
  return out;
}

// Heights at the nodes of the grid, with line and banking.
Extent heights(const CrgView& c) {
  Extent out;
  for (int i = 0; i < c.nu; ++i)
    for (int j = 0; j < c.nv; ++j) {
      const double bank = c.bank ? c.bank[i] : c.bank0;
      out.add(crg_node(c, i, j) + c.z_shift + (c.refz ? c.refz[i] : c.level) + (c.has_bank ? bank * c.v[j] : 0));
    }
  return out;
}

std::string border_text(CrgBorder mode, double offset) {
  const std::string name = enum_name(mode);
  return offset != 0 ? fmt::format("{}, offset {:.6g} m", name, offset) : name;
}

std::string pose_text(const CrgPose& p) {
  const auto tidy = [](double x) { return std::round(x * 1e9) / 1e9 + 0.0; };  // no 5e-17, no -0
  return fmt::format("x {:.6g} m, y {:.6g} m, heading {:.6g} rad", tidy(p.x), tidy(p.y), tidy(p.phi));
}

using Info = std::vector<std::pair<std::string, std::string>>;

void crg_info(const RoadFile& road, Info& out) {
  const CrgView c = road.crg->view();
  const auto add = [&](const char* what, std::string value) { out.emplace_back(what, std::move(value)); };
  add("format", fmt::format("OpenCRG {}", crg_format_name(road.file.format)));
  add("grid", fmt::format("{} x {} heights, {:.3g} MB", c.nu, c.nv, double(road.crg->bytes()) / 1e6));
  add("length", fmt::format("{:.6g} m, u from {:.6g} to {:.6g} m, every {:.6g} m", c.u1 - c.u0, c.u0, c.u1, c.du));
  add("width", fmt::format("{:.6g} m, v from {:.6g} to {:.6g} m, {}", c.v1 - c.v0, c.v0, c.v1,
                           c.v_even ? fmt::format("every {:.6g} m", c.dv) : "positions listed"));
  add("height", heights(c).text("m"));
  const auto missing = [](const auto& grid) {
    return std::count_if(grid.begin(), grid.end(), [](auto z) { return std::isnan(z); });
  };
  add("missing heights", fmt::format("{}", missing(road.crg->grid32) + missing(road.crg->grid64)));
  add("start", pose_text(c.first));
  add("end", pose_text(c.last));
  Extent curvature;
  for (int i = 0; i < c.nu; ++i) curvature.add(crg_uv_to_pk(c, c.u0 + (i + 0.5) * c.du, 0).curvature + 0.0);
  add("curvature", curvature.text("1/m"));
  if (c.refz) add("height of the line", extent_of(road.crg->refz).text("m"));
  if (c.has_bank) add("banking", c.bank ? extent_of(road.crg->bank).text("") : fmt::format("{:.6g}", c.bank0));
  add("beyond the ends", border_text(c.border_u, c.offset_u));
  add("beyond the sides", border_text(c.border_v, c.offset_v));
  if (c.smooth_begin > 0 || c.smooth_end > 0)
    add("fading", fmt::format("{:.6g} m at the start, {:.6g} m at the end", c.smooth_begin, c.smooth_end));
  add("closed track", c.close_track ? fmt::format("yes, {:.6g} m around", c.close_max - c.close_min)
                      : c.closable  ? "no, but it could be"
                                    : "no");
  add("modifiers",
      road.file.has_modifiers ? "those of the file" : "defaults: right border of the start at x = y = z = 0");
}

Series curve(const std::string& name, double from, double to, const auto& point) {
  Series out;
  out.name = name;
  for (int i = 0; i <= kCurve; ++i) {
    const auto [x, y] = point(from + (to - from) * i / kCurve);
    out.x.push_back(x);
    out.y.push_back(y);
  }
  return out;
}

Figure crg_figure(const RoadFile& road) {
  const CrgView c = road.crg->view();
  Panel plan{"from above", "x [m]", "y [m]", {}, true}, along{"along", "u [m]", "z [m]", {}},
      across{"across", "v [m]", "z [m]", {}};
  const double middle = c.v0 <= 0 && c.v1 >= 0 ? 0 : 0.5 * (c.v0 + c.v1);
  const std::pair<const char*, double> cuts[] = {{"right border", c.v0}, {"centre", middle}, {"left border", c.v1}};
  for (const auto& [name, v] : cuts) {
    plan.series.push_back(curve(name, c.u0, c.u1, [&, v = v](double u) {
      const CrgXy p = crg_uv_to_xy(c, u, v);
      return std::pair{p.x, p.y};
    }));
    along.series.push_back(curve(name, c.u0, c.u1, [&, v = v](double u) {
      return std::pair{u, crg_uv_to_z(c, u, v)};
    }));
  }
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double u = c.u0 + part * (c.u1 - c.u0);
    across.series.push_back(curve(fmt::format("u = {:.4g} m", u), c.v0, c.v1, [&](double v) {
      return std::pair{v, crg_uv_to_z(c, u, v)};
    }));
  }
  return {std::filesystem::path(road.path).filename().string(), {plan, along, across}, 2};
}

Figure map_figure(const RoadFile& road) {
  const RoadGrid g = road.map->view();
  const double x1 = g.x0 + (g.nx - 1) * g.dx, y1 = g.y0 + (g.ny - 1) * g.dy;
  Panel along{"along x", "x [m]", "z [m]", {}}, across{"along y", "y [m]", "z [m]", {}};
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double x = g.x0 + part * (x1 - g.x0), y = g.y0 + part * (y1 - g.y0);
    along.series.push_back(curve(fmt::format("y = {:.4g} m", y), g.x0, x1, [&](double s) {
      return std::pair{s, grid_height<double>(g, true, s, y).z};
    }));
    across.series.push_back(curve(fmt::format("x = {:.4g} m", x), g.y0, y1, [&](double s) {
      return std::pair{s, grid_height<double>(g, true, x, s).z};
    }));
  }
  return {std::filesystem::path(road.path).filename().string(), {along, across}, 2};
}

}  // namespace

std::optional<RoadQuery> road_query(const std::string& text, bool xy, const std::string& from, Errors& errors) {
  double values[2] = {};
  const char *at = text.data(), *const end = at + text.size();
  for (int i = 0; i < 2; ++i) {
    if (at != end && *at == '+') ++at;
    const auto [stop, error] = std::from_chars(at, end, values[i]);
    const bool closed = i == 0 ? stop != end && *stop == ',' : stop == end;
    if (error != std::errc() || !closed || !std::isfinite(values[i])) {
      errors.add({from, 0, 0}, "", fmt::format("expected two numbers as 1.5,-0.2, not '{}'", text));
      return std::nullopt;
    }
    at = stop + 1;
  }
  return RoadQuery{xy, values[0], values[1]};
}

std::vector<RoadQuery> read_road_points(std::string_view text, const std::string& file, Errors& errors) {
  const auto has = [](const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  bool xy = false;
  const auto table = read_table(
      text, file,
      [&](const std::vector<std::string>& names) {
        xy = !has(names, "u") && !has(names, "v");
        ColumnRules rules{{xy ? "x" : "u", "m"}, {xy ? "y" : "v", "m"}};
        for (const std::string& name : names)
          if (name != rules[0].name && name != rules[1].name)
            rules.push_back(optional_column(name, "", {-kInf, kInf, false, false}));
        return rules;
      },
      errors);
  std::vector<RoadQuery> out;
  if (!table) return out;
  const auto &a = *table->find(xy ? "x" : "u"), &b = *table->find(xy ? "y" : "v");
  for (std::size_t i = 0; i < table->rows(); ++i) out.push_back({xy, a[i], b[i]});
  return out;
}

std::vector<std::string> road_columns(const RoadFile& road) {
  if (road.map) return {"x", "y", "z", "zx", "zy"};
  return {"u", "v", "x", "y", "z", "phi", "curv", "u_back", "v_back", "z_xy"};
}

std::vector<double> road_row(const RoadFile& road, const RoadQuery& q) {
  if (road.map) {
    const RoadHeight<double> h = grid_height<double>(road.map->view(), true, q.a, q.b);
    return {q.a, q.b, h.z, h.zx, h.zy};
  }
  const CrgView c = road.crg->view();
  const CrgUv given = q.xy ? crg_xy_to_uv(c, q.a, q.b) : CrgUv{q.a, q.b, 0};
  const CrgXy p = q.xy ? CrgXy{q.a, q.b} : crg_uv_to_xy(c, q.a, q.b);
  const CrgUv back = crg_xy_to_uv(c, p.x, p.y);
  const CrgHeading h = crg_uv_to_pk(c, given.u, given.v);
  return {given.u, given.v,     p.x,    p.y,    crg_uv_to_z(c, given.u, given.v),
          h.phi,   h.curvature, back.u, back.v, crg_uv_to_z(c, back.u, back.v)};
}

std::vector<std::pair<std::string, std::string>> road_info(const RoadFile& road) {
  Info out{{"file", road.path}};
  if (road.crg) {
    crg_info(road, out);
    return out;
  }
  const Heightmap& m = *road.map;
  out.emplace_back("format", "height map");
  out.emplace_back("grid", fmt::format("{} x {} heights", m.nx, m.ny));
  out.emplace_back("x", fmt::format("{:.6g} to {:.6g} m, every {:.6g} m", m.x0, m.x0 + (m.nx - 1) * m.dx, m.dx));
  out.emplace_back("y", fmt::format("{:.6g} to {:.6g} m, every {:.6g} m", m.y0, m.y0 + (m.ny - 1) * m.dy, m.dy));
  out.emplace_back("height", extent_of(m.z).text("m"));
  return out;
}

Figure road_figure(const RoadFile& road) { return road.crg ? crg_figure(road) : map_figure(road); }

}  // namespace vdsim
