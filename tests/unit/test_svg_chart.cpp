// SPDX-License-Identifier: Apache-2.0
// Charts: what a reader must be able to rely on, checked in the text itself.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/svg_chart.hpp"
#include "vdsim/lab/rig.hpp"
#include "vdsim/lab/tire_eval.hpp"
#include "vdsim/lab/tire_plot.hpp"

namespace vdsim {
namespace {

Series curve(const std::string& name, int n = 50) {
  Series out;
  out.name = name;
  for (int i = 0; i <= n; ++i) {
    out.x.push_back(double(i) / n);
    out.y.push_back(std::sin(3.0 * i / n));
  }
  return out;
}

Figure figure_of(Panel panel) {
  Figure out;
  out.title = "Title";
  out.panels = {std::move(panel)};
  return out;
}

int count(const std::string& text, const std::string& word) {
  int out = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++out;
  return out;
}

// Every element closed in order, every attribute quoted; "" if so.
std::string malformed(const std::string& text) {
  static const std::regex element(R"(<(/?)([a-zA-Z0-9]+)((?:\s[a-zA-Z:-]+="[^"<]*")*)\s*(/?)>)");
  std::vector<std::string> open;
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string::npos) {
    std::smatch match;
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
    if (!std::regex_search(from, text.end(), match, element, std::regex_constants::match_continuous))
      return text.substr(at, 60);
    if (match[1].length()) {
      if (open.empty() || open.back() != match[2]) return "unexpected </" + match[2].str();
      open.pop_back();
    } else if (!match[4].length()) {
      open.push_back(match[2]);
    }
    at += static_cast<std::size_t>(match.length());
  }
  return open.empty() ? "" : "open <" + open.back();
}

std::vector<std::string> curve_paths(const std::string& svg) {
  static const std::regex path("stroke=\"currentColor\"[^>]* d=\"([^\"]*)\"");
  std::vector<std::string> out;
  for (std::sregex_iterator it(svg.begin(), svg.end(), path), end; it != end; ++it) out.push_back((*it)[1]);
  return out;
}

TEST(SvgChart, TicksAreWholeMultiplesOfANiceStepInsideTheRange) {
  for (const double low : {-7431.0, -1.0, 0.0, 3e-4, 12.0, 99999.0})
    for (const double size : {1e-3, 0.37, 1.0, 42.0, 6500.0, 3e5})
      for (const int most : {2, 5, 8}) {
        const Ticks ticks = nice_ticks(low, low + size, most);
        SCOPED_TRACE(testing::Message() << low << " + " << size << ", " << most);
        ASSERT_LE(ticks.at.size(), static_cast<std::size_t>(most));
        // a step of 1, 2, 5 grows by 2.5 at most, so at least 2/5 of the wanted number fit, less one at an edge
        ASSERT_GE(static_cast<double>(ticks.at.size()), std::floor(0.4 * most));
        ASSERT_EQ(ticks.at.size(), ticks.text.size());
        for (std::size_t i = 0; i < ticks.at.size(); ++i) {
          EXPECT_GE(ticks.at[i], low - 1e-9 * size);
          EXPECT_LE(ticks.at[i], low + size + 1e-9 * size);
          // the label is the value, not a rounded neighbour
          EXPECT_NEAR(std::stod(ticks.text[i]), ticks.at[i], 1e-9 * (std::abs(low) + size));
        }
        if (ticks.at.size() < 2) continue;
        const double gap = ticks.at[1] - ticks.at[0], ten = std::pow(10, std::floor(std::log10(gap) + 1e-7)),
                     lead = std::round(gap / ten), step = lead * ten, rounding = 1e-15 * (std::abs(low) + size);
        EXPECT_TRUE(lead == 1 || lead == 2 || lead == 5) << gap;
        EXPECT_NEAR(gap, step, 4 * rounding);
        EXPECT_NEAR(std::remainder(ticks.at[0], step), 0, 4 * rounding + 1e-15 * std::abs(low));
      }
  EXPECT_EQ(nice_ticks(-1, 1, 5).text, (std::vector<std::string>{"-1.0", "-0.5", "0.0", "0.5", "1.0"}));
  EXPECT_TRUE(nice_ticks(1, 1, 5).at.empty());
  EXPECT_TRUE(nice_ticks(0, INFINITY, 5).at.empty());
}

TEST(SvgChart, TextIsWellFormedAndHoldsEveryPart) {
  Panel panel{"A panel", "slip [-]", "force [N]", {curve("one"), curve("two")}};
  panel.series[1].stroke = Stroke::dashed;
  Figure figure = figure_of(panel);
  figure.panels.push_back(panel);
  figure.panels.push_back({"empty", "x [m]", "y [m]", {}});
  const std::string svg = svg_text(figure);
  EXPECT_EQ(malformed(svg), "");
  for (const char* word : {"A panel", "slip [-]", "force [N]", ">one<", ">two<"})
    EXPECT_EQ(count(svg, word), 2) << word;
  EXPECT_EQ(count(svg, "no data"), 1);
  EXPECT_EQ(curve_paths(svg).size(), 8u);  // two curves and two legend samples, twice
  EXPECT_EQ(svg, svg_text(figure));
  figure.shared_legend = true;
  EXPECT_EQ(count(svg_text(figure), ">one<"), 1);
  EXPECT_EQ(malformed(svg_text(Figure{})), "");
}

