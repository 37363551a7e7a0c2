// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/report/run_report.hpp"

namespace vdsim {
namespace {

using nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// Linear between samples; `k` walks along, as `t` only grows. NaN outside.
double value_at(const std::vector<double>& times, const std::vector<double>& values, double t, std::size_t& k) {
  if (times.empty() || t < times.front() || t > times.back()) return NAN;
  while (k + 1 < times.size() && times[k + 1] < t) ++k;
  if (k + 1 == times.size()) return values[k];
  if (times[k + 1] == t) return values[k + 1];  // no rounding on equal times
  const double span = times[k + 1] - times[k];
  const double f = span > 0 ? (t - times[k]) / span : 0;
  return values[k] + f * (values[k + 1] - values[k]);
}

struct Difference {
  double largest = NAN, at = NAN, rms = NAN;  // unit of the signal, [s]
};

// b on the times of a, where both run.
Difference difference(const RunFolder& a, const RunFolder& b, const std::string& name) {
  const std::vector<double>&ta = *a.find("t"), &tb = *b.find("t"), &ya = *a.find(name), &yb = *b.find(name);
  Difference out;
  double sum = 0;
  std::size_t n = 0, k = 0;
  for (std::size_t i = 0; i < ta.size(); ++i) {
    const double d = value_at(tb, yb, ta[i], k) - ya[i];
    if (!std::isfinite(d)) continue;
    if (!(std::abs(d) <= out.largest)) out.largest = std::abs(d), out.at = ta[i];
    sum += d * d;
    ++n;
  }
  if (n > 0) out.rms = std::sqrt(sum / static_cast<double>(n));
  return out;
}

ReportTable signal_table(const RunFolder& a, const RunFolder& b) {
  ReportTable out;
  out.rows = {{"signal", "unit", "largest |A|", "largest difference", "at t [s]", "RMS difference"}};
  for (const std::string& name : a.rows.names) {
    if (name == "t" || !b.find(name)) continue;
    const Difference d = difference(a, b, name);
    double size = 0;
    for (const double v : *a.find(name)) size = std::max(size, std::abs(v));
    out.rows.push_back({name, report_unit(a.unit(name)), report_number(size), report_number(d.largest),
                        report_number(d.at), report_number(d.rms)});
  }
  return out;
}

ReportTable final_table(const RunFolder& a, const RunFolder& b) {
  ReportTable out;
  out.caption = "Last row";
  out.rows = {{"signal", "unit", "A", "B", "B - A"}};
  for (const char* name : {"t", "x", "y", "psi", "vx", "vy", "r", "ax", "ay", "z", "roll", "pitch", "engine"}) {
    const std::vector<double>*ya = a.find(name), *yb = b.find(name);
    if (!ya || !yb || ya->empty() || yb->empty()) continue;
    out.rows.push_back({name, report_unit(a.unit(name)), report_number(ya->back()), report_number(yb->back()),
                        report_number(yb->back() - ya->back())});
  }
  return out;
}

ReportTable metric_table(const RunFolder& a, const RunFolder& b) {
  ReportTable out;
  out.caption = "Metrics";
  out.rows = {{"metric", "unit", "A", "B", "B - A"}};
  for (const json& metric : json_list(a.summary, "metrics"))
    for (const json& other : json_list(b.summary, "metrics")) {
      if (json_text(metric, "name") != json_text(other, "name")) continue;
      const double va = json_number(metric, "value"), vb = json_number(other, "value");
      out.rows.push_back({json_text(metric, "name"), report_unit(json_text(metric, "unit")), report_number(va),
                          report_number(vb), report_number(vb - va)});
    }
  return out;
}

std::string only_in(const RunFolder& a, const RunFolder& b) {
  std::string out;
  for (const std::string& name : a.rows.names)
    if (!b.find(name)) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

std::string line_differences(const std::string& a, const std::string& b) {
  std::vector<std::string> x = lines_of(a), y = lines_of(b);
  std::size_t head = 0;
  while (head < x.size() && head < y.size() && x[head] == y[head]) ++head;
  while (x.size() > head && y.size() > head && x.back() == y.back()) x.pop_back(), y.pop_back();
  const std::size_t n = x.size() - head, m = y.size() - head;
  std::string out;
  if (n * m > 4000000) return fmt::format("{} lines against {} lines: too different to list\n", n, m);
  // common[i][j]: lines that x from i and y from j have in common, in order
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] =
          x[head + i] == y[head + j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  for (std::size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && x[head + i] == y[head + j])
      ++i, ++j;
    else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1]))
      out += "- " + x[head + i++] + "\n";
    else
      out += "+ " + y[head + j++] + "\n";
  }
  return out;
}

std::vector<ReportBlock> compare_runs(const RunFolder& a, const RunFolder& b) {
  ReportBlock head, signals, lines;
  head.heading = "Differences";
  head.text = fmt::format("A is {}, B is {}.", a.name, b.name);
  for (const auto& [here, there, letter] : {std::tuple{&a, &b, 'A'}, std::tuple{&b, &a, 'B'}})
    if (const std::string names = only_in(*here, *there); !names.empty())
      head.text += fmt::format("\n\nOnly in {}: {}.", letter, names);
  lines.heading = "Configuration differences";
  lines.preformatted = line_differences(a.resolved, b.resolved);
  if (lines.preformatted.empty()) head.text += "\n\nThe resolved configurations are the same.";
  if (ReportTable table = metric_table(a, b); table.rows.size() > 1) head.tables.push_back(std::move(table));
  if (a.rows.rows() > 0 && b.rows.rows() > 0) {
    head.tables.push_back(final_table(a, b));
    signals.heading = "Signal differences";
    signals.text = "B minus A on the times of A, where both run.";
    signals.tables.push_back(signal_table(a, b));
  }
  std::vector<ReportBlock> out{std::move(head)};
  if (!lines.preformatted.empty()) out.push_back(std::move(lines));
  if (!signals.tables.empty()) out.push_back(std::move(signals));
  out.back().folded = out.size() > 1;
  return out;
}

}  // namespace vdsim
