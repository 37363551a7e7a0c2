// SPDX-License-Identifier: Apache-2.0
// Inside of run_report: words about a run (run_report.cpp) and its tables (run_tables.cpp).
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "vdsim/formats/readable.hpp"
#include "vdsim/report/run_report.hpp"

namespace vdsim::run_parts {

using Runs = std::vector<RunFolder>;

const nlohmann::json& member(const nlohmann::json& object, const char* key);  // an object, empty if there is none
const nlohmann::json& car_of(const RunFolder&);                               // the first car of the summary
std::string first_of(std::initializer_list<std::string> words);               // the first that is not empty
int verdict_mark(const std::string& verdict);                                 // 1 passed, 0 failed, -1 neither
// Entries of lists of the summary that have a name.
const nlohmann::json* named(const nlohmann::json& list, const std::string& name);  // nullptr if there is none
std::vector<std::string> names_in(const Runs&, const char* list);                  // of all runs, each once
std::string unit_of(const RunFolder&, const char* list, const std::string& name);  // "" if there is none

// One column per run.
ReportTable metrics_table(const Runs&);
ReportTable outcome_table(const Runs&);  // of a run that is no manoeuvre: where it ended and what it reached
ReportTable parameter_table(const Runs&);
ReportTable series_table(const RunFolder&, bool several);
ReportTable hits_table(const RunFolder&, bool several);

std::string axis_label(const std::string& quantity, const ReadableUnit&);  // "speed [km/h]", "gear [-]"

// Charts; no figure where no run has what they show.
ReportBlock motion_block(const Runs&);
ReportBlock wheel_block(const Runs&);
ReportBlock plane_block(const Runs&);    // g-g diagram, yaw rate over side slip
ReportBlock spectra_block(const Runs&);  // Bode plots
Figure overlay_figure(const Runs&);      // motion of many runs
ReportBlock series_block(const Runs&);   // of series and searches: metrics over the parameter, overlay

}  // namespace vdsim::run_parts
