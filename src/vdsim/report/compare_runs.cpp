// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "vdsim/formats/readable.hpp"
#include "vdsim/report/config_differences.hpp"
#include "vdsim/report/run_report_parts.hpp"

namespace vdsim {
namespace {

using nlohmann::json;

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

double largest(const std::vector<double>* values) {
  if (!values) return NAN;
  double out = 0;
  for (const double v : *values) out = std::max(out, std::abs(v));
  return out;
}

// Of two numbers that agree but for rounding, 0.
double change(double a, double b) {
  const double d = b - a;
  return std::abs(d) < 1e-9 * std::max(std::abs(a), std::abs(b)) ? 0 : d;
}

using Row = std::vector<std::string>;
Row change_row(const std::string& name, const std::string& si, double a, double b) {
  const ReadableUnit to = readable_column_unit(name, si);
  const auto shown = [&](double x) { return readable_value(x, to); };
  return {name, report_unit(to.unit), shown(a), shown(b), shown(change(a, b))};
}

ReportTable signal_table(const RunFolder& a, const RunFolder& b, const std::vector<std::string>& names) {
  ReportTable out;
  out.rows = {{"signal", "unit", "largest |A|", "largest difference", "at t [s]", "RMS difference"}};
  for (const std::string& name : names) {
    if (name == "t" || !a.find(name) || !b.find(name)) continue;
    const Difference d = difference(a, b, name);
    const ReadableUnit to = readable_column_unit(name, a.unit(name));
    const auto shown = [&](double x) { return readable_value(x, to); };
    out.rows.push_back({name, report_unit(to.unit), shown(largest(a.find(name))), shown(d.largest),
                        d.largest > 0 ? readable_number(d.at) : "–", shown(d.rms)});
  }
  return out;
}

const std::vector<std::string> kLastRow{"x", "y", "psi", "vx", "vy", "r", "ax", "ay", "z", "roll", "pitch", "engine"};

ReportTable final_table(const RunFolder& a, const RunFolder& b) {
  ReportTable out;
  out.caption = "Last row";
  out.rows = {{"signal", "unit", "A", "B", "B - A"}};
  std::vector<std::string> names{"t"};
  names.insert(names.end(), kLastRow.begin(), kLastRow.end());
  for (const std::string& name : names) {
    const std::vector<double>*ya = a.find(name), *yb = b.find(name);
    if (ya && yb && !ya->empty() && !yb->empty())
      out.rows.push_back(change_row(name, a.unit(name), ya->back(), yb->back()));
  }
  return out;
}

// What each run reached, over its whole length.
ReportTable reached_table(const RunFolder& a, const RunFolder& b) {
  ReportTable out;
  out.caption = "Over the whole run";
  out.rows = {{"quantity", "unit", "A", "B", "B - A"}};
  const auto add = [&](const char* name, const char* unit, double va, double vb) {
    if (std::isfinite(va) || std::isfinite(vb)) out.rows.push_back(change_row(name, unit, va, vb));
  };
  add("distance", "m", driven_distance(a), driven_distance(b));
  add("stopping distance", "m", stopping_distance(a), stopping_distance(b));
  add("largest speed", "m/s", largest(a.find("vx")), largest(b.find("vx")));
  add("largest |ax|", "m/s^2", largest(a.find("ax")), largest(b.find("ax")));
  add("largest |ay|", "m/s^2", largest(a.find("ay")), largest(b.find("ay")));
  return out;
}

ReportTable metric_table(const RunFolder& a, const RunFolder& b) {
  ReportTable out;
  out.caption = "Metrics";
  out.rows = {{"metric", "unit", "A", "B", "B - A"}};
  for (const json& metric : json_list(a.summary, "metrics"))
    for (const json& other : json_list(b.summary, "metrics"))
      if (json_text(metric, "name") == json_text(other, "name"))
        out.rows.push_back(change_row(json_text(metric, "name"), json_text(metric, "unit"),
                                      json_number(metric, "value"), json_number(other, "value")));
  return out;
}

std::string only_in(const RunFolder& a, const RunFolder& b) {
  std::string out;
  for (const std::string& name : a.rows.names)
    if (!b.find(name)) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// What can be said of the configurations; the differences go to `lines`.
std::string configurations(const RunFolder& a, const RunFolder& b, std::vector<std::string>& lines) {
  for (const auto& [run, letter] : {std::pair{&a, 'A'}, std::pair{&b, 'B'}})
    if (run->resolved.empty())
      return fmt::format("The configurations are not compared: {} has no resolved.yaml.", letter);
  const auto va = config_values(a.resolved, a.car()), vb = config_values(b.resolved, b.car());
  if (!va || !vb)
    return fmt::format("The configurations are not compared: the one of {} cannot be read.", va ? 'B' : 'A');
  for (const ConfigDifference& each : config_differences(*va, *vb)) lines.push_back(text_of(each));
  if (lines.empty()) return "The resolved configurations are the same.";
  return fmt::format("{} {} of the configuration {}.", lines.size(), lines.size() == 1 ? "value" : "values",
                     lines.size() == 1 ? "differs" : "differ");
}

std::vector<double> speed_of(const RunFolder& run) {
  const std::vector<double>*vx = run.find("vx"), *vy = run.find("vy");
  std::vector<double> out;
  for (std::size_t i = 0; vx && i < vx->size(); ++i)
    out.push_back(vy ? std::hypot((*vx)[i], (*vy)[i]) : std::abs((*vx)[i]));
  return out;
}

double path_between(const std::vector<double>& t, const std::vector<double>& v, std::size_t from, std::size_t to) {
  double out = 0;
  for (std::size_t i = from + 1; i <= to; ++i) out += 0.5 * (v[i] + v[i - 1]) * (t[i] - t[i - 1]);
  return out;
}

}  // namespace

double driven_distance(const RunFolder& run) {
  if (const double told = json_number(run_parts::car_of(run), "distance_m"); std::isfinite(told)) return told;
  const std::vector<double> v = speed_of(run);
  return v.empty() ? NAN : path_between(*run.find("t"), v, 0, v.size() - 1);
}

double stopping_distance(const RunFolder& run) {
  constexpr double kStands = 0.05;  // [m/s]
  const std::vector<double> v = speed_of(run);
  const std::vector<double>* brake = run.find("brake");
  if (v.empty() || !brake) return NAN;
  std::size_t from = SIZE_MAX;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if ((*brake)[i] > 0 && (i == 0 || !((*brake)[i - 1] > 0))) from = i > 0 ? i - 1 : 0;
    if (!((*brake)[i] > 0)) from = SIZE_MAX;
    if (from != SIZE_MAX && v[i] < kStands) return v[from] < kStands ? NAN : path_between(*run.find("t"), v, from, i);
  }
  return NAN;
}

std::vector<ReportBlock> compare_runs(const RunFolder& a, const RunFolder& b) {
  ReportBlock head, signals, config;
  head.heading = "Differences";
  head.text = fmt::format("A is {}, B is {}.", a.name, b.name);
  for (const auto& [here, there, letter] : {std::tuple{&a, &b, 'A'}, std::tuple{&b, &a, 'B'}})
    if (const std::string names = only_in(*here, *there); !names.empty())
      head.text += fmt::format("\n\nOnly in {}: {}.", letter, names);
  std::vector<std::string> lines;
  head.text += "\n\n" + configurations(a, b, lines);
  if (ReportTable table = metric_table(a, b); table.rows.size() > 1) head.tables.push_back(std::move(table));
  if (a.rows.rows() > 0 && b.rows.rows() > 0) {
    if (ReportTable table = reached_table(a, b); table.rows.size() > 1) head.tables.push_back(std::move(table));
    head.tables.push_back(final_table(a, b));
    signals.heading = "Signal differences";
    signals.text = "B minus A on the times of A, where both run.";
    signals.tables.push_back(signal_table(a, b, a.rows.names));
  }
  std::vector<ReportBlock> out{std::move(head)};
  config.heading = "Configuration differences";
  for (const std::string& line : lines) config.preformatted += line + "\n";
  if (!lines.empty()) out.push_back(std::move(config));
  if (!signals.tables.empty()) out.push_back(std::move(signals));
  out.back().folded = out.size() > 1;
  return out;
}

std::string comparison_text(const RunFolder& a, const RunFolder& b) {
  constexpr std::size_t kMost = 20;
  std::string out = fmt::format("A is {}, B is {}\n", a.name, b.name);
  if (const ReportTable table = metric_table(a, b); table.rows.size() > 1) out += "\n" + text_table(table.rows);
  if (a.rows.rows() > 0 && b.rows.rows() > 0) {
    if (const ReportTable table = reached_table(a, b); table.rows.size() > 1) out += "\n" + text_table(table.rows);
    out += "\n" + text_table(signal_table(a, b, kLastRow).rows);
  }
  std::vector<std::string> lines;
  out += "\n" + configurations(a, b, lines) + "\n";
  for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) out += "  " + lines[i] + "\n";
  if (lines.size() > kMost) out += fmt::format("  and {} more on the page\n", lines.size() - kMost);
  return out;
}

RunPairs pair_runs(std::span<const RunFolder> a, std::span<const RunFolder> b) {
  RunPairs out;
  const auto key = [](const RunFolder& run) {
    const std::string car = run.car();
    return car.empty() ? run.name.substr(run.name.rfind('/') + 1) : car;
  };
  if (a.size() == 1 && b.size() == 1) {
    out.pairs.emplace_back(0, 0);
    return out;
  }
  std::vector<bool> taken(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t before = out.pairs.size();
    for (std::size_t k = 0; k < b.size() && out.pairs.size() == before; ++k)
      if (!taken[k] && key(a[i]) == key(b[k])) taken[k] = true, out.pairs.emplace_back(i, k);
    if (out.pairs.size() == before) out.alone.push_back(a[i].name);
  }
  for (std::size_t k = 0; k < b.size(); ++k)
    if (!taken[k]) out.alone.push_back(b[k].name);
  return out;
}

}  // namespace vdsim
