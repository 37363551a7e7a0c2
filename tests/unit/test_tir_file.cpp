// SPDX-License-Identifier: Apache-2.0
// .tir files: what is found in the wild is read, every fault has its place, and a written file reads back to the bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "tests/reference_data.hpp"
#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/formats/tir.hpp"
#include "vdsim/formats/tir_keys.hpp"
#include "vdsim/formats/tir_lex.hpp"

namespace vdsim {
namespace {

struct Result {
  std::optional<TirSpec> spec;
  std::vector<std::string> errors, warnings;
};
Result read(const std::string& text) {
  Errors errors;
  Warnings warnings;
  Result out{read_tir(text, "my.tir", errors, warnings), errors.lines(), warnings.lines()};
  EXPECT_EQ(out.spec.has_value(), errors.empty());  // never half a tire
  return out;
}

bool contains(const std::vector<std::string>& lines, const std::string& wanted) {
  for (const std::string& line : lines)
    if (line.find(wanted) != std::string::npos) return true;
  return false;
}
#define EXPECT_LINE(lines, wanted) \
  EXPECT_TRUE(contains(lines, wanted)) << wanted << "\n" << testing::PrintToString(lines)

const std::string kUnits = "[UNITS]\nLENGTH='m'\nFORCE='N'\nANGLE='rad'\nMASS='kg'\nTIME='s'\n";
const std::string kModel = "[MODEL]\nFITTYP=61\n";
const std::string kBody =
    "[DIMENSION]\nUNLOADED_RADIUS = 0.3\n[VERTICAL]\nFNOMIN = 4000\nVERTICAL_STIFFNESS = 200000\n"
    "[LONGITUDINAL_COEFFICIENTS]\nPCX1 = 1.6\nPDX1 = 1\nPKX1 = 20\n"
    "[LATERAL_COEFFICIENTS]\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -15\nPKY2 = 2\n";
const std::string kSmall = kUnits + kModel + kBody;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::vector<std::string> shipped_files() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(VDSIM_SOURCE_DIR "/configs/tir"))
    if (entry.path().extension() == ".tir") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  EXPECT_GE(out.size(), 4u);
  return out;
}
// Files of other programs, where a larger set of reference data is at hand.
std::vector<std::string> foreign_files() {
  std::vector<std::string> out;
  for (const auto& folder : reference_folders("mf_tyre"))
    if (std::filesystem::is_directory(folder / "tir"))
      for (const auto& path : files_ending(folder / "tir", ".tir")) out.push_back(path);
  std::sort(out.begin(), out.end());
  return out;
}
TirSpec load(const std::string& path) {
  Errors errors;
  Warnings warnings;
  const auto spec = read_tir_file(path, errors, warnings);
  EXPECT_TRUE(spec) << path << testing::PrintToString(errors.lines());
  EXPECT_TRUE(warnings.empty()) << path << testing::PrintToString(warnings.lines());
  return spec.value_or(TirSpec{});
}
TirSpec shipped(const std::string& name) { return load(VDSIM_SOURCE_DIR "/configs/tir/" + name); }

bool same_bits(TirSpec a, TirSpec b) {
  const auto ka = tir_keys(a), kb = tir_keys(b);
  for (std::size_t i = 0; i < ka.size(); ++i)
    if (ka[i].field.kind == FieldRef::Kind::number &&
        std::memcmp(ka[i].field.data, kb[i].field.data, sizeof(double)) != 0) {
      ADD_FAILURE() << ka[i].name() << ": " << ka[i].field.number() << " became " << kb[i].field.number();
      return false;
    }
  return a == b;
}

// Any valid spec: every number random over many magnitudes, some -0, some denormal.
TirSpec random_spec(std::mt19937_64& rng, int version) {
  std::uniform_real_distribution<double> u(-1, 1);
  TirSpec s;
  s.model.FITTYP = version;
  s.model.TYRESIDE = static_cast<TireSide>(rng() % 3);
  s.model.USE_MODE = static_cast<int>(rng() % 200) - 100;
  for (const TirKey& key : tir_keys(s)) {
    if (key.field.kind != FieldRef::Kind::number) continue;
    const int kind = static_cast<int>(rng() % 20);
    double x = u(rng) * std::pow(10.0, 6 * u(rng));
    if (kind == 0) x = -0.0;
    if (kind == 1) x = 5e-324;
    if (kind == 2) continue;  // the default
    if (std::isfinite(key.field.range.lo)) x = std::abs(x) + 1e-9;
    key.field.number() = x;
  }
  TirRanges& r = s.ranges;
  for (auto [lo, hi] : {std::pair{&r.PRESMIN, &r.PRESMAX},
                        {&r.FZMIN, &r.FZMAX},
                        {&r.KPUMIN, &r.KPUMAX},
                        {&r.ALPMIN, &r.ALPMAX},
                        {&r.CAMMIN, &r.CAMMAX}}) {
    if (*lo > *hi) std::swap(*lo, *hi);
    if (*lo == *hi) *hi += 1;
  }
  return s;
}

