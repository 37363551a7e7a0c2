// SPDX-License-Identifier: Apache-2.0
// Charts as SVG text and pages as one self-contained HTML file. Nothing is loaded from elsewhere, and the same figure
// gives the same text on every machine.
#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace vdsim {

enum class Stroke { solid, dashed, dotted, points, dash_dot };

struct Series {
  std::string name;          // "" = not in the legend; series of one name share one legend entry
  std::vector<double> x, y;  // a NaN or infinity in either leaves a gap
  Stroke stroke = Stroke::solid;
  int color = -1;      // index into the palette; -1 = the position of the series in its panel
  double width = 1.8;  // line width, or diameter of the points [px]
};

inline constexpr double kAutomatic = std::numeric_limits<double>::quiet_NaN();

struct Panel {
  std::string title, x_label, y_label;  // labels with their unit: "slip ratio [-]"
  std::vector<Series> series;
  bool equal_aspect = false;  // one unit is as long in x as in y
  bool log_y = false;         // in reports: y on a logarithmic axis
  bool legend = true;         // where it hides the fewest points; see also Figure::shared_legend
  double x_min = kAutomatic, x_max = kAutomatic, y_min = kAutomatic, y_max = kAutomatic;
};

struct Figure {
  std::string title;
  std::vector<Panel> panels;         // row by row
  int columns = 2;                   // at most; fewer panels make fewer columns
  double width = 460, height = 340;  // of one panel with its labels [px]
  bool shared_legend = false;        // one legend above the panels in place of one in each
};

inline constexpr int kPaletteSize = 8;  // colours that differ for colour-blind readers too

// One <svg> element. Text is dark on white; inside html_page() it follows the light or dark scheme of the reader.
std::string svg_text(const Figure&);

// One HTML page; `blocks` are pieces of HTML in order: svg_text(), html_table(), html_text().
std::string html_page(std::string_view title, const std::vector<std::string>& blocks);
std::string html_text(std::string_view paragraph);  // escaped
// First row is the head; columns of numbers are set flush right.
std::string html_table(std::string_view caption, const std::vector<std::vector<std::string>>& rows);

std::string xml_escaped(std::string_view text);  // also replaces control characters, which XML forbids

// `path` ends in .svg: the figure alone; in .html: a page of the figure and `blocks`. Anything else throws BadInput.
std::string chart_document(const std::string& path, const Figure&, const std::vector<std::string>& blocks = {});

// Multiples of 1, 2 or 5 times a power of ten inside [low, high], at most `most` of them.
struct Ticks {
  std::vector<double> at;
  std::vector<std::string> text;
};
Ticks nice_ticks(double low, double high, int most);

}  // namespace vdsim
