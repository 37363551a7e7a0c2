// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <filesystem>
#include <optional>

#include "apps/vdsim/commands.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/result_folder.hpp"
#include "vdsim/lab/low_speed_report.hpp"

namespace vdsim::cli {

namespace fs = std::filesystem;

// `out`: a folder for report.html and summary.json, or the page itself (NAME.html, with NAME.json beside it).
// Methods are here to be seen failing: the verdict is that of the rolling law alone.
int compare_low_speed(const std::string& out, bool json, bool quiet) {
  const Catalog catalog(Catalog::default_folder());
  LowSpeedComparison comparison;
  const bool one_page = out.ends_with(".html");
  std::optional<ResultFolder> results;
  if (!one_page) results.emplace(out.empty() ? "results/low_speed" : out);
  {
    Progress progress(quiet || json);
    LowSpeedOptions options;
    options.progress = [&](double fraction) { progress(fraction); };
    comparison = compare_low_speed_methods(catalog, options);
  }
  const fs::path page = one_page ? fs::path(out) : fs::path(results->path()) / "report.html",
                 data =
                     one_page ? fs::path(page).replace_extension(".json") : fs::path(results->path()) / "summary.json";
  const std::vector<std::string> files = {page.string(), data.string()};
  const std::string summary = low_speed_json(comparison, files);
  const auto place = [&](const fs::path& file) {
    return (one_page ? file : results->staging() / file.filename()).string();
  };
  write_together({{place(page), report_page("Low speed: six methods", "One sedan, the same exercises",
                                            low_speed_report(comparison))},
                  {place(data), summary}});
  if (results) results->commit();
  if (json)
    fmt::print("{}", summary);
  else if (!quiet) {
    fmt::print("{}\n", low_speed_table(comparison));
    for (const std::string& file : files) fmt::print("{}\n", file);
  }
  bool lawful = true;
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    for (const LowSpeedRun& run : comparison.runs[i])
      if (run.failed()) return diverged;
    if (comparison.methods[i].id == "rolling") lawful = comparison.broken(i).empty();
  }
  return lawful ? done : verdict_failed;
}

}  // namespace vdsim::cli
