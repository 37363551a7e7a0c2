// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table: errors or a rectangle of finite numbers within their rules, never a crash; and what is accepted
// reads back from its own text to the same bits.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vdsim/formats/table_read.hpp"

namespace {

using namespace vdsim;

std::string text_of(const DataTable& table) {
  std::string out;
  for (const std::string& name : table.names) out += (out.empty() ? "" : ",") + name;
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t i = 0; i < table.names.size(); ++i)
      out += fmt::format("{}{}", i ? "," : "\n", table.columns[i][row]);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const ColumnRules rules{{"t", "s", any_finite(), true, true},
                          {"fz", "N", at_least(0), true, false},
                          optional_column("mu", "-", between(0, 2)),
                          optional_column("vx", "m/s")};
  Errors errors;
  const auto table = read_table(text, "fuzz.csv", rules, errors);
  if (table.has_value() != errors.empty()) std::abort();
  for (const std::string& line : errors.lines())
    if (line.empty()) std::abort();
  if (!table) return 0;
  if (table->rows() == 0 || table->columns.size() != table->names.size()) std::abort();
  for (const auto& column : table->columns) {
    if (column.size() != table->rows()) std::abort();
    for (const double value : column)
      if (!std::isfinite(value)) std::abort();
  }
  Errors none;
  const auto again = read_table(text_of(*table), "again.csv", rules, none);
  if (!again || again->columns != table->columns) std::abort();
  return 0;
}
