// SPDX-License-Identifier: Apache-2.0
// The text of run.csv, head and rows; csv.cpp writes it into a file.
#pragma once
#include <span>
#include <string>

#include "vdsim/formats/table_writer.hpp"

namespace vdsim {

class CsvText {
 public:
  CsvText(int digits, int time_digits);  // as of open_csv()
  static std::string head(const TableHead&);
  void add_row(std::span<const double> values, std::string& text) const;

 private:
  int digits_, time_digits_;
};

}  // namespace vdsim
