// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/csv_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vdsim {

CsvText::CsvText(int digits, int time_digits) : digits_(digits), time_digits_(std::max(digits, time_digits)) {}

std::string CsvText::head(const TableHead& head) {
  std::string out, names, units;
  for (const Column& column : head.columns) {
    names += (names.empty() ? "" : ",") + column.name;
    units += (units.empty() ? "" : ",") + column.unit;
  }
  for (const auto& [key, value] : head.notes) out += fmt::format("# {}: {}\n", key, value);
  return out + fmt::format("# units: {}\n{}\n", units, names);
}

void CsvText::add_row(std::span<const double> values, std::string& text) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i) text += ',';
    fmt::format_to(std::back_inserter(text), "{:.{}g}", values[i] + 0.0, i ? digits_ : time_digits_);  // + 0.0: no "-0"
  }
  text += '\n';
}

// n digits of a number below 10^k are 10^(k - n) apart: at most half a step.
int time_digits(double end, double step) {
  if (!(end > 0) || !(step > 0)) return 1;
  return std::clamp(static_cast<int>(std::ceil(std::floor(std::log10(end)) + 1 + std::log10(2 / step))), 1, 17);
}

}  // namespace vdsim
