// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/crg_read.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "vdsim/formats/crg_reader.hpp"
#include "vdsim/formats/files.hpp"
#include "vdsim/formats/number.hpp"
#include "vdsim/formats/table_read.hpp"

namespace vdsim {
namespace crg_reader {

constexpr int kMostReferences = 8;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}
namespace {
bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\0' || c == '\x1a'; }
}  // namespace
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}
std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 40 ? out + "..." : out;
}

std::optional<double> leading_number(std::string_view text, std::string_view& rest) {
  std::string copy(text.substr(0, 60));
  for (char& c : copy)
    if (c == 'D' || c == 'd') c = 'e';
  const std::size_t sign = !copy.empty() && copy[0] == '+' && copy.size() > 1 && copy[1] != '-' ? 1 : 0;
  double value = 0;
  const auto [end, error] = number_from(copy.data() + sign, copy.data() + copy.size(), value);
  if (error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) value = std::numeric_limits<double>::infinity();
  rest = trimmed(text.substr(static_cast<std::size_t>(end - copy.data())));
  return value;
}

// ------------------------------------------------------------------------------------------------ header

std::string_view take_line(std::string_view text, std::size_t& at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string_view line = text.substr(at, end - at);
  at = std::min(end + 1, text.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool CrgReader::read(std::string_view text, const std::string& file, int depth) {
  if (depth == 0) out_.name = file;
  std::size_t at = 0;
  const Block before = std::exchange(block_, Block::none);
  const bool found = header(text, at, file, depth);
  if (found && ready()) {
    const int line =
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    data(text.substr(at), file, line);
  }
  block_ = before;
  return found;
}

// True at the line $$$$, with `at` behind it.
bool CrgReader::header(std::string_view text, std::size_t& at, const std::string& file, int depth) {
  Place place{file, 0, 1};
  while (at < text.size()) {
    const std::string_view line = take_line(text, at);
    ++place.line;
    if (line.starts_with("$$$$")) {
      if (block_ != Block::none)
        errors_.add(place, "", fmt::format("block {} must end with a line '$' before the data", opened_));
      return errors_.empty();
    }
    if (line.starts_with('$')) {
      const bool ends = line.size() == 1 || line[1] == ' ' || line[1] == '!' || line[1] == '\t' || line[1] == '*';
      if (!ends && block_ != Block::none)
        errors_.add(place, "", fmt::format("block {} must end with a line '$' before the next one", opened_));
      if (block_ == Block::reference) refer(place, file, depth);
      block_ = Block::none;
      if (!ends) open_block(line, place, depth);
      continue;
    }
    if (block_ == Block::comment) {
      if (depth == 0 || out_.comment.empty()) out_.comment.emplace_back(line);
      continue;
    }
    const std::string_view content = trimmed(line.substr(0, line.find('!')));
    if (!content.empty() && content[0] != '*') block_line(content, place);
    if (errors_.full()) return false;
  }
  if (block_ == Block::reference) refer(place, file, depth);
  return false;
}

void CrgReader::open_block(std::string_view line, const Place& place, int depth) {
  static const std::map<std::string, Block> known{{"$ct", Block::comment},
                                                  {"$road_crg", Block::road},
                                                  {"$road_crg_opts", Block::options},
                                                  {"$road_crg_mods", Block::modifiers},
                                                  {"$road_crg_file", Block::reference},
                                                  {"$kd_definition", Block::definition},
                                                  {"$road_crg_mpro", Block::skipped}};
  const std::string_view name = line.substr(0, line.find_first_of(" \t!"));
  const auto found = known.find(lower(name));
  opened_ = shown(name);
  active_ = true;
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const auto& each : known) names.push_back(each.first);
    warn(place, "", fmt::format("block {} is not known and not read{}", opened_, suggestion(lower(name), names)));
    block_ = Block::skipped;
    return;
  }
  block_ = found->second;
  if (block_ == Block::options) {
    active_ = options_depth_ < 0 || depth <= options_depth_;
    if (active_) out_.options = {}, out_.has_options = true, options_depth_ = depth;
  } else if (block_ == Block::modifiers) {
    active_ = modifiers_depth_ < 0 || depth <= modifiers_depth_;
    if (active_) out_.modifiers = {}, out_.has_modifiers = true, modifiers_depth_ = depth;
  }
}