TEST(SvgChart, EscapesWhatTheUserNamed) {
  const std::string evil = "</text><script>alert(\"1\") & 'x'\n\x01";
  Panel panel{evil, evil, evil, {curve(evil)}};
  const std::string svg = svg_text(figure_of(panel));
  EXPECT_EQ(malformed(svg), "");
  EXPECT_EQ(count(svg, "<script"), 0);
  EXPECT_EQ(count(svg, "\x01"), 0);
  EXPECT_EQ(xml_escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(count(html_page(evil, {html_text(evil), html_table(evil, {{evil}, {evil}})}), "<script"), 0);
}

TEST(SvgChart, NotANumberLeavesAGap) {
  Panel panel{"", "", "", {curve("")}};
  panel.series[0].y[20] = NAN;
  panel.series[0].x[35] = INFINITY;
  const std::string svg = svg_text(figure_of(panel));
  const auto paths = curve_paths(svg);
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_EQ(count(paths[0], "M"), 3);
  EXPECT_EQ(count(paths[0], "L"), 51 - 2 - 3);
  EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0);
  panel.series[0].y.assign(51, NAN);
  EXPECT_EQ(count(svg_text(figure_of(panel)), "no data"), 1);
}

TEST(SvgChart, EndsOfTheDataLieOnTheAxesAndOneUnitIsOneUnit) {
  Panel panel{"", "", "", {{"", {0, 10}, {0, 1}}}};
  panel.y_min = 0;
  panel.y_max = 1;
  const std::string flat = svg_text(figure_of(panel));
  EXPECT_EQ(curve_paths(flat)[0], "M0 260L376 0");  // the data area of a panel of 460 x 340
  panel.equal_aspect = true;
  double x0, y0, x1, y1;
  const auto path = curve_paths(svg_text(figure_of(panel)))[0];
  ASSERT_EQ(std::sscanf(path.c_str(), "M%lf %lfL%lf %lf", &x0, &y0, &x1, &y1), 4);
  EXPECT_NEAR((x1 - x0) / 10, y0 - y1, 0.02);                         // coordinates have two decimals
  EXPECT_TRUE(x0 >= 0 && x1 <= 376 && y1 >= 0 && y0 <= 260) << path;  // and nothing is cut off
}

TEST(SvgChart, ExtremeDataStaysReadable) {
  for (const auto& y : {std::vector<double>{5, 5, 5},
                        {0, 0, 0},
                        {1e300, -1e300, 0},
                        {1.7e308, -1.7e308, 0},
                        {1e200, -1e200, 0},
                        {1e-300, 2e-300, 0},
                        {1e9, 2e9, 3e9}}) {
    const std::string svg = svg_text(figure_of({"", "", "", {{"", {1, 2, 3}, y}}}));
    EXPECT_EQ(malformed(svg), "");
    EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0) << svg;
  }
  Panel narrow{"", "", "", {{"", {0, 1, 2}, {0, 1e12, 0}}}};
  narrow.y_min = 0;
  narrow.y_max = 1;
  for (const std::string& path : curve_paths(svg_text(figure_of(narrow)))) EXPECT_LT(path.size(), 60u);
}

TEST(SvgChart, PageStandsAloneAndFollowsTheReadersScheme) {
  const std::string page = chart_document("a.html", figure_of({"", "", "", {curve("c")}}), {html_text("words")});
  EXPECT_EQ(count(page, "http"), 1);  // the name of the SVG language, which nothing loads
  EXPECT_EQ(count(page, "<script") + count(page, "url(") + count(page, "@import") + count(page, " src="), 0);
  EXPECT_EQ(count(page, "prefers-color-scheme:dark"), 1);
  EXPECT_EQ(count(page, "<h1>Title</h1>"), 1);
  EXPECT_TRUE(chart_document("a.svg", figure_of({})).starts_with("<svg "));
  EXPECT_THROW(chart_document("a.png", figure_of({})), BadInput);
  const std::string table = html_table("", {{"name", "value"}, {"x", "-1.5e+03"}});
  EXPECT_EQ(count(table, "<th class=\"n\">value</th>") + count(table, "<td class=\"n\">-1.5e+03</td>"), 2);
}

TEST(TirePlot, ShowsTheLaws) {
  TireSpec tire;
  tire.load_sensitivity = 0.2;
  TirePlotOptions options;
  options.loads = {3000, 5000};
  const Figure figure = tire_figure({{"a", tire}, {"b", TireSpec{}}}, options);
  ASSERT_EQ(figure.panels.size(), 5u);
  for (const Panel& panel : figure.panels) {
    ASSERT_EQ(panel.series.size(), 4u) << panel.title;
    EXPECT_NE(panel.x_label.find('['), std::string::npos);
    EXPECT_NE(panel.y_label.find('['), std::string::npos);
  }
  EXPECT_EQ(figure.panels[0].series[0].name, "a, 3000 N");
  // the step ends at the steady force of that slip angle, to what is left after five relaxation lengths
  SteadyPoint at;
  at.fz = 3000, at.alpha = options.step_alpha, at.vx = options.speed;
  const double steady = SteadyTire(tire)(at)[1];
  EXPECT_NEAR(figure.panels[4].series[0].y.back(), steady, 0.01 * std::abs(steady));
  EXPECT_NEAR(figure.panels[4].series[0].y[1], 0, 1e-6);
  // the outline is that of the similarity law: an ellipse with the two peaks
  const double peak = 3000 * (1 - 0.2 * (3000.0 / 4000 - 1));
  const Series& outline = figure.panels[3].series[0];
  EXPECT_GT(outline.x.size(), 60u);
  for (std::size_t i = 0; i < outline.x.size(); ++i)
    EXPECT_NEAR(std::hypot(outline.x[i], outline.y[i]), peak, 0.01 * peak);
  EXPECT_EQ(svg_text(figure), svg_text(tire_figure({{"a", tire}, {"b", TireSpec{}}}, options)));
}

}  // namespace
}  // namespace vdsim
