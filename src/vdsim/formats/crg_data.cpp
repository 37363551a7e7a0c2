// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "vdsim/formats/crg_reader.hpp"

namespace vdsim::crg_reader {

// ------------------------------------------------------------------------------------------------ columns

void CrgReader::definition(std::string_view line, const Place& place) {
  const std::string text = lower(line);
  if (text.starts_with("#:")) {
    const std::string name = text.substr(2, text.find_first_of(" \t", 2) - 2);
    if (name != "lrfi" && name != "ldfi" && name != "krbi" && name != "kdbi")
      errors_.add(place, "", fmt::format("expected the format LRFI, LDFI, KRBI or KDBI, not '{}'", shown(name)));
    else
      out_.format = {name[0] == 'k', name[1] == 'r'};
  } else if (text.starts_with("d:")) {
    channel(text.substr(2), place);
  } else if (!text.starts_with("u:")) {
    warn(place, "", fmt::format("expected '#:', 'D:' or 'U:'; '{}' is not read", shown(line)));
  }
}

void CrgReader::cut(std::string_view text, const Place& place) {
  const std::size_t comma = text.find(',');
  std::string_view position = trimmed(text.substr(0, comma)), unit, rest;
  if (comma != std::string_view::npos) unit = trimmed(text.substr(comma + 1));
  const bool listed = position.starts_with("at");
  if (listed) {
    const std::size_t equals = position.find('=');
    position = equals == std::string_view::npos ? std::string_view{} : trimmed(position.substr(equals + 1));
  }
  const auto value = leading_number(position, rest);
  if (!value || !std::isfinite(*value) || !rest.empty())
    errors_.add(place, "", "expected 'long section at v = NUMBER,m' or 'long section NUMBER,m'");
  else if (unit != "m")
    errors_.add(place, "", fmt::format("expected the unit m, not '{}'", shown(unit)));
  const bool first =
      std::none_of(channels_.begin(), channels_.end(), [](const Channel& c) { return c.kind == Channel::Kind::cut; });
  if (!first && listed != out_.v_listed)
    errors_.add(place, "", "long sections must be all given by v or all by number");
  out_.v_listed = listed;
  channels_.push_back({Channel::Kind::cut, value.value_or(0), place});
}

void CrgReader::channel(const std::string& text, const Place& place) {
  constexpr std::string_view section = "long section", line = "reference line";
  if (const std::size_t at = text.find(section); at != std::string::npos)
    return cut(std::string_view(text).substr(at + section.size()), place);
  struct Known {
    const char *name, *unit;
    Channel::Kind kind;
  };
  static const Known known[] = {{"x", "m", Channel::Kind::x},          {"y", "m", Channel::Kind::y},
                                {"z", "m", Channel::Kind::z},          {"u", "m", Channel::Kind::u},
                                {"phi", "rad", Channel::Kind::phi},    {"banking", "m/m", Channel::Kind::bank},
                                {"slope", "m/m", Channel::Kind::slope}};
  Channel out{Channel::Kind::other, 0, place};
  if (const std::size_t at = text.find(line); at != std::string::npos) {
    const std::size_t comma = text.find(',', at);
    const std::size_t from = at + line.size();
    const std::string_view name =
        trimmed(std::string_view(text).substr(from, comma == std::string::npos ? comma : comma - from));
    const std::string_view unit = comma == std::string::npos ? "" : trimmed(std::string_view(text).substr(comma + 1));
    for (const Known& each : known) {
      if (name != each.name) continue;
      out.kind = each.kind;
      if (unit != each.unit)
        errors_.add(place, "", fmt::format("expected the unit {} of {}, not '{}'", each.unit, each.name, shown(unit)));
      for (const Channel& before : channels_)
        if (before.kind == out.kind)
          errors_.add(place, "",
                      fmt::format("column {} is given twice, first in line {}", each.name, before.place.line));
    }
  }
  if (out.kind == Channel::Kind::other) warn(place, "", fmt::format("column '{}' is not used", shown(trimmed(text))));
  channels_.push_back(out);
}

// The header is complete: columns sorted from right to left. False if the data cannot be read.
bool CrgReader::ready() {
  if (std::exchange(data_seen_, true)) errors_.add({out_.name, 0, 0}, "", "more than one file has data");
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i < channels_.size(); ++i)
    if (channels_[i].kind == Channel::Kind::cut) cuts.push_back(i);
  if (cuts.size() < 2)
    errors_.add({out_.name, 0, 0}, "",
                fmt::format("$KD_Definition names {} long section(s), at least 2 are needed", cuts.size()));
  if (cuts.size() > kMostCuts) errors_.add({out_.name, 0, 0}, "", "too many long sections");
  std::stable_sort(cuts.begin(), cuts.end(),
                   [&](std::size_t a, std::size_t b) { return channels_[a].at < channels_[b].at; });
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    const Channel& c = channels_[cuts[j]];
    if (!out_.v_listed && c.at != static_cast<double>(j + 1))
      errors_.add(c.place, "", fmt::format("long sections must be numbered 1 to {}, each once", cuts.size()));
    if (out_.v_listed && j > 0 && !(c.at - channels_[cuts[j - 1]].at >= 1e-6))
      errors_.add(c.place, "", fmt::format("v = {} stands closer than 1e-6 m to another long section", c.at));
    if (errors_.full()) break;
    out_.v.push_back(c.at);
  }
  order_ = std::move(cuts);
  check_values();
  return errors_.empty();
}

