// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/heightmap_read.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "vdsim/formats/number.hpp"
#include "vdsim/formats/shown.hpp"
#include "vdsim/formats/table_read.hpp"

namespace vdsim {
namespace {

constexpr double kMostHeights = 1e8;  // 800 MB

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

struct Word {
  std::string_view text;
  int line, column;  // from 1
};

// The words of a text, line by line; blanks separate them, or commas (then a word may be empty).
class Words {
 public:
  Words(std::string_view text, bool commas) : text_(text), commas_(commas) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  }
  // The next line that has words; empty at the end of the text.
  const std::vector<Word>& next_line() {
    words_.clear();
    while (words_.empty() && !text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      ++line_;
      const std::string_view line = text_.substr(0, end);
      split(line.substr(0, line.find('#')));
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    return words_;
  }
  int line() const { return line_; }

 private:
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

  void split(std::string_view line) {
    const auto stop = [&](char c) { return commas_ ? c == ',' : blank(c); };
    for (std::size_t i = 0; i <= line.size(); ++i) {
      while (i < line.size() && blank(line[i])) ++i;
      if (i == line.size() && (!commas_ || words_.empty())) return;
      const std::size_t from = i;
      while (i < line.size() && !stop(line[i])) ++i;
      std::size_t end = i;
      while (end > from && blank(line[end - 1])) --end;
      words_.push_back({line.substr(from, end - from), line_, static_cast<int>(from) + 1});
      if (i == line.size()) return;
    }
  }

  std::string_view text_;
  bool commas_;
  int line_ = 0;
  std::vector<Word> words_;
};

class MapReader {
 public:
  MapReader(const std::string& file, Errors& errors) : file_(file), errors_(errors) {}

  void fail(const Word& word, const std::string& name, std::string what) {
    errors_.add({file_, word.line, word.column}, name, std::move(what));
  }
  void fail(std::string what) { errors_.add({file_, 0, 0}, "", std::move(what)); }

  std::optional<double> number(const Word& word, const std::string& name) {
    std::string_view text = word.text;
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    double value = 0;
    const auto [stop, ec] = number_from(text.data(), text.data() + text.size(), value);
    if (stop != text.data() + text.size() || ec == std::errc::invalid_argument)
      fail(word, name, fmt::format("expected a number, found {}", shown(word.text)));
    else if (ec == std::errc::result_out_of_range || !std::isfinite(value))
      fail(word, name, fmt::format("expected a finite number, found {}", shown(word.text)));
    else
      return value;
    return std::nullopt;
  }
  double positive(const Word& word, const std::string& name) {
    const auto value = number(word, name);
    if (value && !(*value > 0)) fail(word, name, fmt::format("{} is out of range, expected above 0 m", word.text));
    return value && *value > 0 ? *value : 1;
  }

  std::optional<Heightmap> read_asc(std::string_view text);
  std::optional<Heightmap> read_csv(std::string_view text);