TEST(TirFile, WrittenFilesReadBackToTheBit) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 300; ++i) {
    const TirSpec spec = random_spec(rng, std::array{52, 61, 62}[i % 3]);
    const Result back = read(tir_text(spec, "a title with\na line break"));
    ASSERT_TRUE(back.spec) << testing::PrintToString(back.errors);
    ASSERT_TRUE(same_bits(*back.spec, spec));
  }
}

TEST(TirFile, FilesSurviveReadWriteRead) {
  std::vector<std::string> files = shipped_files();
  for (const std::string& path : foreign_files()) files.push_back(path);
  for (const std::string& path : files) {
    const TirSpec spec = load(path);
    const Result back = read(tir_text(spec));
    ASSERT_TRUE(back.spec) << path << testing::PrintToString(back.errors);
    EXPECT_TRUE(same_bits(*back.spec, spec)) << path;
    EXPECT_TRUE(back.warnings.empty()) << path << testing::PrintToString(back.warnings);
  }
}

TEST(TirFile, BookNumbers) {
  const TirSpec s = shipped("book_205_60R15.tir");
  EXPECT_EQ(s.model.FITTYP, 61);
  EXPECT_EQ(s.dimension.UNLOADED_RADIUS, 0.3135);
  EXPECT_EQ(s.vertical.FNOMIN, 4000);
  EXPECT_EQ(s.operating.NOMPRES, 220000);
  EXPECT_EQ(s.longitudinal.PKX1, 16);
  EXPECT_EQ(s.lateral.PKY1, -15);
  EXPECT_EQ(s.lateral.PKY6, -1);
  EXPECT_EQ(s.aligning.QDZ1, 0.12);
  EXPECT_EQ(s.turnslip.PHYP4, -4);
}

TEST(TirFile, CommentsQuotesLineEndsAndNumbers) {
  std::string text =
      "\xEF\xBB\xBF! TIRE_VERSION : MF61\n$----units\n[UNITS]\t$ SI\nLENGTH\t=\t'meter' ! it's\nFORCE = \"newton\"\n"
      "ANGLE = 'RADIANS'\nMASS = 'kg'\nTIME = 'Sec'\n" +
      kModel + "TYRESIDE = 'Right' $ not 'LEFT'\n" + kBody;
  text = replaced(text, "PCX1 = 1.6", "  pcx1=+1.6D+0$shape' factor");
  text = replaced(text, "PDX1 = 1\n", "PDX1 = .95!friction = 2\n");
  text = replaced(text, "PKX1 = 20", "PKX1 = 2.d1");
  text = replaced(text, "PKY1 = -15", "PKY1 = '-15.'");
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    std::string other;
    for (const char c : text) other += c == '\n' ? end : std::string(1, c);
    const Result r = read(other);
    ASSERT_TRUE(r.spec) << testing::PrintToString(r.errors);
    EXPECT_EQ(r.spec->model.TYRESIDE, TireSide::right);
    EXPECT_EQ(r.spec->longitudinal.PCX1, 1.6);
    EXPECT_EQ(r.spec->longitudinal.PDX1, 0.95);
    EXPECT_EQ(r.spec->longitudinal.PKX1, 20);
    EXPECT_EQ(r.spec->lateral.PKY1, -15);
    EXPECT_FALSE(contains(r.warnings, "unknown"));
    EXPECT_LINE(r.warnings, "my.tir:21:1: [LATERAL_COEFFICIENTS]: ");  // whatever ends a line
  }
  const auto lines = split_tir("FUNCTION_NAME = 'TYR$815!' $ a comment");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].value, "TYR$815!");
}

