// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/write.hpp"
#include "vdsim/study/maneuver/maneuver_run.hpp"
#include "vdsim/study/maneuver/metric_functions.hpp"
#include "vdsim/study/maneuver/planner.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t kMostRuns = 1000;  // of a series
constexpr double kMostSteps = 1e9;       // of a search, from 0 to its ends

// "<= 0.35" into its two halves.
std::pair<std::string, std::string> split_limit(const std::string& text) {
  for (const char* sign : {"<=", ">=", "<", ">"})
    if (text.starts_with(sign)) return {sign, text.substr(std::string_view(sign).size())};
  return {"", text};
}

}  // namespace

void Planner::read_reference(const YamlEntry& entry, const std::string& path, MetricPlan& out) {
  if (!is_map(reader_, entry.value, path, reader_.at(entry))) return;
  for (const YamlEntry& e : entry.value.entries)
    if (e.key == "value")
      out.reference = read_number(reader_, e, path + ".value", out.unit.c_str(), any_finite());
    else if (e.key == "label")
      out.reference_label = read_word(reader_, e, path + ".label").value_or("");
    else
      unknown_key(reader_, e, path, {"value", "label"});
}

void Planner::read_metric(const YamlEntry& entry, const ExpressionScope& scope, const ExpressionScope& numbers,
                          MetricPlan& out) {
  const std::string path = "metrics." + entry.key;
  out.name = entry.key, out.unit = "-";
  if (!is_map(reader_, entry.value, path, reader_.at(entry))) return;
  for (const YamlEntry& e : entry.value.entries) {
    const std::string where = join_path(path, e.key);
    if (e.key == "unit")
      out.unit = read_word(reader_, e, where).value_or("-");
    else if (e.key == "meaning")
      out.meaning = read_word(reader_, e, where).value_or("");
    else if (e.key == "reference")
      read_reference(e, where, out);
    else if (e.key == "limit") {
      const auto [sign, rest] = split_limit(e.value.text);
      out.comparison = sign;
      if (sign.empty())
        reader_.fail(e.value, where, fmt::format("expected a limit such as \"<= 1\", found {}", describe(e.value)));
      YamlNode formula = e.value;
      formula.text = rest, formula.column += static_cast<int>(sign.size());
      out.limit = expression(formula, numbers, where);
    } else if (e.key != "value")
      unknown_key(reader_, e, path, {"value", "unit", "meaning", "limit", "reference"});
  }
  const YamlNode* value = entry.value.find("value");
  if (!value) return reader_.fail(entry.value, path + ".value", "missing key");
  if (auto e = expression(*value, scope, path + ".value")) out.value = std::move(*e);
  if (out.value && out.value->has_rows())
    reader_.fail(*value, path + ".value", "is a whole signal: take its mean, peak, value_at, ... for one number");
}

void Planner::read_metrics(ManeuverPlan& out) {
  ExpressionScope scope = metric_scope(out), numbers;
  for (const ExpressionName& name : scope.names)
    if (!name.signal) numbers.names.push_back(name);
  if (const YamlNode* block = maneuver_.root.find("metrics");
      block && is_map(reader_, *block, "metrics", reader_.at(*block)))
    for (const YamlEntry& entry : block->entries) {
      if (const std::string problem = expression_name_problem(entry.key); !problem.empty())
        reader_.errors.add(reader_.at(entry), "metrics." + entry.key, problem);
      for (const ExpressionName& name : scope.names)
        if (name.name == entry.key)
          reader_.errors.add(reader_.at(entry), "metrics." + entry.key, "this name is taken by a signal or a value");
      MetricPlan metric;
      read_metric(entry, scope, numbers, metric);
      out.metrics.push_back(std::move(metric));
      scope.names.push_back({entry.key, scope.names.size()});
      numbers.names.push_back(scope.names.back());
    }
  read_spectra(out, scope);
}

void Planner::read_spectra(ManeuverPlan& out, const ExpressionScope& scope) {
  const YamlNode* block = maneuver_.root.find("spectra");
  if (!block || !is_map(reader_, *block, "spectra", reader_.at(*block))) return;
  ExpressionScope numbers;
  for (const ExpressionName& name : scope.names)
    if (!name.signal) numbers.names.push_back(name);
  std::vector<std::string> signals;
  for (const ExpressionName& name : scope.names)
    if (name.signal) signals.push_back(name.name);
  for (const YamlEntry& entry : block->entries) {
    const std::string path = "spectra." + entry.key;
    SpectrumPlan s;
    s.name = entry.key;
    if (!is_map(reader_, entry.value, path, reader_.at(entry))) continue;
    for (const YamlEntry& e : entry.value.entries) {
      const std::string where = join_path(path, e.key);
      if (e.key == "input" || e.key == "output") {
        const auto choice = read_choice(reader_, e, where, signals);
        if (choice) (e.key == "input" ? s.input : s.output) = signals[static_cast<std::size_t>(*choice)];
      } else if (e.key == "from" || e.key == "to" || e.key == "segment") {
        (e.key == "from" ? s.from : e.key == "to" ? s.to : s.segment) = expression(e.value, numbers, where);
      } else {
        unknown_key(reader_, e, path, {"input", "output", "from", "to", "segment"});
      }
    }
    for (const char* key : {"input", "output", "from", "to", "segment"})
      if (!entry.value.find(key)) reader_.fail(entry.value, join_path(path, key), "missing key");
    out.spectra.push_back(std::move(s));
  }
}

