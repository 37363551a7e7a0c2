// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/fit/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "vdsim/config/tire_part.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/formats/tir.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

// Letters, digits and '_' of a file name: an id.
std::string id_of(const std::string& output) {
  std::string out;
  for (const char c : fs::path(output).stem().string())
    out += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                                                       : '_';
  if (out.starts_with("tire_")) out.erase(0, 5);
  return "tire." + (out.empty() ? "fitted" : out);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

// One '#' line per line of text; nothing a user wrote may end the comment.
std::string comment(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 32 || c == 127; }, ' ');
  return "# " + text + "\n";
}

std::string note_of(const FittedParameter& p) {
  if (p.at_bound) return "on its bound";
  return p.shown ? "" : "not shown by the data";
}

std::string table_text(const std::vector<std::vector<std::string>>& rows, std::size_t words) {
  std::vector<std::size_t> width(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j) width[j] = std::max(width[j], row[j].size());
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j)
      line += (j ? "  " : "") + (j < words || j + 1 == row.size() ? fmt::format("{:<{}}", row[j], width[j])
                                                                  : fmt::format("{:>{}}", row[j], width[j]));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace

std::string fit_tir_path(const std::string& output) { return fs::path(output).replace_extension(".tir").string(); }

FitFiles fit_files(const FitModel& model, const FitData& data, const FitResult& result, const std::string& output) {
  FitFiles out;
  TireSpec tire = result.tire;
  out.part = comment(fmt::format("Fitted to {} points of {}.", data.points.size(), joined(data.files, ", ")));
  for (const FitChannel& c : result.channels)
    out.part += comment(fmt::format("{}: noise {:.3g} {}, rms residual {:.3g} {}, {:.2f} % of the peak", c.name,
                                    c.noise, c.unit, c.rms, c.unit, 100 * c.rms / c.peak));
  for (const FittedParameter& p : result.parameters)
    if (const std::string note = note_of(p); !note.empty()) out.part += comment(p.parameter.name + ": " + note);
  if (model.name == "mf61") {
    const std::string file = fit_tir_path(output);
    out.tir = tir_text(tire.tir, fmt::format("fitted to {}", joined(data.files, ", ")));
    tire.tir_path = fs::path(file).filename().string().c_str();
  }
  out.part += fmt::format("id: {}\ntype: tire\nversion: 1\nschema: {}\nlabel: {}\ntags: [fitted]\nbody:\n",
                          id_of(output), schema_name(tire), quoted_text("Fitted " + model.name));
  out.part += block_text(tire_fields(tire), 2, Units::as_comments);
  return out;
}

std::vector<std::vector<std::string>> parameter_table(const FitResult& result) {
  std::vector<std::vector<std::string>> rows{{"parameter", "unit", "start", "fitted", "std error", ""}};
  for (const FittedParameter& p : result.parameters)
    rows.push_back({p.parameter.name, p.parameter.unit, fmt::format("{:.5g}", p.parameter.start),
                    fmt::format("{:.5g}", p.value), fmt::format("{:.2g}", p.error), note_of(p)});
  return rows;
}

std::vector<std::vector<std::string>> channel_table(const FitResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"channel", "unit", "points", "peak", "noise", "rms", "rms / peak", "outliers", ""}};
  for (const FitChannel& c : result.channels)
    rows.push_back({c.name, c.unit, fmt::format("{}", c.points), fmt::format("{:.4g}", c.peak),
                    fmt::format("{:.3g}", c.noise), fmt::format("{:.3g}", c.rms),
                    fmt::format("{:.2f} %", 100 * c.rms / c.peak), fmt::format("{}", c.outliers), ""});
  return rows;
}

std::string fit_summary(const FitModel& model, const FitData& data, const FitResult& result) {
  std::string out = fmt::format("{} fitted to {} points in {:.1f} s; {} of {} starts agree\n\n", model.name,
                                data.points.size(), result.seconds, result.agreeing, result.runs.size());
  out += table_text(parameter_table(result), 2) + "\n" + table_text(channel_table(result), 2);
  for (const std::string& note : model.notes) out += (&note == &model.notes.front() ? "\n" : "") + note + "\n";
  return out;
}

// ------------------------------------------------------------------------------------------------ picture

