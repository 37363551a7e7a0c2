// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/vdsim/commands.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/result_folder.hpp"
#include "vdsim/report/report.hpp"
#include "vdsim/report/run_folder.hpp"
#include "vdsim/report/run_report.hpp"

namespace vdsim::cli {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::vector<std::string> runs;
  std::string out, svg, title;
  bool json = false, quiet = false;
};

std::vector<RunFolder> read_all(const std::vector<std::string>& paths) {
  Errors errors;
  std::vector<RunFolder> out;
  for (const std::string& path : paths)
    for (RunFolder& run : read_run_folder(path, errors)) out.push_back(std::move(run));
  errors.throw_if_any();
  name_apart(out);
  return out;
}

std::string default_out(const std::vector<std::string>& paths) {
  if (paths.size() > 1) return "report.html";
  const fs::path path(paths[0]);
  return ((fs::is_directory(path) ? path : path.parent_path()) / "report.html").string();
}

// Writes the page and, if asked for, the stills; says what it wrote.
int write_report(const ReportArguments& in, const std::string& title, const std::string& subtitle,
                 const std::vector<ReportBlock>& blocks, std::size_t runs) {
  const std::string out = in.out.empty() ? default_out(in.runs) : in.out;
  if (!out.ends_with(".html")) throw BadInput(fmt::format("--out {}: expected a name that ends in .html", out));
  const std::string page = report_page(in.title.empty() ? title : in.title, subtitle, blocks);
  if (const fs::path folder = fs::path(out).parent_path(); !folder.empty()) make_folder(folder.string());
  write_file(out, page);
  std::vector<std::string> files{out};
  if (!in.svg.empty()) {
    ResultFolder stills(in.svg);
    for (const auto& [name, text] : report_svgs(blocks)) {
      files.push_back((fs::path(in.svg) / name).string());
      write_file((fs::path(stills.staging()) / name).string(), text);
    }
    stills.commit();
  }
  const bool interactive = !report_assets().charts.empty();
  if (in.json) {
    const nlohmann::ordered_json answer{
        {"verdict", "done"},          {"report", out}, {"runs", runs}, {"bytes", page.size()},
        {"interactive", interactive}, {"files", files}};
    fmt::print("{}\n", answer.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!in.quiet) {
    for (const std::string& file : files) fmt::print("{}\n", file);
  }
  return done;
}

int report(const ReportArguments& in) {
  const std::vector<RunFolder> runs = read_all(in.runs);
  return write_report(in, run_report_title(runs), run_report_subtitle(runs), run_report(runs), runs.size());
}

int compare(const ReportArguments& in) {
  if (in.runs.size() == 1 && in.runs[0] == "low-speed") return compare_low_speed(in.out, in.json, in.quiet);
  if (in.runs.size() != 2)
    throw BadInput(fmt::format("vdsim compare: expected two run folders, or low-speed; found {} {}", in.runs.size(),
                               in.runs.size() == 1 ? "argument" : "arguments"));
  const std::vector<RunFolder> runs = read_all(in.runs);
  if (runs.size() != 2)
    throw BadInput(
        fmt::format("vdsim compare: the two folders hold {} runs; name the run.csv of two of them", runs.size()));
  std::vector<ReportBlock> blocks = compare_runs(runs[0], runs[1]);
  for (ReportBlock& block : run_report(runs)) blocks.push_back(std::move(block));
  if (!in.quiet && !in.json)
    for (const ReportTable& table : blocks[0].tables) {
      for (const auto& row : table.rows)
        fmt::print("{:<30} {:<8} {:>14} {:>14} {:>14}\n", row[0], row[1], row[2], row[3], row[4]);
      fmt::print("\n");
    }
  return write_report(in, fmt::format("{} against {}", runs[0].name, runs[1].name), run_report_title(runs), blocks, 2);
}

void add_output_options(Verb sub, ReportArguments& in, const char* place) {
  sub.add_option("--out", in.out, place).type_name("FILE.html|DIR");
  sub.add_option("--svg", in.svg, "also write every figure as an SVG file, for papers").type_name("DIR");
  sub.add_option("--title", in.title, "heading of the page").type_name("TEXT");
  sub.add_flag("--quiet", in.quiet, "print nothing but errors");
  sub.add_flag("--json", in.json, "print what was written as one JSON document");
}

}  // namespace

std::string report_name(const std::string& out) { return (fs::path(out) / "report.html").string(); }

void write_run_page(const std::string& staging, const std::string& out) {
  const fs::path named = fs::path(out).lexically_normal();
  const std::string name = (named.has_filename() ? named : named.parent_path()).filename().string();
  write_file(report_name(staging), run_report_page(staging, name));
}

void print_files(const std::vector<std::string>& files) {
  std::map<fs::path, std::vector<std::string>> below;  // files of the same name, of several runs
  for (const std::string& file : files) below[fs::path(file).filename()].push_back(file);
  std::set<fs::path> told;
  for (const std::string& file : files) {
    const fs::path name = fs::path(file).filename();
    const std::vector<std::string>& alike = below[name];
    if (alike.size() < 4)
      fmt::print("{}\n", file);
    else if (told.insert(name).second)
      fmt::print("{} to {}/{}\n", alike.front(), fs::path(alike.back()).parent_path().filename().string(),
                 name.string());
  }
}

void add_report(Verb app, Action& chosen) {
  auto in = std::make_shared<ReportArguments>();
  Verb sub = app.add_subcommand("report", "One HTML page of plots and tables from one or several runs");
  sub.footer(
      "Examples:\n  vdsim report results/step_steer\n"
      "  vdsim report results/dry results/wet --out both.html --title \"Dry and wet\"\n"
      "  vdsim report results/step_steer --svg figures\n\n"
      "The page is self-contained: it opens without a network, in light and dark, and prints. Guide: "
      "docs/REPORTS.md.");
  sub.add_option("run", in->runs, "run folder or its run.csv, repeatable").required().type_name("DIR|FILE");
  add_output_options(sub, *in,
                     "page to write [report.html in the folder of the run; for several runs in the current folder]");
  sub.callback([in, &chosen] { chosen = [in] { return report(*in); }; });
}

void add_compare(Verb app, Action& chosen) {
  auto in = std::make_shared<ReportArguments>();
  Verb sub = app.add_subcommand("compare", "Compare two runs, or the tire methods at low speed");
  sub.footer(
      "Examples:\n  vdsim compare results/dry results/wet --out dry_wet.html\n  vdsim compare low-speed\n\n"
      "Two runs: last row, metrics, largest and RMS difference of every signal, lines of the configuration that "
      "differ, and\nboth runs in the same charts.");
  sub.add_option("run", in->runs, "two run folders, or low-speed").required().type_name("DIR|FILE|low-speed");
  add_output_options(sub, *in, "page to write [report.html]");
  sub.callback([in, &chosen] { chosen = [in] { return compare(*in); }; });
}

}  // namespace vdsim::cli
