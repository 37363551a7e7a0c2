// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/svg_chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "vdsim/engine/errors.hpp"

namespace vdsim {
namespace {

// Okabe and Ito, in an order that keeps neighbours apart; the second set is for dark pages.
constexpr std::array<const char*, kPaletteSize> kLight{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                       "#E69F00", "#56B4E9", "#555555", "#8C6D1F"};
constexpr std::array<const char*, kPaletteSize> kDark{"#4DB3F0", "#FF8A3D", "#2FD0A0", "#E79CC6",
                                                      "#FFC04D", "#9AD6FF", "#BBBBBB", "#D9B860"};
constexpr double kTextSize = 12, kTitleSize = 14, kHeadSize = 17;   // [px]
constexpr double kLeft = 70, kRight = 14, kTop = 30, kBottom = 50;  // from the edge of a panel to its axes [px]
constexpr double kLegendRow = 17, kSample = 24;                     // height of a legend row, length of its line [px]

struct Span {
  double low, high;
};
struct Box {
  double x, y, w, h;
};

std::string px(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

std::size_t letters(std::string_view text) {  // of UTF-8
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

double text_width(std::string_view text) { return 0.6 * kTextSize * static_cast<double>(letters(text)); }

std::size_t length(const Series& s) { return std::min(s.x.size(), s.y.size()); }

bool finite(const Series& s, std::size_t i) {  // and so far from the largest double that a range stays finite
  return std::abs(s.x[i]) < 1e300 && std::abs(s.y[i]) < 1e300;
}

// Range of the data, widened so that it is never empty; given limits win.
Span span_of(const Panel& panel, std::vector<double> Series::*axis, double low, double high, double margin) {
  Span out{INFINITY, -INFINITY};
  for (const Series& s : panel.series)
    for (std::size_t i = 0; i < length(s); ++i) {
      if (!finite(s, i)) continue;
      out.low = std::min(out.low, (s.*axis)[i]);
      out.high = std::max(out.high, (s.*axis)[i]);
    }
  if (!(out.low <= out.high)) out = {0, 1};
  const double size = std::max(std::abs(out.low), std::abs(out.high));
  const double extra = margin * (out.high - out.low);
  out = {out.low - extra, out.high + extra};
  if (std::isfinite(low)) out.low = low;
  if (std::isfinite(high)) out.high = high;
  if (!(out.high - out.low > 1e-12 * size)) {
    const double widen = size > 0 ? 0.1 * size : 1;
    out = {out.low - widen, out.low + widen};
  }
  return out;
}

struct Axes {
  Box box;  // of the data area, in the figure
  Span x, y;
  double at_x(double v) const { return (v - x.low) / (x.high - x.low) * box.w; }
  double at_y(double v) const { return (y.high - v) / (y.high - y.low) * box.h; }
};

void widen(Span& span, double factor) {
  const double middle = 0.5 * (span.low + span.high), half = 0.5 * factor * (span.high - span.low);
  span = {middle - half, middle + half};
}

Axes axes_of(const Panel& panel, const Box& place) {
  Axes out{{place.x + kLeft, place.y + kTop, place.w - kLeft - kRight, place.h - kTop - kBottom}, {}, {}};
  out.x = span_of(panel, &Series::x, panel.x_min, panel.x_max, panel.equal_aspect ? 0.05 : 0);
  out.y = span_of(panel, &Series::y, panel.y_min, panel.y_max, 0.05);
  if (panel.equal_aspect) {
    const double ratio = (out.x.high - out.x.low) / out.box.w / ((out.y.high - out.y.low) / out.box.h);
    ratio > 1 ? widen(out.y, ratio) : widen(out.x, 1 / ratio);
  }
  return out;
}

std::string text_at(double x, double y, const char* anchor, std::string_view text, const std::string& more = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", px(x), px(y), anchor, more,
                     xml_escaped(text));
}

// Colours stand as attributes for viewers without style sheets; html_page() restyles the classes.
const char* grid_style(double at) {
  return at == 0 ? "class=\"zero\" stroke=\"#8a8a8a\"" : "class=\"grid\" stroke=\"#dcdcdc\"";
}

std::string frame_text(const Axes& a) {
  const Ticks xs = nice_ticks(a.x.low, a.x.high, std::max(2, static_cast<int>(a.box.w / 62)));
  const Ticks ys = nice_ticks(a.y.low, a.y.high, std::max(2, static_cast<int>(a.box.h / 36)));
  std::string grid, labels;
  const double left = a.box.x, bottom = a.box.y + a.box.h;
  for (std::size_t i = 0; i < xs.at.size(); ++i) {
    const double x = left + a.at_x(xs.at[i]);
    grid += fmt::format("<path {} d=\"M{} {}V{}\"/>\n", grid_style(xs.at[i]), px(x), px(a.box.y), px(bottom));
    labels += text_at(x, bottom + 17, "middle", xs.text[i]);
  }
  for (std::size_t i = 0; i < ys.at.size(); ++i) {
    const double y = a.box.y + a.at_y(ys.at[i]);
    grid += fmt::format("<path {} d=\"M{} {}H{}\"/>\n", grid_style(ys.at[i]), px(left), px(y), px(left + a.box.w));
    labels += text_at(left - 7, y + 4, "end", ys.text[i]);
  }
  return fmt::format("<g fill=\"none\" stroke-width=\"1\">\n{}</g>\n<g class=\"ink\" fill=\"#1a1a1a\">\n{}</g>\n", grid,
                     labels) +
         fmt::format(
             "<rect class=\"edge\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#4a4a4a\"/>\n",
             px(left), px(a.box.y), px(a.box.w), px(a.box.h));
}

std::string names_text(const Panel& panel, const Box& place, const Axes& a) {
  const double middle = a.box.x + a.box.w / 2, x = place.x + 16, y = a.box.y + a.box.h / 2;
  return "<g class=\"ink\" fill=\"#1a1a1a\">\n" +
         text_at(middle, a.box.y - 10, "middle", panel.title,
                 fmt::format(" font-size=\"{}\" font-weight=\"bold\"", kTitleSize)) +
         text_at(middle, a.box.y + a.box.h + 38, "middle", panel.x_label) +
         text_at(x, y, "middle", panel.y_label, fmt::format(" transform=\"rotate(-90 {} {})\"", px(x), px(y))) +
         "</g>\n";
}

// Points that fall on the pixel of the one before add nothing and are left out.
std::string path_of(const Series& s, const Axes& a) {
  std::string out, last;
  bool gap = true;
  for (std::size_t i = 0; i < length(s); ++i) {
    if (!finite(s, i)) {
      gap = true;
      continue;
    }
    // far outside, the exact place does not show but its digits would fill the file
    const double x = std::clamp(a.at_x(s.x[i]), -9 * a.box.w, 10 * a.box.w);
    const double y = std::clamp(a.at_y(s.y[i]), -9 * a.box.h, 10 * a.box.h);
    const std::string here = px(x) + " " + px(y);
    if (s.stroke == Stroke::points) {
      if (here != last) out += "M" + here + "h0";
    } else if (gap || here != last) {
      out += (gap ? "M" : "L") + here;
    }
    last = here;
    gap = false;
  }
  return out;
}

std::string stroke_attributes(const Series& s) {
  const std::string width =
      fmt::format(" stroke-width=\"{}\"", px(s.stroke == Stroke::points ? s.width + 1.6 : s.width));
  switch (s.stroke) {
    case Stroke::dashed: return width + " stroke-dasharray=\"7 4\"";
    case Stroke::dash_dot: return width + " stroke-dasharray=\"9 3 1.5 3\"";
    case Stroke::dotted: return width + " stroke-dasharray=\"1.5 3.5\" stroke-linecap=\"round\"";
    case Stroke::points: return width + " stroke-linecap=\"round\" stroke-opacity=\"0.75\"";
    case Stroke::solid: break;
  }
  return width;
}

int color_of(const Series& s, std::size_t position) {
  return (s.color >= 0 ? s.color : static_cast<int>(position)) % kPaletteSize;
}

std::string painted(const Series& s, int color, const std::string& path) {
  return fmt::format(
      "<path class=\"s{}\" color=\"{}\" stroke=\"currentColor\" fill=\"none\" stroke-linejoin=\"round\"{} d=\"{}\"/>\n",
      color, kLight[static_cast<std::size_t>(color)], stroke_attributes(s), path);
}

struct Entry {
  const Series* series;
  int color;
};

void add_entries(const Panel& panel, std::vector<Entry>& entries) {
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& s = panel.series[i];
    const bool known =
        std::any_of(entries.begin(), entries.end(), [&](const Entry& e) { return e.series->name == s.name; });
    if (!s.name.empty() && !known) entries.push_back({&s, color_of(s, i)});
  }
}

std::string entry_text(const Entry& entry, double x, double y) {
  const std::string sample = entry.series->stroke == Stroke::points
                                 ? fmt::format("M{} {}h0", px(x + kSample / 2), px(y))
                                 : fmt::format("M{} {}h{}", px(x), px(y), px(kSample));
  return painted(*entry.series, entry.color, sample) +
         text_at(x + kSample + 6, y + 4, "start", entry.series->name, " class=\"ink\" fill=\"#1a1a1a\"");
}

int points_inside(const Panel& panel, const Axes& a, const Box& box) {
  int out = 0;
  for (const Series& s : panel.series)
    for (std::size_t i = 0; i < length(s); ++i) {
      if (!finite(s, i)) continue;
      const double x = a.box.x + a.at_x(s.x[i]), y = a.box.y + a.at_y(s.y[i]);
      out += x > box.x - 4 && x < box.x + box.w + 4 && y > box.y - 4 && y < box.y + box.h + 4;
    }
  return out;
}

std::string legend_text(const Panel& panel, const Axes& a) {
  std::vector<Entry> entries;
  add_entries(panel, entries);
  if (entries.empty()) return "";
  double widest = 0;
  for (const Entry& entry : entries) widest = std::max(widest, text_width(entry.series->name));
  const double w = kSample + widest + 20, h = kLegendRow * static_cast<double>(entries.size()) + 8;
  Box best{};
  int fewest = -1;
  for (const double y : {a.box.y + 7, a.box.y + a.box.h - h - 7})
    for (const double x : {a.box.x + a.box.w - w - 7, a.box.x + 7}) {
      const Box box{x, y, w, h};
      const int hidden = points_inside(panel, a, box);
      if (fewest >= 0 && hidden >= fewest) continue;
      fewest = hidden;
      best = box;
    }
  std::string out = fmt::format(
      "<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"#ffffff\" "
      "fill-opacity=\"0.85\"/>\n",
      px(best.x), px(best.y), px(w), px(h));
  for (std::size_t i = 0; i < entries.size(); ++i)
    out += entry_text(entries[i], best.x + 7, best.y + 4 + kLegendRow * (static_cast<double>(i) + 0.5));
  return out;
}

std::string panel_text(const Panel& panel, const Box& place, bool own_legend) {
  const Axes a = axes_of(panel, place);
  std::string curves;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const std::string path = path_of(panel.series[i], a);
    if (!path.empty()) curves += painted(panel.series[i], color_of(panel.series[i], i), path);
  }
  // an inner svg clips at the axes without needing an id
  const std::string data =
      curves.empty() ? text_at(a.box.x + a.box.w / 2, a.box.y + a.box.h / 2, "middle", "no data", " fill=\"#777777\"")
                     : fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" overflow=\"hidden\">\n{}</svg>\n",
                                   px(a.box.x), px(a.box.y), px(a.box.w), px(a.box.h), curves);
  return "<g>\n" + frame_text(a) + data + names_text(panel, place, a) +
         (own_legend && panel.legend ? legend_text(panel, a) : "") + "</g>\n";
}

