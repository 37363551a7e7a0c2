// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/tir_keys.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>

namespace vdsim {
namespace {

using Names = std::set<std::string, std::less<>>;
using Pairs = std::map<std::string, std::string, std::less<>>;

// "A B C"
Names words(std::string_view text) {
  Names out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.emplace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}
// "A=B C=D"
Pairs pairs(const char* text) {
  Pairs out;
  for (const std::string& word : words(text)) {
    const std::size_t equals = word.find('=');
    out.emplace(word.substr(0, equals), word.substr(equals + 1));
  }
  return out;
}

// block of the file for a member of TirSpec
const Pairs kBlockOfMember = pairs(
    "model=MODEL dimension=DIMENSION operating=OPERATING_CONDITIONS inertia=INERTIA vertical=VERTICAL "
    "structural=STRUCTURAL contact_patch=CONTACT_PATCH scaling=SCALING_COEFFICIENTS "
    "longitudinal=LONGITUDINAL_COEFFICIENTS overturning=OVERTURNING_COEFFICIENTS lateral=LATERAL_COEFFICIENTS "
    "rolling=ROLLING_COEFFICIENTS aligning=ALIGNING_COEFFICIENTS turnslip=TURNSLIP_COEFFICIENTS");

std::string_view range_block(std::string_view key) {
  if (key.starts_with("PRES")) return "INFLATION_PRESSURE_RANGE";
  if (key.starts_with("FZ")) return "VERTICAL_FORCE_RANGE";
  if (key.starts_with("KPU")) return "LONG_SLIP_RANGE";
  if (key.starts_with("ALP")) return "SLIP_ANGLE_RANGE";
  return "INCLINATION_ANGLE_RANGE";
}

const Names kOnly52 = words("LGAX LGAY LGAZ LSGKP LSGAL LGYR LCZ PTX1 PTX2 PTX3 PTY1 PTY2 PHY3 QTZ1 MBELT Q_A1 Q_A2");
const Names kFrom61 = words(
    "INFLPRES NOMPRES PRESMIN PRESMAX Q_RE0 Q_V1 Q_V2 Q_FZ1 Q_FZ2 Q_FZ3 Q_FCX Q_FCY Q_CAM PFZ1 LKYC LKZC LMP LMUV "
    "PPX1 PPX2 PPX3 PPX4 RBX3 QSX4 QSX5 QSX6 QSX7 QSX8 QSX9 QSX10 QSX11 QSX12 QSX13 QSX14 PPMX1 PEY5 PKY4 PKY5 "
    "PKY6 PKY7 PPY1 PPY2 PPY3 PPY4 PPY5 RBY4 QSY5 QSY6 QSY7 QSY8 QBZ6 QDZ10 QDZ11 PPZ1 PPZ2");
const Names kFrom61Blocks = words("STRUCTURAL CONTACT_PATCH TURNSLIP_COEFFICIENTS");
const Names kOnly62 = words("Q_FCY2 Q_CAM1 Q_CAM2 Q_CAM3 Q_FYS1 Q_FYS2 Q_FYS3 ENV_C1 ENV_C2");

const Names kNeeded = words("UNLOADED_RADIUS FNOMIN VERTICAL_STIFFNESS PCX1 PDX1 PKX1 PCY1 PDY1 PKY1 PKY2");
const Names kOptionalBlocks = words("INERTIA TURNSLIP_COEFFICIENTS SCALING_COEFFICIENTS");
const Names kOptional = words(
    "TYRESIDE USE_MODE ROAD_INCREMENT HMAX_LOCAL TIME_SWITCH_INTEG FITTYP ROAD_DIRECTION N_TIRE_STATES "
    "USER_SUB_ID WIDTH RIM_RADIUS RIM_WIDTH ASPECT_RATIO VERTICAL_DAMPING MC_CONTOUR_A MC_CONTOUR_B Q_FZ1 Q_FZ3 "
    "Q_CAM Q_CAM1 Q_CAM2 Q_CAM3 Q_FYS1 Q_FYS2 Q_FYS3 Q_FCY2 BOTTOM_OFFST BOTTOM_STIFF FREQ_LONG FREQ_LAT FREQ_YAW "
    "FREQ_WINDUP DAMP_LONG DAMP_LAT DAMP_YAW DAMP_WINDUP DAMP_RESIDUAL DAMP_VLOW Q_BVX Q_BVT YAW_STIFFNESS PCMZ1 "
    "Q_A1 Q_A2 ELLIPS_SHIFT ELLIPS_LENGTH ELLIPS_HEIGHT ELLIPS_ORDER ELLIPS_MAX_STEP ELLIPS_NWIDTH ELLIPS_NLENGTH "
    "ENV_C1 ENV_C2 QBZ6 QTZ1 MBELT QSX12 QSX13 QSX14 QSY5 QSY6");

const Pairs kAlias = pairs(
    "LFZ0=LFZO IP=INFLPRES IP_NOM=NOMPRES INFLATION_PRESSURE=INFLPRES QV1=Q_V1 QV2=Q_V2 QRE0=Q_RE0 QFZ1=Q_FZ1 "
    "QFZ2=Q_FZ2 QFZ3=Q_FZ3 QFCX=Q_FCX QFCX1=Q_FCX Q_FCX1=Q_FCX QFCY=Q_FCY QFCY1=Q_FCY Q_FCY1=Q_FCY QFCY2=Q_FCY2 "
    "QCAM=Q_CAM QCAM1=Q_CAM1 QCAM2=Q_CAM2 QCAM3=Q_CAM3 QPFZ1=PFZ1 QPX1=PPMX1 QPZ1=PPZ1 QRA1=Q_RA1 QRA2=Q_RA2 "
    "QRB1=Q_RB1 QRB2=Q_RB2 QA1=Q_A1 QA2=Q_A2 QBVX=Q_BVX QBVT=Q_BVT LKC=LKYC LKYG=LKYC LKZG=LKZC LKXK=LKX LKYA=LKY "
    "LXA=LXAL LYK=LYKA LVYK=LVYKA LMR=LRES LT=LTR LMPHI=LMP TYRE_SIDE=TYRESIDE TIRESIDE=TYRESIDE "
    "TIRE_SIDE=TYRESIDE FNOM=FNOMIN FZNOM=FNOMIN FZ0=FNOMIN R0=UNLOADED_RADIUS LONGVEL=LONGVL V0=LONGVL "
    "BOTTOM_OFFSET=BOTTOM_OFFST");

const Pairs kBlockAlias = pairs(
    "UNIT=UNITS HEADER=MDI_HEADER DIMENSIONS=DIMENSION OPERATING_CONDITION=OPERATING_CONDITIONS "
    "TIRE_CONDITIONS=OPERATING_CONDITIONS TYRE_CONDITIONS=OPERATING_CONDITIONS "
    "INFLATION_PRESSURE=OPERATING_CONDITIONS PARAMETER=VERTICAL VERTICAL_COEFFICIENTS=VERTICAL "
    "PRESSURE_RANGE=INFLATION_PRESSURE_RANGE LOAD_RANGE=VERTICAL_FORCE_RANGE "
    "CAMBER_ANGLE_RANGE=INCLINATION_ANGLE_RANGE SCALING=SCALING_COEFFICIENTS SCALING_FACTORS=SCALING_COEFFICIENTS "
    "LONGITUDINAL=LONGITUDINAL_COEFFICIENTS OVERTURNING=OVERTURNING_COEFFICIENTS LATERAL=LATERAL_COEFFICIENTS "
    "ROLLING=ROLLING_COEFFICIENTS ROLLING_RESISTANCE=ROLLING_COEFFICIENTS ALIGNING=ALIGNING_COEFFICIENTS "
    "TURNSLIP=TURNSLIP_COEFFICIENTS TURN_SLIP_COEFFICIENTS=TURNSLIP_COEFFICIENTS");

// What host programs keep in these blocks.
const Names kIgnoredKeys = words(
    "FILE_TYPE FILE_VERSION FILE_FORMAT FUNCTION_NAME BELT_DYNAMICS CONTACT_MODEL FE_METHOD LOCAL_SOLVER TYPE "
    "LOCAL_SOLVER_HP MFSAFE1 MFSAFE2 MFSAFE3 SWITCH_INTEG TIRE_VERSION COMMENT COMMENTS MODEL_TYPE USER_MODEL "
    "PROPERTY_FILE_FORMAT");
const Names kIgnoredBlocks = words("MDI_HEADER SHAPE BOTTOMING_CURVE");

}  // namespace

std::string tir_upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

namespace {

std::vector<TirKey> all_keys(TirSpec& spec) {
  std::vector<TirKey> out;
  for (const FieldRef& member : fields_of(spec)) {
    if (member.kind != FieldRef::Kind::block) continue;  // `mirrored` is no key
    const auto block = kBlockOfMember.find(member.name);
    for (const FieldRef& field : member.block()) {
      TirKey key{block == kBlockOfMember.end() ? range_block(field.name) : std::string_view(block->second), field};
      const bool only62 = kOnly62.contains(field.name);
      key.in52 = !only62 && !kFrom61.contains(field.name) && !kFrom61Blocks.contains(key.block);
      key.in61 = !only62;
      if (kOnly52.contains(field.name)) {
        key.in52 = true;
        key.in61 = key.in62 = false;
      }
      key.needed = kNeeded.contains(field.name);
      key.optional = kOptional.contains(field.name) || kOptionalBlocks.contains(key.block);
      out.push_back(key);
    }
  }
  return out;
}

}  // namespace

std::vector<TirKey> tir_keys(TirSpec& spec) {
  static TirSpec pattern;
  static const std::vector<TirKey> keys = all_keys(pattern);
  std::vector<TirKey> out = keys;
  for (TirKey& key : out)
    key.field.data = reinterpret_cast<char*>(&spec) +
                     (static_cast<const char*>(key.field.data) - reinterpret_cast<const char*>(&pattern));
  return out;
}

std::string tir_alias(const std::string& key) {
  const auto found = kAlias.find(key);
  return found == kAlias.end() ? key : found->second;
}

const std::vector<std::string>& tir_block_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out{"UNITS"};
    TirSpec spec;
    for (const TirKey& key : tir_keys(spec))
      if (out.back() != key.block) out.emplace_back(key.block);
    return out;
  }();
  return names;
}

std::string tir_block(const std::string& name) {
  const auto found = kBlockAlias.find(name);
  if (found != kBlockAlias.end()) return found->second;
  const auto& names = tir_block_names();
  return std::find(names.begin(), names.end(), name) == names.end() ? "" : name;
}

bool tir_key_ignored(const std::string& key) { return kIgnoredKeys.contains(key); }
bool tir_block_ignored(const std::string& block) { return kIgnoredBlocks.contains(block); }

}  // namespace vdsim
