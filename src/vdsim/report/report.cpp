// SPDX-License-Identifier: Apache-2.0
#include "vdsim/report/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "vdsim/report/report_columns.hpp"

namespace vdsim {
namespace {

constexpr std::size_t kPageBytes = 1500000;  // a page stays below, by thinning its curves
constexpr std::size_t kLeastData = 300000;   // however long its texts are
constexpr std::size_t kMostStride = 4096;
constexpr std::size_t kStillPoints = 1200;  // of a curve in a drawing

// A JSON string that can stand inside <script>.
std::string quoted(const std::string& text) {
  const std::string plain = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (const char c : plain) {
    if (c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

std::string number(double v) { return std::isfinite(v) ? fmt::format("{}", v) : "null"; }

template <class Range, class F> std::string list(const Range& range, F&& each) {
  std::string out = "[";
  for (const auto& item : range) out += (out.size() > 1 ? "," : "") + each(item);
  return out + "]";
}

// ---- charts

bool ascending(const std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || (i > 0 && x[i] < x[i - 1])) return false;
  return true;
}

// Curves in a plane are drawn point by point; all others share one ascending x.
bool in_plane(const Panel& panel) {
  return panel.equal_aspect ||
         !std::all_of(panel.series.begin(), panel.series.end(), [](const Series& s) { return ascending(s.x); });
}

struct Writer {
  ColumnStore columns;
  std::size_t stride = 1;
  bool thinned = false;

  std::string series(const Series& s, std::size_t position, bool plane);
  std::string panel(const Panel&, bool log_x);
  std::string figure(const Figure&, const ReportBlock&);
  std::string follower(const ReportFollower&);
};

std::vector<double> rows_of(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  std::vector<double> out;
  for (const std::size_t i : rows) out.push_back(values[i]);
  return out;
}

// A still shows no more than some points per pixel.
void thin(Series& s, bool plane) {
  const std::size_t stride = s.x.size() / kStillPoints;
  if (stride < 2 || s.x.size() != s.y.size()) return;
  if (plane) {
    const std::vector<std::size_t> rows = keep_corners(s.x, s.y, stride);
    s.x = rows_of(s.x, rows);
    s.y = rows_of(s.y, rows);
  } else {
    s.y = keep_extremes(s.y, stride);
    s.x = every(s.x, stride);
  }
}

std::string Writer::series(const Series& s, std::size_t position, bool plane) {
  const std::size_t n = std::min(s.x.size(), s.y.size());
  std::vector<double> x(s.x.begin(), s.x.begin() + static_cast<std::ptrdiff_t>(n));
  std::vector<double> y(s.y.begin(), s.y.begin() + static_cast<std::ptrdiff_t>(n));
  if (plane) {
    const std::vector<std::size_t> rows = keep_corners(x, y, stride);
    x = rows_of(x, rows);
    y = rows_of(y, rows);
  } else {
    y = keep_extremes(y, stride);
    x = every(x, stride);
  }
  thinned = thinned || x.size() < n;
  const int color = (s.color >= 0 ? s.color : static_cast<int>(position)) % kPaletteSize;
  return fmt::format(R"({{"n":{},"x":{},"y":{},"k":{},"c":{},"w":{}}})", quoted(s.name),
                     columns.add(x, plane ? Axis::y : Axis::x), columns.add(y, Axis::y), static_cast<int>(s.stroke),
                     color, number(s.width));
}

// What a logarithmic axis can show.
void above_zero(Series& s) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i)
    if (s.x[i] > 0) rows.push_back(i);
  s.x = rows_of(s.x, rows);
  s.y = rows_of(s.y, rows);
}

void drop_below_zero(Series& s) {
  for (double& y : s.y)
    if (!(y > 0)) y = NAN;
}

std::string Writer::panel(const Panel& p, bool log_x) {
  const bool plane = in_plane(p) && !log_x;
  double low = INFINITY, high = -INFINITY;
  std::string all;
  for (std::size_t i = 0; i < p.series.size(); ++i) {
    Series s = p.series[i];
    if (log_x) above_zero(s);
    if (p.log_y) drop_below_zero(s);
    all += (i ? "," : "") + series(s, i, plane);
    for (const double x : s.x)
      if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  }
  if (!(low <= high)) low = log_x ? 1 : 0, high = log_x ? 10 : 1;
  if (std::isfinite(p.x_min)) low = p.x_min;
  if (std::isfinite(p.x_max)) high = p.x_max;
  if (!(high > low)) high = log_x ? 10 * low : low + 1;
  return fmt::format(
      R"({{"t":{},"xl":{},"yl":{},"eq":{},"xy":{},"ly":{},"legend":{},"xr":[{},{}],"lim":[{},{},{},{}],"s":[{}]}})",
      quoted(p.title), quoted(p.x_label), quoted(p.y_label), p.equal_aspect, plane, p.log_y, p.legend, number(low),
      number(high), number(p.x_min), number(p.x_max), number(p.y_min), number(p.y_max), all);
}

int chart_height(const Figure& f) { return static_cast<int>(std::clamp(f.height * 0.72, 180.0, 420.0)); }
int chart_columns(const Figure& f) { return std::clamp(std::min(f.columns, static_cast<int>(f.panels.size())), 1, 4); }

std::string Writer::figure(const Figure& f, const ReportBlock& block) {
  return fmt::format(
      R"({{"columns":{},"height":{},"log":{},"sync":{},"bands":{},"panels":{}}})", chart_columns(f), chart_height(f),
      block.log_x, quoted(block.sync),
      list(block.bands,
           [](const ReportBand& b) { return fmt::format("[{},{},{}]", quoted(b.name), number(b.from), number(b.to)); }),
      list(f.panels, [&](const Panel& p) { return panel(p, block.log_x); }));
}

std::string Writer::follower(const ReportFollower& f) {
  const auto kept = [&](const std::vector<double>& v) { return every(v, stride); };
  return fmt::format(R"({{"t":{},"x":{},"y":{},"psi":{}}})", columns.add(kept(f.t), Axis::x),
                     columns.add(kept(f.x), Axis::y), columns.add(kept(f.y), Axis::y),
                     columns.add(kept(f.psi), Axis::y));
}

struct PageData {
  std::string json;
  std::size_t stride = 1;
  bool thinned = false;
};

// The charts of all blocks in at most `budget` bytes: every second, third, ... pair of extremes until it fits.
PageData page_data(const std::vector<ReportBlock>& blocks, std::size_t budget) {
  for (std::size_t stride = 1;; stride += 1 + stride / 4) {
    Writer writer;
    writer.stride = stride;
    std::string figures, followers;
    for (const ReportBlock& block : blocks) {
      for (const Figure& f : block.figures) figures += (figures.empty() ? "" : ",") + writer.figure(f, block);
      for (const ReportFollower& f : block.followers) followers += (followers.empty() ? "" : ",") + writer.follower(f);
    }
    if (writer.columns.bytes() + figures.size() > budget && stride < kMostStride) continue;
    std::string columns;
    for (const std::string& each : writer.columns.json()) columns += (columns.empty() ? "" : ",\n") + each;
    return {"{\"columns\":[" + columns + "],\n\"figures\":[" + figures + "],\n\"followers\":[" + followers + "]}",
            stride, writer.thinned};
  }
}

// ---- texts

std::string escaped_lines(const std::string& text) {  // xml_escaped() takes line ends for control characters
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += (at ? "\n" : "") + xml_escaped(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string paragraphs(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    out += "<p>" + escaped_lines(text.substr(at, end - at)) + "</p>\n";
    at = end + 2;
  }
  return out;
}

bool numeric(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789+-.eE% ") == std::string::npos &&
         cell.find_first_of("0123456789") != std::string::npos;
}

// Flush right where most cells that say something are numbers.
std::vector<bool> number_columns(const ReportTable& table) {
  std::vector<bool> out;
  for (std::size_t j = 0; j < (table.rows.empty() ? 0 : table.rows[0].size()); ++j) {
    std::size_t numbers = 0, words = 0;
    for (std::size_t i = 1; i < table.rows.size(); ++i)
      if (j < table.rows[i].size() && !table.rows[i][j].empty() && table.rows[i][j] != "–")
        ++(numeric(table.rows[i][j]) ? numbers : words);
    out.push_back(numbers > words);
  }
  return out;
}

std::string table_text(const ReportTable& table) {
  const std::vector<bool> right = number_columns(table);
  const bool marked = std::any_of(table.marks.begin(), table.marks.end(), [](int m) { return m >= 0; });
  std::string out = "<div class=\"scroll\"><table>\n";
  if (!table.caption.empty()) out += "<caption>" + xml_escaped(table.caption) + "</caption>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const int mark = i > 0 && i - 1 < table.marks.size() ? table.marks[i - 1] : -1;
    const char* tag = i == 0 ? "th" : "td";
    out += i == 0 ? "<thead>" : i == 1 ? "<tbody>" : "";
    out += mark < 0 ? "<tr>" : mark ? "<tr class=\"pass\">" : "<tr class=\"fail\">";
    for (std::size_t j = 0; j < table.rows[i].size(); ++j)
      out += fmt::format("<{}{}{}>{}</{}>", tag, i == 0 ? " scope=\"col\"" : "",
                         j < right.size() && right[j] ? " class=\"n\"" : "", xml_escaped(table.rows[i][j]), tag);
    if (marked)
      out += i == 0     ? "<th scope=\"col\">verdict</th>"
             : mark < 0 ? "<td></td>"
                        : fmt::format("<td class=\"mark-cell\">{}</td>", mark ? "✓ pass" : "✗ fail");
    out += i == 0 ? "</tr></thead>\n" : "</tr>\n";
  }
  return out + (table.rows.size() > 1 ? "</tbody>" : "") + "</table></div>\n";
}

std::string figure_text(const Figure& figure, const ReportBlock& block, bool interactive) {
  if (!interactive)
    return "<div class=\"still\"><figure style=\"margin:0\">" + report_svg(figure, block) + "</figure></div>\n";
  std::string out = fmt::format("<div class=\"figure{}\" style=\"--columns:{};--height:{}px\">{}<div class=\"grid\">\n",
                                figure.title.empty() ? " untitled" : "", chart_columns(figure), chart_height(figure),
                                figure.title.empty() ? "" : "<h3>" + xml_escaped(figure.title) + "</h3>\n");
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    out +=
        "<figure class=\"chart\" tabindex=\"0\" role=\"group\"><figcaption></figcaption><div class=\"plot\"></div>"
        "<div class=\"legend\"></div></figure>\n";
  return out + "</div></div>\n";
}

std::string badge(const std::string& verdict) {
  if (verdict.empty()) return "";
  const char* kind = verdict == "pass" ? " pass" : verdict == "fail" || verdict == "diverged" ? " fail" : "";
  return fmt::format("<span class=\"badge{}\">{}</span>", kind, xml_escaped(verdict));
}

std::string block_text(const ReportBlock& block, std::size_t index, bool interactive) {
  const std::string head =
      block.heading.empty() ? "" : "<h2>" + xml_escaped(block.heading) + badge(block.verdict) + "</h2>\n";
  std::string out = block.folded ? fmt::format("<details class=\"block\" id=\"b{}\"><summary>{}</summary>\n", index,
                                               head.empty() ? "more" : head)
                                 : fmt::format("<section class=\"block\" id=\"b{}\">{}", index, head);
  out += paragraphs(block.text);
  if (!block.facts.empty()) {
    out += "<dl class=\"facts\">\n";
    for (const auto& [name, value] : block.facts)
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", xml_escaped(name), xml_escaped(value));
    out += "</dl>\n";
  }
  if (block.tables.size() > 1) out += "<div class=\"tables\">";
  for (const ReportTable& table : block.tables) out += table_text(table);
  if (block.tables.size() > 1) out += "</div>\n";
  for (const Figure& figure : block.figures) out += figure_text(figure, block, interactive);
  if (!block.preformatted.empty()) out += "<pre tabindex=\"0\">" + escaped_lines(block.preformatted) + "</pre>\n";
  if (!block.svg.empty()) out += "<div class=\"drawing\">" + block.svg + "</div>\n";
  return out + (block.folded ? "</details>\n" : "</section>\n");
}

std::string head_text(const std::string& title, const ReportAssets& assets) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         // nothing may be loaded, whatever the texts hold
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
         "style-src 'unsafe-inline'; img-src data:\">\n<title>" +
         xml_escaped(title) + "</title>\n<style>\n" + assets.charts_css + "\n" + assets.css + "</style>\n<script>\n" +
         assets.script + "</script>\n</head>\n";
}

std::string top_text(const std::string& title, const std::string& subtitle, const std::vector<ReportBlock>& blocks) {
  std::string out = "<body>\n<header class=\"top\"><h1>" + xml_escaped(title) + "</h1>";
  if (!subtitle.empty()) out += "<p class=\"sub\">" + xml_escaped(subtitle) + "</p>";
  out += "</header>\n<div class=\"bar\"><div><nav aria-label=\"parts of this page\">";
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!blocks[i].heading.empty()) out += fmt::format("<a href=\"#b{}\">{}</a>", i, xml_escaped(blocks[i].heading));
  return out +
         "</nav><button id=\"theme\" type=\"button\" title=\"light or dark\" aria-label=\"light or dark\">"
         "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6v10.8a5.4 "
         "5.4 0 0 1 0-10.8z\" "
         "fill-rule=\"evenodd\"/></svg></button></div></div>\n<main>\n"
         "<noscript><p>The charts of this page need JavaScript.</p></noscript>\n";
}

