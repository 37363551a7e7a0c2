// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "apps/vdsim/commands.hpp"
#include "vdsim/engine/errors.hpp"
#if VDSIM_HAS_FMI
#include "bindings/fmi/controllers.hpp"
#include "bindings/fmi/export.hpp"
#include "bindings/fmi/importer.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/shown.hpp"
#endif

namespace vdsim::cli {
namespace {

#if VDSIM_HAS_FMI

constexpr const char* kExportExamples = R"(Examples:
  vdsim fmu export step_steer --out step_steer.fmu           the scene: its driver drives, or the inputs (parameter control)
  vdsim fmu export vehicle.race_gt --out race_gt.fmu         a car that the inputs drive
  vdsim fmu export tire.sport_grip --out tire.fmu            a tire alone on the rig
  vdsim fmu export step_steer --set mu=0.4 --parameters 'chassis.*,mu' --out low_mu.fmu
  vdsim fmu check step_steer.fmu

Command levels (--command-level): 1 wheel torques, 2 axle torques, 3 force, 4 pedals and gear, 5 acceleration, 6 speed (all of them
with the steer angle), 7 speed and curvature, 8 speed along the path of the scene. Guide: docs/FMI.md.)";

constexpr const char* kKinds[] = {"co-simulation", "model exchange", "co-simulation and model exchange"};

struct ExportArguments {
  fmi::Request request;
  std::string fmi = "2", kind = "both", control, out;
  bool quiet = false;
};

int export_fmu(ExportArguments in) {
  in.request.version = 2 + choose_word("--fmi", in.fmi, {"2", "3"});
  in.request.options.kind = choose<fmi::Kind>("--kind", in.kind);
  in.request.control_given = !in.control.empty();
  if (in.request.control_given) in.request.options.control = choose<Control>("--control", in.control);
  const Catalog catalog(Catalog::default_folder());
  need_writable(in.out);
  const fmi::Made made = fmi::make_fmu(catalog, in.request);
  const std::string bytes = fmi::zipped(made.files);
  write_file(in.out, bytes);
  print_notes(made.notes, in.quiet);
  if (!in.quiet)
    fmt::print("{}: FMI {}.0, {}, {}, {:.2f} MB\n", in.out, in.request.version, kKinds[static_cast<int>(made.kind)],
               fmt::join(made.platforms, ", "), static_cast<double>(bytes.size()) / 1e6);
  return done;
}

// FMI 3.0 has the unit at the variable, 2.0 at the type below it.
std::string unit_of(const pugi::xml_node& variable) {
  const auto own = variable.attribute("unit"), below = variable.first_child().attribute("unit");
  const std::string unit = own ? own.as_string() : below.as_string();
  return unit.empty() ? "" : " [" + printable(unit) + "]";
}

int info(const std::string& file) {
  const fmi::Unpacked fmu(file);
  const auto root = fmu.root();
  const auto text = [&](const char* name) { return printable(fmu.attribute(name)); };
  fmt::print("{}: FMI {}, {}\n", printable(file), text("fmiVersion"), text("modelName"));
  if (!text("description").empty()) fmt::print("  {}\n", text("description"));
  fmt::print("  made by       {}\n", text("generationTool"));
  for (const char* kind : {"CoSimulation", "ModelExchange"})
    if (root.child(kind)) fmt::print("  kind          {}\n", kind);
  for (const std::string& name : fmu.names())
    if (name.starts_with("binaries/")) fmt::print("  library       {}\n", printable(name));
  const auto experiment = root.child("DefaultExperiment");
  fmt::print("  experiment    to {} s, step {} s\n", printable(experiment.attribute("stopTime").as_string("?")),
             printable(experiment.attribute("stepSize").as_string("?")));
  std::map<std::string, int> count;
  for (const auto v : root.child("ModelVariables").children()) {
    const std::string causality = v.attribute("causality").as_string("local");
    ++count[causality];
    if (causality == "input")
      fmt::print("  input         {}{}\n", printable(v.attribute("name").as_string()), unit_of(v));
  }
  for (const auto& [causality, n] : count) fmt::print("  {:<13} {} variables\n", printable(causality), n);
  return done;
}

int check(const std::string& file) {
  const fmi::Unpacked fmu(file);
  const std::vector<std::string> found = fmi::check_fmu(fmu);
  for (const std::string& line : found) fmt::print("{}: {}\n", printable(file), printable(line));
  if (found.empty()) fmt::print("{}: nothing to report\n", printable(file));
  return found.empty() ? done : verdict_failed;
}

void add_export(Verb group, Action& chosen) {
  auto in = std::make_shared<ExportArguments>();
  Verb sub = group.add_subcommand("export", "Write a scene, a vehicle or a tire as an FMU");
  sub.footer(kExportExamples);
  fmi::Request& r = in->request;
  sub.add_option("source", r.source, "scene, vehicle or tire: an id of the catalog or a file")
      .required()
      .type_name("SCENE|VEHICLE|PART");
  sub.add_option("-o,--out", in->out, "the FMU").required().type_name("FILE");
  sub.add_option("--fmi", in->fmi, "version of FMI [2]").type_name("2|3");
  sub.add_option("--kind", in->kind, "co-simulation, model exchange, or both where it is possible [both]")
      .type_name(words_of<fmi::Kind>());
  sub.add_flag("--tire-only", r.tire_only, "a tire alone on the rig, as a tire part implies");
  sub.add_option("--car", r.car, "of a scene with several cars").type_name("ID");
  sub.add_option("--command-level", r.options.command_level, "which inputs there are [4]").type_name("1..8");
  sub.add_option("--control", in->control, "who drives unless the parameter control says otherwise")
      .type_name("internal|external");
  sub.add_option("--parameters", r.options.parameters, "which values can be changed, by paths of --set [*]")
      .type_name("GLOB,...");
  sub.add_option("--platforms", r.platforms, "machines it shall run on [those that were built]")
      .type_name("linux64,win64,aarch64")
      .delimiter(',')
      .allow_extra_args(false);
  add_sets(sub, r.sets);
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.callback([in, &chosen] { chosen = [in] { return export_fmu(*in); }; });
}

void add_file_verb(Verb group, Action& chosen, const char* name, const char* help, int (*act)(const std::string&)) {
  auto file = std::make_shared<std::string>();
  Verb sub = group.add_subcommand(name, help);
  sub.add_option("file", *file, "an FMU").required().type_name("FILE");
  sub.callback([file, act, &chosen] { chosen = [file, act] { return act(*file); }; });
}

#endif

}  // namespace

Fleet::Control fmu_controllers([[maybe_unused]] const Scenario& scene,
                               [[maybe_unused]] std::vector<std::string>& notes) {
#if VDSIM_HAS_FMI
  return fmi::controllers(scene, notes);
#else
  throw BadInput(kNoControllers);
#endif
}

void add_fmu(Verb app, Action& chosen) {
#if VDSIM_HAS_FMI
  Verb group = add_group(app, "fmu", "FMUs: export, look inside, check", "export, info or check", chosen);
  add_export(group, chosen);
  add_file_verb(group, chosen, "info", "What an FMU holds", info);
  add_file_verb(group, chosen, "check", "Check an FMU by the rules of the standard and by running it", check);
#else
  Verb group = app.add_subcommand("fmu", "FMUs: not in this build");
  group.callback([&chosen] {
    chosen = []() -> int {
      throw BadInput("vdsim fmu: built without libzip and pugixml (packages.txt, fmu); install them and build again");
    };
  });
#endif
}

}  // namespace vdsim::cli
