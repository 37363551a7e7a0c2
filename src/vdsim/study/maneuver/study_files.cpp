// SPDX-License-Identifier: Apache-2.0
// What a study leaves behind: rows, the resolved manoeuvre, a summary.
#include <fmt/core.h>

#include <filesystem>

#include "vdsim/config/write.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/result_folder.hpp"
#include "vdsim/formats/table_writer.hpp"
#include "vdsim/study/maneuver/study.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

void write_rows(const Study& study, const StudyRun& run, const std::string& file, const std::string& hash,
                Format format) {
  TableHead head;
  head.notes = {{"vdsim", version_text()}, {"maneuver", run.plan.id}, {"car", run.plan.car().id}, {"config", hash}};
  head.columns = run.result.recording.columns;
  const double step = std::max(run.plan.scene.solver.dt, 1 / run.plan.scene.timing.rate);
  const double end = run.result.phases.empty() ? 0 : run.result.phases.back().to;
  const auto table = format == Format::csv ? open_csv(file, head, 9, time_digits(end, step)) : open_hdf5(file, head);
  if (run.rows > 0)
    study.rows->each_row(run.first_row, run.rows, [&](std::span<const double> values) { table->row(values); });
  std::vector<double> row(head.columns.size());
  for (std::size_t i = 0; i < run.result.recording.rows(); ++i) {
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = run.result.recording.data[k][i];
    table->row(row);
  }
  table->commit();
}

}  // namespace

void write_study(const Study& study, ResultFolder& results, bool with_page, Format format) {
  const std::string text = study_text(study), hash = hash_text(text);
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    if (!has_rows(study, i)) continue;
    const fs::path where = run_folder(study, i);
    make_folder((results.staging() / where).string());
    write_rows(study, study.runs[i], results.place((where / table_name(format)).string()), hash, format);
    const std::vector<std::byte>& failed = study.runs[i].result.failed;
    if (!failed.empty())
      results.add((where / "failed.snapshot").string(), {reinterpret_cast<const char*>(failed.data()), failed.size()});
  }
  results.add("resolved.yaml", fmt::format("# vdsim: {}\n# config: {}\n# This file is a manoeuvre: vdsim maneuver run "
                                           "resolved.yaml repeats the run.\n",
                                           version_text(), hash) +
                                   text);
  const std::string summary = results.place("summary.json");
  if (with_page) results.place("report.html");
  write_file(summary, study_json(study, results.files()));
}

}  // namespace vdsim
