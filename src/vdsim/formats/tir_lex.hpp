// SPDX-License-Identifier: Apache-2.0
// The lines of a .tir file. Comments start at $ or ! anywhere outside quotes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace vdsim {

struct TirLine {
  enum class Kind { block, subblock, table, pair, other };  // [NAME], (NAME), {columns}, KEY = value, anything else
  Kind kind = Kind::other;
  int line = 0, column = 0, value_column = 0;  // from 1
  std::string name;                            // in capitals: the block or key; otherwise the text as it stands
  std::string value;                           // without quotes
};
std::vector<TirLine> split_tir(std::string_view text);

std::string tir_shown(std::string_view text);  // in quotes, short, without control characters, for messages

}  // namespace vdsim
