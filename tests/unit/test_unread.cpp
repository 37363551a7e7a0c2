// SPDX-License-Identifier: Apache-2.0
// Keys without effect: who is told of which, and who is not. That the tables are right is tested in integration/test_readers.cpp.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "vdsim/config/scenario.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/config/unread.hpp"

namespace vdsim {
namespace {

using Lines = std::vector<std::string>;

const Catalog& catalog() {
  static const Catalog one(VDSIM_SOURCE_DIR "/configs");
  return one;
}

Lines notes_of(const std::string& car, std::initializer_list<const char*> sets = {}, const std::string& tire = "",
               const std::string& folder = "") {
  SceneChanges changes;
  changes.tire = tire;
  for (const char* each : sets) changes.set(each);
  Errors errors;
  const Scenario scene = read_scene(catalog(), "id: s\nfleet:\n  - id: ego\n" + car, "s.yaml", folder, changes, errors);
  EXPECT_TRUE(errors.empty()) << ::testing::PrintToString(errors.lines());
  return scene.notes;
}

TEST(Unread, LawLevelModeAndFile) {
  EXPECT_EQ(notes_of("", {"tire.lugre.sigma2=90"}),
            (Lines{"--set tire.lugre.sigma2=90: tire.lugre.sigma2: has no effect with lugre rolling, only with "
                   "breakaway"}));
  EXPECT_EQ(notes_of("", {"tire.lugre.sigma2=90", "tire.lugre.law=breakaway"}), Lines{});
  EXPECT_EQ(
      notes_of("", {"tire_front.camber_stiffness=1"}),
      (Lines{"--set tire_front.camber_stiffness=1: tire_front.camber_stiffness: has no effect with level L2, only "
             "with L3, L5"}));
  EXPECT_EQ(notes_of("", {"tire_front.camber_stiffness=1", "level=L3"}), Lines{});
  EXPECT_EQ(notes_of("", {"tire.load_sensitivity=0.1"}, "tire.book_205_60R15"),
            (Lines{"--set tire.load_sensitivity=0.1: tire.load_sensitivity: has no effect with backend magic_formula, "
                   "only with mf96, linear"}));
  EXPECT_EQ(notes_of("", {"tire.lugre.sigma0=2e5"}, "tire.book_205_60R15"),
            (Lines{"--set tire.lugre.sigma0=2e5: tire.lugre.sigma0: has no effect with backend magic_formula and lugre "
                   "rolling, only with backend mf96, linear or lugre breakaway"}));
  EXPECT_EQ(notes_of("", {"tire.mode=PacejkaOnly", "tire.patch.carcass_stiffness=2"}, "tire.rally"),
            (Lines{"--set tire.patch.carcass_stiffness=2: tire.patch.carcass_stiffness: has no effect with mode "
                   "PacejkaOnly, only with Auto, BrushOnly"}));
}

// One line per file and reason, at the first of its keys; a part that is replaced takes its keys along.
TEST(Unread, LinesAreFew) {
  const auto folder = std::filesystem::temp_directory_path() / ("vdsim_unread_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "t.yaml") << "id: tire.my\ntype: tire\nbody:\n  mu_nominal: 0.9\n  lugre:\n    sigma2: 90\n"
                                      "    m_eff: 50\n  relaxation_length_lat: 0.4\n";
  const std::string car = "    parts: {tire: t.yaml}\n", file = (folder / "t.yaml").string();
  EXPECT_EQ(notes_of(car, {}, "", folder.string()),
            (Lines{file + ":7:5: tire.lugre.m_eff, tire.lugre.sigma2: have no effect with lugre rolling, only with "
                          "breakaway",
                   file + ":8:3: tire.relaxation_length_lat: has no effect with lugre rolling, only with off"}));
  EXPECT_EQ(notes_of(car, {}, "tire.low_mu", folder.string()), Lines{});
  EXPECT_EQ(notes_of(car, {"tire_rear.lugre.law=breakaway", "tire_front.lugre.enabled=false"}, "", folder.string()),
            Lines{});  // each key is read by some tire
  std::filesystem::remove_all(folder);
}

// A resolved scene names every key and is not told of any; nor is any vehicle, tire or scene of the catalog.
TEST(Unread, ListsAndTheCatalogAreSilent) {
  for (const CatalogEntry& entry : catalog().scenes()) {
    const Scenario scene = load_scene(catalog(), entry.id);
    EXPECT_EQ(scene.notes, Lines{}) << entry.id;
    Errors errors;
    const Scenario again = read_scene(catalog(), scenario_text(scene), "again.yaml", folder_of(entry.path), {}, errors);
    EXPECT_EQ(again.notes, Lines{}) << entry.id;
  }
  for (const CatalogEntry& entry : catalog().parts())
    if (entry.id.starts_with("tire.")) {
      EXPECT_EQ(notes_of("", {}, entry.id), Lines{});
    }
}

TEST(Unread, PartAlone) {
  Errors errors;
  const auto part = read_part(
      "id: drivetrain.my\ntype: drivetrain\nbody: {differential: Open, lsd_ramp: 0.3, max_motor_torque: 200}\n",
      "d.yaml", errors);
  ASSERT_TRUE(part);
  EXPECT_EQ(unread_notes(unread_keys(*part)),
            (Lines{"d.yaml:3:28: drivetrain.lsd_ramp: has no effect with differential Open, only with LSD"}));
}

TEST(Unread, OneTire) {
  Errors errors;
  Lines notes;
  ASSERT_TRUE(
      load_tire(catalog(), {"tire.lugre_on", "", {"tire.lugre.m_eff=50", "tire.camber_stiffness=1"}}, errors, &notes));
  EXPECT_EQ(notes, (Lines{"--set tire.lugre.m_eff=50: tire.lugre.m_eff: has no effect with lugre rolling, only with "
                          "breakaway"}));  // a rig leans the tire
}

}  // namespace
}  // namespace vdsim
