// SPDX-License-Identifier: Apache-2.0
// OpenCRG files (.crg): what stands in them, and reading. docs/OPENCRG.md
#pragma once
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vdsim/core/road/crg_data.hpp"
#include "vdsim/engine/errors.hpp"

namespace vdsim {

using Warnings = Errors;  // same places and limits; the caller prints them and goes on

inline constexpr double kCrgUnset = std::numeric_limits<double>::quiet_NaN();  // not in the file
inline bool crg_set(double value) { return value == value; }

// $ROAD_CRG [m], [rad], [-]
struct CrgParameters {
  double start_u = kCrgUnset, end_u = kCrgUnset, increment = kCrgUnset;
  double v_right = kCrgUnset, v_left = kCrgUnset, v_increment = kCrgUnset;
  double start_x = kCrgUnset, start_y = kCrgUnset, start_z = kCrgUnset, start_phi = kCrgUnset;
  double end_x = kCrgUnset, end_y = kCrgUnset, end_z = kCrgUnset, end_phi = kCrgUnset;
  double start_s = kCrgUnset, end_s = kCrgUnset, start_b = kCrgUnset, end_b = kCrgUnset;  // slope, banking
  // kept and written again, not used
  double offset_x = kCrgUnset, offset_y = kCrgUnset, offset_z = kCrgUnset, offset_phi = kCrgUnset;
  double start_lon = kCrgUnset, start_lat = kCrgUnset, start_alt = kCrgUnset;
  double end_lon = kCrgUnset, end_lat = kCrgUnset, end_alt = kCrgUnset;
};

// $ROAD_CRG_OPTS: how the data are evaluated
struct CrgOptions {
  double border_mode_u = 2, border_mode_v = 2;  // 0 none, 1 zero, 2 keep, 3 repeat, 4 reflect
  double border_offset_u = 0, border_offset_v = 0, border_smooth_ubeg = 0, border_smooth_uend = 0;  // [m]
  double refline_continuation = 0;                                                                  // 1: closed track
  std::vector<std::pair<std::string, double>> others;  // for programs of other makers; kept and written again
};

// $ROAD_CRG_MODS: how the data are changed after reading. Unset: not done.
struct CrgModifiers {
  double scale_z_grid = kCrgUnset, scale_slope = kCrgUnset, scale_banking = kCrgUnset;
  double scale_length = kCrgUnset, scale_width = kCrgUnset, scale_curvature = kCrgUnset;
  double grid_nan_mode = kCrgUnset, grid_nan_offset = kCrgUnset;  // 0 keep, 1 zero, 2 last value beside
  double refline_rotcenter_x = kCrgUnset, refline_rotcenter_y = kCrgUnset, refline_offset_phi = kCrgUnset;
  double refline_offset_x = kCrgUnset, refline_offset_y = kCrgUnset, refline_offset_z = kCrgUnset;
  double refpoint_u = kCrgUnset, refpoint_u_fraction = kCrgUnset, refpoint_u_offset = kCrgUnset;
  double refpoint_v = kCrgUnset, refpoint_v_fraction = kCrgUnset, refpoint_v_offset = kCrgUnset;
  double refpoint_x = kCrgUnset, refpoint_y = kCrgUnset, refpoint_z = kCrgUnset, refpoint_phi = kCrgUnset;
};

template <class S> struct CrgKey {
  const char* name;  // small letters; files use any
  double S::*member;
};
const std::vector<CrgKey<CrgParameters>>& crg_parameter_keys();
const std::vector<CrgKey<CrgOptions>>& crg_option_keys();
const std::vector<CrgKey<CrgModifiers>>& crg_modifier_keys();

// real: 4-byte numbers or 10 characters each; otherwise 8 bytes or 20 characters
struct CrgFormat {
  bool binary = true, real = true;
};
std::string crg_format_name(CrgFormat);  // LRFI, LDFI, KRBI, KDBI

struct CrgFile {
  std::string name;
  std::vector<std::string> comment;  // lines of $CT
  CrgFormat format;
  CrgParameters road;
  CrgOptions options;
  CrgModifiers modifiers;
  bool has_options = false, has_modifiers = false;  // the block is there, if only empty
  // columns along the reference line, empty if absent
  std::vector<double> x, y, z, phi, slope, bank;
  bool v_listed = false;       // positions are in the file; otherwise from v_right and v_increment
  std::vector<double> v;       // cuts from right to left [m]
  std::vector<float> grid32;   // [rows * cuts], cuts fastest [m]; the real formats
  std::vector<double> grid64;  // the double formats
  std::size_t rows = 0;

  double grid(std::size_t k) const { return grid32.empty() ? grid64[k] : double(grid32[k]); }
};

// Nothing is returned after an error. `file` names the text in messages; references are looked up in its folder, then
// in the working folder.
std::optional<CrgFile> read_crg(std::string_view text, const std::string& file, Errors&, Warnings&);
std::optional<CrgFile> read_crg_file(const std::string& path, Errors&, Warnings&, const Place* from = nullptr);

}  // namespace vdsim
