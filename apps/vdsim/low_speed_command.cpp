#include <fmt/core.h>

#include <filesystem>

#include "apps/vdsim/commands.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/report/low_speed_report.hpp"

namespace vdsim::cli {

// `out`: a folder for report.html and summary.json, or the page itself (NAME.html, with NAME.json beside it).
// Methods are here to be seen failing: the verdict is that of the rolling law alone.
int compare_low_speed(const std::string& out, bool json, bool quiet) {
  const Catalog catalog(Catalog::default_folder());
  LowSpeedComparison comparison;
  {
    Progress progress(quiet || json);
    LowSpeedOptions options;
    options.progress = [&](double fraction) { progress(fraction); };
    comparison = compare_low_speed_methods(catalog, options);
  }
  std::filesystem::path page = out.empty() ? "results/low_speed" : out, data;
  if (page.extension() == ".html")
    data = page, data.replace_extension(".json");
  else
    data = page / "summary.json", page /= "report.html";
  const std::vector<std::string> files = {page.string(), data.string()};
  const std::string summary = low_speed_json(comparison, files);
  if (page.has_parent_path()) make_folder(page.parent_path().string());
  write_file(files[0],
             report_page("Low speed: six methods", "One sedan, the same exercises", low_speed_report(comparison)));
  write_file(files[1], summary);
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
