// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/vdsim/rows.hpp"
#include "apps/vdsim/tire_verbs.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/formats/tir.hpp"
#include "vdsim/lab/tire_eval.hpp"

namespace vdsim::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TireArguments {
  TireArgument tire;
  std::string input, output, flavour;
  std::vector<std::string> files;
  int use_mode = 211;
  bool json = false, mirror = false, quiet = false;
};

std::optional<TirFlavour> flavour_of(const std::string& word, Errors& errors) {
  if (word.empty()) return std::nullopt;
  if (word == "tno") return TirFlavour::tno;
  if (word == "book") return TirFlavour::book;
  errors.add({"--flavour " + word, 0, 0}, "", "expected tno or book" + suggestion(word, {"tno", "book"}));
  return std::nullopt;
}

int eval(const TireArguments& in) {
  const Catalog catalog(Catalog::default_folder());
  Errors errors;
  std::vector<std::string> notes;
  const auto spec = load_tire(catalog, in.tire, errors, &notes);
  const auto text = read_data(in.input, {"--input " + in.input, 0, 0}, errors);
  check_use_mode(in.use_mode, errors);
  const EvalOptions options{in.use_mode, flavour_of(in.flavour, errors)};
  const auto table =
      text ? read_steady_points(*text, in.input, spec.value_or(TireSpec{}), options, errors) : std::nullopt;
  errors.throw_if_any();
  print_warnings(errors.warnings(), in.quiet);
  print_notes(notes, in.quiet);
  const SteadyTire tire(*spec, options);
  std::vector<std::string> names = table->given.names;
  names.insert(names.end(), tire.columns().begin(), tire.columns().end());
  RowOutput out(in.output, names);
  std::size_t clamped = 0;
  Progress progress(in.quiet);
  for (const SteadyPoint& point : table->points) {
    const std::vector<double> forces = tire(point);
    for (const double value : forces)
      if (!std::isfinite(value)) {
        report_errors(false, diverged, {fmt::format("no finite result in row {}, nothing written", out.count() + 1)});
        return diverged;
      }
    if (tire.columns().back() == "clamped" && forces.back() > 0) ++clamped;
    std::vector<double> row;
    for (const std::vector<double>& column : table->given.columns) row.push_back(column[out.count()]);
    row.insert(row.end(), forces.begin(), forces.end());
    out.row(row);
    progress(double(out.count()) / double(table->points.size()));
  }
  out.commit();
  if (clamped && !in.quiet)
    tell("warning: {} of {} points lie outside the ranges of the file and were evaluated at its limits\n", clamped,
         table->points.size());
  if (!in.output.empty() && !in.quiet) fmt::print("{} rows in {}\n", out.count(), in.output);
  return done;
}

// ------------------------------------------------------------------------------------------------ .tir files

struct Linted {
  std::string file;
  std::vector<std::string> warnings;  // of the reader
  std::vector<LintFinding> findings;
  bool failed() const {
    return std::any_of(findings.begin(), findings.end(), [](const LintFinding& f) { return f.error; });
  }
};

Json json_of(const Linted& one) {
  Json findings = Json::array();
  for (const LintFinding& f : one.findings) {
    Json each{{"severity", f.error ? "error" : "warning"},
              {"rule", f.rule},
              {"value", f.value},
              {"fz", f.Fz},
              {"gamma", f.gamma},
              {"pressure", f.pressure},
              {"text", f.text()}};
    if (f.slip_sign) each["slip_sign"] = f.slip_sign;
    findings.push_back(std::move(each));
  }
  return {{"file", one.file},
          {"verdict", one.failed() ? "failed" : "passed"},
          {"findings", std::move(findings)},
          {"reader_warnings", one.warnings}};
}

void print_text(const Linted& one, bool quiet) {
  for (const std::string& line : one.warnings)
    if (!quiet) fmt::print("warning: {}\n", line);
  for (const LintFinding& f : one.findings)
    if (f.error || !quiet) fmt::print("{}: {}\n", one.file, f.text());
  if (!quiet || one.failed()) fmt::print("{}: {}\n", one.file, one.failed() ? "failed" : "passed");
}