std::string foot_text(bool interactive, const PageData& data, bool any_chart) {
  std::string out = "</main>\n<footer>";
  if (interactive && data.thinned)
    out +=
        fmt::format("<p>The curves show the smallest and the largest value of every {} samples.</p>", 2 * data.stride);
  if (!interactive && any_chart)
    out += "<p>Charts are drawings: this VDSim was built without uPlot, which makes them interactive.</p>";
  if (interactive && any_chart)
    out +=
        "<p class=\"keys\">Drag to zoom, double-click to show all; <kbd>Shift</kbd> and drag to pan; <kbd>Ctrl</kbd> "
        "and "
        "wheel to zoom; a click on a name hides its curve. On a focused chart: arrows read, <kbd>Shift</kbd> and "
        "arrows "
        "pan, <kbd>+</kbd> <kbd>−</kbd> zoom, <kbd>0</kbd> shows all.</p>";
  return out + "<p>Made by VDSim." + (interactive ? " Charts: uPlot." : "") + "</p></footer>\n";
}

std::string file_stem(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128;
    if (plain) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!plain && !out.empty() && out.back() != '_') out += '_';
  }
  while (out.ends_with('_')) out.pop_back();
  return out.empty() ? "figure" : out.substr(0, 48);
}

}  // namespace

