// SPDX-License-Identifier: Apache-2.0
#include "vdsim/report/thinned.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "vdsim/report/report_columns.hpp"
#include "vdsim/report/run_report.hpp"

namespace vdsim {
namespace {

constexpr std::size_t kMostRows = 16000;  // a chart is some 1000 pixels wide

RunFolder thinned(const RunFolder& run) {
  if (run.rows.rows() <= kMostRows) return run;
  const std::size_t stride = (run.rows.rows() + kMostRows - 1) / kMostRows;
  RunFolder out = run;
  out.spool.reset();
  out.rows.names.clear(), out.rows.columns.clear();
  const auto add = [&](const std::string& name, std::vector<double> values) {
    if (values.empty()) return;
    out.rows.names.push_back(name);
    out.rows.columns.push_back(std::move(values));
  };
  for (const std::string& name : run.rows.names)
    if (name != "beta")
      add(name, name == "t" ? every(*run.find(name), stride) : keep_extremes(*run.find(name), stride));
  add("beta", keep_extremes(side_slip(run), stride));
  for (const std::string& wheel : every_wheel_name())
    add("use_" + wheel, keep_extremes(utilisation(run, wheel), stride));
  out.rows.lines.resize(out.rows.columns.front().size());
  return out;
}

}  // namespace

std::string thinning_text(const std::vector<RunFolder>& all, const std::vector<RunFolder>& shown) {
  std::size_t most = 1;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (shown[i].rows.rows() > 0) most = std::max(most, all[i].rows.rows() / shown[i].rows.rows());
  return most < 2 ? "" : fmt::format("The curves show the smallest and the largest value of every {} rows.", 2 * most);
}

std::vector<RunFolder> thinned(const std::vector<RunFolder>& runs) {
  std::vector<RunFolder> out;
  for (const RunFolder& run : runs) out.push_back(thinned(run));
  return out;
}

}  // namespace vdsim