// value in the file = value in SI / (length^a force^b mass^c time^d angle^e pressure^f), with the units' own definitions
TEST(TirFile, EveryUnitSystem) {
  struct Unit {
    const char* name;
    double si;
  };
  struct System {
    Unit length, force, angle, mass, time, pressure;
  };
  const double deg = 3.14159265358979323846 / 180;
  const System systems[] = {
      {{"mm", 1e-3}, {"newton", 1}, {"deg", deg}, {"gram", 1e-3}, {"ms", 1e-3}, {"bar", 1e5}},
      {{"inch", 0.0254},
       {"pound_force", 4.4482216152605},
       {"DEGREES", deg},
       {"slug", 14.593902937206},
       {"minute", 60},
       {"psi", 6894.757293168361}},
      {{"CM", 0.01}, {"kN", 1000}, {"rad", 1}, {"lbm", 0.45359237}, {"hour", 3600}, {"kPa", 1000}},
      {{"feet", 0.3048}, {"kgf", 9.80665}, {"radian", 1}, {"tonne", 1000}, {"second", 1}, {"MPa", 1e6}}};
  struct Key {
    const char *block, *name;
    double si;
    int length, force, mass, time, angle, pressure;
  };
  const Key keys[] = {{"DIMENSION", "WIDTH", 0.205, 1, 0, 0, 0, 0, 0},
                      {"VERTICAL", "FNOMIN", 4000, 0, 1, 0, 0, 0, 0},
                      {"VERTICAL", "VERTICAL_STIFFNESS", 2e5, -1, 1, 0, 0, 0, 0},
                      {"VERTICAL", "VERTICAL_DAMPING", 50, -1, 1, 0, 1, 0, 0},
                      {"VERTICAL", "Q_FYS1", -2e4, 0, 1, 0, 0, 0, 0},
                      {"STRUCTURAL", "YAW_STIFFNESS", 5000, 1, 1, 0, 0, -1, 0},
                      {"STRUCTURAL", "FREQ_LONG", 80, 0, 0, 0, -1, 0, 0},
                      {"INERTIA", "MASS", 9.3, 0, 0, 1, 0, 0, 0},
                      {"INERTIA", "IXX", 0.391, 2, 0, 1, 0, 0, 0},
                      {"INERTIA", "GRAVITY", -9.81, 1, 0, 0, -2, 0, 0},
                      {"MODEL", "LONGVL", 16.7, 1, 0, 0, -1, 0, 0},
                      {"MODEL", "HMAX_LOCAL", 0.00025, 0, 0, 0, 1, 0, 0},
                      {"SLIP_ANGLE_RANGE", "ALPMAX", 1.2, 0, 0, 0, 0, 1, 0},
                      {"OPERATING_CONDITIONS", "INFLPRES", 2.2e5, 0, 0, 0, 0, 0, 1},
                      {"LATERAL_COEFFICIENTS", "PKY1", -15, 0, 0, 0, 0, 0, 0},
                      {"LATERAL_COEFFICIENTS", "PDY3", 3, 0, 0, 0, 0, 0, 0}};  // per rad^2, yet never converted
  for (const System& s : systems) {
    std::string text =
        fmt::format("[UNITS]\nLENGTH='{}'\nFORCE='{}'\nANGLE='{}'\nMASS='{}'\nTIME='{}'\nPRESSURE='{}'\n",
                    s.length.name, s.force.name, s.angle.name, s.mass.name, s.time.name, s.pressure.name);
    text +=
        "[MODEL]\nFITTYP=62\n[DIMENSION]\nUNLOADED_RADIUS=1\n[LONGITUDINAL_COEFFICIENTS]\nPCX1=1\nPDX1=1\nPKX1=1\n"
        "[LATERAL_COEFFICIENTS]\nPCY1=1\nPDY1=1\nPKY2=2\n";
    for (const Key& k : keys) {
      const double scale = std::pow(s.length.si, k.length) * std::pow(s.force.si, k.force) *
                           std::pow(s.mass.si, k.mass) * std::pow(s.time.si, k.time) * std::pow(s.angle.si, k.angle) *
                           std::pow(s.pressure.si, k.pressure);
      text += fmt::format("[{}]\n{} = {:.17g}\n", k.block, k.name, k.si / scale);
    }
    Result r = read(text);
    ASSERT_TRUE(r.spec) << testing::PrintToString(r.errors);
    for (const TirKey& key : tir_keys(*r.spec))
      for (const Key& k : keys)
        if (key.name() == k.name) {  // slug is given to 14 digits
          EXPECT_NEAR(key.field.number(), k.si, 1e-12 * std::abs(k.si)) << k.name << " in " << s.length.name;
        }
  }
}

TEST(TirFile, MillimetreFilesKeepTheirDigits) {
  const Result r = read(replaced(replaced(kSmall, "LENGTH='m'", "LENGTH='mm'"), "= 0.3\n", "= 313.5\n"));
  ASSERT_TRUE(r.spec);
  EXPECT_EQ(r.spec->dimension.UNLOADED_RADIUS, 0.3135);
  EXPECT_EQ(r.spec->vertical.VERTICAL_STIFFNESS, 2e8);
}

TEST(TirFile, PressureWithoutItsUnit) {
  const std::string mm = replaced(kSmall, "LENGTH='m'", "LENGTH='mm'");
  const Result coherent = read(mm + "[OPERATING_CONDITIONS]\nINFLPRES = 0.22\n");  // N/mm^2
  ASSERT_TRUE(coherent.spec);
  EXPECT_NEAR(coherent.spec->operating.INFLPRES, 220000, 1e-9);
  EXPECT_EQ(coherent.spec->operating.NOMPRES, coherent.spec->operating.INFLPRES);  // one stands for both
  const Result pascal = read(mm + "[OPERATING_CONDITIONS]\nNOMPRES = 220000\n");
  ASSERT_TRUE(pascal.spec);
  EXPECT_EQ(pascal.spec->operating.INFLPRES, 220000);
  EXPECT_LINE(pascal.warnings, "taken as pascal");
}

