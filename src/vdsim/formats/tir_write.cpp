// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cstring>

#include "vdsim/formats/tir.hpp"
#include "vdsim/formats/tir_keys.hpp"

namespace vdsim {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::string value_text(const TirKey& key) {
  const FieldRef& field = key.field;
  if (field.kind == FieldRef::Kind::choice) return "'" + tir_upper(field.names[field.get_choice(field.data)]) + "'";
  if (field.kind == FieldRef::Kind::number) return fmt::format("{}", field.number());  // the shortest that reads back
  if (key.name() == "FITTYP" && field.integer() == 52) return "6";                     // how other programs say 5.2
  return fmt::format("{}", field.integer());
}

// What a version has no use for is written only where it says something.
bool worth_writing(const TirKey& key, const TirKey& plain, int version) {
  if (key.field.kind != FieldRef::Kind::number) return true;
  if (key.block == "OPERATING_CONDITIONS" || key.block == "DIMENSION") return true;  // other programs need them all
  return (key.in(version) && (!key.optional || key.block == "SCALING_COEFFICIENTS")) ||
         !same_bits(key.field.number(), plain.field.number()) || key.needed;
}

void add_line(std::string& out, const TirKey& key) {
  const std::string_view unit = key.field.unit;
  const char* meaning = key.name() == "FITTYP" ? "version: 6 = 5.2, 61, 62" : key.field.meaning;
  out += fmt::format("{:<25}= {:<24}${}{}\n", key.name(), value_text(key), meaning,
                     unit.empty() || unit == "-" ? "" : fmt::format(" [{}]", unit));
}

// Coefficients that change sign in a mirror: lateral ones without camber in front, and the few where camber alone acts
// on something that has no sign.
template <class F> void turn(TirSpec& s, bool book, F&& change) {
  TirLateral& y = s.lateral;
  TirAligning& z = s.aligning;
  for (double* p : {&s.longitudinal.RHX1, &s.overturning.QSX1, &y.PEY3, &y.PHY1, &y.PHY2, &y.PVY1, &y.PVY2, &y.RBY3,
                    &y.RVY1, &y.RVY2, &z.QBZ4, &z.QDZ6, &z.QDZ7, &z.QEZ4, &z.QHZ1, &z.QHZ2, &z.SSZ1})
    change(*p);
  if (!book) change(z.QDZ3);
}

double negative(double x) { return x == 0 ? 0 : -x; }

}  // namespace

std::string tir_text(const TirSpec& given, std::string_view title) {
  TirSpec spec = given, plain;
  const std::vector<TirKey> keys = tir_keys(spec), defaults = tir_keys(plain);
  std::string out =
      "[MDI_HEADER]\nFILE_TYPE                = 'tir'\nFILE_VERSION             = 3.0\n"
      "FILE_FORMAT              = 'ASCII'\n";
  if (!title.empty()) {
    out += "! ";
    for (const char c : title) out += c == '\n' || c == '\r' ? ' ' : c;
    out += '\n';
  }
  out +=
      "\n[UNITS]\nLENGTH                   = 'meter'\nFORCE                    = 'newton'\n"
      "ANGLE                    = 'radians'\nMASS                     = 'kg'\nTIME                     = 'second'\n"
      "PRESSURE                 = 'pascal'\n";
  std::string block;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!worth_writing(keys[i], defaults[i], spec.model.FITTYP)) continue;
    if (keys[i].block != block) {
      block = keys[i].block;
      out += fmt::format("\n[{}]\n", block);
      if (block == "MODEL") out += "PROPERTY_FILE_FORMAT     = 'USER'\n";
    }
    add_line(out, keys[i]);
  }
  return out;
}

TirSpec mirrored(const TirSpec& given, bool book) {
  TirSpec s = given;
  turn(s, book && s.model.FITTYP != 52, [](double& x) { x = negative(x); });
  TirRanges& r = s.ranges;
  r.ALPMIN = negative(given.ranges.ALPMAX);
  r.ALPMAX = negative(given.ranges.ALPMIN);
  r.CAMMIN = negative(given.ranges.CAMMAX);
  r.CAMMAX = negative(given.ranges.CAMMIN);
  if (s.model.TYRESIDE == TireSide::left)
    s.model.TYRESIDE = TireSide::right;
  else if (s.model.TYRESIDE == TireSide::right)
    s.model.TYRESIDE = TireSide::left;
  return s;
}

TirSpec symmetric(const TirSpec& given, bool book) {
  TirSpec s = given;
  turn(s, book, [](double& x) { x = 0; });
  s.model.TYRESIDE = TireSide::symmetric;
  return s;
}

TirSpec offset_free(const TirSpec& given, bool book) {
  TirSpec s = symmetric(given, book);
  TirLongitudinal& x = s.longitudinal;
  x.PHX1 = x.PHX2 = x.PVX1 = x.PVX2 = 0;
  return s;
}

}  // namespace vdsim
