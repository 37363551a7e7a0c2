// SPDX-License-Identifier: Apache-2.0
// Inside of read_crg: header and blocks in crg_read.cpp, columns, rows and checks in crg_data.cpp.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/formats/crg_read.hpp"

namespace vdsim::crg_reader {

constexpr std::size_t kMostRows = 100'000'000, kMostCuts = 100'000;

std::string lower(std::string_view text);
std::string_view trimmed(std::string_view text);
// For a message: short, and printable in any terminal.
std::string shown(std::string_view text);
// The number at the front of a text; Fortran's 1.0D-3 too. `rest`: what stands behind it.
std::optional<double> leading_number(std::string_view text, std::string_view& rest);
// Takes one line; `at` moves behind its end.
std::string_view take_line(std::string_view text, std::size_t& at);

struct Channel {
  enum class Kind { cut, x, y, z, u, phi, bank, slope, other } kind;
  double at;  // of a cut: its v [m], or its number
  Place place;
};

class CrgReader {
 public:
  CrgReader(Errors& errors, Warnings& warnings) : errors_(errors), warnings_(warnings) {}
  bool read(std::string_view text, const std::string& file, int depth);  // false: no data followed the header
  std::optional<CrgFile> finish();

 private:
  enum class Block { none, comment, road, options, modifiers, reference, definition, skipped };

  // header
  bool header(std::string_view text, std::size_t& at, const std::string& file, int depth);
  void open_block(std::string_view line, const Place& place, int depth);
  void block_line(std::string_view line, const Place& place);
  template <class S> void assign(S& into, const std::vector<CrgKey<S>>& keys, std::string_view line, const Place&);
  std::optional<double> value_of(const std::string& key, std::string_view text, const Place& place);
  void definition(std::string_view line, const Place& place);
  void channel(const std::string& text, const Place& place);
  void cut(std::string_view text, const Place& place);
  void refer(const Place& place, const std::string& file, int depth);
  // data
  bool ready();
  void data(std::string_view text, const std::string& file, int line);
  void text_rows(std::string_view text, const std::string& file, int line);
  double field(std::string_view text, const Place& place, std::size_t row);
  void binary_rows(std::string_view bytes, const std::string& file);
  void store(const std::vector<double>& row);
  // checks after the last byte
  void check_values();
  void check_columns();
  void settle_u();
  void settle_v();
  void even_spacing(const std::vector<double>& steps, const char* what);

  bool listed(const std::string& key) const { return places_.count(key) > 0; }
  Place place_of(const std::string& key) const {
    const auto found = places_.find(key);
    return found == places_.end() ? Place{out_.name, 0, 0} : found->second;
  }
  void warn(const Place& place, const std::string& path, const std::string& what) { warnings_.add(place, path, what); }

  Errors& errors_;
  Warnings& warnings_;
  CrgFile out_;
  Block block_ = Block::none;
  bool active_ = false;  // the open block counts: a file's own options and modifiers go before those it refers to
  int options_depth_ = -1, modifiers_depth_ = -1;
  std::string opened_;  // name of the open block
  std::string reference_;
  std::map<std::string, Place> places_;  // where each key was given
  std::vector<Channel> channels_;
  std::vector<std::size_t> order_;  // of the cuts, from right to left
  std::vector<double> u_;
  bool data_seen_ = false, wide_said_ = false;
};

}  // namespace vdsim::crg_reader