TEST(TirFile, OtherNamesOfKeysAndBlocks) {
  const Result r = read(kSmall +
                        "[SCALING]\nLFZ0 = 1.1\nLMR = 0.5\n[TIRE_CONDITIONS]\nIP = 210000\nIP_NOM = 200000\n"
                        "[VERTICAL]\nQV1 = 0.001\nQV2 = 0.1\nQFCX1 = 0.2\nQFZ1 = 15\nQPFZ1 = 0.7\n");
  ASSERT_TRUE(r.spec) << testing::PrintToString(r.errors);
  EXPECT_EQ(r.spec->scaling.LFZO, 1.1);
  EXPECT_EQ(r.spec->scaling.LRES, 0.5);
  EXPECT_EQ(r.spec->operating.INFLPRES, 210000);
  EXPECT_EQ(r.spec->operating.NOMPRES, 200000);
  EXPECT_EQ(r.spec->vertical.Q_V1, 0.001);
  EXPECT_EQ(r.spec->vertical.Q_V2, 0.1);
  EXPECT_EQ(r.spec->vertical.Q_FCX, 0.2);
  EXPECT_EQ(r.spec->vertical.Q_FZ1, 15);
  EXPECT_EQ(r.spec->vertical.PFZ1, 0.7);
  EXPECT_FALSE(contains(r.warnings, "not known"));
}

TEST(TirFile, Versions) {
  const auto version = [](const std::string& model, const std::string& more, bool warned) {
    const Result r = read(kUnits + "[MODEL]\n" + model + kBody + more);
    EXPECT_TRUE(r.spec) << model << testing::PrintToString(r.errors);
    EXPECT_EQ(contains(r.warnings, "FITTYP: "), warned) << model << testing::PrintToString(r.warnings);
    return r.spec ? r.spec->model.FITTYP : 0;
  };
  EXPECT_EQ(version("FITTYP = 6\n", "", false), 52);
  EXPECT_EQ(version("FITTYP = 21\n", "", false), 52);
  EXPECT_EQ(version("FITTYP = 52\n", "", false), 52);
  EXPECT_EQ(version("FITTYP = 5\n", "", true), 52);
  EXPECT_EQ(version("FITTYP = 60\n", "", true), 61);
  EXPECT_EQ(version("FITTYP = 61.0\n", "", false), 61);
  EXPECT_EQ(version("FITTYP = '62'\n", "", false), 62);
  EXPECT_EQ(version("PROPERTY_FILE_FORMAT = 'PAC2002'\n", "PPY1 = 1\n", false), 52);
  EXPECT_EQ(version("PROPERTY_FILE_FORMAT = 'mf_05'\n", "", false), 52);
  EXPECT_EQ(version("PROPERTY_FILE_FORMAT = 'USER'\n", "", true), 52);
  EXPECT_EQ(version("", "PKY4 = 2\n", true), 61);
  EXPECT_EQ(version("", "[VERTICAL]\nQ_CAM1 = 2\n", true), 62);
  EXPECT_EQ(version("FITTYP = 99\n", "PPY1 = 1\n", true), 61);
  EXPECT_EQ(version("FITTYP = 61\nPROPERTY_FILE_FORMAT = 'PAC2002'\n", "", true), 61);
}

TEST(TirFile, OtherModelsAreRefusedInOneLine) {
  for (const char* format : {"PAC89", "FTIRE", "fiala", "PAC_MC"}) {
    const Result r = read(kUnits + "[MODEL]\nPROPERTY_FILE_FORMAT = '" + format + "'\n[PARAMETER]\nCSLIP = 1\n");
    ASSERT_EQ(r.errors.size(), 1u) << testing::PrintToString(r.errors);
    EXPECT_EQ(r.errors[0],
              fmt::format("my.tir:8:24: PROPERTY_FILE_FORMAT: '{}' is another tire model; read are MF-Tyre "
                          "5.2 (PAC2002), 6.1 and 6.2",
                          format));
  }
}

