// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "vdsim/formats/readable.hpp"
#include "vdsim/report/run_report_parts.hpp"

namespace vdsim::run_parts {

using nlohmann::json;

const json* named(const json& list, const std::string& name) {
  for (const json& each : list)
    if (json_text(each, "name") == name) return &each;
  return nullptr;
}

std::vector<std::string> names_in(const Runs& runs, const char* list) {
  std::vector<std::string> out;
  for (const RunFolder& run : runs)
    for (const json& each : json_list(run.summary, list))
      if (const std::string name = json_text(each, "name"); std::find(out.begin(), out.end(), name) == out.end())
        out.push_back(name);
  return out;
}

namespace {

std::string cell(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) return "–";
  const json& value = object[key];
  if (value.is_number()) return report_number(value.get<double>());
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_null() ? "–" : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// A number in the unit that people read.
std::string cell(const json& object, const char* key, const std::string& unit) {
  const double v = json_number(object, key);
  return std::isfinite(v) ? readable_value(v, unit) : cell(object, key);
}

std::string with_unit(const std::string& name, const std::string& unit) {
  const std::string shown = report_unit(readable_unit(unit).unit);
  return shown.empty() ? name : name + " [" + shown + "]";
}

std::vector<std::string> head_row(std::vector<std::string> first, const Runs& runs, std::vector<std::string> last) {
  for (const RunFolder& run : runs) first.push_back(runs.size() == 1 ? "value" : run.name);
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

int mark_of(const json& metric) {
  const auto at = metric.find("pass");
  return at != metric.end() && at->is_boolean() ? static_cast<int>(at->get<bool>()) : -1;
}

// "<= 0.5" of a value in `unit`
std::string limit_text(const std::string& limit, const std::string& unit) {
  const std::size_t space = limit.find(' ');
  if (space == std::string::npos) return limit;
  const std::string sign = limit.substr(0, space), value = limit.substr(space + 1);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  const std::string shown = *end == 0 ? readable_value(number, unit) : value;
  return (sign == "<=" ? "≤" : sign == ">=" ? "≥" : sign) + " " + shown;
}

struct MetricRow {
  std::string name, label, unit, limit, reference_label;
  double reference = NAN;
  std::vector<std::string> values;  // one per run
  int mark = -1;
};

MetricRow metric_row(const Runs& runs, const std::string& name) {
  MetricRow out;
  for (const RunFolder& run : runs) {
    const json* metric = named(json_list(run.summary, "metrics"), name);
    const std::string unit = metric ? json_text(*metric, "unit") : "";
    out.values.push_back(metric ? cell(*metric, "value", unit) : "–");
    if (!metric) continue;
    out.label = first_of({out.label, json_text(*metric, "label")});
    out.unit = first_of({out.unit, report_unit(readable_unit(unit).unit)});
    out.limit = first_of({out.limit, limit_text(json_text(*metric, "limit"), unit)});
    if (!std::isfinite(out.reference)) {
      out.reference = json_number(*metric, "reference") * readable_unit(unit).factor;
      out.reference_label = json_text(*metric, "reference_label");
    }
    const int mark = mark_of(*metric);
    if (mark == 0 && runs.size() > 1) out.values.back() += " ✗";
    out.mark = out.mark == 0 || mark == 0 ? 0 : std::max(out.mark, mark);
  }
  out.name = name;
  return out;
}

void keys_of(const json& list, const char* name, std::vector<std::string>& keys) {
  for (const json& each : list)
    for (const auto& [key, value] : member(each, name).items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
}

}  // namespace

std::string unit_of(const RunFolder& run, const char* list, const std::string& name) {
  const json* each = named(json_list(run.summary, list), name);
  return each ? json_text(*each, "unit") : "";
}

// The published values stand behind those of the runs. Where all have one source, it heads their column.
ReportTable metrics_table(const Runs& runs) {
  std::vector<MetricRow> rows;
  std::vector<std::string> sources;
  bool any_limit = false, any_label = false;
  for (const std::string& name : names_in(runs, "metrics")) {
    rows.push_back(metric_row(runs, name));
    any_limit = any_limit || !rows.back().limit.empty();
    any_label = any_label || !rows.back().label.empty();
    if (std::isfinite(rows.back().reference) &&
        std::find(sources.begin(), sources.end(), rows.back().reference_label) == sources.end())
      sources.push_back(rows.back().reference_label);
  }
  ReportTable out;
  std::vector<std::string> last;
  if (!sources.empty()) last.push_back(sources.size() == 1 && !sources[0].empty() ? sources[0] : "reference");
  last.emplace_back("unit");
  if (any_limit) last.emplace_back("limit");
  if (any_label) last.emplace_back("meaning");  // the widest: on a phone the numbers come first
  out.rows.push_back(head_row({"metric"}, runs, last));
  for (const MetricRow& each : rows) {
    std::vector<std::string> row{each.name};
    row.insert(row.end(), each.values.begin(), each.values.end());
    const bool labelled = sources.size() > 1 && !each.reference_label.empty();
    if (!sources.empty())
      row.push_back(!std::isfinite(each.reference)
                        ? ""
                        : report_number(each.reference) + (labelled ? " (" + each.reference_label + ")" : ""));
    row.push_back(each.unit);
    if (any_limit) row.push_back(each.limit);
    if (any_label) row.push_back(each.label);
    out.rows.push_back(std::move(row));
    out.marks.push_back(each.mark);
  }
  return out;
}

// Of a run that is no manoeuvre: where it ended and what it reached.
ReportTable outcome_table(const Runs& runs) {
  ReportTable out;
  out.rows.push_back(head_row({"quantity"}, runs, {"unit"}));
  const auto add = [&](const char* label, const char* unit, const std::function<double(const RunFolder&)>& value) {
    std::vector<std::string> row{label};
    bool any = false;
    for (const RunFolder& run : runs) {
      const double v = value(run);
      any = any || std::isfinite(v);
      row.push_back(readable_value(v, unit));
    }
    row.push_back(report_unit(readable_unit(unit).unit));
    if (any) out.rows.push_back(std::move(row));
  };
  const auto inner = [](const char* object, const char* key) {
    return [=](const RunFolder& run) { return json_number(member(car_of(run), object), key); };
  };
  add("final speed", "m/s", inner("final", "vx"));
  add("final x", "m", inner("final", "x"));
  add("final y", "m", inner("final", "y"));
  add("final heading", "rad", inner("final", "psi"));
  add("distance", "m", [](const RunFolder& run) { return json_number(car_of(run), "distance_m"); });
  add("stopping distance", "m", stopping_distance);
  add("largest speed", "m/s", inner("max", "speed"));
  add("largest |ax|", "m/s^2", inner("max", "abs_ax"));
  add("largest |ay|", "m/s^2", inner("max", "abs_ay"));
  add("largest drift at rest", "m", [](const RunFolder& run) { return json_number(car_of(run), "max_drift_m"); });
  add("energy: drive", "J", inner("energy_J", "drive"));
  add("energy: lost in slip", "J", inner("energy_J", "slip"));
  add("energy: residual", "mJ",
      [](const RunFolder& run) { return json_number(member(car_of(run), "energy_J"), "residual") * 1e3; });
  return out;
}

ReportTable parameter_table(const Runs& runs) {
  ReportTable out;
  out.rows.push_back(head_row({"parameter"}, runs, {"unit", "meaning"}));
  for (const std::string& name : names_in(runs, "parameters")) {
    std::vector<std::string> row{name};
    std::string unit, meaning;
    for (const RunFolder& run : runs) {
      const json* each = named(json_list(run.summary, "parameters"), name);
      row.push_back(each ? cell(*each, "value", json_text(*each, "unit")) : "–");
      if (!each) continue;
      unit = first_of({unit, report_unit(readable_unit(json_text(*each, "unit")).unit)});
      meaning = first_of({meaning, json_text(*each, "meaning")});
    }
    row.push_back(unit);
    row.push_back(meaning);
    out.rows.push_back(std::move(row));
  }
  return out;
}

ReportTable series_table(const RunFolder& run, bool several) {
  const json& list = json_list(run.summary, "runs");
  ReportTable out;
  if (several) out.caption = run.name;
  std::vector<std::string> parameters, metrics;
  keys_of(list, "parameters", parameters);
  keys_of(list, "metrics", metrics);
  std::vector<std::string> head;
  for (const std::string& key : parameters) head.push_back(with_unit(key, unit_of(run, "parameters", key)));
  for (const std::string& key : metrics) head.push_back(with_unit(key, unit_of(run, "metrics", key)));
  out.rows.push_back(head);
  for (const json& each : list) {
    std::vector<std::string> row;
    for (const std::string& key : parameters)
      row.push_back(cell(member(each, "parameters"), key.c_str(), unit_of(run, "parameters", key)));
    for (const std::string& key : metrics)
      row.push_back(cell(member(each, "metrics"), key.c_str(), unit_of(run, "metrics", key)));
    out.rows.push_back(std::move(row));
    out.marks.push_back(verdict_mark(json_text(each, "verdict")));
  }
  return out;
}

ReportTable hits_table(const RunFolder& run, bool several) {
  ReportTable out;
  out.caption = several ? run.name : "";
  out.rows = {{"time [s]", "cone x [m]", "cone y [m]", "corner of the car"}};
  for (const json& hit : json_list(run.summary, "hits")) {
    const json& cone = json_list(hit, "cone");
    const auto at = [&](std::size_t i) {
      return cone.size() > i && cone[i].is_number() ? report_number(cone[i].get<double>()) : std::string("–");
    };
    out.rows.push_back({report_number(json_number(hit, "t")), at(0), at(1), json_text(hit, "corner")});
  }
  return out;
}

}  // namespace vdsim::run_parts
