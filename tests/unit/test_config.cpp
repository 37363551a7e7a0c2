// SPDX-License-Identifier: Apache-2.0
// Reading and writing of configuration files: every kind of error with its exact place, and round trips to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/core/driveline/powertrain_spec.hpp"

namespace vdsim {
namespace {

const Place kHere{"test", 0, 0};

std::vector<std::string> part_errors(const std::string& text) {
  Errors errors;
  const auto part = read_part(text, "my.yaml", errors);
  EXPECT_EQ(part.has_value(), errors.empty());  // never half a part
  return errors.lines();
}

std::string one_error(const std::string& text) {
  const auto lines = part_errors(text);
  EXPECT_EQ(lines.size(), 1u) << ::testing::PrintToString(lines);
  return lines.empty() ? "" : lines[0];
}

std::string tire(const std::string& body) { return "id: tire.my\ntype: tire\nbody:\n" + body; }
std::string chassis(const std::string& body) { return "id: chassis.my\ntype: chassis\nbody:\n" + body; }

TEST(TireYaml, LuGreRoundtrip) {
  Part part;
  part.type = "tire";
  LugreSpec& l = part.tire.lugre;
  l = {false, LugreLaw::breakaway, 123456.789, 1 / 3.0, 77.7, 41.5, {}};
  l.rolling.v_st = 0.1 + 0.2;
  Errors errors;
  const auto back = read_part("id: tire.x\ntype: tire\nbody:\n" + block_text(part.body(), 2), "x.yaml", errors);
  ASSERT_TRUE(back) << errors.lines()[0];
  const LugreSpec& r = back->tire.lugre;
  EXPECT_EQ(r.enabled, l.enabled);
  EXPECT_EQ(r.law, l.law);
  EXPECT_EQ(r.sigma0, l.sigma0);  // exact, not within a tolerance
  EXPECT_EQ(r.sigma1, l.sigma1);
  EXPECT_EQ(r.sigma2, l.sigma2);
  EXPECT_EQ(r.m_eff, l.m_eff);
  EXPECT_EQ(r.rolling.v_st, l.rolling.v_st);
}

TEST(TireVlow, LowSpeedModeYaml) {
  for (const LowSpeedMode mode : {LowSpeedMode::kinematic_blend, LowSpeedMode::tire_vlow, LowSpeedMode::none}) {
    Part part;
    part.type = "tire";
    part.tire.low_speed_mode = mode;
    part.tire.vlow_speed_eps = 0.7;
    Errors errors;
    const auto back = read_part("id: tire.x\ntype: tire\nbody:\n" + block_text(part.body(), 2), "x.yaml", errors);
    ASSERT_TRUE(back) << errors.lines()[0];
    EXPECT_EQ(back->tire.low_speed_mode, mode);
    EXPECT_EQ(back->tire.vlow_speed_eps, 0.7);
  }
}

TEST(ConfigWrite, EveryDoubleReadsBackToItsBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::bit_cast<double>(random());
    if (!std::isfinite(x)) continue;
    Errors errors;
    const auto node = parse_yaml("x: " + number_text(x), "n", errors);
    ASSERT_TRUE(node);
    const auto back = read_number({"n", errors}, node->entries[0], "x", "", any_finite());
    ASSERT_EQ(back.has_value(), std::abs(x) <= 1e12) << number_text(x);  // larger ones are refused
    if (back) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(x));
    }
  }
}

TEST(ConfigWrite, TextSurvivesQuoting) {
  for (const std::string text : {"plain", "null", "a: b # c", "quote \" and \\", "tab\tnew\nline", "12", "ümlaut"}) {
    Errors errors;
    const auto node = parse_yaml("x: " + quoted_text(text), "n", errors);
    ASSERT_TRUE(node) << text;
    EXPECT_EQ(node->entries[0].value.text, text);
  }
}