TEST(TirFile, EveryErrorAtOnceWithItsPlace) {
  std::string text = kSmall;
  text = replaced(text, "ANGLE='rad'", "ANGLE='turns'");
  text = replaced(text, "PCX1 = 1.6", "PCX1 = 1,6");
  text = replaced(text, "PDX1 = 1\n", "PDX1 = nan\n");
  text = replaced(text, "PKX1 = 20", "PKX1 = 1e999");
  text = replaced(text, "PCY1 = 1.3", "PCY1 =");
  text = replaced(text, "FNOMIN = 4000", "FNOMIN = -4000");
  text = replaced(text, "PDY1 = 1\n", "hello\n");
  text +=
      "PKY2 = 3\nPKY2 = 2\n[LONG_SLIP_RANGE]\nKPUMIN = 1\nKPUMAX = 0.5\n[MODEL]\nTYRESIDE = 'TOP'\nUSE_MODE = 1.5\n";
  const std::vector<std::string> wanted{
      "my.tir:4:7: ANGLE: unknown unit 'turns'; valid: DEG, DEGREE, GRAD, RAD, RADIAN",
      "my.tir:12:10: FNOMIN: '-4000' is out of range: above 0 N",
      "my.tir:15:8: PCX1: '1,6' is not a number",
      "my.tir:16:8: PDX1: 'nan' is not a finite number",
      "my.tir:17:8: PKX1: '1e999' is not a finite number",
      "my.tir:18:1: [LATERAL_COEFFICIENTS]: needed and not given: PDY1",
      "my.tir:19:7: PCY1: has no value",
      "my.tir:20:1: expected KEY = value, not 'hello'",
      "my.tir:23:1: PKY2: given twice with different values, first in line 22",
      "my.tir:27:10: KPUMAX: must be above KPUMIN",
      "my.tir:29:12: TYRESIDE: unknown value 'TOP'; valid: left, right, symmetric",
      "my.tir:30:12: USE_MODE: '1.5' is not a whole number"};
  const Result r = read(text);
  EXPECT_EQ(r.errors, wanted);
  EXPECT_LINE(r.warnings, "my.tir:24:1: PKY2: given twice, first in line 22");
}

TEST(TirFile, MissingKeysAndBlocks) {
  const Result none = read("");
  EXPECT_LINE(none.errors, "my.tir: no [LATERAL_COEFFICIENTS] block; needed and not given: PCY1, PDY1, PKY1, PKY2");
  EXPECT_LINE(none.errors, "my.tir: no [DIMENSION] block; needed and not given: UNLOADED_RADIUS");
  EXPECT_LINE(none.warnings, "no unit given for LENGTH, FORCE, ANGLE, MASS, TIME: SI is taken");
  const Result small = read(kSmall);  // what has a default is said, not refused
  ASSERT_TRUE(small.spec);
  EXPECT_LINE(small.warnings, "my.tir:18:1: [LATERAL_COEFFICIENTS]: not given, taken: PDY2 = 0");
  EXPECT_LINE(small.warnings, "PKY4 = 2");
  EXPECT_LINE(small.warnings, "no [ALIGNING_COEFFICIENTS] block; not given, taken: QBZ1 = 0");
  EXPECT_EQ(small.spec->scaling.LMUX, 1);
  EXPECT_EQ(small.spec->vertical.Q_RE0, 1);
  // the stiffness at the nominal load follows from the polynomial of the load
  const Result spring = read(replaced(kSmall, "VERTICAL_STIFFNESS = 200000", "Q_FZ1 = 12\nQ_FZ2 = 20.25"));
  ASSERT_TRUE(spring.spec);
  EXPECT_NEAR(spring.spec->vertical.VERTICAL_STIFFNESS, 4000 / 0.3 * 15, 1e-6);  // sqrt(12^2 + 4 20.25) = 15
}

TEST(TirFile, UnknownKeysAndForeignBlocks) {
  const Result r = read(kSmall +
                        "PCY7 = 3\nPDZ3X = 1\n[LATRAL_COEFFICIENTS]\nPCY1 = 9\n[GOODYEAR]\nINFLPRES = 6.5\nWIDTH = 9\n"
                        "free text\n1 2 3\n[SHAPE]\n{radial width}\n 1.0 0.0\n 1.0 0.4\n[MODEL]\nLMUX = 0.7\n"
                        "[SCALING_COEFFICIENTS]\nLMUY = 0.8\n(EXTRA)\nLKY = 0.9\n(COMMENTS)\n{comment_string}\n'any'\n"
                        "LKX = 7\n[LATERAL_COEFFICIENTS]\nLMUY = 3\n");
  ASSERT_TRUE(r.spec) << testing::PrintToString(r.errors);
  EXPECT_LINE(r.warnings, "my.tir:23:1: 'PCY7': unknown key, not read, did you mean 'PCY1'?");
  EXPECT_LINE(r.warnings, "'LATRAL_COEFFICIENTS' is not known and not read, did you mean 'LATERAL_COEFFICIENTS'?");
  EXPECT_LINE(r.warnings, "block 'GOODYEAR' is not known and not read");
  EXPECT_LINE(r.warnings, "LMUX: stands in [MODEL] instead of [SCALING_COEFFICIENTS]");
  EXPECT_LINE(r.warnings, "LMUY: stands in [LATERAL_COEFFICIENTS] instead of [SCALING_COEFFICIENTS], which has it too");
  EXPECT_EQ(r.spec->lateral.PCY1, 1.3);
  EXPECT_EQ(r.spec->operating.INFLPRES, TirSpec{}.operating.INFLPRES);
  EXPECT_EQ(r.spec->dimension.WIDTH, TirSpec{}.dimension.WIDTH);
  EXPECT_EQ(r.spec->scaling.LMUX, 0.7);
  EXPECT_EQ(r.spec->scaling.LMUY, 0.8);
  EXPECT_EQ(r.spec->scaling.LKY, 0.9);
  EXPECT_EQ(r.spec->scaling.LKX, 1);
}

