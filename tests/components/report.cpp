// SPDX-License-Identifier: Apache-2.0
// Component report: a page with one chart, which needs nothing from elsewhere.
#include <cstdio>

#include <vdsim/report/report.hpp>

int main() {
  vdsim::Panel panel;
  panel.series = {{"", {0, 0.1}, {0, 4000}}};
  vdsim::ReportBlock block;
  block.heading = "Side force";
  block.figures = {{"", {panel}}};
  const std::string page = vdsim::report_page("One tire", "", {block});
  std::printf("report: %zu chart\n", vdsim::report_svgs({block}).size());
  return page.find("Side force") != page.npos && page.find("src=") == page.npos ? 0 : 1;
}