// Rows of a legend above all panels; `height` grows by what it takes.
std::string shared_legend(const Figure& figure, double width, double& height) {
  std::vector<Entry> entries;
  for (const Panel& panel : figure.panels) add_entries(panel, entries);
  std::string out;
  double x = kLeft;
  if (!entries.empty()) height += kLegendRow + 4;
  for (const Entry& entry : entries) {
    const double w = kSample + text_width(entry.series->name) + 26;
    if (x + w > width && x > kLeft) {
      x = kLeft;
      height += kLegendRow;
    }
    out += entry_text(entry, x, height - kLegendRow / 2);
    x += w;
  }
  return out;
}

}  // namespace

Ticks nice_ticks(double low, double high, int most) {
  Ticks out;
  const double raw = (high - low) / std::max(1, most);
  if (!(raw > 0) || !std::isfinite(raw)) return out;
  int power = static_cast<int>(std::floor(std::log10(raw))) - 1;
  const auto size = [&](int digit) {
    return power < 0 ? digit / std::pow(10.0, -power) : digit * std::pow(10.0, power);
  };
  const auto count = [&](double step) { return std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9) + 1; };
  int digit = 1;
  while (count(size(digit)) > most) {
    if (digit == 5) ++power;
    digit = digit == 1 ? 2 : digit == 2 ? 5 : 1;
  }
  const double step = size(digit), first = std::ceil(low / step - 1e-9), n = count(step);
  for (double i = 0; i < n; ++i) {
    const double k = first + i;  // whole multiples: no sum of roundings
    const double value = power < 0 ? k * digit / std::pow(10.0, -power) : k * step;
    out.at.push_back(value == 0 ? 0 : value);
    out.text.push_back(std::max(std::abs(low), std::abs(high)) >= 1e6 || power < -5
                           ? fmt::format("{:.6g}", out.at.back())
                           : fmt::format("{:.{}f}", out.at.back(), std::max(0, -power)));
  }
  return out;
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return out;
}