// ------------------------------------------------------------------------------------------------ data

void CrgReader::data(std::string_view text, const std::string& file, int line) {
  if (out_.format.binary)
    binary_rows(text, file);
  else
    text_rows(text, file, line);
}

void CrgReader::store(const std::vector<double>& row) {
  for (const std::size_t i : order_) {
    if (out_.format.real)
      out_.grid32.push_back(static_cast<float>(row[i]));
    else
      out_.grid64.push_back(row[i]);
  }
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    switch (channels_[i].kind) {
      case Channel::Kind::x: out_.x.push_back(row[i]); break;
      case Channel::Kind::y: out_.y.push_back(row[i]); break;
      case Channel::Kind::z: out_.z.push_back(row[i]); break;
      case Channel::Kind::u: u_.push_back(row[i]); break;
      case Channel::Kind::phi: out_.phi.push_back(row[i]); break;
      case Channel::Kind::bank: out_.bank.push_back(row[i]); break;
      case Channel::Kind::slope: out_.slope.push_back(row[i]); break;
      case Channel::Kind::cut:
      case Channel::Kind::other: break;
    }
  }
  ++out_.rows;
}

// One number of a text row. Anything with an asterisk is no number: **unused** counts as 0, the rest as missing.
double CrgReader::field(std::string_view text, const Place& place, std::size_t row) {
  const std::string_view word = trimmed(text);
  if (word.find('*') != std::string_view::npos)
    return lower(word).find("unused") != std::string::npos ? 0.0 : kCrgUnset;
  std::string_view rest;
  const auto value = leading_number(word, rest);
  if (value && rest.empty() && !std::isinf(*value) && !(out_.format.real && std::isinf(static_cast<float>(*value))))
    return *value;
  errors_.add(place, "",
              word.empty() ? fmt::format("a number of row {} is missing", row + 1)
                           : fmt::format("expected one number in {} characters, not '{}'", text.size(), shown(text)));
  return kCrgUnset;
}

void CrgReader::text_rows(std::string_view text, const std::string& file, int line) {
  const std::size_t width = out_.format.real ? 10 : 20, per_line = 80 / width;
  std::vector<double> row(channels_.size());
  std::size_t at = 0;
  while (at < text.size() && !errors_.full()) {
    std::string_view record = take_line(text, at);
    Place place{file, line++, 1};
    if (trimmed(record).empty()) continue;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t column = i % per_line * width;
      if (i > 0 && column == 0) {
        if (at >= text.size()) {
          errors_.add(place, "", fmt::format("the file ends in the middle of row {}", out_.rows + 1));
          return;
        }
        record = take_line(text, at);
        place.line = line++;
      }
      place.column = static_cast<int>(column) + 1;
      row[i] = field(column < record.size() ? record.substr(column, width) : std::string_view{}, place, out_.rows);
      const bool last = i % per_line == per_line - 1 || i + 1 == row.size();
      if (last && !wide_said_ && column + width < record.size() && !trimmed(record.substr(column + width)).empty()) {
        warn(place, "", fmt::format("text behind the {} columns of this line is not read", i % per_line + 1));
        wide_said_ = true;
      }
    }
    store(row);
  }
}

double big_endian(const char* bytes, bool real) {
  std::uint64_t bits = 0;
  for (int i = 0; i < (real ? 4 : 8); ++i) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
  return real ? double(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) : std::bit_cast<double>(bits);
}