namespace {

constexpr std::size_t kMostDrawn = 1500;  // points per panel

// What is drawn over which slip, from tests in which the other slip is small.
struct View {
  const char *name, *unit, *slip_name, *slip_unit;
  double FitPoint::*slip;
  double FitPoint::*other;
  double FitPoint::*measured;
  double FitForce::*fitted;
};
constexpr std::array kViews{
    View{"Fx", "N", "slip ratio", "-", &FitPoint::kappa, &FitPoint::alpha, &FitPoint::fx, &FitForce::fx},
    View{"Fy", "N", "slip angle", "rad", &FitPoint::alpha, &FitPoint::kappa, &FitPoint::fy, &FitForce::fy},
    View{"Mz", "N m", "slip angle", "rad", &FitPoint::alpha, &FitPoint::kappa, &FitPoint::mz, &FitForce::mz}};

// Up to four loads that occur, for the colours: quartiles of the loads, those close together taken once.
std::vector<double> loads_of(const FitData& data) {
  std::vector<double> all;
  for (const FitPoint& p : data.points) all.push_back(p.fz);
  std::sort(all.begin(), all.end());
  std::vector<double> out;
  for (const double share : {0.08, 0.36, 0.64, 0.92}) {
    const double fz = all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
    if (out.empty() || fz > 1.1 * out.back()) out.push_back(fz);
  }
  return out;
}

std::size_t nearest_load(const std::vector<double>& loads, double fz) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < loads.size(); ++i)
    if (std::abs(loads[i] - fz) < std::abs(loads[best] - fz)) best = i;
  return best;
}

// The law as it was fitted, at one load, over the slips that were measured.
Series curve_of(const View& v, const TireSpec& tire, double fz, double most, int color) {
  std::vector<FitPoint> points(121, FitPoint{fz, 0, 0});
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].*v.slip = most * (static_cast<double>(i) / 60 - 1);
    index.push_back(i);
  }
  std::vector<FitForce> forces(points.size());
  steady_forces(tire, points, index, true, forces);
  Series out{fmt::format("fit, {:.0f} N", fz), {}, {}, Stroke::solid, color, 1.8};
  for (std::size_t i = 0; i < points.size(); ++i) {
    out.x.push_back(points[i].*v.slip);
    out.y.push_back(forces[i].*v.fitted);
  }
  return out;
}

// Every k-th point, so that a long file stays a small picture.
template <class Keep, class Put> void thinned(const FitData& data, Keep keep, Put put) {
  const auto n = static_cast<std::size_t>(std::count_if(data.points.begin(), data.points.end(), keep));
  const std::size_t step = n / kMostDrawn + 1;
  std::size_t seen = 0;
  for (std::size_t i = 0; i < data.points.size(); ++i)
    if (keep(data.points[i]) && seen++ % step == 0) put(i);
}

Panel curve_panel(const View& v, const FitData& data, const FitResult& result) {
  Panel out{fmt::format("{} over {}", v.name, v.slip_name),
            fmt::format("{} [{}]", v.slip_name, v.slip_unit),
            fmt::format("{} [{}]", v.name, v.unit),
            {}};
  const std::vector<double> loads = loads_of(data);
  double most = 0;
  for (std::size_t i = 0; i < loads.size(); ++i)
    out.series.push_back({i == 0 ? "measured" : "", {}, {}, Stroke::points, static_cast<int>(i), 1.0});
  const auto pure = [&](const FitPoint& p) { return std::abs(p.*v.other) <= 0.01 && std::abs(p.gamma) <= 0.005; };
  thinned(data, pure, [&](std::size_t i) {
    const FitPoint& p = data.points[i];
    const std::size_t load = nearest_load(loads, p.fz);
    if (std::abs(loads[load] - p.fz) > 0.05 * p.fz) return;  // between the loads that are drawn
    out.series[load].x.push_back(p.*v.slip);
    out.series[load].y.push_back(p.*v.measured);
    most = std::max(most, std::abs(p.*v.slip));
  });
  for (std::size_t i = 0; i < loads.size() && most > 0; ++i)
    out.series.push_back(curve_of(v, result.tire, loads[i], most, static_cast<int>(i)));
  return out;
}

Panel residual_panel(const View& v, const FitData& data, const FitResult& result) {
  Panel out{fmt::format("{}: fitted - measured, all points", v.name),
            fmt::format("{} [{}]", v.slip_name, v.slip_unit),
            fmt::format("residual [{}]", v.unit),
            {{"", {}, {}, Stroke::points, 6, 0.6}}};
  out.legend = false;
  thinned(
      data, [](const FitPoint&) { return true; },
      [&](std::size_t i) {
        out.series[0].x.push_back(data.points[i].*v.slip);
        out.series[0].y.push_back(result.forces[i].*v.fitted - data.points[i].*v.measured);
      });
  return out;
}

}  // namespace

Figure fit_figure(const FitModel& model, const FitData& data, const FitResult& result) {
  Figure out;
  out.title = fmt::format("{} fitted to {}", model.name, joined(data.files, ", "));
  out.columns = static_cast<int>(result.channels.size());
  for (std::size_t c = 0; c < result.channels.size(); ++c) out.panels.push_back(curve_panel(kViews[c], data, result));
  for (std::size_t c = 0; c < result.channels.size(); ++c)
    out.panels.push_back(residual_panel(kViews[c], data, result));
  return out;
}

}  // namespace vdsim
