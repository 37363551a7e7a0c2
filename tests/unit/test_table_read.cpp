// SPDX-License-Identifier: Apache-2.0
// Tables of numbers from CSV: what is accepted, and every kind of error with its exact place.
#include <gtest/gtest.h>

#include <cmath>

#include "vdsim/formats/table_read.hpp"

namespace vdsim {
namespace {

const ColumnRules kRules{{"t", "s", any_finite(), true, true},
                         {"fz", "N", at_least(0), true, false},
                         optional_column("mu", "-", at_least(0))};

std::optional<DataTable> read(const std::string& text, Errors& errors) {
  auto table = read_table(text, "a.csv", kRules, errors);
  EXPECT_EQ(table.has_value(), errors.empty());  // never half a table
  return table;
}

DataTable accepted(const std::string& text) {
  Errors errors;
  auto table = read(text, errors);
  EXPECT_TRUE(table) << text << ": " << (errors.empty() ? "" : errors.lines()[0]);
  return table.value_or(DataTable{});
}

std::vector<std::string> refused(const std::string& text) {
  Errors errors;
  read(text, errors);
  return errors.lines();
}

using Lines = std::vector<std::string>;

TEST(TableRead, PlainTable) {
  const DataTable t = accepted("t,fz\n0,4000\n0.5,-0\n1,+2.5e3\n");
  ASSERT_EQ(t.names, (Lines{"t", "fz"}));
  EXPECT_EQ(t.columns[0], (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(t.columns[1], (std::vector<double>{4000, 0, 2500}));
  EXPECT_EQ(t.lines, (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(t.at("fz", 2, 7), 2500);
  EXPECT_EQ(t.at("mu", 2, 7), 7);  // absent column
  EXPECT_FALSE(t.has("mu"));
}

TEST(TableRead, CommentsBlankLinesQuotesBlanksBomAndCrlf) {
  const DataTable t = accepted(
      "\xef\xbb\xbf# made by hand\r\n\r\n \"fz\" , t ,mu # units: N, s\r\n  \t \r\n 1 ,\t2, \"3\"\r\n# end\r\n4,5,6# "
      "last");
  ASSERT_EQ(t.names, (Lines{"fz", "t", "mu"}));
  EXPECT_EQ(t.columns[0], (std::vector<double>{1, 4}));
  EXPECT_EQ(t.columns[1], (std::vector<double>{2, 5}));
  EXPECT_EQ(t.columns[2], (std::vector<double>{3, 6}));
  EXPECT_EQ(t.lines, (std::vector<int>{5, 7}));
}

// 17 digits read back to the same bits.
TEST(TableRead, NumbersKeepEveryBit) {
  const double third = 1.0 / 3;
  const DataTable t = accepted("t,fz\n0.33333333333333331,0.1\n");
  ASSERT_EQ(t.rows(), 1u);
  EXPECT_EQ(t.columns[0][0], third);
  EXPECT_EQ(t.columns[1][0], 0.1);
}

TEST(TableRead, HeaderErrors) {
  EXPECT_EQ(refused(""), (Lines{"a.csv: the table is empty: expected a line of column names"}));
  EXPECT_EQ(refused("# nothing\n\n"), (Lines{"a.csv: the table is empty: expected a line of column names"}));
  EXPECT_EQ(refused("t,fz\n"), (Lines{"a.csv: no row of numbers below the header"}));
  EXPECT_EQ(refused("# x\nt\n0\n"), (Lines{"a.csv:2:1: missing column 'fz'"}));
  EXPECT_EQ(refused("t,fz, fz\n0,1,2\n"), (Lines{"a.csv:1:7: column 'fz' is there twice"}));
  EXPECT_EQ(refused("t,fz,Mu\n0,1,2\n"), (Lines{"a.csv:1:6: unknown column 'Mu', did you mean 'mu'?"}));
  EXPECT_EQ(refused("t,fz,\n0,1,2\n"), (Lines{"a.csv:1:6: a column has no name"}));
  EXPECT_EQ(refused("t,\"fz\n0,1\n"), (Lines{"a.csv:1:3: a quote is not closed, or text follows it"}));
  EXPECT_EQ(refused("t;fz\n0;1\n"),
            (Lines{"a.csv:1:1: unknown column 't;fz'; valid: t, fz, mu", "a.csv:1:1: missing column 't'",
                   "a.csv:1:1: missing column 'fz'", "a.csv:2:1: expected a number, found '0;1'"}));
}

TEST(TableRead, ValueErrors) {
  const auto one = [](const std::string& row) {
    const Lines lines = refused("t,fz\n" + row + "\n");
    EXPECT_EQ(lines.size(), 1u) << row;
    return lines.empty() ? "" : lines[0];
  };
  EXPECT_EQ(one("0, abc"), "a.csv:2:4: fz: expected a number [N], found 'abc'");
  EXPECT_EQ(one("0,"), "a.csv:2:3: fz: expected a number [N], found nothing");
  EXPECT_EQ(one("0,1.5x"), "a.csv:2:3: fz: expected a number [N], found '1.5x'");
  EXPECT_EQ(one("0,0x10"), "a.csv:2:3: fz: expected a number [N], found '0x10'");
  EXPECT_EQ(one("0,+-1"), "a.csv:2:3: fz: expected a number [N], found '+-1'");
  EXPECT_EQ(one("nan,1"), "a.csv:2:1: t: expected a finite number, found 'nan'");
  EXPECT_EQ(one("0,-inf"), "a.csv:2:3: fz: expected a finite number, found '-inf'");
  EXPECT_EQ(one("0,1e999"), "a.csv:2:3: fz: expected a finite number, found '1e999'");
  EXPECT_EQ(one("0,-1"), "a.csv:2:3: fz: -1 is out of range, expected at least 0 N");
  EXPECT_EQ(one("0,1,2"), "a.csv:2:5: 3 values in this row, 2 in the header");
  EXPECT_EQ(one("0"), "a.csv:2:1: 1 value in this row, 2 in the header");
  EXPECT_EQ(one("0,\"1\"2"), "a.csv:2:3: a quote is not closed, or text follows it");
  EXPECT_EQ(one("1,1\n1,1"), "a.csv:3:1: t: 1 is not above the value of the row before, 1");
  EXPECT_EQ(one("1,1\n\n0.5,1\n2,1"), "a.csv:4:1: t: 0.5 is not above the value of the row before, 1");
}

TEST(TableRead, EveryErrorAtOnceFromTopToBottom) {
  EXPECT_EQ(refused("t,fx\n0,x\n1\n2,nan\n2,1\n"),
            (Lines{"a.csv:1:1: missing column 'fz'", "a.csv:1:3: unknown column 'fx', did you mean 'fz'?",
                   "a.csv:2:3: expected a number, found 'x'", "a.csv:3:1: 1 value in this row, 2 in the header",
                   "a.csv:4:3: expected a finite number, found 'nan'",
                   "a.csv:5:1: t: 2 is not above the value of the row before, 2"}));
}

// A large file of garbage ends soon and says so.
TEST(TableRead, StopsAtManyErrors) {
  std::string text = "t,fz\n";
  for (int i = 0; i < 100000; ++i) text += "x,y\n";
  const Lines lines = refused(text);
  EXPECT_EQ(lines.size(), 201u);
  EXPECT_EQ(lines.back(), "200 errors shown, there may be more");
}

// Rules may depend on the columns that are there.
TEST(TableRead, RulesChosenByHeader) {
  const auto choose = [](const std::vector<std::string>& names) {
    return ColumnRules{{names[0] == "a" ? "b" : "c", "", any_finite(), true, false}, {names[0], ""}};
  };
  Errors errors;
  EXPECT_TRUE(read_table("a,b\n1,2\n", "x", choose, errors));
  EXPECT_FALSE(read_table("z,b\n1,2\n", "x", choose, errors));
  EXPECT_EQ(errors.lines(), (Lines{"x:1:1: missing column 'c'", "x:1:3: unknown column 'b', did you mean 'c'?"}));
}

TEST(TableRead, FilesThatCannotBeRead) {
  Errors errors;
  EXPECT_FALSE(read_data("/", {"--input /", 0, 0}, errors));
  EXPECT_FALSE(read_data("no/such/file.csv", {"--input", 0, 0}, errors));
  EXPECT_EQ(errors.lines(), (Lines{"--input /: '/' is a folder, not a file",
                                   "--input: 'no/such/file.csv' cannot be read: No such file or directory"}));
}

}  // namespace
}  // namespace vdsim
