// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>

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

// `first`: how many runs the first path has
std::vector<RunFolder> read_all(const std::vector<std::string>& paths, std::size_t* first = nullptr) {
  Errors errors;
  std::vector<RunFolder> out;
  for (const std::string& path : paths) {
    for (RunFolder& run : read_run_folder(path, errors)) out.push_back(std::move(run));
    if (first && &path == &paths.front()) *first = out.size();
  }
  errors.throw_if_any();
  name_apart(out);
  return out;
}

std::string default_out(const std::vector<std::string>& paths) {
  if (paths.size() > 1) return "report.html";
  const fs::path path(paths[0]);
  return ((fs::is_directory(path) ? path : path.parent_path()) / "report.html").string();
}

std::string page_name(const ReportArguments& in) {
  const std::string out = in.out.empty() ? default_out(in.runs) : in.out;
  if (!out.ends_with(".html")) throw BadInput(fmt::format("--out {}: expected a name that ends in .html", out));
  return out;
}
// Before rows are read: can the page be written?
void check_page(const ReportArguments& in) {
  const fs::path page = page_name(in), folder = page.has_parent_path() ? page.parent_path() : ".";
  if (fs::is_directory(folder)) need_writable(page.string());
}

// Writes the page and, if asked for, the stills; says what it wrote.
int write_report(const ReportArguments& in, const std::string& title, const std::string& subtitle,
                 const std::vector<ReportBlock>& blocks, std::size_t runs) {
  const std::string out = page_name(in);
  const std::string page = report_page(in.title.empty() ? title : in.title, subtitle, blocks);
  std::optional<ResultFolder> stills;
  if (!in.svg.empty()) stills.emplace(in.svg);
  if (stills)
    for (const auto& [name, text] : report_svgs(blocks)) stills->add(name, text);
  FolderForResults folder(fs::path(out).parent_path().string());
  AtomicFile file(out);
  file.write(page);
  file.sync();
  {
    const Uninterrupted both;
    file.commit();
    folder.keep();
    if (stills) stills->commit();
  }
  std::vector<std::string> files{out};
  if (stills) files.insert(files.end(), stills->files().begin(), stills->files().end());
  const bool interactive = !report_assets().charts.empty();
  if (in.json) {
    const nlohmann::ordered_json answer{
        {"verdict", "done"},          {"report", out}, {"runs", runs}, {"bytes", page.size()},
        {"interactive", interactive}, {"files", files}};
    fmt::print("{}\n", answer.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!in.quiet) {
    if (!in.svg.empty()) fmt::print("{}: {} SVG files\n", in.svg, files.size() - 1);
    fmt::print("{}\n", out);
  }
  return done;
}

int report(const ReportArguments& in) {
  check_page(in);
  const std::vector<RunFolder> runs = read_all(in.runs);
  return write_report(in, run_report_title(runs), run_report_subtitle(runs), run_report(runs), runs.size());
}

int compare(const ReportArguments& in, LowSpeed low_speed) {
  if (in.runs.size() == 1 && in.runs[0] == "low-speed") return low_speed(in.out, in.json, in.quiet);
  if (in.runs.size() != 2)
    throw BadInput(fmt::format("vdsim compare: expected two run folders, or low-speed; found {} {}", in.runs.size(),
                               in.runs.size() == 1 ? "argument" : "arguments"));
  check_page(in);
  std::size_t of_a = 0;
  const std::vector<RunFolder> runs = read_all(in.runs, &of_a);
  const std::span all(runs);
  const auto a = all.first(of_a), b = all.subspan(of_a);
  const RunPairs together = pair_runs(a, b);
  if (together.pairs.empty())
    throw BadInput(fmt::format("vdsim compare: no car is in both; found {}; name the run.csv of two of them",
                               fmt::join(together.alone, ", ")));
  std::vector<ReportBlock> blocks;
  for (const auto& [i, k] : together.pairs) {
    for (ReportBlock& block : compare_runs(a[i], b[k])) {
      if (together.pairs.size() > 1) block.heading += " of " + a[i].car();
      blocks.push_back(std::move(block));
    }
    if (!in.quiet && !in.json) fmt::print("{}\n", comparison_text(a[i], b[k]));
  }
  if (!in.quiet && !together.alone.empty())
    tell("note: not compared, as only one folder has them: {}\n", fmt::join(together.alone, ", "));
  for (ReportBlock& block : run_report(runs)) blocks.push_back(std::move(block));
  return write_report(in, fmt::format("{} against {}", a[0].name, b[0].name), run_report_title(runs), blocks,
                      runs.size());
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

// "results/iso7401: resolved.yaml, run.csv, summary.json, run_01 to run_18", then the page
void print_files(const std::string& folder, const std::vector<std::string>& files) {
  std::vector<std::string> names;
  std::set<std::string> below;
  bool page = false;
  for (const std::string& file : files) {
    const fs::path name = fs::path(file).lexically_proximate(folder);
    if (name.has_parent_path())
      below.insert(name.begin()->string());
    else if (name == "report.html")
      page = true;
    else
      names.push_back(name.string());
  }
  std::sort(names.begin(), names.end());
  if (below.size() > 3)
    names.push_back(fmt::format("{} to {}", *below.begin(), *below.rbegin()));
  else
    names.insert(names.end(), below.begin(), below.end());
  fmt::print("{}: {}\n", folder, fmt::join(names, ", "));
  if (page) fmt::print("{}\n", report_name(folder));
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

void add_compare(Verb app, Action& chosen, LowSpeed low_speed) {
  auto in = std::make_shared<ReportArguments>();
  Verb sub = app.add_subcommand("compare", "Compare two runs, or the tire methods at low speed");
  sub.footer(
      "Examples:\n  vdsim compare results/dry results/wet --out dry_wet.html\n  vdsim compare low-speed\n\n"
      "Two runs: metrics, distances, last row, largest and RMS difference of every signal, values of the "
      "configuration\n"
      "that differ by path, and both runs in the same charts. Scenes of several cars: car by car.");
  sub.add_option("run", in->runs, "two run folders, or low-speed").required().type_name("DIR|FILE|low-speed");
  add_output_options(sub, *in, "page to write [report.html]");
  sub.callback([in, low_speed, &chosen] { chosen = [in, low_speed] { return compare(*in, low_speed); }; });
}

}  // namespace vdsim::cli
