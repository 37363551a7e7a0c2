// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "vdsim/formats/svg_chart.hpp"
#include "vdsim/lab/sensitivity.hpp"
#include "vdsim/report/report.hpp"

namespace vdsim {
namespace {

// Numbers by how much they move a result, the most first.
std::vector<std::size_t> by_swing(const Sensitivity& s, std::size_t result) {
  std::vector<std::size_t> order(s.wrt.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto size = [&](std::size_t k) {
    const double x = std::abs(s.swing(result, k));
    return std::isfinite(x) ? x : -1;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  return order;
}

std::string per(const std::string& of, const std::string& wrt) {
  const auto plain = [](const std::string& unit) { return unit.empty() || unit == "-" ? std::string("1") : unit; };
  return wrt.empty() || wrt == "-" ? (of.empty() ? "-" : of) : fmt::format("{}/({})", plain(of), wrt);
}
std::string figures(double x) { return std::isfinite(x) ? fmt::format("{:.7g}", x) : "none"; }

std::vector<std::vector<std::string>> table_of(const Sensitivity& s, std::size_t i) {
  std::vector<std::vector<std::string>> rows{{"number", "value", "derivative", "unit", "% per %", "error", "by"}};
  for (const std::size_t k : by_swing(s, i)) {
    const Derivative& d = s.at[i][k];
    rows.push_back({s.wrt[k].path, fmt::format("{} {}", figures(s.wrt[k].value), s.wrt[k].unit), figures(d.value),
                    per(s.of[i].unit, s.wrt[k].unit),
                    std::isfinite(s.elasticity(i, k)) ? fmt::format("{:.4f}", s.elasticity(i, k)) : "-",
                    std::isfinite(d.error) ? fmt::format("{:.1e}", d.error) : "-", d.how + (d.kink ? ", kink" : "")});
  }
  return rows;
}

std::string heading(const Sensitivity& s, std::size_t i) {
  return fmt::format("{} = {} {}", s.of[i].name, figures(s.of[i].value), s.of[i].unit);
}

}  // namespace

std::string sensitivity_text(const Sensitivity& s) {
  std::string out = fmt::format("{}, {}\n", s.title, s.level);
  for (const std::string& note : s.notes) out += "note: " + note + "\n";
  for (std::size_t i = 0; i < s.of.size(); ++i)
    out += fmt::format("\n{}  ({})\n{}", heading(s, i), s.of[i].meaning, text_table(table_of(s, i)));
  return out;
}

std::string sensitivity_json(const Sensitivity& s) {
  using Json = nlohmann::ordered_json;
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  Json out{{"title", s.title}, {"level", s.level}, {"notes", s.notes}, {"of", Json::array()}};
  for (std::size_t i = 0; i < s.of.size(); ++i) {
    Json rows = Json::array();
    for (std::size_t k = 0; k < s.wrt.size(); ++k) {
      const Derivative& d = s.at[i][k];
      rows.push_back({{"wrt", s.wrt[k].path},
                      {"unit", s.wrt[k].unit},
                      {"value", number(s.wrt[k].value)},
                      {"derivative", number(d.value)},
                      {"error", number(d.error)},
                      {"elasticity", number(s.elasticity(i, k))},
                      {"kink", d.kink},
                      {"by", d.how}});
    }
    out["of"].push_back({{"name", s.of[i].name},
                         {"unit", s.of[i].unit},
                         {"value", number(s.of[i].value)},
                         {"derivatives", std::move(rows)}});
  }
  return out.dump(2) + "\n";
}

// From what 10 % less of a number makes to what 10 % more makes; the end of "more" is blue.
std::string tornado_svg(const Sensitivity& s, std::size_t result) {
  const std::vector<std::size_t> order = by_swing(s, result);
  const double line = 24, left = 270, half = 200, middle = left + half;
  double most = 0;
  for (const std::size_t k : order)
    if (std::isfinite(s.swing(result, k))) most = std::max(most, std::abs(s.swing(result, k)));
  const double scale = most > 0 ? half / most : 0, height = line * double(order.size()) + 34;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 {0:.0f}\" width=\"780\" height=\"{0:.0f}\" "
      "role=\"img\" font-family=\"sans-serif\" font-size=\"13\" "
      "style=\"max-width:100%;height:auto\"><title>{1}</title>",
      height, xml_escaped("Change of " + s.of[result].name + " by 10 % of each number"));
  for (std::size_t row = 0; row < order.size(); ++row) {
    const std::size_t k = order[row];
    const double swing = std::isfinite(s.swing(result, k)) ? s.swing(result, k) : 0, y = 6 + line * double(row),
                 width = std::abs(swing) * scale;
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"currentColor\">{}</text>", left - 10,
                       y + 16, xml_escaped(s.wrt[k].path));
    for (const bool more : {false, true})
      out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>",
                         (swing > 0) == more ? middle : middle - width, y + 4, std::max(width, 0.5), line - 8,
                         more ? "#0072b2" : "#d55e00");
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"currentColor\">{:+.3g} {}</text>", middle + half + 12,
                       y + 16, swing, xml_escaped(s.of[result].unit));
  }
  return out + fmt::format(
                   "<line x1=\"{0:.1f}\" y1=\"2\" x2=\"{0:.1f}\" y2=\"{1:.1f}\" stroke=\"currentColor\"/>"
                   "<text x=\"{0:.1f}\" y=\"{2:.1f}\" text-anchor=\"middle\" fill=\"currentColor\">{3}</text></svg>",
                   middle, height - 24, height - 8, xml_escaped(heading(s, result)));
}

std::string sensitivity_page(const Sensitivity& s) {
  std::vector<ReportBlock> blocks;
  for (std::size_t i = 0; i < s.of.size(); ++i) {
    ReportBlock block;
    block.heading = s.of[i].name;
    block.text = s.of[i].meaning +
                 ". Bars: change where a number grows by a tenth (blue) or is a tenth less (orange), as far as the "
                 "derivative goes; a "
                 "number that is 0 is moved by 1 of its unit.";
    block.svg = tornado_svg(s, i);
    block.tables.push_back({"", table_of(s, i), {}});
    blocks.push_back(std::move(block));
  }
  std::string notes;
  for (const std::string& note : s.notes) notes += ", " + note;
  return report_page("Sensitivity of " + s.title, s.level + notes, blocks);
}

}  // namespace vdsim
