// SPDX-License-Identifier: Apache-2.0
// A report is one HTML file that needs nothing else: texts, tables, drawings and charts that can be zoomed, panned and
// read off. It opens without a network, in light and dark, and prints. Same blocks, same bytes.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "vdsim/formats/svg_chart.hpp"

namespace vdsim {

struct ReportTable {
  std::string caption;
  std::vector<std::vector<std::string>> rows;  // first row is the head
  std::vector<int> marks;                      // per body row: 1 pass, 0 fail, -1 none; may be empty
};

// Rows as plain text: first column flush left, the others right.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

// A stretch of x that is shaded in every chart of the block that reaches it,
// such as a phase of a manoeuvre.
struct ReportBand {
  std::string name;
  double from, to;  // in the unit of the x axis
};

// A car in the drawing of a block that stands where the cursor of the time charts is. The i-th follower of the page moves
// the i-th <g class="follow"> of the drawings, whose <svg> has data-x0, data-y1 [m] (its upper left) and data-scale [px/m].
struct ReportFollower {
  std::vector<double> t, x, y, psi;  // [s], [m], [m], [rad] positive left
};

// One part of the page, shown in the order of its members. Every text is plain text and gets escaped, but for `svg`.
struct ReportBlock {
  std::string heading, text;  // a blank line starts a paragraph
  std::vector<ReportTable> tables;
  std::vector<Figure> figures;  // every panel is a chart; charts of one figure and x label share cursor and x range
  std::string preformatted;
  std::string svg;  // trusted: an <svg> element, its text taken through xml_escaped()

  std::string verdict;                                     // badge at the heading: "pass", "fail" or any word
  std::vector<std::pair<std::string, std::string>> facts;  // name and value, as small cards above the tables
  std::vector<ReportBand> bands;                           // shaded in the charts of this block
  std::vector<ReportFollower> followers;
  std::string sync;     // figures of the same word share cursor and x range too
  bool log_x = false;   // charts of this block: x on a logarithmic axis
  bool folded = false;  // the block opens at a click; print shows it open
};

std::string report_page(const std::string& title, const std::string& subtitle, const std::vector<ReportBlock>&);

std::string with_powers(const std::string& text);  // "m/s^2" as people write it: "m/s²"
std::vector<ReportBlock> with_powers(std::vector<ReportBlock>);

std::string report_svg(const Figure&, const ReportBlock&);  // a still of a figure of that block; log axes over log10(x)
// All stills and drawings of a page with their file names: "03_wheel_loads.svg".
std::vector<std::pair<std::string, std::string>> report_svgs(const std::vector<ReportBlock>&);

// What a page is made of; `charts` is empty where uPlot was not at hand when VDSim was built: charts are then stills.
struct ReportAssets {
  std::string charts, charts_css;  // uPlot
  std::string script, css;         // web/report
};
const ReportAssets& report_assets();
std::string report_page(const std::string& title, const std::string& subtitle, const std::vector<ReportBlock>&,
                        const ReportAssets&);

}  // namespace vdsim