TEST(ConfigWrite, HashIsFnv1a) {  // published test vectors
  EXPECT_EQ(hash_text(""), "cbf29ce484222325");
  EXPECT_EQ(hash_text("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hash_text("foobar"), "85944171f73967e8");
}

TEST(ConfigErrors, UnknownKeyNamesTheNearest) {
  EXPECT_EQ(one_error(tire("  lugre:\n    sigma_0: 1e5\n")),
            "my.yaml:5:5: tire.lugre.sigma_0: unknown key, did you mean 'sigma0'?");
  EXPECT_EQ(one_error(tire("  D_lta: 1\n")), "my.yaml:4:3: tire.D_lta: unknown key, did you mean 'D_lat'?");
}

TEST(ConfigErrors, KeyInTheWrongBlockIsPointedToTheRightOne) {
  EXPECT_EQ(one_error(tire("  sigma0: 1e5\n")), "my.yaml:4:3: tire.sigma0: unknown key, did you mean 'lugre.sigma0'?");
}

TEST(ConfigErrors, WrongType) {
  EXPECT_EQ(one_error(tire("  Fz_nominal: heavy\n")),
            "my.yaml:4:15: tire.Fz_nominal: expected a number [N], found 'heavy'");
  EXPECT_EQ(one_error(tire("  Fz_nominal: \"4000\"\n")),
            "my.yaml:4:15: tire.Fz_nominal: expected a number [N], found the text \"4000\"");
  EXPECT_EQ(one_error(tire("  Fz_nominal: [1]\n")),
            "my.yaml:4:15: tire.Fz_nominal: expected a number [N], found a list");
  EXPECT_EQ(one_error(tire("  Fz_nominal:\n")), "my.yaml:4:3: tire.Fz_nominal: expected a number [N], found nothing");
  EXPECT_EQ(one_error(tire("  Fz_nominal: 1 000\n")),
            "my.yaml:4:15: tire.Fz_nominal: expected a number [N], found '1 000'");
  EXPECT_EQ(one_error(tire("  lugre: {enabled: 1}\n")),
            "my.yaml:4:20: tire.lugre.enabled: expected true or false, found '1'");
  EXPECT_EQ(one_error(tire("  lugre: on\n")), "my.yaml:4:10: tire.lugre: expected a block of keys, found 'on'");
  EXPECT_EQ(
      one_error(tire("  backend: mf97\n")),
      "my.yaml:4:12: tire.backend: expected one of mf96, linear, magic_formula, found 'mf97', did you mean 'mf96'?");
  EXPECT_EQ(one_error(chassis("  inertia_diag: [1, 2]\n")),
            "my.yaml:4:17: chassis.inertia_diag: expected a list of 3 numbers, found 2 values");
  EXPECT_EQ(one_error(chassis("  inertia_diag: [1, x, 3]\n")),
            "my.yaml:4:21: chassis.inertia_diag[1]: expected a number [kg m^2], found 'x'");
}

TEST(ConfigErrors, OutOfRangeShowsRangeAndUnit) {
  EXPECT_EQ(one_error(chassis("  mass: -3\n")), "my.yaml:4:9: chassis.mass: -3 is out of range, expected above 0 kg");
  EXPECT_EQ(one_error(tire("  C_lat: 2.5\n")), "my.yaml:4:10: tire.C_lat: 2.5 is out of range, expected above 0 to 2");
  EXPECT_EQ(one_error(chassis("  inertia_diag: [1, 2, 0]\n")),
            "my.yaml:4:24: chassis.inertia_diag[2]: 0 is out of range, expected above 0 kg m^2");
}

TEST(ConfigErrors, NotFiniteIsRefused) {
  for (const std::string word : {".nan", "nan", ".inf", "-.inf", "inf", "1e999", "-inf"})
    EXPECT_EQ(one_error(chassis("  cg_height: " + word + "\n")),
              "my.yaml:4:14: chassis.cg_height: expected a finite number, found '" + word + "'");
}

TEST(ConfigErrors, NumbersInEveryUsualForm) {
  for (const std::string word : {"1e5", "+1e5", "100000", "1.0E+5", "100000.", "1e+05"}) {
    Errors errors;
    const auto part = read_part(tire("  cornering_stiffness: " + word + "\n"), "my.yaml", errors);
    ASSERT_TRUE(part) << word;
    EXPECT_EQ(part->tire.cornering_stiffness, 1e5);
  }
}

TEST(ConfigErrors, EnumsIgnoreCase) {
  Errors errors;
  const auto part =
      read_part("id: d\ntype: drivetrain\nbody: {drive_type: awd, differential: LOCKED}\n", "my.yaml", errors);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->drivetrain.drive_type, DriveType::AWD);
  EXPECT_EQ(part->drivetrain.differential, Differential::Locked);
}

TEST(ConfigErrors, DuplicateKey) {
  EXPECT_EQ(one_error(tire("  B_lat: 8\n  B_lat: 9\n")), "my.yaml:5:3: B_lat: key given twice, first in line 4");
}

TEST(ConfigErrors, YamlSyntax) {
  EXPECT_EQ(one_error("id: [1\nb: 2"), "my.yaml:2:2: YAML syntax: end of sequence flow not found");
  EXPECT_EQ(one_error("id: x\n\ttype: tire\n").substr(0, 12), "my.yaml:2:1:");
}

TEST(ConfigErrors, FilesThatAreNoBlockOfKeys) {
  EXPECT_EQ(one_error(""), "my.yaml:1:1: the file is empty");
  EXPECT_EQ(one_error("# only a comment\n"), "my.yaml:1:1: the file is empty");
  EXPECT_EQ(one_error("hello"), "my.yaml:1:1: expected a block of keys, found 'hello'");
  EXPECT_EQ(one_error("- 1\n- 2\n"), "my.yaml:1:1: expected a block of keys, found a list");
  EXPECT_EQ(one_error(std::string("a\0b", 3)), "my.yaml: byte 1 is zero, not a text file");
  EXPECT_EQ(one_error("id: a\n---\nid: b\n"), "my.yaml:3:1: more than one document in one file");
  EXPECT_EQ(one_error(std::string(2 << 20, ' ')), "my.yaml: larger than 1 MB, not a configuration file");
}

TEST(ConfigErrors, AliasesTagsAndDepthAreRefused) {
  EXPECT_EQ(one_error("a: &x [1]\nb: *x\n"), "my.yaml:2:4: aliases (*name) are not allowed, write the value out");
  std::string bomb = "a: &a [x, x]\n";  // would unfold to 2^26 values
  for (char c = 'b'; c <= 'z'; ++c)
    bomb += std::string(1, c) + ": &" + c + " [*" + char(c - 1) + ", *" + char(c - 1) + "]\n";
  EXPECT_EQ(one_error(bomb).substr(0, 24), "my.yaml:2:8: aliases (*n");
  EXPECT_EQ(one_error("a: !!python/object x\n").substr(0, 20), "my.yaml:1:4: tags (t");
  EXPECT_EQ(one_error("a: " + std::string(100, '[') + std::string(100, ']')),
            "my.yaml:1:67: nested more than 64 levels deep");
  EXPECT_EQ(part_errors("a: " + std::string(100000, '[')).size(), 1u);
}

TEST(ConfigErrors, Envelope) {
  EXPECT_EQ(part_errors("label: x\n"),
            (std::vector<std::string>{"my.yaml:1:1: id: missing key", "my.yaml:1:1: type: missing key",
                                      "my.yaml:1:1: body: missing key"}));
  EXPECT_EQ(
      one_error("id: x\ntype: tyre\nbody: {}\n"),
      "my.yaml:2:7: type: expected one of chassis, tire, brake, steering, drivetrain, surface, powertrain, control, "
      "actuator, sensors, found 'tyre', did you mean 'tire'?");
  EXPECT_EQ(one_error("id: x\ntype: tire\nschema: brake_subsystem_v1\nbody: {}\n"),
            "my.yaml:3:9: schema: a tire has the schema pacejka_mf96_v1 or rally_v1 or lugre_patch_v1, found "
            "'brake_subsystem_v1'");
  EXPECT_EQ(one_error("id: x\ntype: tire\nbdoy: {}\nbody: {}\n"),
            "my.yaml:3:1: bdoy: unknown key, did you mean 'body'?");
}

TEST(ConfigErrors, KeysOfLaterModelsSaySo) {
  EXPECT_EQ(one_error(chassis("  plant_path: true\n")),
            "my.yaml:4:3: chassis.plant_path: needs a level or model that is not there yet");
}

TEST(ConfigErrors, Contradictions) {
  EXPECT_EQ(one_error(chassis("  wheelbase: 3\n")),
            "my.yaml:4:3: chassis.wheelbase: 3 m must equal cg_to_front + cg_to_rear = 2.7 m");
  EXPECT_EQ(one_error(chassis("  mass: 1000\n")),
            "my.yaml:4:3: chassis.mass_sprung: 1350 kg must not exceed mass = 1000 kg");
  EXPECT_EQ(one_error(tire("  combined: ellipse\n")).substr(0, 46), "my.yaml:4:3: tire.combined: ellipse does not w");
  EXPECT_TRUE(part_errors(tire("  combined: ellipse\n  lugre: {law: breakaway}\n")).empty());
  EXPECT_TRUE(part_errors(tire("  combined: ellipse\n  lugre: {enabled: false}\n")).empty());
}

// A load that pulls or carries nothing: the message says where and by how much.
TEST(ConfigErrors, PolynomialLoadOfAContactPatch) {
  const auto errors = [](const std::string& body) {
    return part_errors("id: tire.x\ntype: tire\nschema: lugre_patch_v1\nbody:\n  load: polynomial\n" + body);
  };
  EXPECT_TRUE(errors("  load_poly: [0, 1, -1]\n").empty());
  const auto one = [&](const std::string& body) {
    const auto lines = errors(body);
    return lines.size() == 1 ? lines[0] : ::testing::PrintToString(lines);
  };
  EXPECT_EQ(one("  load_poly: [1, -4, 3.9]\n"),
            "my.yaml:6:3: tire.load_poly: must not be negative from x = 0 (leading edge) to 1: the road does not pull, "
            "found -0.0855 times its mean at x = 0.513");
  EXPECT_EQ(one("  load_poly: [-1, 2]\n"),
            "my.yaml:6:3: tire.load_poly: must carry load: the sum of c_k/(k + 1) must "
            "be positive, found 0");
  EXPECT_NE(one("").find("load polynomial needs the coefficients [c0, c1, ...]"), std::string::npos) << one("");
  EXPECT_NE(one("  load_poly: [1, 2, 3, 4, 5, 6, 7, 8]\n").find("expected a list of at most 7 numbers, found 8"),
            std::string::npos);
}

TEST(ConfigErrors, AllAtOnceInTheOrderOfTheFile) {
  const auto lines =
      part_errors(tire("  B_lat: x\n  Q: 1\n  mu_nominal: -1\n  lugre:\n    law: rolin\n    enabled: 2\n"));
  ASSERT_EQ(lines.size(), 5u) << ::testing::PrintToString(lines);
  const char* starts[] = {"my.yaml:4:10:", "my.yaml:5:3:", "my.yaml:6:15:", "my.yaml:8:10:", "my.yaml:9:14:"};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(lines[i].substr(0, std::strlen(starts[i])), starts[i]);
}

TEST(Catalog, EveryBuiltInPartIsValidAndKnownByItsId) {
  const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  ASSERT_GE(catalog.parts().size(), 28u);
  for (const CatalogEntry& entry : catalog.parts()) {
    Errors errors;
    const auto part = load_part(catalog, {entry.id, "", kHere, ""}, entry.id.substr(0, entry.id.find('.')), errors);
    ASSERT_TRUE(part) << errors.lines()[0];
    EXPECT_EQ(part->id, entry.id);
    EXPECT_FALSE(part->label.empty());
  }
}

// A file without a line has no id, and nothing validates it. Roads and .tir files are named by parts and scenes.
TEST(Catalog, ManifestNamesEveryFileOnce) {
  namespace fs = std::filesystem;
  const fs::path folder = VDSIM_SOURCE_DIR "/configs";
  const Catalog catalog(folder.string());
  const std::pair<const char*, const std::vector<CatalogEntry>&> groups[] = {{"parts", catalog.parts()},
                                                                             {"blueprints", catalog.blueprints()},
                                                                             {"scenes", catalog.scenes()},
                                                                             {"maneuvers", catalog.maneuvers()}};
  for (const auto& [name, entries] : groups) {
    std::multiset<fs::path> named, there;
    for (const CatalogEntry& entry : entries) named.insert(fs::path(entry.path).lexically_normal());
    for (const auto& file : fs::recursive_directory_iterator(folder / name))
      if (file.is_regular_file()) there.insert(file.path().lexically_normal());
    EXPECT_EQ(named, there) << name;
  }
}

TEST(Catalog, NamesOfVdsim07AreThere) {
  const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  const auto has = [](const std::vector<CatalogEntry>& list, const std::string& id) {
    return std::any_of(list.begin(), list.end(), [&](const CatalogEntry& entry) { return entry.id == id; });
  };
  for (const char* id :
       {"chassis.sedan",        "chassis.sports",          "chassis.race_car",     "chassis.fsk_formula",
        "tire.default_pacejka", "tire.kinematic_fallback", "tire.lugre_on",        "tire.low_mu",
        "tire.sport_grip",      "tire.lugre_breakaway",    "brake.sedan",          "brake.sedan_default",
        "brake.sports",         "brake.race_car",          "brake.fsk_formula",    "steering.sedan",
        "steering.sports",      "steering.race_car",       "steering.fsk_formula", "drivetrain.sedan",
        "drivetrain.sedan_rwd", "drivetrain.sports",       "drivetrain.race_car",  "drivetrain.fsk_formula",
        "drivetrain.diff_open", "drivetrain.diff_locked",  "drivetrain.diff_lsd"})
    EXPECT_TRUE(has(catalog.parts(), id)) << id;
  for (const char* id :
       {"vehicle.sedan_comfort", "vehicle.sports_aggressive", "vehicle.race_gt", "vehicle.fsk_formula"})
    EXPECT_TRUE(has(catalog.blueprints(), id)) << id;
  for (const char* id : {"lugre_grade_demo", "two_vehicle_race", "banked_grade_demo"})
    EXPECT_TRUE(has(catalog.scenes(), id)) << id;
}

// Values that users of VDSim 0.7 know; a typo in a part file must not pass unseen.
TEST(Catalog, SedanHasThePublishedValues) {
  const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  Errors errors;
  CarLayers car;
  ASSERT_TRUE(apply_blueprint(catalog, {"vehicle.sedan_vdsim07", "", kHere, ""}, car, errors));
  const VehicleSpec& v = car.vehicle;
  EXPECT_EQ(v.chassis.mass, 1500);
  EXPECT_EQ(v.chassis.aero_lift_front, 0.05);
  EXPECT_EQ(v.brake.max_brake_torque, 5000);
  EXPECT_EQ(v.brake.brake_bias_front, 0.62);
  EXPECT_EQ(v.steering.ackerman_percent, 60);
  EXPECT_EQ(v.drivetrain.max_motor_torque, 300);
  EXPECT_EQ(v.tire_rr.load_sensitivity, 0.15);
  EXPECT_EQ(v.tire_rr.lugre.sigma0, 3e5);
  EXPECT_EQ(v.tire_rr.lugre.sigma2, 120);
}

// ------------------------------------------------------------------------------- lists of any length

std::vector<std::string> gearbox_errors(const std::string& text, GearboxSpec& gearbox) {
  Errors errors;
  const auto node = parse_yaml(text, "g.yaml", errors);
  if (node) read_block({"g.yaml", errors}, *node, fields_of(gearbox), "gearbox");
  return errors.lines();
}

TEST(NumberLists, TakeAnyLengthUpToTheirOwn) {
  GearboxSpec g;
  EXPECT_TRUE(gearbox_errors("gear_ratios: [3, 2.5]\n", g).empty());
  EXPECT_EQ(g.gear_ratios.count, 2);
  EXPECT_EQ(g.gear_ratios.v[1], 2.5);
  EXPECT_EQ(g.gear_ratios.v[2], 0);  // nothing of the default is left behind
  EXPECT_TRUE(gearbox_errors("gear_ratios: []\n", g).empty());
  EXPECT_EQ(g.gear_ratios.count, 0);
  EXPECT_TRUE(gearbox_errors("gear_ratios: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n", g).empty());
  EXPECT_EQ(g.gear_ratios.count, 10);
}

TEST(NumberLists, EveryWrongEntryIsReported) {
  GearboxSpec g;
  EXPECT_EQ(gearbox_errors("gear_ratios: [3, x, -1, 0, \"2\"]\n", g),
            (std::vector<std::string>{"g.yaml:1:18: gearbox.gear_ratios[1]: expected a number, found 'x'",
                                      "g.yaml:1:21: gearbox.gear_ratios[2]: -1 is out of range, expected above 0",
                                      "g.yaml:1:25: gearbox.gear_ratios[3]: 0 is out of range, expected above 0",
                                      "g.yaml:1:28: gearbox.gear_ratios[4]: expected a number, found the text \"2\""}));
  EXPECT_EQ(gearbox_errors("gear_ratios: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\n", g),
            (std::vector<std::string>{
                "g.yaml:1:14: gearbox.gear_ratios: expected a list of at most 10 numbers, found 11 values"}));
  EXPECT_EQ(
      gearbox_errors("gear_ratios: 3\n", g),
      (std::vector<std::string>{"g.yaml:1:14: gearbox.gear_ratios: expected a list of at most 10 numbers, found '3'"}));
}

TEST(NumberLists, AreWrittenAndReadBackToTheirBits) {
  PowertrainSpec s, back;
  s.gearbox.gear_ratios = {3, {10 / 3.0, 0.1 + 0.2, 1e-300}};
  s.engine.throttle_breaks = {0, {}};
  s.engine.torque_map.v[34] = -1 / 7.0;
  Errors errors;
  const auto node = parse_yaml(block_text(fields_of(s), 0), "p", errors);
  ASSERT_TRUE(node);
  read_block({"p", errors}, *node, fields_of(back), "powertrain");
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(block_text(fields_of(back), 0), block_text(fields_of(s), 0));
  const auto same = [](const auto& a, const auto& b) {
    return a.count == b.count && std::memcmp(a.v, b.v, sizeof a.v) == 0;
  };
  EXPECT_TRUE(same(s.gearbox.gear_ratios, back.gearbox.gear_ratios));
  EXPECT_TRUE(same(s.engine.torque_map, back.engine.torque_map));
  EXPECT_EQ(back.engine.throttle_breaks.count, 0);
  // what the generated docs show
  EXPECT_EQ(value_text(fields_of(s.gearbox).front()), "[3.3333333333333335, 0.30000000000000004, 1e-300]");
}

}  // namespace
}  // namespace vdsim