// Records of 80 bytes, filled without regard to rows; NaN up to the end of the last one.
void CrgReader::binary_rows(std::string_view bytes, const std::string& file) {
  const std::size_t size = out_.format.real ? 4 : 8, n = channels_.size();
  std::size_t rows = bytes.size() / (size * n);
  const CrgParameters& p = out_.road;
  std::vector<double> row(n);
  const auto take = [&](std::size_t r) {
    for (std::size_t i = 0; i < n; ++i) row[i] = big_endian(bytes.data() + (r * n + i) * size, out_.format.real);
  };
  if (crg_set(p.end_u) && crg_set(p.increment)) {
    const double wanted = std::floor((p.end_u - (crg_set(p.start_u) ? p.start_u : 0)) / p.increment + 0.5) + 1;
    if (!(wanted <= static_cast<double>(rows)))
      errors_.add({file, 0, 0}, "",
                  fmt::format("{} rows of data expected up to REFERENCE_LINE_END_U, the file has {}", wanted, rows));
    else if (wanted >= 1)
      rows = static_cast<std::size_t>(wanted);
  } else {
    for (; rows > 0; --rows) {
      take(rows - 1);
      if (std::any_of(row.begin(), row.end(), [](double x) { return crg_set(x); })) break;
    }
  }
  for (std::size_t r = 0; r < rows && !errors_.full(); ++r) {
    take(r);
    for (std::size_t i = 0; i < n; ++i)
      if (std::isinf(row[i]))
        errors_.add({file, 0, 0}, "", fmt::format("value {} of row {} of the data is infinite", i + 1, r + 1));
    store(row);
  }
}

// ------------------------------------------------------------------------------------------------ checks

// Impossible values in the header.
void CrgReader::check_values() {
  const auto need = [&](const char* key, double value, bool good, const char* what) {
    if (crg_set(value) && !good) errors_.add(place_of(key), key, fmt::format("expected {}, not {}", what, value));
  };
  const CrgParameters& p = out_.road;
  const CrgOptions& o = out_.options;
  const CrgModifiers& m = out_.modifiers;
  const auto whole = [](double x, double top) { return x >= 0 && x <= top && x == std::floor(x); };
  need("reference_line_increment", p.increment, p.increment >= 1e-6, "at least 1e-6 m");
  need("long_section_v_increment", p.v_increment, p.v_increment >= 1e-6, "at least 1e-6 m");
  need("border_mode_u", o.border_mode_u, whole(o.border_mode_u, 4), "0, 1, 2, 3 or 4");
  need("border_mode_v", o.border_mode_v, whole(o.border_mode_v, 4), "0, 1, 2, 3 or 4");
  need("refline_continuation", o.refline_continuation, whole(o.refline_continuation, 1), "0 or 1");
  need("border_smooth_ubeg", o.border_smooth_ubeg, o.border_smooth_ubeg >= 0, "at least 0 m");
  need("border_smooth_uend", o.border_smooth_uend, o.border_smooth_uend >= 0, "at least 0 m");
  need("grid_nan_mode", m.grid_nan_mode, whole(m.grid_nan_mode, 2), "0, 1 or 2");
  need("scale_length", m.scale_length, m.scale_length > 0, "a factor above 0");
  need("scale_width", m.scale_width, m.scale_width > 0, "a factor above 0");
  const auto either = [&](const char* one, double a, const char* other, double b) {
    if (crg_set(a) && crg_set(b))
      errors_.add(place_of(other), other, fmt::format("{} is given too: only one can be", one));
  };
  either("refpoint_u", m.refpoint_u, "refpoint_u_fraction", m.refpoint_u_fraction);
  either("refpoint_v", m.refpoint_v, "refpoint_v_fraction", m.refpoint_v_fraction);
  if (m.grid_nan_mode == 0 && crg_set(m.grid_nan_offset) && m.grid_nan_offset != 0)
    errors_.add(place_of("grid_nan_offset"), "grid_nan_offset",
                "has no effect, because grid_nan_mode keeps missing values");
  for (const auto& [key, value] : {std::pair{"reference_line_offset_x", p.offset_x},
                                   {"reference_line_offset_y", p.offset_y},
                                   {"reference_line_offset_z", p.offset_z},
                                   {"reference_line_offset_phi", p.offset_phi}})
    if (crg_set(value) && value != 0) warn(place_of(key), key, "is not used; see REFLINE_OFFSET_... in $ROAD_CRG_MODS");
}

void CrgReader::even_spacing(const std::vector<double>& steps, const char* what) {
  const auto [low, high] = std::minmax_element(steps.begin(), steps.end());
  if (!(*low >= 1e-6))
    errors_.add({out_.name, 0, 0}, "", fmt::format("{}: points stand closer than 1e-6 m", what));
  else if (!(*high - *low <= 0.03 * *low))
    errors_.add({out_.name, 0, 0}, "", fmt::format("{}: spacing from {} to {} m is not even", what, *low, *high));
}

