// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "apps/vdsim/tire_verbs.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/lab/tire_plot.hpp"

namespace vdsim::cli {
namespace {

struct PlotArguments {
  std::vector<std::string> tires;
  TireArgument each;  // all but its name
  std::string output;
  std::vector<double> loads;
  double mu = 1;
  bool quiet = false;
};

// A part is called by its id, a file by its name.
std::string name_of(const std::string& argument) {
  const bool file =
      argument.find('/') != std::string::npos || argument.ends_with(".yaml") || argument.ends_with(".tir");
  return file ? std::filesystem::path(argument).filename().string() : argument;
}

std::vector<PlotTire> load(const PlotArguments& in) {
  const Catalog catalog(Catalog::default_folder());
  Errors errors;
  std::vector<PlotTire> out;
  for (const std::string& argument : in.tires) {
    TireArgument one = in.each;
    one.tire = argument;
    if (auto spec = load_tire(catalog, one, errors)) out.push_back({name_of(argument), *spec});
  }
  for (const double fz : in.loads)
    if (!(fz > 0) || !std::isfinite(fz))
      errors.add({fmt::format("--fz {}", fz), 0, 0}, "", "expected a load above 0 N");
  if (!(in.mu >= 0) || !std::isfinite(in.mu))
    errors.add({fmt::format("--mu {}", in.mu), 0, 0}, "", "expected a number of at least 0");
  errors.throw_if_any();
  print_warnings(errors.warnings(), in.quiet);
  return out;
}

int plot(const PlotArguments& in) {
  if (!in.output.ends_with(".svg") && !in.output.ends_with(".html"))
    throw BadInput(fmt::format("--out {}: expected a name that ends in .svg or .html", in.output));
  const std::vector<PlotTire> tires = load(in);
  TirePlotOptions options;
  if (!in.loads.empty()) options.loads = in.loads;
  options.mu = in.mu;
  write_file(in.output, chart_document(in.output, tire_figure(tires, options)));
  if (!in.quiet) fmt::print("{}\n", in.output);
  return done;
}

}  // namespace

void add_tire_plot(Verb tire, Action& chosen) {
  auto in = std::make_shared<PlotArguments>();
  Verb sub = tire.add_subcommand("plot", "Draw the curves of one or several tires");
  sub.footer(
      "Examples:\n  vdsim tire plot --tire tire.sport_grip --out sport.svg\n"
      "  vdsim tire plot --tire tire.default_pacejka --tire my_tire.tir --fz 3000 --out both.html\n\n"
      "Panels: Fx over slip ratio, Fy and Mz over slip angle, outline of the combined forces, response to a step of "
      "the\n"
      "slip angle. ISO 8855: Fy < 0 for a positive slip angle.");
  sub.add_option("--tire", in->tires, "tire part or .tir file, repeatable")
      .required()
      .type_name("ID|FILE")
      .allow_extra_args(false);
  sub.add_option("--surface", in->each.surface, "surface part under rally tires").type_name("ID|FILE");
  add_tire_use(sub, in->each);
  add_sets(sub, in->each.sets, "set one value of every tire, repeatable");
  sub.add_option("--fz", in->loads, "loads [2000,4000,6000 N]").delimiter(',').type_name("N,N,...");
  sub.add_option("--mu", in->mu, "road friction factor [1]").type_name("MU");
  sub.add_option("--out", in->output, "picture or page to write").required().type_name("FILE.svg|FILE.html");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.callback([in, &chosen] { chosen = [in] { return plot(*in); }; });
}

}  // namespace vdsim::cli