void Planner::read_series(ManeuverPlan& out) {
  const auto keys = block("series", {"parameter", "values", "from", "to", "step"}, {"parameter"});
  if (keys.empty() || !keys.count("parameter")) return;
  SeriesPlan series;
  series.parameter = read_word(reader_, *keys.at("parameter"), "series.parameter").value_or("");
  if (!is_parameter(series.parameter)) reader_.fail(keys.at("parameter")->value, "series.parameter", "is no parameter");
  if (keys.count("values")) {
    const YamlNode& list = keys.at("values")->value;
    if (keys.count("from") || keys.count("to") || keys.count("step"))
      reader_.fail(list, "series.values", "cannot be combined with from, to and step");
    if (list.kind != Kind::list || list.items.size() > kMostRuns)
      reader_.fail(list, "series.values",
                   fmt::format("expected a list of at most {} numbers, found {}", kMostRuns,
                               list.kind == Kind::list ? fmt::format("{}", list.items.size()) : describe(list)));
    else
      for (const YamlNode& item : list.items) series.values.push_back(finite_constant(item, "series.values"));
  } else if (keys.count("from") && keys.count("to") && keys.count("step")) {
    const double from = finite_constant(keys.at("from")->value, "series.from"),
                 to = finite_constant(keys.at("to")->value, "series.to"),
                 step = finite_constant(keys.at("step")->value, "series.step");
    if (!(step > 0) || !((to - from) / step < kMostRuns) || !(from <= to))
      reader_.fail(keys.at("step")->value, "series.step",
                   fmt::format("must be above 0 and give 1 to {} runs between from and to", kMostRuns));
    else
      for (long i = 0; from + static_cast<double>(i) * step < to - 1e-9 * step; ++i)
        series.values.push_back(from + static_cast<double>(i) * step);
    series.values.push_back(to);
  }
  if (series.values.empty()) reader_.fail(keys.at("parameter")->value, "series", "needs values, or from, to and step");
  if (!is_set(series.parameter)) out.series = std::move(series);  // a value given by the user is run alone
}

void Planner::read_solve(ManeuverPlan& out) {
  const auto keys = block("solve", {"parameter", "metric", "target", "low", "high", "tolerance"},
                          {"parameter", "metric", "target", "low", "high"});
  if (keys.empty()) return;
  SolvePlan s{};
  s.parameter = read_word(reader_, *keys.at("parameter"), "solve.parameter").value_or("");
  s.metric = read_word(reader_, *keys.at("metric"), "solve.metric").value_or("");
  if (!is_parameter(s.parameter)) reader_.fail(keys.at("parameter")->value, "solve.parameter", "is no parameter");
  std::vector<std::string> names;
  for (const MetricPlan& metric : out.metrics) names.push_back(metric.name);
  if (std::find(names.begin(), names.end(), s.metric) == names.end())
    reader_.fail(keys.at("metric")->value, "solve.metric",
                 fmt::format("is no metric of this file{}", suggestion(s.metric, names)));
  s.target = finite_constant(keys.at("target")->value, "solve.target");
  s.low = finite_constant(keys.at("low")->value, "solve.low"),
  s.high = finite_constant(keys.at("high")->value, "solve.high");
  s.tolerance = keys.count("tolerance") ? finite_constant(keys.at("tolerance")->value, "solve.tolerance") : 1e-3;
  if (!(s.low < s.high)) reader_.fail(keys.at("low")->value, "solve.low", "must be below high");
  if (!(s.tolerance > 0)) reader_.fail(keys.at("target")->value, "solve.tolerance", "must be above 0");
  // A value given by the user needs no solving.
  if (!changes_.parameters.count(s.parameter) && !is_set(s.parameter)) out.solve = s;
}

void Planner::read_search(ManeuverPlan& out) {
  const auto keys =
      block("search", {"parameter", "low", "high", "resolution"}, {"parameter", "low", "high", "resolution"});
  if (keys.empty()) return;
  SearchPlan s{};
  s.parameter = read_word(reader_, *keys.at("parameter"), "search.parameter").value_or("");
  if (!is_parameter(s.parameter)) reader_.fail(keys.at("parameter")->value, "search.parameter", "is no parameter");
  s.low = finite_constant(keys.at("low")->value, "search.low"),
  s.high = finite_constant(keys.at("high")->value, "search.high");
  s.resolution = finite_constant(keys.at("resolution")->value, "search.resolution");
  if (!(s.low < s.high) || !(s.resolution > 0))
    reader_.fail(keys.at("low")->value, "search", "needs low < high and a resolution above 0");
  else if (!(std::max(std::abs(s.low), std::abs(s.high)) / s.resolution < kMostSteps))
    reader_.fail(keys.at("resolution")->value, "search.resolution", "is too fine for these ends");
  out.search = s;
}

}  // namespace vdsim
