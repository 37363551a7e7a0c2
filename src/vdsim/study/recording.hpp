// SPDX-License-Identifier: Apache-2.0
// The rows of a run in memory.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "vdsim/engine/column.hpp"

namespace vdsim {

// Rows of numbers, one vector per column.
struct Recording {
  std::vector<Column> columns;
  std::vector<std::vector<double>> data;
  std::span<const double> column(const std::string& name) const;  // empty if there is none
  std::size_t rows() const { return data.empty() ? 0 : data.front().size(); }
  void add(std::span<const double> row) {
    data.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) data[i].push_back(row[i]);
  }
};

}  // namespace vdsim
