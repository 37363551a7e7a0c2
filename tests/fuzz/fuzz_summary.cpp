// SPDX-License-Identifier: Apache-2.0
// Any bytes as summary.json beside good rows: errors or a page, never a crash.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vdsim/report/run_folder.hpp"
#include "vdsim/report/run_report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vdsim;
  const std::string text(reinterpret_cast<const char*>(data), size);
  Errors errors;
  RunFolder run;
  run.name = run.folder = "fuzz";
  run.summary = parse_summary(text, "summary.json", errors);
  if (!errors.empty()) return 0;
  run.rows.names = {"t", "x", "y", "psi", "vx"};
  run.rows.columns = {{0, 1, 2}, {0, 5, 10}, {0, 0, 1}, {0, 0, 0.1}, {5, 5, 5}};
  run.rows.lines = {1, 2, 3};
  const std::string page = report_page(run_report_title({run}), run_report_subtitle({run}), run_report({run}));
  if (page.find("</html>") == std::string::npos) std::abort();
  if (compare_runs(run, run).empty()) std::abort();
  return 0;
}
