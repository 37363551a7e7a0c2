// SPDX-License-Identifier: Apache-2.0
// Tables of numbers from CSV text: a header line of names, then rows. Commas separate; '#' starts a comment; blank lines,
// CRLF, a byte order mark and quotes around names or numbers are fine. Strict otherwise, with every error at its place.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/core/math/fields.hpp"
#include "vdsim/formats/file_text.hpp"

namespace vdsim {

struct DataTable {
  std::string file;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // one per name, all of the same length
  std::vector<int> lines;                    // where each row stands in the file, from 1

  std::size_t rows() const { return lines.size(); }
  const std::vector<double>* find(std::string_view name) const;  // nullptr if absent
  bool has(std::string_view name) const { return find(name) != nullptr; }
  double at(std::string_view name, std::size_t row, double otherwise) const;
};

// What a column must be. A column that no rule names is refused.
struct ColumnRule {
  std::string name, unit;
  Range range = any_finite();
  bool required = true;
  bool increasing = false;  // each value above the one before
};
using ColumnRules = std::vector<ColumnRule>;
ColumnRule optional_column(std::string name, std::string unit, Range range = any_finite());

// A table of any length, from a file: its rows go to `row` as they are read; only names and lines are kept, columns stay
// empty. head: the lines above the names.
using RowSink = std::function<void(const std::vector<std::string>& names, std::span<const double> values)>;
std::optional<DataTable> read_table_file(const std::string& path,
                                         const std::function<ColumnRules(const std::vector<std::string>&)>&,
                                         const RowSink& row, std::string& head, Errors&);

// Nothing is returned after an error. Where the rules depend on the columns at hand, they are asked for with the names.
std::optional<DataTable> read_table(std::string_view text, const std::string& file, const ColumnRules&, Errors&);
std::optional<DataTable> read_table(std::string_view text, const std::string& file,
                                    const std::function<ColumnRules(const std::vector<std::string>&)>&, Errors&);

}  // namespace vdsim