std::string svg_text(const Figure& figure) {
  const int columns = std::max(1, std::min(figure.columns, static_cast<int>(figure.panels.size())));
  const int rows = (static_cast<int>(figure.panels.size()) + columns - 1) / columns;
  const double width = columns * figure.width;
  double top = 8;
  std::string head, body;
  if (!figure.title.empty()) {
    top += kHeadSize + 6;
    head = text_at(width / 2, top - 6, "middle", figure.title,
                   fmt::format(" class=\"ink\" fill=\"#1a1a1a\" font-size=\"{}\" font-weight=\"bold\"", kHeadSize));
  }
  if (figure.shared_legend) head += shared_legend(figure, width, top);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const int at = static_cast<int>(i);
    body += panel_text(figure.panels[i],
                       // NOLINTNEXTLINE(bugprone-integer-division): whole rows
                       {at % columns * figure.width, top + at / columns * figure.height, figure.width, figure.height},
                       !figure.shared_legend);
  }
  const std::string w = px(width), h = px(top + rows * figure.height);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" "
             "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"{}\">\n"
             "<title>{}</title>\n<rect class=\"paper\" width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n",
             w, h, w, h, kTextSize, xml_escaped(figure.title), w, h) +
         head + body + "</svg>\n";
}

std::string html_text(std::string_view paragraph) { return "<p>" + xml_escaped(paragraph) + "</p>\n"; }

