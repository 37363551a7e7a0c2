// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/result_folder.hpp"
#include "vdsim/lab/sensitivity.hpp"

namespace vdsim::cli {
namespace {

struct SensitivityArguments {
  SensitivityQuestion question;
  std::vector<std::string> sets;
  std::string out;
  bool quiet = false, json = false;
};

std::string sensitivity_folder(const std::string& name) {
  return "results/sensitivity_" + (names_file(name) ? std::filesystem::path(name).stem().string() : name);
}

int sensitivity_of(SensitivityArguments in) {
  if (!(in.question.step >= 1e-6 && in.question.step <= 0.1))
    throw BadInput(fmt::format("--step {}: expected 1e-6 to 0.1", in.question.step));
  for (const std::string& set : in.sets) in.question.changes.scene.set(set);
  const Catalog catalog(Catalog::default_folder());
  ResultFolder results(in.out.empty() ? sensitivity_folder(in.question.name) : in.out);
  RunControl control;
  control.stop = &stop_signal();
  Sensitivity s;
  {
    Progress progress(in.quiet);
    s = sensitivity(catalog, in.question, control);
  }
  if (*control.stop) return report_stop(in.json);
  const std::string json = sensitivity_json(s);
  results.add("sensitivity.json", json);
  results.add("report.html", sensitivity_page(s));
  results.commit();
  if (in.json) {
    fmt::print("{}", json);
  } else if (!in.quiet) {
    fmt::print("{}\n", sensitivity_text(s));
    print_files(results.path(), results.files());
  }
  return done;
}

}  // namespace

void add_sensitivity(Verb app, Action& chosen) {
  auto in = std::make_shared<SensitivityArguments>();
  Verb sub = app.add_subcommand("sensitivity", "How much results change with the numbers of car, road and manoeuvre");
  sub.footer(
      "Examples:\n  vdsim sensitivity iso7401 --wrt chassis.mass chassis.cg_height tire.mu_nominal --of yaw_gain "
      "yaw_response_time\n"
      "  vdsim sensitivity iso21994 --wrt mu brake.brake_bias_front --of stopping_distance --json\n"
      "  vdsim sensitivity step_steer --wrt 'chassis.spring_stiffness[1]' speed --of yaw_rate\n\n"
      "A manoeuvre: its metrics (also where a scene has the same name). A scene with one car: signals at its end. What "
      "a manoeuvre solves for is held where "
      "it was found.\n"
      "Derivatives with their estimated error, table and tornado chart: docs/theory/33_derivatives.md.");
  sub.add_option("name", in->question.name, "manoeuvre or scene").required().type_name("ID|FILE");
  sub.add_option("--wrt", in->question.wrt,
                 "numbers to move: PATH of --set, PATH[i] of a list, parameter of the manoeuvre")
      .required()
      .type_name("PATH..");
  sub.add_option("--of", in->question.of, "results [all metrics of a manoeuvre]").type_name("NAME..");
  sub.add_option("--vehicle", in->question.changes.scene.vehicle, "another vehicle").type_name("ID|FILE");
  sub.add_option("--tire", in->question.changes.scene.tire, "tire part for all four wheels").type_name("ID|FILE");
  sub.add_option("--level", in->question.changes.level, "level of a manoeuvre").type_name("LEVEL");
  sub.add_option("--step", in->question.step, "of differences, share of the number [0.001]").type_name("SHARE");
  add_sets(sub, in->sets);
  sub.add_option("--out", in->out, "folder for the results [results/sensitivity_<id>]").type_name("DIR");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.add_flag("--json", in->json, "print the results as one JSON document");
  sub.callback([in, &chosen] { chosen = [in] { return sensitivity_of(*in); }; });
}

}  // namespace vdsim::cli
