// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/vdsim/commands.hpp"
#include "apps/vdsim/rows.hpp"
#include "vdsim/formats/crg_write.hpp"
#include "vdsim/formats/table_read.hpp"
#include "vdsim/lab/road_eval.hpp"

namespace vdsim::cli {

namespace {

struct RoadArguments {
  std::string road, points, output, format = "ascii";
  std::vector<std::string> uv, xy;
  bool json = false, quiet = false;
};

RoadFile load(const RoadArguments& in, Errors& errors) {
  Warnings warnings;
  auto road = load_road(in.road, errors, warnings);
  errors.throw_if_any();
  print_warnings(warnings.lines(), in.quiet);
  return std::move(*road);
}

int eval(const RoadArguments& in) {
  Errors errors;
  std::vector<RoadQuery> queries;
  const auto take = [&](const std::vector<std::string>& texts, bool xy, const char* option) {
    for (const std::string& text : texts)
      if (const auto q = road_query(text, xy, option, errors)) queries.push_back(*q);
  };
  take(in.uv, false, "--uv");
  take(in.xy, true, "--xy");
  if (!in.points.empty())
    if (const auto text = read_data(in.points, {"--points " + in.points, 0, 0}, errors)) {
      const auto more = read_road_points(*text, in.points, errors);
      queries.insert(queries.end(), more.begin(), more.end());
    }
  if (queries.empty() && errors.empty()) errors.add({"vdsim road eval", 0, 0}, "", "expected --uv, --xy or --points");
  const RoadFile road = load(in, errors);
  if (road.map && std::any_of(queries.begin(), queries.end(), [](const RoadQuery& q) { return !q.xy; }))
    throw BadInput(fmt::format("{}: a height map has no u and v: use --xy", in.road));
  RowOutput out(in.output, road_columns(road));
  for (const RoadQuery& q : queries) out.row(road_row(road, q));
  out.commit();
  if (!in.output.empty() && !in.quiet) fmt::print("{} rows in {}\n", out.count(), in.output);
  return done;
}

int info(const RoadArguments& in) {
  Errors errors;
  const auto lines = road_info(load(in, errors));
  if (in.json) {
    nlohmann::ordered_json out;
    for (const auto& [what, value] : lines) out[what] = value;
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return done;
  }
  for (const auto& [what, value] : lines) fmt::print("{:<20}{}\n", what, value);
  return done;
}

int convert(const RoadArguments& in) {
  Errors errors;
  Warnings warnings;
  if (in.output.empty())
    errors.add({"vdsim road convert", 0, 0}, "", "expected a file to write, OUT.crg or --out OUT.crg");
  if (in.format != "ascii" && in.format != "binary")
    errors.add({"--format " + in.format, 0, 0}, "",
               "expected ascii or binary" + suggestion(in.format, {"ascii", "binary"}));
  const auto file = read_crg_file(in.road, errors, warnings);
  errors.throw_if_any();
  print_warnings(warnings.lines(), in.quiet);
  const CrgFormat format = crg_exact_format(*file, in.format == "binary");
  write_file(in.output, crg_text(*file, format));
  if (!in.quiet) fmt::print("written: {}, {}\n", in.output, crg_format_name(format));
  return done;
}

int plot(const RoadArguments& in) {
  if (!in.output.ends_with(".svg") && !in.output.ends_with(".html"))
    throw BadInput(fmt::format("--out {}: expected a name that ends in .svg or .html", in.output));
  Errors errors;
  const RoadFile road = load(in, errors);
  write_file(in.output, chart_document(in.output, road_figure(road)));
  if (!in.quiet) fmt::print("{}\n", in.output);
  return done;
}

using Arguments = std::shared_ptr<RoadArguments>;

Verb add_verb(Verb road, const Arguments& in, Action& chosen, const char* name, const char* what,
              int (*act)(const RoadArguments&)) {
  Verb sub = road.add_subcommand(name, what);
  sub.add_option("file", in->road, "road file").required().type_name("FILE.crg|FILE.asc");
  sub.callback([in, &chosen, act] { chosen = [in, act] { return act(*in); }; });
  return sub;
}

void add_eval(Verb road, const Arguments& in, Action& chosen) {
  Verb sub = add_verb(road, in, chosen, "eval", "Position, height, heading and curvature at points", eval);
  sub.footer(
      "Examples:\n  vdsim road eval track.crg --uv 10,0 10,1.5\n  vdsim road eval track.crg --xy=-3.2,7\n"
      "  vdsim road eval track.crg --points points.csv --out heights.csv\n\n"
      "points.csv has columns u,v or x,y [m]. Written: u,v,x,y,z,phi,curv,u_back,v_back,z_xy, where u_back,v_back and "
      "z_xy\ncome from x,y. Of a height map: x,y,z,zx,zy.");
  sub.add_option("--uv", in->uv, "points on the road: along and to the left [m]").type_name("U,V ...");
  sub.add_option("--xy", in->xy, "points in the world [m]").type_name("X,Y ...");
  sub.add_option("--points", in->points, "points, csv").type_name("FILE");
  sub.add_option("--out", in->output, "values, csv [standard output]").type_name("FILE");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
}

void add_info(Verb road, const Arguments& in, Action& chosen) {
  Verb sub = add_verb(road, in, chosen, "info", "Size, range and options of a road", info);
  sub.footer("Examples:\n  vdsim road info track.crg\n  vdsim road info --json track.crg");
  sub.add_flag("--json", in->json, "print one JSON document");
  sub.add_flag("--quiet", in->quiet, "no warnings");
}

void add_convert(Verb road, const Arguments& in, Action& chosen) {
  Verb sub = add_verb(road, in, chosen, "convert", "Write an OpenCRG file as text or binary", convert);
  sub.footer(
      "Examples:\n  vdsim road convert track.crg small.crg --format binary\n  vdsim road convert small.crg track.crg "
      "--format ascii\n\n4-byte numbers (LRFI, KRBI) where they keep every value, else 8-byte (LDFI, KDBI).");
  sub.add_option("output,--out", in->output, "file to write, by its place or by --out").type_name("OUT.crg");
  sub.add_option("--format", in->format, "of the numbers [ascii]").type_name("ascii|binary");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
}

void add_plot(Verb road, const Arguments& in, Action& chosen) {
  Verb sub = add_verb(road, in, chosen, "plot", "Draw a road from above, along and across", plot);
  sub.footer("Examples:\n  vdsim road plot track.crg --out track.svg");
  sub.add_option("--out", in->output, "picture or page to write").required().type_name("FILE.svg|FILE.html");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
}

}  // namespace

void add_road(Verb app, Action& chosen) {
  auto in = std::make_shared<RoadArguments>();
  Verb road = add_group(app, "road", "Evaluate, describe, convert and draw road files (OpenCRG, height maps)",
                        "eval, info, convert or plot", chosen);
  road.footer(
      "Examples:\n  vdsim road info track.crg\n  vdsim road eval track.crg --uv 10,0\n"
      "  vdsim road plot track.crg --out track.svg\n  vdsim road convert track.crg small.crg --format binary");
  add_eval(road, in, chosen);
  add_info(road, in, chosen);
  add_convert(road, in, chosen);
  add_plot(road, in, chosen);
}

}  // namespace vdsim::cli
