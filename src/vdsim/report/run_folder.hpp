// SPDX-License-Identifier: Apache-2.0
// A run folder read back: what `vdsim run` and `vdsim maneuver run` have written.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/formats/column_spool.hpp"
#include "vdsim/formats/table_read.hpp"
#include "vdsim/formats/table_writer.hpp"

namespace vdsim {

struct RunFolder {
  std::string name;  // of the run, for legends: the folder, then "/car" in scenes of several
  std::string folder;
  TableHead head;                 // notes, names and units of run.csv; meanings are empty
  DataTable rows;                 // empty where a series kept none
  nlohmann::json summary;         // an object; empty where there is no summary.json
  std::string resolved;           // text of resolved.yaml; may be empty
  std::vector<RunFolder> series;  // of a series or a search, if it has kept rows: all runs with some of their columns

  std::shared_ptr<const ColumnSpool> spool;  // the numbers of `rows`, where they are not in its columns

  // nullptr if absent; valid until five other columns were asked for
  const std::vector<double>* find(std::string_view column) const;
  std::string unit(std::string_view column) const;  // "" if unknown
  std::string note(std::string_view key) const;     // of the head of run.csv; "" if there is none
  std::string car() const { return note("car"); }
};

// `path`: a run folder, or a run.csv. One run; one per car in scenes of several; one per kept run of a series that has no
// rows of its own. A car's run.csv is read with the summary and the configuration of its scene. Nothing is returned after an error; files of different runs in one folder are one. `name`: of the runs,
// instead of the folder's.
std::vector<RunFolder> read_run_folder(const std::string& path, Errors&, const std::string& name = "");

nlohmann::json parse_summary(const std::string& text, const std::string& file,
                             Errors&);  // an object; empty after an error

// Runs of several folders, no two of the same name: equal names are told apart by their parent folder or by a number.
void name_apart(std::vector<RunFolder>&);

// Members of JSON that may be absent or of another kind.
double json_number(const nlohmann::json& object, std::string_view key);               // NaN if it is no number
std::string json_text(const nlohmann::json& object, std::string_view key);            // "" if it is no text
const nlohmann::json& json_list(const nlohmann::json& object, std::string_view key);  // empty if it is no list

}  // namespace vdsim
