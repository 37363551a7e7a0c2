// SPDX-License-Identifier: Apache-2.0
// Columns of numbers inside a page. Each distinct column is kept once, in the shortest of these codes ("k"):
//   u            n values a + i d
//   f4, f8       little-endian floats or doubles, base64
//   i2           16-bit codes c, base64: value a + c d; 65535 is a gap
//   v            the same codes as differences, zigzag and 7 bits to a byte, base64
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vdsim {

std::string base64(std::string_view bytes);

// What an axis needs of a column: x keeps its steps, y is read to 1/65534 of its range (short columns to float).
enum class Axis { x, y };

class ColumnStore {
 public:
  int add(const std::vector<double>& values, Axis);               // its index in the page
  const std::vector<std::string>& json() const { return json_; }  // one object each
  std::size_t bytes() const { return bytes_; }

 private:
  std::map<std::pair<Axis, std::vector<double>>, int> known_;
  std::vector<std::string> json_;
  std::size_t bytes_ = 0;
};

// Of every 2 `stride` values the smallest and the largest, in their order: no peak is lost. They stand for the values at
// 0, stride, 2 stride, ...; the rest that fills no pair belongs to the last one. NaN where all of them are.
std::vector<double> keep_extremes(const std::vector<double>& y, std::size_t stride);
std::vector<double> every(const std::vector<double>& x, std::size_t stride);  // the x to it

// Rows of a curve in a plane: of every 4 `stride` the leftmost, rightmost, lowest and highest. Gaps keep one row.
std::vector<std::size_t> keep_corners(const std::vector<double>& x, const std::vector<double>& y, std::size_t stride);

}  // namespace vdsim
