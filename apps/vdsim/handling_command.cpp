// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/result_folder.hpp"
#include "vdsim/lab/handling_report.hpp"

namespace vdsim::cli {
namespace {

struct HandlingArguments {
  SceneChanges changes;
  std::vector<std::string> sets;
  std::string level = "L2", out;
  double mu = 1;
  HandlingOptions options;
  bool quiet = false, json = false;
};

Level level_of(const std::string& name) {
  if (name == "L1") return Level::L1;
  if (name == "L2") return Level::L2;
  const auto& names = EnumNames<Level>::names;
  const bool known = std::find(names.begin(), names.end(), name) != names.end();
  throw BadInput(fmt::format("--level {}: {}", name,
                             known ? "the handling analysis solves steady turns of the planar cars L1 and L2; a car on "
                                     "springs has ride states and camber that it does not include"
                                   : "expected L1 or L2" + suggestion(name, {"L1", "L2"})));
}

void check(const HandlingArguments& in) {
  Errors errors;
  const auto need = [&](const char* option, double value, double low, double high) {
    if (!(value >= low && value <= high))
      errors.add({fmt::format("{} {}", option, value), 0, 0}, "", fmt::format("expected {} to {}", low, high));
  };
  need("--speed", in.options.speed, 4, 120);
  need("--radius", in.options.radius, 5, 5000);
  need("--ay", in.options.budget_ay, 0.1, 50);
  need("--mu", in.mu, 0.01, 5);
  errors.throw_if_any();
}

// "results/handling_vehicle.sedan_comfort", or of a file its name without the ending
std::string default_folder(const std::string& vehicle) {
  return "results/handling_" + (names_file(vehicle) ? std::filesystem::path(vehicle).stem().string() : vehicle);
}

int handling(const HandlingArguments& in) {
  check(in);
  HandlingCar car;
  car.level = level_of(in.level);
  SceneChanges changes = in.changes;
  for (const std::string& assignment : in.sets) changes.set(assignment);
  car.vehicle = load_vehicle(Catalog(Catalog::default_folder()), changes);
  car.road.mu = in.mu;
  ResultFolder results(in.out.empty() ? default_folder(in.changes.vehicle) : in.out);
  const Handling h = analyse_handling(car, in.options);
  const HandlingTitle title{in.changes.vehicle, in.changes.tire, car.level, in.mu, car.vehicle.chassis.wheelbase};
  const std::string json = handling_json(title, h);
  results.add("handling.json", json);
  results.add("handling.csv", handling_csv(title, h));
  const std::string subtitle =
      fmt::format("{}{}, road friction {:g}", in.level, title.tire.empty() ? "" : ", " + title.tire, title.mu);
  results.add("report.html", report_page("Handling of " + title.vehicle, subtitle, handling_blocks(title, h)));
  results.commit();
  if (in.json) {
    fmt::print("{}", json);
  } else if (!in.quiet) {
    fmt::print("{}\n", handling_text(title, h));
    print_files(results.path(), results.files());
  }
  return done;
}

}  // namespace

void add_handling(Verb app, Action& chosen) {
  auto in = std::make_shared<HandlingArguments>();
  Verb sub = app.add_subcommand("handling", "Understeer budget, handling diagram, eigenvalues, g-g-V envelope");
  sub.footer(
      "Examples:\n  vdsim handling vehicle.sedan_comfort\n"
      "  vdsim handling vehicle.race_gt --speed 50 --radius 60 --out results/gt\n"
      "  vdsim handling vehicle.sedan_comfort --tire tire.sport_grip --set chassis.arb_front=20000 --json\n\n"
      "Everything is computed from the equations of the simulated car (L1 or L2), without a run: docs/HANDLING.md.");
  sub.add_option("vehicle", in->changes.vehicle, "id of a vehicle, or a YAML file").required().type_name("ID|FILE");
  sub.add_option("--tire", in->changes.tire, "tire part for all four wheels").type_name("ID|FILE");
  sub.add_option("--level", in->level, "vehicle model [L2]").type_name("L1|L2");
  sub.add_option("--speed", in->options.speed, "speed for derivatives, budget and diagram [25 m/s]").type_name("M/S");
  sub.add_option("--radius", in->options.radius, "radius of the second diagram [100 m]").type_name("M");
  sub.add_option("--ay", in->options.budget_ay, "lateral acceleration of the budget [4 m/s^2]").type_name("M/S^2");
  sub.add_option("--mu", in->mu, "road friction factor [1]").type_name("MU");
  add_sets(sub, in->sets);
  sub.add_option("--out", in->out, "folder for the results [results/handling_<id>]").type_name("DIR");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.add_flag("--json", in->json, "print the results as one JSON document");
  sub.callback([in, &chosen] { chosen = [in] { return handling(*in); }; });
}

}  // namespace vdsim::cli
