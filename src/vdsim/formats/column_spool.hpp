// SPDX-License-Identifier: Apache-2.0
// Rows of numbers that come one by one and are read back by column. A few thousand stay in memory; more go to a file
// without a name, which is gone with the process, so that an hour of rows costs a few megabytes.
#pragma once
#include <cstddef>
#include <functional>
#include <list>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vdsim {

class ColumnSpool {
 public:
  // folder: where the file goes; "" = the system's folder for temporary files
  explicit ColumnSpool(std::size_t columns, std::string folder = "");
  ~ColumnSpool();
  ColumnSpool(const ColumnSpool&) = delete;
  ColumnSpool& operator=(const ColumnSpool&) = delete;

  void row(std::span<const double> values);  // one per column; throws FileError
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  // Calls `take` for the pieces of a column, from the first row to the last. Throws FileError.
  void each(std::size_t column, const std::function<void(std::span<const double>)>& take) const;
  std::vector<double> column(std::size_t) const;
  // Calls `take` for `count` rows from `first` on.
  void each_row(std::size_t first, std::size_t count, const std::function<void(std::span<const double>)>& take) const;
  // The same, kept: it stays valid until five other columns were asked for.
  const std::vector<double>& kept(std::size_t column) const;

 private:
  void write_block();
  std::span<const double> piece_of(std::size_t block, std::size_t column, std::vector<double>& buffer) const;
  [[noreturn]] void fail(const char* action) const;

  std::size_t columns_, rows_ = 0;
  std::string folder_;
  std::vector<std::vector<double>> block_;  // the rows after the last full block, by column
  int fd_ = -1;
  mutable std::list<std::pair<std::size_t, std::vector<double>>> kept_;  // the latest first
};

}  // namespace vdsim