 private:
  struct Header {
    std::array<std::optional<Word>, 10> value;  // in the order of kKeys
  };
  static constexpr std::array<const char*, 10> kKeys{"ncols",     "nrows",    "xllcorner", "xllcenter", "yllcorner",
                                                     "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};
  enum { kCols, kRows, kXCorner, kXCenter, kYCorner, kYCenter, kCell, kDx, kDy, kNoData };

  const std::vector<Word>& asc_header(Words& words, Header& header);
  void asc_frame(const Header& header, Heightmap& map);
  int count(const Header& header, int key);
  double origin(const Header& header, int corner, int center, double step);
  bool csv_frame(Words& words, Heightmap& map);
  void heights(const std::vector<Word>& row, Heightmap& map, const std::optional<double>& no_data);

  const std::string& file_;
  Errors& errors_;
};

// Reads up to the first line of heights and returns it.
const std::vector<Word>& MapReader::asc_header(Words& words, Header& header) {
  for (;;) {
    const std::vector<Word>& line = words.next_line();
    if (line.empty() || errors_.full()) return line;
    const char first = line[0].text[0];
    const std::string name = lower(line[0].text);
    if (!std::isalpha(static_cast<unsigned char>(first)) || name == "nan" || name == "inf") return line;
    const auto key = std::find(kKeys.begin(), kKeys.end(), name);
    if (key == kKeys.end()) {
      fail(line[0], "", "unknown key " + shown(line[0].text) + suggestion(name, {kKeys.begin(), kKeys.end()}));
      continue;
    }
    std::optional<Word>& slot = header.value[static_cast<std::size_t>(key - kKeys.begin())];
    if (slot)
      fail(line[0], name, "is there twice");
    else if (line.size() != 2)
      fail(line[0], name, fmt::format("expected one value, found {}", line.size() - 1));
    slot = line.size() > 1 ? line[1] : Word{"", line[0].line, line[0].column};
  }
}

int MapReader::count(const Header& header, int key) {
  const auto& word = header.value[static_cast<std::size_t>(key)];
  const std::string name = kKeys[static_cast<std::size_t>(key)];
  if (!word) {
    fail(fmt::format("missing key '{}'", name));
    return 2;
  }
  const auto value = number(*word, name);
  if (value && *value >= 2 && *value <= kMostHeights && *value == std::floor(*value)) return static_cast<int>(*value);
  if (value) fail(*word, name, fmt::format("expected a whole number from 2 on, found {}", shown(word->text)));
  return 2;
}

double MapReader::origin(const Header& header, int corner, int center, double step) {
  const auto& at_corner = header.value[static_cast<std::size_t>(corner)];
  const auto& at_center = header.value[static_cast<std::size_t>(center)];
  const std::string name = kKeys[static_cast<std::size_t>(corner)], other = kKeys[static_cast<std::size_t>(center)];
  if (at_corner && at_center) fail(*at_center, other, fmt::format("one of '{}' and '{}' only", name, other));
  if (at_corner) return number(*at_corner, name).value_or(0) + step / 2;
  if (at_center) return number(*at_center, other).value_or(0);
  fail(fmt::format("missing key '{}' or '{}'", name, other));
  return 0;
}

void MapReader::asc_frame(const Header& header, Heightmap& map) {
  const auto& cell = header.value[kCell];
  map.nx = count(header, kCols);
  map.ny = count(header, kRows);
  if (double(map.nx) * map.ny > kMostHeights)
    fail(fmt::format("{} x {} heights are too many, at most {:.0f} can be read", map.nx, map.ny, kMostHeights));
  map.dx = map.dy = cell ? positive(*cell, "cellsize") : 1;
  for (int key : {kDx, kDy}) {
    const std::string name = kKeys[static_cast<std::size_t>(key)];
    if (const auto& word = header.value[static_cast<std::size_t>(key)]; word && cell)
      fail(*word, name, fmt::format("one of 'cellsize' and '{}' only", name));
    else if (word)
      (key == kDx ? map.dx : map.dy) = positive(*word, name);
    else if (!cell)
      fail(fmt::format("missing key '{}'", header.value[kDx] || header.value[kDy] ? name : "cellsize"));
  }
  map.x0 = origin(header, kXCorner, kXCenter, map.dx);
  map.y0 = origin(header, kYCorner, kYCenter, map.dy);
}

void MapReader::heights(const std::vector<Word>& row, Heightmap& map, const std::optional<double>& no_data) {
  for (const Word& word : row) {
    if (errors_.full()) return;
    const auto value = number(word, "");
    if (value && no_data && *value == *no_data)
      fail(word, "", fmt::format("no height here ({} is nodata_value): a road must be whole", shown(word.text)));
    else if (value && std::abs(*value) > kHighestRoad)
      fail(word, "", fmt::format("{} is out of range, expected -1e5 to 1e5 m", shown(word.text)));
    map.z.push_back(value.value_or(0));
  }
}

std::optional<Heightmap> MapReader::read_asc(std::string_view text) {
  const std::size_t before = errors_.size();
  Words words(text, false);
  Header header;
  Heightmap map;
  const std::vector<Word>& line = asc_header(words, header);
  asc_frame(header, map);
  std::optional<double> no_data;
  if (const auto& word = header.value[kNoData]) no_data = number(*word, "nodata_value");
  const bool counted = errors_.size() == before;  // otherwise the number of heights says nothing
  const std::size_t want = static_cast<std::size_t>(map.nx) * static_cast<std::size_t>(map.ny);
  for (; !line.empty() && !errors_.full(); words.next_line()) {
    if (counted && map.z.size() + line.size() > want) {
      fail(line[want - map.z.size()], "", fmt::format("more heights than ncols x nrows = {}", want));
      return std::nullopt;
    }
    heights(line, map, no_data);
  }
  if (counted && !errors_.full() && map.z.size() < want)
    errors_.add({file_, words.line(), 1}, "",
                fmt::format("the file ends after {} heights, expected ncols x nrows = {}", map.z.size(), want));
  if (errors_.size() != before || errors_.full()) return std::nullopt;
  for (int j = 0; j < map.ny / 2; ++j)  // north is first in the file, last here
    std::swap_ranges(map.z.begin() + std::ptrdiff_t(j) * map.nx, map.z.begin() + std::ptrdiff_t(j + 1) * map.nx,
                     map.z.begin() + std::ptrdiff_t(map.ny - 1 - j) * map.nx);
  return map;
}

// The line of names and the line of their values. False: what follows cannot be understood.
bool MapReader::csv_frame(Words& words, Heightmap& map) {
  const std::vector<std::string> valid{"x0", "y0", "dx", "dy"};
  const std::vector<Word> names = words.next_line();
  if (names.empty()) {
    fail("the file is empty: expected the line x0,y0,dx,dy");
    return false;
  }
  std::array<bool, 4> seen{};
  for (const Word& word : names) {
    const auto at = static_cast<std::size_t>(std::find(valid.begin(), valid.end(), word.text) - valid.begin());
    if (at == valid.size())
      fail(word, "", fmt::format("unknown name {}{}", shown(word.text), suggestion(word.text, valid)));
    else if (seen[at])
      fail(word, valid[at], "is there twice");
    else
      seen[at] = true;
  }
  for (std::size_t i = 0; i < 3; ++i)
    if (!seen[i]) fail(names[0], "", fmt::format("missing name '{}'", valid[i]));
  const std::vector<Word>& values = words.next_line();
  if (values.size() != names.size()) {
    const Word at = values.empty() ? names[0] : values[0];
    fail(at, "", fmt::format("expected {} values for the names above, found {}", names.size(), values.size()));
    return !values.empty();
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name(names[i].text);
    if (name == "x0" || name == "y0")
      (name == "x0" ? map.x0 : map.y0) = number(values[i], name).value_or(0);
    else if (name == "dx" || name == "dy")
      (name == "dx" ? map.dx : map.dy) = positive(values[i], name);
  }
  if (!seen[3]) map.dy = map.dx;
  return true;
}

std::optional<Heightmap> MapReader::read_csv(std::string_view text) {
  const std::size_t before = errors_.size();
  Words words(text, true);
  Heightmap map;
  if (!csv_frame(words, map)) return std::nullopt;
  for (const std::vector<Word>* row = &words.next_line(); !row->empty() && !errors_.full(); row = &words.next_line()) {
    if (map.nx == 0) map.nx = static_cast<int>(std::min<std::size_t>(row->size(), std::size_t(kMostHeights)));
    if (row->size() != static_cast<std::size_t>(map.nx))
      fail((*row)[0], "", fmt::format("{} heights in this line, {} in the first", row->size(), map.nx));
    heights(*row, map, {});
    ++map.ny;
    if (double(map.nx) * map.ny > kMostHeights) {
      fail(fmt::format("too many heights, at most {:.0f} can be read", kMostHeights));
      return std::nullopt;
    }
  }
  if (!errors_.full() && (map.nx < 2 || map.ny < 2))
    fail(fmt::format("{} x {} heights, at least 2 x 2 are needed", map.nx, map.ny));
  if (errors_.size() != before || errors_.full()) return std::nullopt;
  return map;
}

}  // namespace

bool is_heightmap(std::string_view file) {
  const std::string name = lower(file.substr(file.size() < 4 ? 0 : file.size() - 4));
  return name == ".asc" || name == ".csv";
}

std::optional<Heightmap> read_heightmap(std::string_view text, const std::string& file, Errors& errors) {
  const std::string ending = lower(std::string_view(file).substr(file.size() < 4 ? 0 : file.size() - 4));
  MapReader reader(file, errors);
  if (ending == ".asc") return reader.read_asc(text);
  if (ending == ".csv") return reader.read_csv(text);
  reader.fail("not a height map by its ending; valid: .asc (ESRI ASCII grid), .csv (x0,y0,dx,dy and rows of heights)");
  return std::nullopt;
}

std::optional<Heightmap> load_heightmap(const std::string& path, const Place& from, Errors& errors) {
  const auto text = read_data(path, from, errors);
  if (!text) return std::nullopt;
  return read_heightmap(*text, path, errors);
}

}  // namespace vdsim