TEST(TirFile, FilesWithoutAnyHeader) {
  std::string text;
  for (std::size_t from = 0; from < kSmall.size();) {
    const std::size_t end = kSmall.find('\n', from) + 1;
    if (kSmall[from] != '[') text += kSmall.substr(from, end - from);
    from = end;
  }
  const Result r = read(replaced(text, "LENGTH='m'", "LENGTH='cm'") + "MASS = 9\n");
  ASSERT_TRUE(r.spec) << testing::PrintToString(r.errors);
  EXPECT_EQ(r.spec->dimension.UNLOADED_RADIUS, 0.003);
  EXPECT_EQ(r.spec->inertia.MASS, 9);
  EXPECT_EQ(r.spec->lateral.PKY1, -15);
}

TEST(TirFile, KeysOfAnotherVersionAreNamed) {
  const Result r = read(replaced(kSmall, "FITTYP=61", "FITTYP=6") + "PPY1 = 0.5\nPKY6 = 0\n");
  EXPECT_LINE(r.warnings, "not part of version 5.2: PPY1");
  EXPECT_FALSE(contains(r.warnings, "PKY6"));
}

// ---- the other side of the car ---------------------------------------------------------------------

// Numbers near those of real files, every coefficient in use.
TirSpec varied(TirSpec s, std::mt19937_64& rng) {
  std::uniform_real_distribution<double> u(-1, 1);
  for (const TirKey& key : tir_keys(s)) {
    if (key.field.kind != FieldRef::Kind::number || !key.block.ends_with("_COEFFICIENTS")) continue;
    double& x = key.field.number();
    const bool whole = key.block == "SCALING_COEFFICIENTS" || key.needed;
    x = whole ? x * (1 + 0.2 * u(rng)) : x * (1 + 0.5 * u(rng)) + 0.01 * u(rng);
  }
  return s;
}

struct Side {
  TirKind kind;
  TirParams<double> params;
  Side(const TirSpec& s, bool book) : kind(tir_kind(s, book)), params(compile_tir(s)) {}
  TirOutput<double> operator()(TirMode mode, const TirInput<double>& in) const {
    return mf_tyre(kind, params, mode, in);
  }
};
TirInput<double> random_input(std::mt19937_64& rng, const TirSpec& s) {
  std::uniform_real_distribution<double> u(-1, 1);
  const double Vx = 5 + 20 * std::abs(u(rng)), kappa = 0.3 * u(rng);
  return {s.vertical.FNOMIN * (1 + 0.7 * u(rng)),
          kappa,
          0.3 * u(rng),
          0.08 * u(rng),
          0.05 * u(rng),
          Vx,
          s.operating.NOMPRES * (1 + 0.2 * u(rng)),
          (1 + kappa) * Vx / s.dimension.UNLOADED_RADIUS,
          1,
          1};
}
TirInput<double> reflected(TirInput<double> in) {
  in.alpha = -in.alpha, in.gamma = -in.gamma, in.phit = -in.phit;
  return in;
}

