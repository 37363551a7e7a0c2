// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/crg_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <vector>

namespace vdsim {
namespace {

constexpr const char* kRule = "$!**********************************************************************\n";
constexpr std::size_t kTextLine = 72;

// The columns of a file in the order in which they are written.
struct Columns {
  std::vector<std::string> names;                   // as in $KD_Definition
  std::vector<const std::vector<double>*> of_line;  // first these, then the grid
};

Columns columns_of(const CrgFile& f) {
  Columns out;
  const auto add = [&](const std::vector<double>& values, const char* name) {
    if (values.empty()) return;
    out.of_line.push_back(&values);
    out.names.emplace_back(name);
  };
  add(f.x, "reference line x,m");
  add(f.y, "reference line y,m");
  add(f.z, "reference line z,m");
  add(f.phi, "reference line phi,rad");
  add(f.slope, "reference line slope,m/m");
  add(f.bank, "reference line banking,m/m");
  for (std::size_t j = 0; j < f.v.size(); ++j)
    out.names.push_back(f.v_listed ? fmt::format("long section at v = {},m", f.v[j])
                                   : fmt::format("long section {},m", j + 1));
  return out;
}

double read_back(const std::string& text, bool real) {
  const double value = std::strtod(text.c_str(), nullptr);
  return real ? double(static_cast<float>(value)) : value;
}

// The shortest text that reads back to the same number, if it fits into `width`; else the nearest one that fits.
std::string fitted(double value, std::size_t width, bool real) {
  if (!crg_set(value)) return "*missing*";
  std::string best = real ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (best.size() <= width) return best;
  best = "0";
  double error = std::abs(value);
  for (int digits = 17; digits >= 0; --digits)
    for (std::string text : {fmt::format("{:.{}e}", value, digits), fmt::format("{:.{}f}", value, digits)}) {
      if (const std::size_t e = text.find("e-0"); e != std::string::npos) text.erase(e + 2, 1);
      if (const std::size_t e = text.find("e+0"); e != std::string::npos) text.erase(e + 1, 2);
      const double off = std::abs(read_back(text, real) - value);
      if (text.size() <= width && off < error) best = text, error = off;
    }
  return best;
}

bool same(double a, double b) { return a == b || (a != a && b != b); }

// Whether a number survives. On the reference line the text of a real format is read as a double.
bool keeps(double value, CrgFormat format, bool of_line) {
  if (!crg_set(value)) return true;
  if (format.binary) return !format.real || double(static_cast<float>(value)) == value;
  const bool real = format.real && !of_line;
  return same(read_back(fitted(value, format.real ? 10 : 20, real), real), value);
}

bool keeps_all(const CrgFile& f, CrgFormat format) {
  for (const std::vector<double>* column : columns_of(f).of_line)
    for (const double each : *column)
      if (!keeps(each, format, true)) return false;
  for (std::size_t k = 0; k < f.rows * f.v.size(); ++k)
    if (!keeps(f.grid(k), format, false)) return false;
  return true;
}

template <class S> void block(std::string& out, const char* head, const S& from, const std::vector<CrgKey<S>>& keys) {
  out += head;
  for (const CrgKey<S>& key : keys) {
    if (!crg_set(from.*(key.member))) continue;
    std::string name(key.name);
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    fmt::format_to(std::back_inserter(out), "{:<24} = {}\n", name, from.*(key.member));
  }
  if constexpr (std::is_same_v<S, CrgOptions>)
    for (const auto& [name, value] : from.others) fmt::format_to(std::back_inserter(out), "{:<24} = {}\n", name, value);
  out += kRule;
}

void header(std::string& out, const CrgFile& f, CrgFormat format) {
  out += "$CT\n";
  for (const std::string& line : f.comment) {
    if (line.starts_with('$')) continue;
    for (const char c : line.substr(0, kTextLine))
      if (c != '\n') out += c;
    out += '\n';
  }
  out += kRule;
  CrgParameters road = f.road;
  if (format.binary && !crg_set(road.end_u))  // tells the rows from the padding
    road.end_u = (crg_set(road.start_u) ? road.start_u : 0) + road.increment * static_cast<double>(f.rows - 1);
  block(out, "$ROAD_CRG\n", road, crg_parameter_keys());
  if (f.has_options) block(out, "$ROAD_CRG_OPTS\n", f.options, crg_option_keys());
  if (f.has_modifiers) block(out, "$ROAD_CRG_MODS\n", f.modifiers, crg_modifier_keys());
  fmt::format_to(std::back_inserter(out), "$KD_Definition\n#:{}\n", crg_format_name(format));
  for (const std::string& name : columns_of(f).names) fmt::format_to(std::back_inserter(out), "D:{}\n", name);
  out += kRule;
  for (int i = 1; i <= 8; ++i) out += fmt::format("$$$$$$$${}", 10 * i);
  out += '\n';
}

void append(std::string& out, double value, bool real) {
  std::uint64_t bits = 0;
  const int size = real ? 4 : 8;
  if (real)
    bits = crg_set(value) ? std::bit_cast<std::uint32_t>(static_cast<float>(value)) : 0x7fc00000u;
  else
    bits = crg_set(value) ? std::bit_cast<std::uint64_t>(value) : 0x7ff8000000000000u;
  for (int i = size - 1; i >= 0; --i) out += static_cast<char>(bits >> (8 * i) & 0xff);
}

}  // namespace

CrgFormat crg_exact_format(const CrgFile& f, bool binary) {
  const CrgFormat real{binary, true};
  return keeps_all(f, real) ? real : CrgFormat{binary, false};
}

std::string crg_text(const CrgFile& f, CrgFormat format) {
  std::string out;
  header(out, f, format);
  const std::size_t start = out.size(), width = format.real ? 10 : 20, per_line = 80 / width;
  const std::vector<const std::vector<double>*> line = columns_of(f).of_line;
  const std::size_t n = line.size() + f.v.size();
  for (std::size_t row = 0; row < f.rows; ++row) {
    for (std::size_t i = 0; i < n; ++i) {
      const bool of_line = i < line.size();
      const double value = of_line ? (*line[i])[row] : f.grid(row * f.v.size() + i - line.size());
      if (format.binary)
        append(out, value, format.real);
      else
        fmt::format_to(std::back_inserter(out), "{:>{}}{}", fitted(value, width, format.real && !of_line), width,
                       i % per_line == per_line - 1 || i + 1 == n ? "\n" : "");
    }
  }
  while (format.binary && (out.size() - start) % 80 != 0) append(out, kCrgUnset, format.real);
  return out;
}

}  // namespace vdsim