std::string html_table(std::string_view caption, const std::vector<std::vector<std::string>>& rows) {
  const auto number = [](const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789+-.eE% ") == std::string::npos;
  };
  std::string out = "<table>\n";
  if (!caption.empty()) out += "<caption>" + xml_escaped(caption) + "</caption>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const char* tag = i == 0 ? "th" : "td";
    out += "<tr>";
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      const std::string& below = i == 0 && rows.size() > 1 && j < rows[1].size() ? rows[1][j] : rows[i][j];
      out += fmt::format("<{}{}>{}</{}>", tag, number(below) ? " class=\"n\"" : "", xml_escaped(rows[i][j]), tag);
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

std::string html_page(std::string_view title, const std::vector<std::string>& blocks) {
  std::string dark =
      ":root{--paper:#16181c;--ink:#e8e8e8;--faint:#9aa0a6;--line:#34383e}\n"
      ".paper{fill:#16181c}.ink{fill:#e8e8e8}.grid{stroke:#2d3137}.zero{stroke:#6b7178}.edge{stroke:#8b9198}\n";
  for (int i = 0; i < kPaletteSize; ++i) dark += fmt::format(".s{}{{color:{}}}", i, kDark[static_cast<std::size_t>(i)]);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
      xml_escaped(title) +
      "</title>\n<style>\n:root{--paper:#ffffff;--ink:#1a1a1a;--faint:#5f6368;--line:#d8d8d8}\n"
      "body{margin:0 auto;padding:1.2rem;max-width:1500px;background:var(--paper);color:var(--ink);"
      "font:15px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}\n"
      "h1{font-size:1.4rem;margin:.2rem 0 1rem}svg{max-width:100%;height:auto}\n"
      "table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}"
      "caption{text-align:left;font-weight:600;padding:.3rem 0}"
      "th,td{padding:.2rem .8rem .2rem 0;border-bottom:1px solid var(--line);text-align:left}"
      "th{color:var(--faint);font-weight:500}.n{text-align:right}\n"
      "@media screen and (prefers-color-scheme:dark){\n" +
      dark + "}\n</style>\n</head>\n<body>\n<h1>" + xml_escaped(title) + "</h1>\n";
  for (const std::string& block : blocks) out += block;
  return out + "</body>\n</html>\n";
}

std::string chart_document(const std::string& path, const Figure& figure, const std::vector<std::string>& blocks) {
  if (path.ends_with(".svg")) return svg_text(figure);
  if (!path.ends_with(".html")) throw BadInput(fmt::format("{}: expected a name that ends in .svg or .html", path));
  Figure plain = figure;
  plain.title.clear();  // the page has it as its heading
  std::vector<std::string> all{svg_text(plain)};
  all.insert(all.end(), blocks.begin(), blocks.end());
  return html_page(figure.title, all);
}

}  // namespace vdsim
