// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/table_writer.hpp"

namespace vdsim {
namespace {

class CsvWriter : public TableWriter {
 public:
  CsvWriter(const std::string& path, const TableHead& head, int digits, int time_digits)
      : file_(path), digits_(digits), time_digits_(std::max(digits, time_digits)) {
    std::string names, units;
    for (const Column& column : head.columns) {
      names += (names.empty() ? "" : ",") + column.name;
      units += (units.empty() ? "" : ",") + column.unit;
    }
    for (const auto& [key, value] : head.notes) file_.write(fmt::format("# {}: {}\n", key, value));
    file_.write(fmt::format("# units: {}\n{}\n", units, names));
  }
  void row(std::span<const double> values) override {
    line_.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i) line_ += ',';
      fmt::format_to(std::back_inserter(line_), "{:.{}g}", values[i] + 0.0,
                     i ? digits_ : time_digits_);  // + 0.0: no "-0"
    }
    line_ += '\n';
    file_.write(line_);
  }
  void commit() override { file_.commit(); }

 private:
  AtomicFile file_;
  int digits_, time_digits_;
  std::string line_;
};

}  // namespace

std::unique_ptr<TableWriter> open_csv(const std::string& path, const TableHead& head, int digits, int time_digits) {
  return std::make_unique<CsvWriter>(path, head, digits, time_digits);
}

// n digits of a number below 10^k are 10^(k - n) apart: at most half a step.
int time_digits(double end, double step) {
  if (!(end > 0) || !(step > 0)) return 1;
  return std::clamp(static_cast<int>(std::ceil(std::floor(std::log10(end)) + 1 + std::log10(2 / step))), 1, 17);
}

}  // namespace vdsim
