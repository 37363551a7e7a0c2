// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/table_read.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "vdsim/engine/reflect.hpp"
#include "vdsim/formats/number.hpp"
#include "vdsim/formats/shown.hpp"

namespace vdsim {
namespace {

constexpr std::size_t kMaxColumns = 1000, kLongestLine = 1 << 20;

struct Cell {
  std::string_view text;  // without blanks and quotes
  int column;             // from 1
};

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// One line as cells. False: a quote is not closed or text follows it; `cells` then ends with the culprit.
bool split(std::string_view line, std::vector<Cell>& cells) {
  cells.clear();
  for (std::size_t i = 0;; ++i) {
    while (i < line.size() && blank(line[i])) ++i;
    const std::size_t from = i;
    if (i < line.size() && line[i] == '"') {
      const std::size_t end = std::min(line.find('"', i + 1), line.size());
      cells.push_back({line.substr(i + 1, end - i - 1), static_cast<int>(from) + 1});
      i = end + 1;
      while (i < line.size() && blank(line[i])) ++i;
      if (end == line.size() || (i < line.size() && line[i] != ',' && line[i] != '#')) return false;
    } else {
      while (i < line.size() && line[i] != ',' && line[i] != '#') ++i;
      std::size_t end = i;
      while (end > from && blank(line[end - 1])) --end;
      cells.push_back({line.substr(from, end - from), static_cast<int>(from) + 1});
    }
    if (i >= line.size() || line[i] == '#') return true;
  }
}

class TableReader {
 public:
  TableReader(const std::string& file, Errors& errors) : errors_(errors) { table_.file = file; }

  void line(std::string_view text, int number) {
    number_ = number;
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || text[first] == '#') return;
    if (!split(text, cells_)) {
      fail(cells_.back().column, "", "a quote is not closed, or text follows it");
      (table_.names.empty() ? broken_ : seen_row_) = true;
    } else if (table_.names.empty()) {
      header();
    } else {
      row();
    }
  }

  bool broken() const { return broken_; }
  bool has_names() const { return !table_.names.empty(); }
  void choose(const std::function<ColumnRules(const std::vector<std::string>&)>& rules) { choose_ = &rules; }
  void send_rows_to(const RowSink& sink) { sink_ = &sink; }

  DataTable finish() {
    if (table_.names.empty() && !broken_)
      errors_.add({table_.file, 0, 0}, "", "the table is empty: expected a line of column names");
    else if (!broken_ && !seen_row_)
      errors_.add({table_.file, 0, 0}, "", "no row of numbers below the header");
    return std::move(table_);
  }

 private:
  void fail(int column, const std::string& name, std::string what) {
    errors_.add({table_.file, number_, column}, name, std::move(what));
  }

  void header() {
    for (const Cell& cell : cells_) table_.names.emplace_back(cell.text);
    if (cells_.size() > kMaxColumns) {
      fail(1, "", fmt::format("{} columns, at most {} can be read", cells_.size(), kMaxColumns));
      broken_ = true;
      return;
    }
    table_.columns.resize(cells_.size());
    const ColumnRules rules = (*choose_)(table_.names);
    std::vector<std::string> valid;
    for (const ColumnRule& rule : rules) valid.push_back(rule.name);
    rules_.assign(cells_.size(), ColumnRule{"", "", any_finite(), true, false});
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const std::string& name = table_.names[i];
      if (name.empty()) {
        fail(cells_[i].column, "", "a column has no name");
      } else if (std::find(table_.names.begin(), table_.names.begin() + static_cast<std::ptrdiff_t>(i), name) !=
                 table_.names.begin() + static_cast<std::ptrdiff_t>(i)) {
        fail(cells_[i].column, "", fmt::format("column {} is there twice", shown(name)));
      } else if (const auto at = std::find(valid.begin(), valid.end(), name); at != valid.end()) {
        rules_[i] = rules[static_cast<std::size_t>(at - valid.begin())];
      } else if (!errors_.full()) {
        fail(cells_[i].column, "", fmt::format("unknown column {}{}", shown(name), suggestion(name, valid)));
      }
    }
    for (const ColumnRule& rule : rules)
      if (rule.required && !table_.has(rule.name)) fail(1, "", fmt::format("missing column '{}'", rule.name));
  }

  void row() {
    seen_row_ = true;
    const std::size_t n = table_.names.size();
    if (cells_.size() != n) {
      fail(cells_[std::min(cells_.size() - 1, n)].column, "",
           fmt::format("{} {} in this row, {} in the header", cells_.size(), cells_.size() == 1 ? "value" : "values",
                       n));
      return;
    }
    const bool first = table_.lines.empty();
    table_.lines.push_back(number_);
    values_.resize(n);
    for (std::size_t i = 0; i < n; ++i) values_[i] = number(cells_[i], rules_[i], first ? NAN : values_[i]);
    if (sink_) return (*sink_)(table_.names, values_);
    for (std::size_t i = 0; i < n; ++i) table_.columns[i].push_back(values_[i]);
  }