int lint(const TireArguments& in) {
  Errors errors;
  std::vector<Linted> all;
  const auto flavour = flavour_of(in.flavour, errors);
  for (const std::string& file : in.files) {
    Warnings warnings;
    const Place place{"vdsim tire lint", 0, 0};
    if (const auto tir = read_tir_file(file, errors, warnings, &place))
      all.push_back({file, warnings.lines(), lint_tir(*tir, flavour == TirFlavour::book)});
  }
  errors.throw_if_any();
  bool failed = false;
  Json document = Json::array();
  for (const Linted& one : all) {
    failed |= one.failed();
    if (in.json)
      document.push_back(json_of(one));
    else
      print_text(one, in.quiet);
  }
  if (in.json) {
    const Json out{{"verdict", failed ? "failed" : "passed"}, {"files", document}};
    fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  return failed ? verdict_failed : done;
}

int convert(const TireArguments& in) {
  Errors errors;
  Warnings warnings;
  const Place place{"vdsim tire convert", 0, 0};
  const auto flavour = flavour_of(in.flavour, errors);
  auto tir = read_tir_file(in.input, errors, warnings, &place);
  errors.throw_if_any();
  print_warnings(warnings.lines(), in.quiet);
  if (in.mirror) *tir = mirrored(*tir, flavour == TirFlavour::book);
  const std::string text = tir_text(*tir, std::filesystem::path(in.input).filename().string());
  if (in.output.empty()) {
    fmt::print("{}", text);
    return done;
  }
  write_file(in.output, text);
  if (!in.quiet) fmt::print("written: {}\n", in.output);
  return done;
}

void add_eval(Verb tire, const std::shared_ptr<TireArguments>& in, Action& chosen) {
  Verb sub = tire.add_subcommand("eval", "Steady forces and moments at the points of a table");
  sub.footer(
      "Examples:\n  vdsim tire eval --tire tire.sport_grip --input points.csv --out forces.csv\n"
      "  vdsim tire eval --tire my_tire.tir --input points.csv --use-mode 121 --flavour book\n\n"
      "points.csv: fz,kappa,alpha and optionally gamma,phit,vx,pressure,omega,mu (SI, rad, ISO 8855 signs);\n"
      "kappa = (omega Re - vx)/vx. Written: the points, and fx, fy, mx, my, mz of each. Guide: docs/TIRE_LIBRARY.md.");
  add_tire_argument(sub, in->tire);
  sub.add_option("--input", in->input, "points, csv").required().type_name("FILE");
  sub.add_option("--out", in->output, "forces, csv [standard output]").type_name("FILE");
  sub.add_option("--use-mode", in->use_mode, ".tir: limits, tan(alpha), turn slip; 1 or 2 each [211]").type_name("NNN");
  sub.add_option("--flavour", in->flavour, ".tir: whose equations [as in the part, or tno]").type_name("tno|book");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.callback([in, &chosen] { chosen = [in] { return eval(*in); }; });
}

void add_lint(Verb tire, const std::shared_ptr<TireArguments>& in, Action& chosen) {
  Verb sub = tire.add_subcommand("lint", "Check MF-Tyre files for implausible curves");
  sub.footer(
      "Examples:\n  vdsim tire lint my_tire.tir\n  vdsim tire lint --json front.tir rear.tir\n\n"
      "Exit code 1 if a file fails at its nominal load and pressure without camber; elsewhere in its range: warnings.");
  sub.add_option("files", in->files, "MF-Tyre property files").required().type_name("FILE.tir");
  sub.add_option("--flavour", in->flavour, "whose equations [tno]").type_name("tno|book");
  sub.add_flag("--json", in->json, "print one JSON document");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.callback([in, &chosen] { chosen = [in] { return lint(*in); }; });
}

void add_convert(Verb tire, const std::shared_ptr<TireArguments>& in, Action& chosen) {
  Verb sub = tire.add_subcommand("convert", "Read an MF-Tyre file and write it in SI units");
  sub.footer(
      "Examples:\n  vdsim tire convert vendor.tir --out clean.tir\n"
      "  vdsim tire convert left.tir --mirror --out right.tir");
  sub.add_option("file", in->input, "MF-Tyre property file").required().type_name("FILE.tir");
  sub.add_option("--out", in->output, "file to write [standard output]").type_name("FILE.tir");
  sub.add_flag("--mirror", in->mirror, "write the tire for the other side of the car");
  sub.add_option("--flavour", in->flavour, "with --mirror: whose equations [tno]").type_name("tno|book");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.callback([in, &chosen] { chosen = [in] { return convert(*in); }; });
}

}  // namespace

void add_tire(Verb app, Action& chosen) {
  auto in = std::make_shared<TireArguments>();
  Verb tire = add_group(app, "tire", "Evaluate, plot, fit, check and convert tires", "eval, plot, fit, lint or convert",
                        chosen);
  tire.footer(
      "Examples:\n  vdsim tire eval --tire tire.sport_grip --input points.csv\n"
      "  vdsim tire plot --tire tire.sport_grip --tire my_tire.tir --out tires.html\n"
      "  vdsim tire fit --model mf96 --data measured.csv --out tire.yaml\n"
      "  vdsim tire lint my_tire.tir\n  vdsim tire convert vendor.tir --out clean.tir");
  add_eval(tire, in, chosen);
  add_tire_plot(tire, chosen);
  add_tire_fit(tire, chosen);
  add_lint(tire, in, chosen);
  add_convert(tire, in, chosen);
}

}  // namespace vdsim::cli
