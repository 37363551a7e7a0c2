// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <memory>

#include "apps/vdsim/commands.hpp"
#include "apps/vdsim/rows.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/lab/rig.hpp"

namespace vdsim::cli {
namespace {

constexpr const char* kRigExamples = R"(Examples:
  vdsim rig --tire tire.sport_grip --input motion.csv --out forces.csv --dt 1e-3
  vdsim rig --tire tire.lugre_on --set tire.lugre.law=breakaway --input motion.csv --out forces.csv --states
  vdsim rig --tire my_tire.yaml --input sweep.csv

motion.csv: t,omega,vx,vy,fz and optionally gamma,pressure,mu,psidot (s, rad/s, m/s, N, rad, Pa); linear between rows,
steady before the first. sweep.csv: t,kappa,alpha,fz[,vx,...]: the steady state at every instant (without --dt: at every row).
Forces of the road on the tire, ISO 8855 wheel frame. Guide: docs/TIRE_LIBRARY.md.)";

struct RigArguments {
  TireArgument tire;
  std::string input, output;
  double dt = 0;
  bool dt_given = false, states = false, quiet = false;
};

int rig(const RigArguments& in) {
  const Catalog catalog(Catalog::default_folder());
  Errors errors;
  std::vector<std::string> notes;
  const auto spec = load_tire(catalog, in.tire, errors, &notes);
  const auto text = read_data(in.input, {"--input " + in.input, 0, 0}, errors);
  const auto motion = text ? RigMotion::read(*text, in.input, errors) : std::nullopt;
  if (in.dt_given && !(in.dt > 0)) errors.add({fmt::format("--dt {}", in.dt), 0, 0}, "", "expected a step above 0 s");
  errors.throw_if_any();
  print_warnings(errors.warnings(), in.quiet);
  print_notes(notes, in.quiet);
  TireRig tire(*spec);
  RigOptions options;
  options.states = in.states;
  options.dt = in.dt_given ? in.dt : motion->sweep() ? 0 : 1e-3;
  options.stop = &stop_signal();
  RowOutput out(in.output, rig_columns(tire, options));
  RigEnd end;
  {
    Progress progress(in.quiet);
    options.progress = [&](double share) { progress(share); };
    end = run_rig(tire, *motion, options, [&](std::span<const double> row) { out.row(row); });
  }
  if (end == RigEnd::stopped) return report_stop(false);
  if (end == RigEnd::not_finite) {
    report_errors(false, diverged, {fmt::format("diverged after row {}, nothing written", out.count())});
    return diverged;
  }
  out.commit();
  if (!in.output.empty() && !in.quiet) fmt::print("{} rows in {}\n", out.count(), in.output);
  return done;
}

}  // namespace

void add_rig(Verb app, Action& chosen) {
  auto in = std::make_shared<RigArguments>();
  Verb sub = app.add_subcommand("rig", "Move one tire as given by a table and write its forces");
  sub.footer(kRigExamples);
  add_tire_argument(sub, in->tire);
  sub.add_option("--input", in->input, "motion over time, csv").required().type_name("FILE");
  sub.add_option("--out", in->output, "forces over time, csv [standard output]").type_name("FILE");
  Option dt = sub.add_option("--dt", in->dt, "step and output interval [1e-3 s]").type_name("S");
  sub.add_flag("--states", in->states, "also write the states of the tire");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.callback([in, dt, &chosen] {
    in->dt_given = dt.given();
    chosen = [in] { return rig(*in); };
  });
}

}  // namespace vdsim::cli