  double number(const Cell& cell, const ColumnRule& rule, double before) {
    if (errors_.full()) return NAN;
    std::string_view text = cell.text;
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    double value = 0;
    const auto [stop, ec] = number_from(text.data(), text.data() + text.size(), value);
    const auto refuse = [&](std::string what) {
      fail(cell.column, rule.name, std::move(what));
      return NAN;
    };
    if (stop != text.data() + text.size() || ec == std::errc::invalid_argument)
      return refuse(fmt::format("expected a number{}, found {}",
                                rule.unit.empty() || rule.unit == "-" ? "" : fmt::format(" [{}]", rule.unit),
                                shown(cell.text)));
    if (ec == std::errc::result_out_of_range || !std::isfinite(value))
      return refuse(fmt::format("expected a finite number, found {}", shown(cell.text)));
    if (!rule.range.holds(value))
      return refuse(fmt::format("{} is out of range, expected {}", cell.text.substr(0, 40),
                                describe(rule.range, rule.unit.c_str())));
    if (rule.increasing && !(value > before) && !std::isnan(before))
      return refuse(fmt::format("{} is not above the value of the row before, {}", cell.text.substr(0, 40), before));
    return value;
  }

  DataTable table_;
  Errors& errors_;
  const std::function<ColumnRules(const std::vector<std::string>&)>* choose_ = nullptr;
  ColumnRules rules_;
  std::vector<Cell> cells_;
  std::vector<double> values_;  // of the latest row
  const RowSink* sink_ = nullptr;
  int number_ = 0;
  bool broken_ = false, seen_row_ = false;
};

}  // namespace

const std::vector<double>* DataTable::find(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return &columns[i];
  return nullptr;
}

double DataTable::at(std::string_view name, std::size_t row, double otherwise) const {
  const std::vector<double>* column = find(name);
  return column ? (*column)[row] : otherwise;
}

ColumnRule optional_column(std::string name, std::string unit, Range range) {
  return {std::move(name), std::move(unit), range, false, false};
}

std::optional<DataTable> read_table(std::string_view text, const std::string& file,
                                    const std::function<ColumnRules(const std::vector<std::string>&)>& rules,
                                    Errors& errors) {
  const std::size_t before = errors.size();
  TableReader reader(file, errors);
  reader.choose(rules);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (int number = 1; !text.empty() && !reader.broken() && !errors.full(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  DataTable table = reader.finish();
  if (errors.size() != before || errors.full()) return std::nullopt;
  return table;
}

std::optional<DataTable> read_table_file(const std::string& path,
                                         const std::function<ColumnRules(const std::vector<std::string>&)>& rules,
                                         const RowSink& row, std::string& head, Errors& errors) {
  const std::size_t before = errors.size();
  std::ifstream in(path, std::ios::binary);
  TableReader reader(path, errors);
  reader.choose(rules);
  reader.send_rows_to(row);
  std::string text, piece(1 << 20, '\0');
  int number = 1;
  const auto line = [&](std::string_view each) {
    if (number == 1 && each.starts_with("\xef\xbb\xbf")) each.remove_prefix(3);
    if (!reader.has_names()) head.append(each).append("\n");
    reader.line(each, number++);
  };
  while (in && !reader.broken() && !errors.full()) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(in.gcount()));
    std::size_t from = 0;
    for (std::size_t end; !reader.broken() && (end = text.find('\n', from)) != std::string::npos; from = end + 1)
      line(std::string_view(text).substr(from, end - from));
    text.erase(0, from);
    if (text.size() > kLongestLine) {
      errors.add({path, number, 1}, "", "a line of more than 1 MB: this is no table");
      return std::nullopt;
    }
  }
  if (!in.eof() && !reader.broken() && !errors.full())
    errors.add({path, 0, 0}, "", fmt::format("cannot be read: {}", std::strerror(errno)));
  if (!text.empty() && !reader.broken()) line(text);
  DataTable table = reader.finish();
  if (errors.size() != before || errors.full()) return std::nullopt;
  return table;
}

std::optional<DataTable> read_table(std::string_view text, const std::string& file, const ColumnRules& rules,
                                    Errors& errors) {
  return read_table(
      text, file, [&](const std::vector<std::string>&) { return rules; }, errors);
}

}  // namespace vdsim