std::string report_svg(const Figure& figure, const ReportBlock& block) {
  Figure out = figure;
  out.shared_legend = true;  // above the panels it covers no curve
  for (Panel& panel : out.panels) {
    const bool plane = in_plane(panel);
    for (Series& s : panel.series) thin(s, plane);
    if (panel.log_y) {
      panel.y_label = "log10 of " + panel.y_label;
      for (Series& s : panel.series)
        for (double& y : s.y) y = y > 0 ? std::log10(y) : NAN;
    }
    if (!block.log_x) continue;
    panel.x_label = "log10 of " + panel.x_label;
    for (double* limit : {&panel.x_min, &panel.x_max}) *limit = *limit > 0 ? std::log10(*limit) : kAutomatic;
    for (Series& s : panel.series)
      for (double& x : s.x) x = x > 0 ? std::log10(x) : NAN;
  }
  return svg_text(out);
}

std::string with_powers(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool power = text[i] == '^' && i + 1 < text.size() && (text[i + 1] == '2' || text[i + 1] == '3');
    out += power ? (text[++i] == '2' ? "²" : "³") : text.substr(i, 1);
  }
  return out;
}

std::vector<ReportBlock> with_powers(std::vector<ReportBlock> blocks) {
  const auto change = [](std::string& text) { text = with_powers(text); };
  for (ReportBlock& block : blocks) {
    change(block.heading), change(block.text);
    for (auto& [name, value] : block.facts) change(name), change(value);
    for (ReportTable& table : block.tables) {
      change(table.caption);
      for (auto& row : table.rows) std::for_each(row.begin(), row.end(), change);
    }
    for (Figure& figure : block.figures)
      for (Panel& panel : figure.panels) change(panel.title), change(panel.x_label), change(panel.y_label);
  }
  return blocks;
}

