// SPDX-License-Identifier: Apache-2.0
// Runs as the blocks of a report: verdict, metrics, bird's-eye view, charts over time, per wheel and in the plane, spectra,
// parameters, configuration. Several runs share each chart, one colour each; the first one names the phases and the course.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vdsim/report/report.hpp"
#include "vdsim/report/run_folder.hpp"

namespace vdsim {

std::vector<ReportBlock> run_report(const std::vector<RunFolder>&);  // at least one
std::string run_report_title(const std::vector<RunFolder>&);
std::string run_report_subtitle(const std::vector<RunFolder>&);
// The page of the results in a folder, which it calls `name`. Throws BadInput.
std::string run_report_page(const std::string& folder, const std::string& name);

// Numbers in tables: 5 significant digits, "–" where there is none.
std::string report_number(double);
std::string report_unit(const std::string& unit);  // "m/s^2" and "-" as people write them: "m/s²", ""

// The bird's-eye view: lanes, cones, planned and driven path, outlines of the car at the moments of the summary. One unit
// is as long in x as in y. "" if no run has a path.
std::string birds_eye_svg(const std::vector<RunFolder>&);

std::vector<std::string> every_wheel_name();  // of the columns, of any level
// Slip angle of the body at the CG [rad], from the column `beta` or atan2(vy, |vx|); NaN below 0.5 m/s.
std::vector<double> side_slip(const RunFolder&);
// sqrt(fx^2 + fy^2) / (mu fz) of a wheel; NaN at loads of 1 N and less. Empty if a column is missing.
std::vector<double> utilisation(const RunFolder&, const std::string& wheel);

// A compared with B, as the first blocks of a report of both.
std::vector<ReportBlock> compare_runs(const RunFolder& a, const RunFolder& b);
std::string comparison_text(const RunFolder& a, const RunFolder& b);  // the same in short, for a terminal

// Runs of two folders by car, or by name; of one run each, the two. Indices into a and b.
struct RunPairs {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<std::string> alone;  // names of runs that only one folder has
};
RunPairs pair_runs(std::span<const RunFolder> a, std::span<const RunFolder> b);

// [m] along the path. Stopping: from the moment the brake was applied for the last time to standstill, NaN if it never stops.
double driven_distance(const RunFolder&);
double stopping_distance(const RunFolder&);

}  // namespace vdsim
