// SPDX-License-Identifier: Apache-2.0
// Rows of numbers into run.csv or run.h5. Same rows, same bytes: no date, no machine, no wall time.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vdsim/engine/column.hpp"

namespace vdsim {

struct TableHead {
  std::vector<std::pair<std::string, std::string>> notes;  // "vdsim" -> VDSIM_VERSION, ...
  std::vector<Column> columns;
};

class TableWriter {
 public:
  virtual ~TableWriter() = default;  // without commit() no file appears
  virtual void row(std::span<const double> values) = 0;
  virtual void commit() = 0;  // everything on disk under its name; throws FileError
};

// `digits`: significant ones; the first column, the time, has as many as `time_digits` if that is more.
std::unique_ptr<TableWriter> open_csv(const std::string& path, const TableHead&, int digits, int time_digits = 0);
// That tell times up to `end` apart that are `step` apart [s].
int time_digits(double end, double step);
// One dataset per column with the attribute `units`; notes are attributes of the file. The file is made at commit().
std::unique_ptr<TableWriter> open_hdf5(const std::string& path, const TableHead&);

}  // namespace vdsim
