// SPDX-License-Identifier: Apache-2.0
// A whole manoeuvre: what must be run before, the value to solve for, the series, the search; and its files.
#pragma once
#include <memory>

#include "vdsim/formats/column_spool.hpp"
#include "vdsim/study/maneuver/maneuver_run.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {

class ResultFolder;  // formats/result_folder.hpp

struct StudyRun {
  std::string name;  // "amplitude = 1.2 rad"
  double value;      // of the parameter
  ManeuverPlan plan;
  ManeuverResult result;
  std::size_t first_row = 0, rows = 0;  // in Study::rows, of a recording that was put there
};

struct Study {
  Maneuver maneuver;
  std::vector<StudyRun> runs;  // one, or those of the series or the search in the order they were made
  std::size_t main = 0;        // the one that stands for all: the worst of a series, the best that passed of a search
  std::string parameter;       // of the series or the search
  double found = 0;            // by the search: largest value that passes; NaN: none
  bool searched = false;
  std::vector<std::pair<std::string, double>> before;  // parameters taken from the run before, or solved for
  bool stopped = false;
  double wall_s = 0;
  std::shared_ptr<ColumnSpool> rows;  // of several runs, with StudyOptions::spool

  std::string parameter_unit() const;
  bool failed() const;  // a run diverged
  bool passed() const;
  bool has_limit() const;
  std::string verdict() const;  // "pass", "fail", "done", "diverged"
};

struct StudyOptions : RunControl {
  bool find_max = false;               // search, if the manoeuvre has one
  bool spool = false;                  // the rows of several runs do not stay in their recordings but in Study::rows
  std::vector<std::string> needed_by;  // files of the manoeuvres that run this one first
};
// Throws BadInput.
Study run_study(const Catalog&, const Maneuver&, const ManeuverChanges&, const StudyOptions& = {});

// A search keeps the rows of its answer and of the nearest that fails.
bool has_rows(const Study&, std::size_t run);
std::string run_folder(const Study&, std::size_t run);  // of its rows, below the results; "" = the results themselves
std::string study_text(const Study&);                   // YAML of the manoeuvre that stands for all
std::string study_json(const Study&, const std::vector<std::string>& files = {});
// run.csv, resolved.yaml, summary.json; of a series one folder each for the rows of its runs. Not committed. `with_page`: the
// caller writes report.html. Throws FileError.
void write_study(const Study&, ResultFolder&, bool with_page, Format = Format::csv);

}  // namespace vdsim