void CrgReader::block_line(std::string_view line, const Place& place) {
  switch (block_) {
    case Block::road: assign(out_.road, crg_parameter_keys(), line, place); break;
    case Block::options:
      if (active_) assign(out_.options, crg_option_keys(), line, place);
      break;
    case Block::modifiers:
      if (active_) assign(out_.modifiers, crg_modifier_keys(), line, place);
      break;
    case Block::reference: reference_ += line; break;
    case Block::definition: definition(line, place); break;
    case Block::none:
      warn(place, "", fmt::format("'{}' stands outside of every block and is not read", shown(line)));
      break;
    case Block::comment:
    case Block::skipped: break;
  }
}

std::optional<double> CrgReader::value_of(const std::string& key, std::string_view text, const Place& place) {
  std::string_view rest;
  const auto value = leading_number(text, rest);
  if (!value || !std::isfinite(*value)) {
    errors_.add(place, key, fmt::format("expected a finite number, not '{}'", shown(text)));
    return std::nullopt;
  }
  if (!rest.empty()) warn(place, key, fmt::format("'{}' is read as {}", shown(text), *value));
  return value;
}

// Options that steer other programs.
static bool passive_option(const std::string& key) {
  static const char* const names[] = {"refline_search_far", "refline_search_close",
                                      "refline_search_u",   "refline_search_ufrac",
                                      "check_eps",          "check_inc",
                                      "check_tol",          "check_pro",
                                      "check_wgs",          "warn_msgs",
                                      "warn_curv_local",    "warn_curv_global",
                                      "log_msgs",           "log_eval",
                                      "log_eval_freq",      "log_hist",
                                      "log_hist_freq",      "log_stat",
                                      "log_stat_freq"};
  return std::find(std::begin(names), std::end(names), key) != std::end(names);
}

template <class S>
void CrgReader::assign(S& into, const std::vector<CrgKey<S>>& keys, std::string_view line, const Place& place) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) {
    errors_.add(place, "", fmt::format("expected KEY = value, not '{}'", shown(line)));
    return;
  }
  const std::string key = lower(trimmed(line.substr(0, equals)));
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const CrgKey<S>& k) { return key == k.name; });
  const bool passive = std::is_same_v<S, CrgOptions> && passive_option(key);
  if (found == keys.end() && !passive) {
    std::vector<std::string> names;
    for (const CrgKey<S>& k : keys) names.emplace_back(k.name);
    warn(place, shown(key), fmt::format("is not known and not read{}", suggestion(key.substr(0, 60), names)));
    return;
  }
  const auto value = value_of(key, trimmed(line.substr(equals + 1)), place);
  if (!value) return;
  if constexpr (std::is_same_v<S, CrgOptions>) {
    if (passive) {
      std::erase_if(into.others, [&](const auto& each) { return each.first == key; });
      into.others.emplace_back(key, *value);
      return;
    }
  }
  if (listed(key) && place_of(key).file == place.file && into.*(found->member) != *value)
    warn(place, key, fmt::format("given before as {}; the last one counts", into.*(found->member)));
  into.*(found->member) = *value;
  places_[key] = place;
}

// The file named in $ROAD_CRG_FILE. $NAME stands for an environment variable.
void CrgReader::refer(const Place& place, const std::string& file, int depth) {
  std::string name;
  for (std::size_t i = 0; i < reference_.size();) {
    if (reference_[i] != '$') {
      name += reference_[i++];
      continue;
    }
    const std::size_t end = std::min(reference_.find('/', i), reference_.size());
    const std::string variable = reference_.substr(i + 1, end - i - 1);
    const char* value = std::getenv(variable.c_str());
    if (!value) errors_.add(place, "", fmt::format("environment variable '{}' is not set", shown(variable)));
    name += value ? value : "";
    i = end;
  }
  reference_.clear();
  if (name.empty()) {
    errors_.add(place, "", "$ROAD_CRG_FILE names no file");
    return;
  }
  if (depth >= kMostReferences) {
    errors_.add(place, "",
                fmt::format("more than {} references in a row; does a file refer to itself?", kMostReferences));
    return;
  }
  const std::string beside = join_paths(parent_folder(file), name);
  const std::string path = is_file(beside) ? beside : name;
  if (!is_file(path)) {
    errors_.add(place, "",
                fmt::format("refers to '{}', which is neither beside this file nor in the working folder",
                            shown(name.size() > 40 ? "..." + name.substr(name.size() - 37) : name)));
    return;
  }
  const auto text = read_data(path, place, errors_);
  if (text) read(*text, path, depth + 1);
}

}  // namespace crg_reader