TEST(TirMirror, OtherSideOfTheCar) {
  std::mt19937_64 rng(2);
  for (const std::string& path : shipped_files())
    for (int i = 0; i < 40; ++i) {
      const TirSpec spec = varied(load(path), rng);
      for (const bool book : {false, true}) {
        if (book && spec.model.FITTYP == 52) continue;
        TirSpec flagged = spec;
        flagged.mirrored = true;
        const Side one(spec, book), other(mirrored(spec, book), book), turned(flagged, book);
        for (const TirMode mode :
             {TirMode{}, TirMode{true, false, false}, TirMode{false, true, false}, TirMode{false, false, true}}) {
          const TirInput<double> in = random_input(rng, spec);
          const auto a = one(mode, in), b = other(mode, reflected(in)), c = turned(mode, reflected(in));
          const double scale = spec.vertical.FNOMIN;  // rounding of sums of that size
          for (const auto& m : {b, c}) {
            EXPECT_NEAR(m.Fx, a.Fx, 1e-10 * scale);
            EXPECT_NEAR(m.Fy, -a.Fy, 1e-10 * scale);
            EXPECT_NEAR(m.Mx, -a.Mx, 1e-10 * scale);
            EXPECT_NEAR(m.My, a.My, 1e-10 * scale);
            EXPECT_NEAR(m.Mz, -a.Mz, 1e-10 * scale);
          }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << path << (book ? " book" : "");
        EXPECT_TRUE(mirrored(mirrored(spec, book), book) == spec);
      }
    }
}

TEST(TirMirror, SymmetricTireEqualsItsMirrorImage) {
  std::mt19937_64 rng(3);
  for (const std::string& path : shipped_files()) {
    const TirSpec spec = symmetric(varied(load(path), rng));
    const Side tire(spec, false);
    for (int i = 0; i < 50; ++i) {
      const TirInput<double> in = random_input(rng, spec);
      const auto a = tire({}, in), b = tire({}, reflected(in));
      EXPECT_NEAR(b.Fy, -a.Fy, 1e-10 * spec.vertical.FNOMIN);
      EXPECT_NEAR(b.Mz, -a.Mz, 1e-10 * spec.vertical.FNOMIN);
    }
    EXPECT_EQ(spec.model.TYRESIDE, TireSide::symmetric);
    const Side free(offset_free(spec), false);
    TirInput<double> rest = random_input(rng, spec);
    rest.kappa = rest.alpha = rest.gamma = rest.phit = 0;
    const auto zero = free({}, rest);
    EXPECT_EQ(zero.Fx, 0);
    EXPECT_EQ(zero.Fy, 0);
    EXPECT_EQ(zero.Mz, 0);
    EXPECT_EQ(zero.Mx, 0);
  }
  EXPECT_TRUE(offset_free(shipped("typical_195_65R15_mf52.tir")) == shipped("typical_195_65R15_mf52_symmetric.tir"));
}

// ---- lint ------------------------------------------------------------------------------------------

bool has(const std::vector<LintFinding>& list, const std::string& rule, bool error) {
  for (const LintFinding& f : list)
    if (f.rule == rule && f.error == error) return true;
  return false;
}

TEST(TirLint, ShippedFilesAreClean) {
  for (const std::string& path : shipped_files())
    for (const LintFinding& f : lint_tir(load(path))) ADD_FAILURE() << path << ": " << f.text();
}

TEST(TirLint, EachFaultAtTheNominalPointIsAnError) {
  const TirSpec good = shipped("typical_235_45R18_mf62.tir");
  const auto broken = [&](auto&& change) {
    TirSpec s = good;
    change(s);
    return lint_tir(s);
  };
  EXPECT_TRUE(has(broken([](TirSpec& s) { s.longitudinal.PCX1 = 0; }), "Cx > 0", true));
  EXPECT_TRUE(has(broken([](TirSpec& s) { s.lateral.PCY1 = -1; }), "Cy > 0", true));
  EXPECT_TRUE(has(broken([](TirSpec& s) { s.longitudinal.PDX1 = -1; }), "mux > 0", true));
  EXPECT_TRUE(has(broken([](TirSpec& s) { s.scaling.LMUY = 0; }), "muy > 0", true));
  EXPECT_TRUE(has(broken([](TirSpec& s) { s.longitudinal.PKX1 = -1; }), "Kxk > 0", true));
  EXPECT_TRUE(has(broken([](TirSpec& s) { s.lateral.PKY1 *= -1; }), "Kya < 0", true));
  EXPECT_TRUE(has(broken([](TirSpec& s) { s.aligning.QCZ1 = 0; }), "Ct > 0", true));
  EXPECT_TRUE(has(broken([](TirSpec& s) { s.aligning.QBZ1 = -3; }), "Bt > 0", true));
  for (const double sign : {1.0, -1.0}) {  // the curvature differs with the sign of slip
    EXPECT_TRUE(has(broken([&](TirSpec& s) { s.longitudinal.PEX4 = 5 * sign; }), "Ex <= 1", true));
    EXPECT_TRUE(has(broken([&](TirSpec& s) { s.lateral.PEY3 = 5 * sign; }), "Ey <= 1", true));
    EXPECT_TRUE(has(broken([&](TirSpec& s) { s.aligning.QEZ4 = 5 * sign; }), "Et <= 1", true));
  }
  EXPECT_FALSE(has(broken([](TirSpec& s) { s.longitudinal.PEX1 = 0.95; }), "Ex <= 1", true));  // 0.95 * 1.05 < 1
  EXPECT_TRUE(has(broken([](TirSpec& s) { s.longitudinal.PEX1 = 0.96; }), "Ex <= 1", true));   // 0.96 * 1.05 > 1
}

TEST(TirLint, FaultsElsewhereAreWarningsWithTheirPoint) {
  TirSpec s = shipped("typical_235_45R18_mf62.tir");
  s.longitudinal.PDX2 = -1.2;  // mu_x = 1.2 - 1.2 dfz: 0 at twice the nominal load
  auto list = lint_tir(s);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_FALSE(list[0].error);
  EXPECT_EQ(list[0].rule, "mux > 0");
  EXPECT_EQ(list[0].Fz, s.ranges.FZMAX);  // the worst
  EXPECT_EQ(list[0].gamma, 0);
  EXPECT_EQ(list[0].text().find("warning: mux = "), 0u);
  s.ranges.FZMAX = 9900;  // below twice the nominal load all is well
  EXPECT_TRUE(lint_tir(s).empty());
  s.lateral.PDY3 = 110;  // 1 - 110 gamma^2 < 0 beyond 0.0953 rad
  EXPECT_TRUE(has(lint_tir(s), "muy > 0", false));
  s.lateral.PDY3 = 90;
  EXPECT_FALSE(has(lint_tir(s), "muy > 0", false));
  s.longitudinal.PPX3 = 5, s.longitudinal.PPX4 = 0;  // 1 + 5 dpi < 0 below 192 kPa, the range starts at 180 kPa
  EXPECT_TRUE(has(lint_tir(s), "mux > 0", false));
}

// With limits the law itself cuts curvature off at 1, so the forces tell whether the lint looks at the same number.
TEST(TirLint, CurvatureIsThatOfTheLaw) {
  std::mt19937_64 rng(4);
  std::uniform_real_distribution<double> u(-1, 1);
  int found = 0, quiet = 0;
  for (const std::string& path : shipped_files())
    for (int i = 0; i < 100; ++i) {
      TirSpec s = load(path);
      for (double* x : {&s.longitudinal.PEX1, &s.lateral.PEY1, &s.aligning.QEZ1}) *x = 1.2 * u(rng);
      for (double* x : {&s.longitudinal.PEX4, &s.lateral.PEY3, &s.aligning.QEZ4}) *x = 0.6 * u(rng);
      const Side tire(s, false);
      bool Ex = false, Ey = false, Et = false;
      for (const double sign : {1.0, -1.0}) {
        const auto differs = [&](double kappa, double alpha, auto member) {
          const TirInput<double> in{s.vertical.FNOMIN, kappa, alpha, 0, 0, 20, s.operating.NOMPRES, 60, 1, 1};
          return tire(TirMode{true, false, false}, in).*member != tire(TirMode{}, in).*member;
        };
        Ex |= differs(0.5 * sign, 0, &TirOutput<double>::Fx);
        Ey |= differs(0, 0.5 * sign, &TirOutput<double>::Fy);
        Et |= differs(0, sign > 0 ? s.ranges.ALPMAX : s.ranges.ALPMIN, &TirOutput<double>::trail);
      }
      const auto list = lint_tir(s);
      EXPECT_EQ(has(list, "Ex <= 1", true), Ex) << path;
      EXPECT_EQ(has(list, "Ey <= 1", true), Ey) << path;
      EXPECT_EQ(has(list, "Et <= 1", true), Et) << path;
      found += Ex + Ey + Et;
      quiet += 3 - (Ex + Ey + Et);
    }
  EXPECT_GT(found, 100);
  EXPECT_GT(quiet, 100);
}

// A lateral fit in the axes of another program, as such files go round: no longitudinal part, mu and slope of the trail
// with the other sign. The reader takes it, the lint names all of it and nothing else.
TEST(TirLint, LateralFitInOtherAxesIsNamedAsSuch) {
  TirSpec s = shipped("book_205_60R15.tir");
  s.longitudinal.PCX1 = s.longitudinal.PDX1 = s.longitudinal.PDX2 = s.longitudinal.PKX1 = 0;
  s.lateral.PDY1 = -1.06, s.aligning.QBZ1 = -5.2;
  const Result back = read(tir_text(s));
  ASSERT_TRUE(back.spec) << testing::PrintToString(back.errors);
  std::vector<std::string> rules;
  for (const LintFinding& f : lint_tir(*back.spec))
    if (f.error) rules.push_back(f.rule);
  std::sort(rules.begin(), rules.end());
  EXPECT_EQ(rules, (std::vector<std::string>{"Bt > 0", "Cx > 0", "Kxk > 0", "mux > 0", "muy > 0"}));
  for (const std::string& path : foreign_files()) {
    int errors = 0;
    for (const LintFinding& f : lint_tir(load(path))) errors += f.error;
    EXPECT_EQ(errors > 0, path.find("Unstable") != std::string::npos) << path;
  }
}

}  // namespace
}  // namespace vdsim
