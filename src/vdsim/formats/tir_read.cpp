// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "vdsim/engine/reflect.hpp"
#include "vdsim/formats/file_text.hpp"
#include "vdsim/formats/number.hpp"
#include "vdsim/formats/tir.hpp"
#include "vdsim/formats/tir_keys.hpp"
#include "vdsim/formats/tir_lex.hpp"
#include "vdsim/formats/tir_units.hpp"

namespace vdsim {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr int kMostGuesses = 50;
const std::set<std::string> kQuantities{"LENGTH", "FORCE", "ANGLE", "MASS", "TIME", "PRESSURE"};

// As strict as a number can be read, and Fortran's 1.0D-3. Nothing for other text; infinite and NaN come back as such.
std::optional<double> parse_number(std::string text) {
  for (char& c : text)
    if (c == 'D' || c == 'd') c = 'e';
  const char *from = text.data(), *to = from + text.size();
  if (from != to && *from == '+' && text.size() > 1 && text[1] != '-') ++from;
  double value = 0;
  const auto [end, error] = number_from(from, to, value);
  if (end != to || from == to || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  return value;
}

// What PROPERTY_FILE_FORMAT says: 52, 61, 62; 0 = nothing; -1 = another tire model
int format_version(const std::string& format) {
  static const std::map<std::string, int> known{
      {"USER", 0},   {"MF_TYRE", 0}, {"MF-TYRE", 0},    {"MFTYRE", 0},   {"TNO", 0},       {"PAC2002", 52},
      {"PAC02", 52}, {"MF_05", 52},  {"MF05", 52},      {"MF_52", 52},   {"MF52", 52},     {"MF5.2", 52},
      {"MF_61", 61}, {"MF61", 61},   {"MF6.1", 61},     {"MF_62", 62},   {"MF62", 62},     {"MF6.2", 62},
      {"FTIRE", -1}, {"CTIRE", -1},  {"CDTIRE", -1},    {"CD_TIRE", -1}, {"FIALA", -1},    {"PAC89", -1},
      {"PAC94", -1}, {"PAC87", -1},  {"PAC_MC", -1},    {"PACMC", -1},   {"PAC_TIME", -1}, {"PAC-TIME", -1},
      {"UA", -1},    {"5.2.1", -1},  {"BRUSH", -1},     {"HTIRE", -1},   {"RMOD-K", -1},   {"RMODK", -1},
      {"SWIFT", -1}, {"TMEASY", -1}, {"SOFT_SOIL", -1}, {"LUGRE", -1}};
  const auto found = known.find(format);
  return found == known.end() ? 0 : found->second;
}

std::string version_name(int version) { return fmt::format("{}.{}", version / 10, version % 10); }

class TirReader {
 public:
  TirReader(const std::string& file, Errors& errors, Warnings& warnings)
      : file_(file), errors_(errors), warnings_(warnings), keys_(tir_keys(spec_)) {
    for (std::size_t i = 0; i < keys_.size(); ++i) index_.emplace(keys_[i].name(), i);
  }
  std::optional<TirSpec> read(std::string_view text);

 private:
  struct Pair {
    TirLine line;
    std::string block;  // usual name, "" before the first header
  };

  Place key_place(const TirLine& line) const { return {file_, line.line, line.column}; }
  Place value_place(const TirLine& line) const {
    return {file_, line.line, line.value_column > 0 ? line.value_column : line.column};
  }
  std::string block_name(const TirLine& line);
  void collect(const std::vector<TirLine>& lines);
  void read_units();
  void read_unit(const TirLine& line);
  bool refused();
  void read_version();
  void assign_all();
  void assign(const TirLine& line, const TirKey& key);
  void assign_number(const TirLine& line, const TirKey& key);
  void unknown(const Pair& pair);
  void settle_pressure();
  void settle_stiffness();
  void check_missing();
  void check_ranges();
  void check_version_keys();
  double pressure_si(const TirLine& line, double value);
  const TirLine* given(std::string_view key) const {
    const auto found = given_.find(key);
    return found == given_.end() ? nullptr : &found->second;
  }

  const std::string& file_;
  Errors& errors_;
  Warnings& warnings_;
  TirSpec spec_;
  std::vector<TirKey> keys_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<Pair> pairs_;
  std::map<std::string, Place, std::less<>> blocks_;  // where each block starts
  std::map<std::string, TirLine, std::less<>> given_;
  TirUnits units_;
  int unknown_ = 0;
};

const char kSkip[] = "-";  // no block has this name

// The usual name of a block, or kSkip with a warning where it is not read.
std::string TirReader::block_name(const TirLine& line) {
  const std::string block = tir_block(line.name);
  if (block.empty() || tir_block_ignored(block) || tir_block_ignored(line.name)) {
    if (block.empty() && !tir_block_ignored(line.name) && !warnings_.full()) {
      const std::string near = nearest(line.name, tir_block_names());
      warnings_.add(key_place(line), "",
                    fmt::format("block {} is not known and not read{}", tir_shown(line.name),
                                near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
    }
    return kSkip;
  }
  blocks_.emplace(block, key_place(line));
  return block;
}

void TirReader::collect(const std::vector<TirLine>& lines) {
  std::string block;
  bool table = false, comments = false, said = false;
  for (const TirLine& line : lines) {
    switch (line.kind) {
      case TirLine::Kind::block:
        block = block_name(line);
        table = comments = false;
        break;
      case TirLine::Kind::subblock:
        comments = line.name == "COMMENTS";
        table = false;
        break;
      case TirLine::Kind::table: table = true; break;
      case TirLine::Kind::pair:
        if (comments || block == kSkip) break;
        table = false;
        pairs_.push_back({line, block});
        break;
      case TirLine::Kind::other:
        if (table || comments || block == kSkip || (block.empty() && said)) break;
        errors_.add(
            key_place(line), "",
            fmt::format("expected KEY = value{}, not {}", block.empty() ? " or [BLOCK]" : "", tir_shown(line.name)));
        said = block.empty();
        break;
    }
  }
}

void TirReader::read_unit(const TirLine& line) {
  if (!kQuantities.contains(line.name)) {
    warnings_.add(key_place(line), tir_shown(line.name),
                  "unknown key, not read" + suggestion(line.name, {kQuantities.begin(), kQuantities.end()}));
    return;
  }
  UnitScale scale;
  if (!find_unit(line.name, line.value, scale)) {
    errors_.add(value_place(line), line.name,
                fmt::format("unknown unit {}{}", tir_shown(line.value), suggestion(line.value, unit_names(line.name))));
    return;
  }
  if (!units_.base.emplace(line.name, scale).second) errors_.add(key_place(line), line.name, "given twice in [UNITS]");
  units_.has_pressure |= line.name == "PRESSURE";
}

// Without headers, MASS = 'kg' is a unit and MASS = 9.3 a mass.
bool is_unit(const std::string& block, const TirLine& line) {
  if (!block.empty()) return block == "UNITS";
  return kQuantities.contains(line.name) && !parse_number(line.value);
}

void TirReader::read_units() {
  for (const Pair& pair : pairs_)
    if (is_unit(pair.block, pair.line)) read_unit(pair.line);
  std::erase_if(pairs_, [](const Pair& pair) { return is_unit(pair.block, pair.line); });
  std::string missing;
  for (const char* quantity : {"LENGTH", "FORCE", "ANGLE", "MASS", "TIME"})
    if (!units_.base.contains(quantity)) missing += (missing.empty() ? "" : ", ") + std::string(quantity);
  const auto block = blocks_.find("UNITS");
  const Place place = block == blocks_.end() ? Place{file_, 0, 0} : block->second;
  if (!missing.empty()) warnings_.add(place, "", fmt::format("no unit given for {}: SI is taken", missing));
}

// Another model's file is refused with one message instead of a list of everything it lacks.
bool TirReader::refused() {
  for (const Pair& pair : pairs_) {
    if (pair.line.name != "PROPERTY_FILE_FORMAT" || format_version(tir_upper(pair.line.value)) >= 0) continue;
    errors_.add(value_place(pair.line), pair.line.name,
                fmt::format("{} is another tire model; read are MF-Tyre 5.2 (PAC2002), 6.1 and 6.2",
                            tir_shown(pair.line.value)));
    return true;
  }
  return false;
}

int version_of_keys(const std::map<std::string, TirLine, std::less<>>& given, const std::vector<TirKey>& keys) {
  int version = 52;
  for (const TirKey& key : keys) {
    if (!given.contains(key.name()) || key.in52) continue;
    if (!key.in61) return 62;
    // pressure and radius keys are found in 5.2 files too
    if (key.block.ends_with("_COEFFICIENTS")) version = 61;
  }
  return version;
}

void TirReader::read_version() {
  static const std::map<int, int> known{{5, 52},  {6, 52},  {21, 52}, {50, 52}, {51, 52},
                                        {52, 52}, {60, 61}, {61, 61}, {62, 62}};
  int from_format = 0;
  for (const Pair& pair : pairs_)
    if (pair.line.name == "PROPERTY_FILE_FORMAT") from_format = format_version(tir_upper(pair.line.value));
  const int from_keys = from_format > 0 ? from_format : version_of_keys(given_, keys_);
  const TirLine* line = given("FITTYP");
  if (!line) {
    spec_.model.FITTYP = from_keys;
    const auto block = blocks_.find("MODEL");
    if (from_format == 0)
      warnings_.add(block == blocks_.end() ? Place{file_, 0, 0} : block->second, "FITTYP",
                    fmt::format("not given: version {} is taken from the keys present", version_name(from_keys)));
    return;
  }
  const auto found = known.find(spec_.model.FITTYP);
  const int version = found == known.end() ? from_keys : found->second;
  if (found == known.end() || found->first == 5 || found->first == 50 || found->first == 51 || found->first == 60)
    warnings_.add(value_place(*line), "FITTYP",
                  fmt::format("version {} is not known, read as {}", line->value, version_name(version)));
  else if (from_format > 0 && from_format != version)
    warnings_.add(value_place(*line), "FITTYP",
                  fmt::format("version {} is taken, PROPERTY_FILE_FORMAT says otherwise", version_name(version)));
  spec_.model.FITTYP = version;
}

void TirReader::unknown(const Pair& pair) {
  if (tir_key_ignored(pair.line.name) || warnings_.full()) return;
  std::string near;
  if (++unknown_ <= kMostGuesses) {  // a file of garbage must not take its time
    std::vector<std::string> here, all;
    for (const TirKey& key : keys_) (key.block == pair.block ? here : all).emplace_back(key.name());
    near = nearest(pair.line.name, here);
    if (near.empty()) near = nearest(pair.line.name, all);
  }
  warnings_.add(key_place(pair.line), tir_shown(pair.line.name),
                "unknown key, not read" + (near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
}

// First the keys in their own block, then those that stand elsewhere.
void TirReader::assign_all() {
  std::vector<const Pair*> elsewhere;
  for (const Pair& pair : pairs_) {
    const auto found = index_.find(tir_alias(pair.line.name));
    if (found == index_.end())
      unknown(pair);
    else if (pair.block.empty() || keys_[found->second].block == pair.block)
      assign(pair.line, keys_[found->second]);
    else
      elsewhere.push_back(&pair);
  }
  for (const Pair* pair : elsewhere) {
    const TirKey& key = keys_[index_.find(tir_alias(pair->line.name))->second];
    const bool read = !given(key.name());
    warnings_.add(key_place(pair->line), std::string(key.name()),
                  fmt::format("stands in [{}] instead of [{}]{}", pair->block, key.block,
                              read ? "" : ", which has it too: not read here"));
    if (read) assign(pair->line, key);
  }
}

void TirReader::assign(const TirLine& line, const TirKey& key) {
  const std::string name(key.name());
  if (const TirLine* first = given(name)) {
    if (first->value == line.value)
      warnings_.add(key_place(line), name, fmt::format("given twice, first in line {}", first->line));
    else
      errors_.add(key_place(line), name,
                  fmt::format("given twice with different values, first in line {}", first->line));
    return;
  }
  if (key.field.kind != FieldRef::Kind::choice) {
    assign_number(line, key);
    return;
  }
  given_.emplace(name, line);
  std::string side = tir_upper(line.value);
  if (side == "SYMMETRICAL" || side == "BOTH" || side == "UNKNOWN" || side == "NONE") side = "SYMMETRIC";
  for (std::size_t i = 0; i < key.field.names.size(); ++i)
    if (side == tir_upper(key.field.names[i])) return key.field.set_choice(key.field.data, static_cast<int>(i));
  errors_.add(value_place(line), name,
              fmt::format("unknown value {}{}", tir_shown(line.value), suggestion(line.value, key.field.choices())));
}

// Files in mm and N without a PRESSURE unit: N/mm^2 is meant, unless that is absurd and pascal makes sense.
double TirReader::pressure_si(const TirLine& line, double value) {
  const double si = units_.scale("Pa").si(value);
  if (units_.has_pressure || si < 1e8 || value < 1e4 || value > 1e7) return si;
  warnings_.add(value_place(line), line.name,
                "no unit given for PRESSURE: taken as pascal, force per length squared would be absurd");
  return value;
}

void TirReader::assign_number(const TirLine& line, const TirKey& key) {
  const std::string name(key.name());
  const auto fail = [&](const std::string& what) { errors_.add(value_place(line), name, what); };
  given_.emplace(name, line);
  const auto number = parse_number(line.value);
  if (!number)
    return fail(line.value.empty() ? "has no value" : fmt::format("{} is not a number", tir_shown(line.value)));
  if (!std::isfinite(*number)) return fail(fmt::format("{} is not a finite number", tir_shown(line.value)));
  if (key.field.kind == FieldRef::Kind::integer) {
    if (*number != std::floor(*number) || std::abs(*number) > 1e9)
      return fail(fmt::format("{} is not a whole number", tir_shown(line.value)));
    key.field.integer() = static_cast<int>(*number);
    return;
  }
  const std::string_view unit = key.field.unit;
  const double value = unit == "Pa" ? pressure_si(line, *number) : units_.scale(unit).si(*number);
  if (name == "NOMPRES" && value == 0) {
    warnings_.add(value_place(line), name, "no pressure is given by 0");
    given_.erase(name);
    return;
  }
  if (!std::isfinite(value) || !key.field.range.holds(value))
    return fail(
        fmt::format("{} is out of range: {}", tir_shown(line.value), describe(key.field.range, key.field.unit)));
  key.field.number() = value;
}

void TirReader::settle_pressure() {
  TirOperating& p = spec_.operating;
  if (!given("NOMPRES") && given("INFLPRES") && p.INFLPRES > 0) p.NOMPRES = p.INFLPRES;
  if (given("NOMPRES") && !given("INFLPRES")) p.INFLPRES = p.NOMPRES;
  if (!given("NOMPRES") && p.INFLPRES == 0) p.INFLPRES = p.NOMPRES;
}

// Q_FZ1 = sqrt((Cz R0 / Fz0)^2 - 4 Q_FZ2) the other way round
void TirReader::settle_stiffness() {
  TirVertical& v = spec_.vertical;
  if (given("VERTICAL_STIFFNESS") || !given("Q_FZ1")) return;
  v.VERTICAL_STIFFNESS =
      v.FNOMIN / spec_.dimension.UNLOADED_RADIUS * std::sqrt(std::max(0.0, v.Q_FZ1 * v.Q_FZ1 + 4 * v.Q_FZ2));
}

void TirReader::check_missing() {
  std::map<std::string, std::string> needed, others;  // by block
  const auto note = [](std::string& list, const std::string& what) { list += (list.empty() ? "" : ", ") + what; };
  for (const TirKey& key : keys_) {
    if (given(key.name())) continue;
    if (key.needed && !(key.name() == "VERTICAL_STIFFNESS" && given("Q_FZ1")))
      note(needed[std::string(key.block)], std::string(key.name()));
    else if (!key.optional && key.in(spec_.model.FITTYP))
      note(others[std::string(key.block)], fmt::format("{} = {}", key.name(), key.field.number()));
  }
  const auto add = [&](Errors& list, const std::string& block, const std::string& what) {
    const auto at = blocks_.find(block);
    if (at == blocks_.end())
      list.add({file_, 0, 0}, "", fmt::format("no [{}] block; {}", block, what));
    else
      list.add(at->second, fmt::format("[{}]", block), what);
  };
  for (const auto& [block, list] : needed) add(errors_, block, "needed and not given: " + list);
  for (const auto& [block, list] : others) add(warnings_, block, "not given, taken: " + list);
}

void TirReader::check_ranges() {
  const TirRanges& r = spec_.ranges;
  const auto check = [&](const char* low, const char* high, bool good) {
    const TirLine* line = given(high) ? given(high) : given(low);
    if (!good && line) errors_.add(value_place(*line), high, fmt::format("must be above {}", low));
  };
  check("PRESMIN", "PRESMAX", r.PRESMIN < r.PRESMAX);
  check("FZMIN", "FZMAX", r.FZMIN < r.FZMAX);
  check("KPUMIN", "KPUMAX", r.KPUMIN < r.KPUMAX);
  check("ALPMIN", "ALPMAX", r.ALPMIN < r.ALPMAX);
  check("CAMMIN", "CAMMAX", r.CAMMIN < r.CAMMAX);
}

// Coefficients that are in the file but not in the formulae of its version.
void TirReader::check_version_keys() {
  std::string list;
  const TirLine* first = nullptr;
  for (const TirKey& key : keys_) {
    const TirLine* line = given(key.name());
    if (!line || key.in(spec_.model.FITTYP) || !key.block.ends_with("_COEFFICIENTS")) continue;
    const auto value = parse_number(line->value);
    if (!value || *value == (key.block == "SCALING_COEFFICIENTS" ? 1 : 0)) continue;
    list += (list.empty() ? "" : ", ") + std::string(key.name());
    if (!first) first = line;
  }
  if (first)
    warnings_.add(key_place(*first), "",
                  fmt::format("not part of version {}: {}", version_name(spec_.model.FITTYP), list));
}

std::optional<TirSpec> TirReader::read(std::string_view text) {
  const std::size_t before = errors_.size();
  if (text.size() > kMaxBytes) {
    errors_.add({file_, 0, 0}, "", "larger than 1 MB");
    return std::nullopt;
  }
  collect(split_tir(text));
  if (refused()) return std::nullopt;
  read_units();
  assign_all();
  read_version();
  settle_pressure();
  settle_stiffness();
  check_missing();
  check_ranges();
  check_version_keys();
  if (errors_.size() != before || errors_.full()) return std::nullopt;
  return spec_;
}

}  // namespace

std::optional<TirSpec> read_tir(std::string_view text, const std::string& file, Errors& errors, Warnings& warnings) {
  return TirReader(file, errors, warnings).read(text);
}

std::optional<TirSpec> read_tir_file(const std::string& path, Errors& errors, Warnings& warnings, const Place* from) {
  const auto text = read_text(path, errors, from);
  return text ? read_tir(*text, path, errors, warnings) : std::nullopt;
}

}  // namespace vdsim
