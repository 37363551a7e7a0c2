// SPDX-License-Identifier: Apache-2.0
// Rows that come one by one and are read back by column, in memory or through a file.
#include "vdsim/formats/column_spool.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/table_read.hpp"
#include "vdsim/formats/table_writer.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

double value(std::size_t row, std::size_t column) {
  return std::sin(static_cast<double>(row)) + static_cast<double>(column);
}

TEST(ColumnSpool, GivesBackWhatItTook) {
  for (const std::size_t rows : {0, 1, 4095, 4096, 4097, 20000}) {
    ColumnSpool spool(3);
    for (std::size_t i = 0; i < rows; ++i) spool.row(std::vector{value(i, 0), value(i, 1), value(i, 2)});
    ASSERT_EQ(spool.rows(), rows);
    for (std::size_t c = 0; c < 3; ++c) {
      const std::vector<double> column = spool.column(c);
      ASSERT_EQ(column.size(), rows);
      for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(column[i], value(i, c)) << rows << " rows, column " << c;
      EXPECT_EQ(spool.kept(c), column);
    }
    std::size_t i = rows / 3;
    spool.each_row(i, rows - i, [&](std::span<const double> row) {
      for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(row[c], value(i, c));
      ++i;
    });
    EXPECT_EQ(i, rows);
  }
}

TEST(ColumnSpool, KeepsTheLatestColumns) {
  ColumnSpool spool(20);
  std::vector<double> row(20);
  for (int i = 0; i < 5000; ++i) spool.row(row);
  const std::vector<double>* first = &spool.kept(0);
  for (std::size_t c = 1; c < 6; ++c) spool.kept(c);
  EXPECT_EQ(&spool.kept(0), first);  // five others since
}

TEST(ColumnSpool, SaysWhereItCannotWrite) {
  ColumnSpool spool(1, "/nowhere/at/all");
  const double x = 0;
  try {
    for (int i = 0; i < 5000; ++i) spool.row({&x, 1});
    FAIL();
  } catch (const FileError& e) {
    EXPECT_NE(std::string(e.what()).find("/nowhere/at/all"), std::string::npos);
  }
}

// A table read row by row is the table read whole, and its errors are the same.
TEST(ColumnSpool, TablesOfAnyLengthReadAlike) {
  const fs::path file = fs::temp_directory_path() / "vdsim_test_table.csv";
  const auto rules = [](const std::vector<std::string>& names) {
    ColumnRules out;
    for (const std::string& name : names) out.push_back({name, "", any_finite(), true, name == "t"});
    return out;
  };
  std::string good = "# vdsim: 1\n# units: s,m\nt,x\n";
  for (int i = 0; i < 200000; ++i) good += std::to_string(i) + ",1.5\n";
  for (const std::string& text : {good, good + "7,8", good + "3e5,x\n", std::string("t,x\n1,2\n1,2\n"), std::string(),
                                  std::string("\xef\xbb\xbft,x\r\n1,2\r\n"), std::string("# only\n"),
                                  std::string("t,x\n1,2,3\n"), std::string("t,\"x\n")}) {
    std::ofstream(file, std::ios::binary) << text;
    Errors whole_errors, errors;
    const auto whole = read_table(text, file.string(), rules, whole_errors);
    std::vector<std::vector<double>> columns;
    std::string head;
    const auto keep = [&](const std::vector<std::string>& names, std::span<const double> values) {
      columns.resize(names.size());
      for (std::size_t i = 0; i < values.size(); ++i) columns[i].push_back(values[i]);
    };
    const auto table = read_table_file(file.string(), rules, keep, head, errors);
    EXPECT_EQ(errors.lines(), whole_errors.lines());
    ASSERT_EQ(table.has_value(), whole.has_value());
    if (!table) continue;
    EXPECT_EQ(table->names, whole->names);
    EXPECT_EQ(table->lines, whole->lines);
    EXPECT_EQ(columns, whole->columns);
  }
  std::ofstream(file, std::ios::binary) << "t,x\n" << std::string(3 << 20, '1');
  Errors errors;
  std::string head;
  EXPECT_FALSE(read_table_file(
      file.string(), rules, [](const auto&, auto) {}, head, errors));
  ASSERT_EQ(errors.lines().size(), 1u);
  EXPECT_NE(errors.lines()[0].find("more than 1 MB"), std::string::npos);
  fs::remove(file);
}

// Two times never look equal, however few digits the values have.
TEST(TimeDigits, TellRowsApart) {
  for (const double end : {0.5, 1.0, 9.99, 10.0, 20.0, 999.0, 3600.0, 1e5, 1e7})
    for (const double step : {1.0, 0.3, 0.02, 0.01, 1e-3, 1e-4, 1e-6}) {
      const int digits = time_digits(end, step);
      if (digits >= 16) continue;  // a double has no more
      char a[40], b[40];
      std::snprintf(a, sizeof a, "%.*g", digits, end - step);
      std::snprintf(b, sizeof b, "%.*g", digits, end);
      EXPECT_STRNE(a, b) << end << " s, step " << step << " s";
      EXPECT_LE(digits, std::max(1.0, std::ceil(std::log10(end / step)) + 2));  // not many more than it takes
    }
}

}  // namespace
}  // namespace vdsim