std::vector<std::pair<std::string, std::string>> report_svgs(const std::vector<ReportBlock>& blocks) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const std::string& name, std::string svg) {
    out.emplace_back(fmt::format("{:02}_{}.svg", out.size() + 1, file_stem(name)), std::move(svg));
  };
  for (const ReportBlock& block : blocks) {
    for (const Figure& figure : block.figures)
      add(figure.title.empty() ? block.heading : figure.title, report_svg(figure, block));
    if (!block.svg.empty()) add(block.heading, block.svg);
  }
  return out;
}

std::string report_page(const std::string& title, const std::string& subtitle, const std::vector<ReportBlock>& blocks,
                        const ReportAssets& assets) {
  const bool interactive = !assets.charts.empty();
  const bool any_chart =
      std::any_of(blocks.begin(), blocks.end(), [](const ReportBlock& b) { return !b.figures.empty(); });
  std::string out = head_text(title, assets) + top_text(title, subtitle, blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) out += block_text(blocks[i], i, interactive);
  PageData data{R"({"columns":[],"figures":[],"followers":[]})"};
  if (interactive) {
    const std::size_t taken = out.size() + assets.charts.size() + 4000;
    data = page_data(blocks, std::max(kLeastData, kPageBytes - std::min(kPageBytes, taken)));
  }
  out += foot_text(interactive, data, any_chart);
  if (interactive)  // a function of the pixel ratio: print asks for a finer one
    out += "<script>\nfunction makeCharts(devicePixelRatio) {\n" + assets.charts + "\nreturn uPlot;\n}\n</script>\n";
  return out + "<script type=\"application/json\" id=\"data\">\n" + data.json + "\n</script>\n</body>\n</html>\n";
}

std::string report_page(const std::string& title, const std::string& subtitle, const std::vector<ReportBlock>& blocks) {
  return report_page(title, subtitle, blocks, report_assets());
}

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  const auto letters = [](const std::string& text) {  // of UTF-8
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  };
  std::vector<std::size_t> width;
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k == width.size()) width.push_back(0);
      width[k] = std::max(width[k], letters(row[k]));
    }
  std::string out;
  for (const auto& row : rows) {
    out += "  ";
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string pad(width[k] - letters(row[k]), ' ');
      out += k > 0 ? "  " + pad + row[k] : row.size() > 1 ? row[k] + pad : row[k];
    }
    out += '\n';
  }
  return out;
}

}  // namespace vdsim