const std::vector<CrgKey<CrgParameters>>& crg_parameter_keys() {
  using P = CrgParameters;
  static const std::vector<CrgKey<P>> keys{
      {"reference_line_start_u", &P::start_u},     {"reference_line_end_u", &P::end_u},
      {"reference_line_increment", &P::increment}, {"reference_line_start_x", &P::start_x},
      {"reference_line_start_y", &P::start_y},     {"reference_line_start_z", &P::start_z},
      {"reference_line_start_phi", &P::start_phi}, {"reference_line_start_s", &P::start_s},
      {"reference_line_start_b", &P::start_b},     {"reference_line_end_x", &P::end_x},
      {"reference_line_end_y", &P::end_y},         {"reference_line_end_z", &P::end_z},
      {"reference_line_end_phi", &P::end_phi},     {"reference_line_end_s", &P::end_s},
      {"reference_line_end_b", &P::end_b},         {"long_section_v_right", &P::v_right},
      {"long_section_v_left", &P::v_left},         {"long_section_v_increment", &P::v_increment},
      {"reference_line_offset_x", &P::offset_x},   {"reference_line_offset_y", &P::offset_y},
      {"reference_line_offset_z", &P::offset_z},   {"reference_line_offset_phi", &P::offset_phi},
      {"reference_line_start_lon", &P::start_lon}, {"reference_line_start_lat", &P::start_lat},
      {"reference_line_start_alt", &P::start_alt}, {"reference_line_end_lon", &P::end_lon},
      {"reference_line_end_lat", &P::end_lat},     {"reference_line_end_alt", &P::end_alt}};
  return keys;
}

const std::vector<CrgKey<CrgOptions>>& crg_option_keys() {
  using O = CrgOptions;
  static const std::vector<CrgKey<O>> keys{{"border_mode_u", &O::border_mode_u},
                                           {"border_mode_v", &O::border_mode_v},
                                           {"border_offset_u", &O::border_offset_u},
                                           {"border_offset_v", &O::border_offset_v},
                                           {"border_smooth_ubeg", &O::border_smooth_ubeg},
                                           {"border_smooth_uend", &O::border_smooth_uend},
                                           {"refline_continuation", &O::refline_continuation}};
  return keys;
}

const std::vector<CrgKey<CrgModifiers>>& crg_modifier_keys() {
  using M = CrgModifiers;
  static const std::vector<CrgKey<M>> keys{{"scale_z_grid", &M::scale_z_grid},
                                           {"scale_slope", &M::scale_slope},
                                           {"scale_banking", &M::scale_banking},
                                           {"scale_length", &M::scale_length},
                                           {"scale_width", &M::scale_width},
                                           {"scale_curvature", &M::scale_curvature},
                                           {"grid_nan_mode", &M::grid_nan_mode},
                                           {"grid_nan_offset", &M::grid_nan_offset},
                                           {"refline_rotcenter_x", &M::refline_rotcenter_x},
                                           {"refline_rotcenter_y", &M::refline_rotcenter_y},
                                           {"refline_offset_phi", &M::refline_offset_phi},
                                           {"refline_offset_x", &M::refline_offset_x},
                                           {"refline_offset_y", &M::refline_offset_y},
                                           {"refline_offset_z", &M::refline_offset_z},
                                           {"refpoint_u", &M::refpoint_u},
                                           {"refpoint_u_fraction", &M::refpoint_u_fraction},
                                           {"refpoint_u_offset", &M::refpoint_u_offset},
                                           {"refpoint_v", &M::refpoint_v},
                                           {"refpoint_v_fraction", &M::refpoint_v_fraction},
                                           {"refpoint_v_offset", &M::refpoint_v_offset},
                                           {"refpoint_x", &M::refpoint_x},
                                           {"refpoint_y", &M::refpoint_y},
                                           {"refpoint_z", &M::refpoint_z},
                                           {"refpoint_phi", &M::refpoint_phi}};
  return keys;
}

std::string crg_format_name(CrgFormat f) {
  return fmt::format("{}{}{}I", f.binary ? 'K' : 'L', f.real ? 'R' : 'D', f.binary ? 'B' : 'F');
}

std::optional<CrgFile> read_crg(std::string_view text, const std::string& file, Errors& errors, Warnings& warnings) {
  Errors own;
  crg_reader::CrgReader reader(own, warnings);
  reader.read(text, file, 0);
  auto out = reader.finish();
  for (const InputError& each : own.list()) errors.add(each.place, each.path, each.what);
  return out;
}

std::optional<CrgFile> read_crg_file(const std::string& path, Errors& errors, Warnings& warnings, const Place* from) {
  const auto text = read_data(path, from ? *from : Place{path, 0, 0}, errors);
  return text ? read_crg(*text, path, errors, warnings) : std::nullopt;
}

}  // namespace vdsim