// Increment and start of u, from the columns if they give it.
void CrgReader::settle_u() {
  CrgParameters& p = out_.road;
  if (out_.x.empty() != out_.y.empty())
    errors_.add({out_.name, 0, 0}, "", "the columns x and y of the reference line must come together");
  else if (!out_.x.empty() || !u_.empty()) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < out_.rows; ++i)
      steps.push_back(out_.x.empty() ? u_[i] - u_[i - 1]
                                     : std::hypot(out_.x[i] - out_.x[i - 1], out_.y[i] - out_.y[i - 1]));
    even_spacing(steps, out_.x.empty() ? "column u" : "columns x and y");
    p.increment = std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
    if (!u_.empty()) p.start_u = u_.front();
  }
  if (!crg_set(p.increment)) {
    errors_.add({out_.name, 0, 0}, "", "REFERENCE_LINE_INCREMENT is missing");
    return;
  }
  const double end = (crg_set(p.start_u) ? p.start_u : 0) + p.increment * static_cast<double>(out_.rows - 1);
  if (crg_set(p.end_u) && std::abs(p.end_u - end) > 0.5 * p.increment) {
    warn(place_of("reference_line_end_u"), "reference_line_end_u",
         fmt::format("the {} rows of data end at u = {}", out_.rows, end));
    p.end_u = end;
  }
}

// Positions of the cuts.
void CrgReader::settle_v() {
  CrgParameters& p = out_.road;
  const double spans = static_cast<double>(out_.v.size() - 1);
  if (!out_.v_listed) {
    if (!crg_set(p.v_increment) && crg_set(p.v_right) && crg_set(p.v_left))
      p.v_increment = (p.v_left - p.v_right) / spans;
    if (!crg_set(p.v_increment) || !(p.v_increment >= 1e-6)) {
      errors_.add(place_of("long_section_v_left"), "",
                  "numbered long sections need LONG_SECTION_V_INCREMENT, or V_RIGHT and V_LEFT with V_LEFT the larger");
      return;
    }
    double right = crg_set(p.v_right) ? p.v_right : 0;
    if (!crg_set(p.v_right) && crg_set(p.v_left)) right = p.v_left - spans * p.v_increment;
    if (!crg_set(p.v_right) && !crg_set(p.v_left))
      warn({out_.name, 0, 0}, "", "LONG_SECTION_V_RIGHT is missing: the first long section lies at v = 0");
    for (std::size_t j = 0; j < out_.v.size(); ++j) out_.v[j] = right + static_cast<double>(j) * p.v_increment;
  }
  const auto compare = [&](const char* key, double given, double found) {
    if (crg_set(given) && std::abs(given - found) > 1e-3 * (out_.v.back() - out_.v.front()))
      warn(place_of(key), key, fmt::format("the long sections have their border at v = {}", found));
  };
  compare("long_section_v_right", p.v_right, out_.v.front());
  compare("long_section_v_left", p.v_left, out_.v.back());
}

// No number may be missing along the reference line, but for the first row, which has no segment before it.
void CrgReader::check_columns() {
  const auto check = [&](std::vector<double>& column, const char* name, bool first_row) {
    if (!column.empty() && !first_row && !crg_set(column[0])) column[0] = 0;
    const auto holes = std::count_if(column.begin(), column.end(), [](double x) { return !crg_set(x); });
    if (holes == 0) return;
    const auto row = std::find_if(column.begin(), column.end(), [](double x) { return !crg_set(x); }) - column.begin();
    errors_.add({out_.name, 0, 0}, "",
                fmt::format("{} is missing in {} row(s), first in row {}", name, holes, row + 1));
  };
  check(out_.x, "x", true);
  check(out_.y, "y", true);
  check(out_.z, "z", true);
  check(u_, "u", true);
  check(out_.phi, "phi", false);
  check(out_.slope, "slope", false);
  if (!out_.bank.empty() && !crg_set(out_.bank[0]))
    warn({out_.name, 0, 0}, "", "banking of row 1 is missing and taken as 0");
  check(out_.bank, "banking", false);
}

std::optional<CrgFile> CrgReader::finish() {
  if (!errors_.empty()) return std::nullopt;
  if (!data_seen_)
    errors_.add({out_.name, 0, 0}, "", "no data: a line '$$$$' and rows of numbers are expected, or $ROAD_CRG_FILE");
  else if (out_.rows < 2 || out_.rows > kMostRows)
    errors_.add({out_.name, 0, 0}, "", fmt::format("{} row(s) of data, at least 2 are needed", out_.rows));
  else {
    check_columns();
    if (errors_.empty()) settle_u();
    if (errors_.empty()) settle_v();
  }
  if (!errors_.empty()) return std::nullopt;
  return std::move(out_);
}

}  // namespace vdsim::crg_reader
