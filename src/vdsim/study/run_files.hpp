// SPDX-License-Identifier: Apache-2.0
// The files of a run, or of a drive that is repeated: what both write alike. In run.cpp.
#pragma once
#include <memory>
#include <string>

#include "vdsim/formats/result_folder.hpp"
#include "vdsim/formats/table_writer.hpp"
#include "vdsim/study/run.hpp"
#include "vdsim/study/run_head.hpp"

namespace vdsim {

std::string car_folder(const Scenario&, const CarSpec&);  // of its rows, below the results
std::unique_ptr<TableWriter> open_run_table(const Scenario&, const TableHead&, const std::string& folder, ResultFolder&,
                                            const RunOptions&);
void add_failed_state(const CarResult&, const std::string& folder, ResultFolder&);  // failed.snapshot, if it failed
std::string resolved_text(const Scenario&, const std::string& hash, const char* use);
void finish_files(const Scenario&, const RunOptions&, ResultFolder&, RunResult&);  // summary.json, report.html

}  // namespace vdsim
