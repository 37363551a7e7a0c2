// SPDX-License-Identifier: Apache-2.0
// What vdsim.h promises beside numbers: refusals that change nothing, tables that lack nothing, no allocation in a step.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <thread>
#include <utility>

#include <vdsim.hpp>

#include "tests/c/rows.hpp"
#include "tests/count_allocations.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/tire_rig.hpp"
#include "vdsim/study/run.hpp"

namespace {

namespace vd = vdsim::abi;

const vd::Catalog& catalog() {
  static const vd::Catalog out(VDSIM_SOURCE_DIR "/configs");
  return out;
}

// Everything that a call may be refused with, made once.
struct Things {
  vd::Spec scene{catalog(), VDSIM_SCENE, "step_steer"}, other{catalog(), VDSIM_SCENE, "lugre_grade_demo"},
      vehicle{catalog(), VDSIM_VEHICLE, "vehicle.sedan_comfort"}, part{catalog(), VDSIM_PART, "tire.lugre_on"},
      brake{catalog(), VDSIM_PART, "brake.sedan"}, fleet{two_cars()};
  vd::Sim sim{scene}, elsewhere{other};
  vd::Tire tire{part};
  vd::Snapshot snapshot, foreign, of_tire;
  vdsim_spec* spec_out = nullptr;
  vdsim_sim* sim_out = nullptr;
  vdsim_tire* tire_out = nullptr;
  vdsim_catalog* catalog_out = nullptr;
  Things() {
    sim.run(0.5);
    snapshot = sim.snapshot(), foreign = elsewhere.snapshot(), of_tire = tire.snapshot();
  }
  static vd::Spec two_cars() {
    return vd::Spec::read(catalog(), VDSIM_SCENE, "id: two\nfleet:\n  - {id: first}\n  - {id: second, level: L3}\n");
  }
  // What must not change.
  std::string state() const {
    const vd::Snapshot a = sim.snapshot(), b = tire.snapshot();
    return scene.text() + vehicle.text() + part.text() + std::string(a.begin(), a.end()) +
           std::string(b.begin(), b.end());
  }
};

struct Refusal {
  const char* name;
  int status;
  const char* says;  // part of vdsim_error()
  std::function<int(Things&)> call;
};

int set(vd::Spec& s, const char* path, const char* text) { return vdsim_spec_set(s.get(), path, text); }
int read(int kind, const std::string& text, Things& t) {
  return vdsim_spec_read(catalog().get(), kind, text.data(), text.size(), nullptr, &t.spec_out);
}
vdsim_commands commands() { return VDSIM_COMMANDS_INIT; }
vdsim_demand demand() { return VDSIM_DEMAND_INIT; }
vdsim_rig_input rig_input() {
  vdsim_rig_input in = VDSIM_RIG_INPUT_INIT;
  in.vx = 20, in.omega = 62, in.fz = 3500;
  return in;
}
template <class F> int step(Things& t, double h, F&& change) {
  vdsim_commands c = commands();
  change(c);
  return vdsim_sim_step(t.sim.get(), &c, nullptr, h);
}
template <class F> int drive(Things& t, F&& change) {
  vdsim_demand now = demand(), next = demand();
  change(now, next);
  return vdsim_sim_demand(t.sim.get(), &now, &next, 1e-3);
}
template <class F> int rig(Things& t, F&& change) {
  vdsim_rig_input in = rig_input();
  change(in);
  return vdsim_tire_start(t.tire.get(), &in);
}

const double nan_ = std::nan("");
char tiny[4];
std::size_t need_;
double number_;

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> all{
      // general, catalog
      {"catalog folder", 2, "no catalog", [](Things& t) { return vdsim_catalog_open("/nowhere", &t.catalog_out); }},
      {"catalog out", 5, "out is NULL", [](Things&) { return vdsim_catalog_open(nullptr, nullptr); }},
      {"ids NULL", 5, "catalog is NULL", [](Things&) { return vdsim_catalog_ids(nullptr, 0, tiny, 4, &need_); }},
      {"ids kind", 5, "VDSIM_SCENE", [](Things&) { return vdsim_catalog_ids(catalog().get(), 3, tiny, 4, &need_); }},
      {"ids room", 5, "room for 4 bytes",
       [](Things&) { return vdsim_catalog_ids(catalog().get(), 2, tiny, 4, &need_); }},
      {"ids nowhere", 5, "both NULL",
       [](Things&) { return vdsim_catalog_ids(catalog().get(), 2, nullptr, 0, nullptr); }},
      // spec
      {"load id", 2, "did you mean 'step_steer'",
       [](Things& t) { return vdsim_spec_load(catalog().get(), VDSIM_SCENE, "step_ster", &t.spec_out); }},
      {"load file", 2, "no such file",
       [](Things& t) { return vdsim_spec_load(catalog().get(), VDSIM_SCENE, "none.yaml", &t.spec_out); }},
      {"load name", 5, "id_or_file is NULL",
       [](Things& t) { return vdsim_spec_load(catalog().get(), VDSIM_SCENE, nullptr, &t.spec_out); }},
      {"load kind", 5, "kind is -1", [](Things& t) { return vdsim_spec_load(catalog().get(), -1, "x", &t.spec_out); }},
      {"load wrong kind", 2, "unknown part",
       [](Things& t) { return vdsim_spec_load(catalog().get(), VDSIM_PART, "step_steer", &t.spec_out); }},
      {"load out", 5, "out is NULL",
       [](Things&) { return vdsim_spec_load(catalog().get(), VDSIM_SCENE, "step_steer", nullptr); }},
      {"read catalog", 5, "catalog is NULL",
       [](Things& t) { return vdsim_spec_read(nullptr, VDSIM_SCENE, "id: a", 5, nullptr, &t.spec_out); }},
      {"read empty", 2, "empty", [](Things& t) { return read(VDSIM_SCENE, "", t); }},
      {"read syntax", 2, "text:1:", [](Things& t) { return read(VDSIM_SCENE, "id: [", t); }},
      {"read bytes", 2, "zero", [](Things& t) { return read(VDSIM_SCENE, std::string("id:\0a", 5), t); }},
      {"read key", 2, "text:3:", [](Things& t) { return read(VDSIM_SCENE, "id: a\nfleet: [{id: b}]\nmuu: 1\n", t); }},
      {"read vehicle", 2, "missing key", [](Things& t) { return read(VDSIM_VEHICLE, "id: a\n", t); }},
      {"read part", 2, "schema",
       [](Things& t) { return read(VDSIM_PART, "{id: a, type: tire, schema: b, body: {}}", t); }},
      {"read folder", 2, "beside/me.yaml",
       [](Things& t) {
         const std::string text = "id: a\nfleet: [{id: b, blueprint: me.yaml}]\n";
         return vdsim_spec_read(catalog().get(), VDSIM_SCENE, text.data(), text.size(), "beside", &t.spec_out);
       }},
      {"set NULL", 5, "spec is NULL", [](Things&) { return vdsim_spec_set(nullptr, "mu", "1"); }},
      {"set path NULL", 5, "path is NULL", [](Things& t) { return set(t.scene, nullptr, "1"); }},
      {"set text NULL", 5, "text is NULL", [](Things& t) { return set(t.scene, "mu", nullptr); }},
      {"set key", 2, "did you mean 'chassis.mass'", [](Things& t) { return set(t.scene, "mass", "1500"); }},
      {"set inner key", 2, "did you mean 'mass'", [](Things& t) { return set(t.scene, "chassis.mas", "1500"); }},
      {"set range", 2, "out of range", [](Things& t) { return set(t.scene, "chassis.mass", "-1"); }},
      {"set word", 2, "expected a number", [](Things& t) { return set(t.scene, "chassis.mass", "heavy"); }},
      {"set contradiction", 2, "wheelbase", [](Things& t) { return set(t.scene, "chassis.wheelbase", "9"); }},
      {"set level", 2, "expected one of", [](Things& t) { return set(t.scene, "level", "L9"); }},
      {"set yaml", 2, "--set mu=[1", [](Things& t) { return set(t.scene, "mu", "[1"); }},
      {"set empty path", 2, "no such path", [](Things& t) { return set(t.scene, "", "1"); }},
      {"set terrain", 2, "no such file", [](Things& t) { return set(t.scene, "terrain", "none.crg"); }},
      {"set half split", 2, "together", [](Things& t) { return set(t.scene, "split_mu.mu_left", "0.3"); }},
      {"set vehicle", 2, "did you mean 'chassis.mass'", [](Things& t) { return set(t.vehicle, "mass", "1"); }},
      {"set scene key of a vehicle", 2, "unknown key", [](Things& t) { return set(t.vehicle, "mu", "0.5"); }},
      {"set part", 2, "did you mean 'tire.mu_nominal'", [](Things& t) { return set(t.part, "mu_nominal", "1"); }},
      {"set vehicle, half of it", 2, "out of range",
       [](Things& t) { return set(t.vehicle, "chassis", "{mass: 1700, mass_sprung: 1500, cg_height: -1}"); }},
      {"set part, half of it", 2, "expected a number",
       [](Things& t) { return set(t.part, "tire", "{mu_nominal: 0.5, B_long: much}"); }},
      {"set other part", 2, "unknown key", [](Things& t) { return set(t.part, "chassis.mass", "1"); }},
      {"set NaN", 2, "finite", [](Things& t) { return vdsim_spec_set_number(t.scene.get(), "mu", nan_); }},
      {"set infinity", 2, "finite", [](Things& t) { return vdsim_spec_set_number(t.scene.get(), "mu", INFINITY); }},
      {"set list", 2, "list of 3",
       [](Things& t) { return vdsim_spec_set_list(t.scene.get(), "chassis.inertia_diag", &number_, 1); }},
      {"set list NaN", 2, "finite",
       [](Things& t) {
         const double v[3] = {500, nan_, 2000};
         return vdsim_spec_set_list(t.scene.get(), "chassis.inertia_diag", v, 3);
       }},
      {"set list NULL", 5, "values is NULL",
       [](Things& t) { return vdsim_spec_set_list(t.scene.get(), "chassis.inertia_diag", nullptr, 3); }},
      {"get path", 2, "did you mean 'chassis.mass'",
       [](Things& t) { return vdsim_spec_get_number(t.scene.get(), "chassis.mas", &number_); }},
      {"get word", 2, "is no number",
       [](Things& t) { return vdsim_spec_get_number(t.scene.get(), "level", &number_); }},
      {"get absent", 2, "not given",
       [](Things& t) { return vdsim_spec_get_number(t.scene.get(), "driver.force", &number_); }},
      {"get large", 2, "more than one value",
       [](Things& t) { return vdsim_spec_get(t.scene.get(), "patches", tiny, 4, &need_); }},
      {"get list", 2, "is no list",
       [](Things& t) { return vdsim_spec_get_list(t.scene.get(), "mu", &number_, 1, &need_); }},
      {"get room", 5, "room for 1 numbers",
       [](Things& t) { return vdsim_spec_get_list(t.scene.get(), "chassis.inertia_diag", &number_, 1, &need_); }},
      {"get value", 5, "value is NULL", [](Things& t) { return vdsim_spec_get_number(t.scene.get(), "mu", nullptr); }},
      {"text NULL", 5, "spec is NULL", [](Things&) { return vdsim_spec_text(nullptr, tiny, 4, &need_); }},
      {"copy NULL", 5, "spec is NULL", [](Things& t) { return vdsim_spec_copy(nullptr, &t.spec_out); }},
      {"field index", 5, "count from 0",
       [](Things& t) {
         vdsim_field_info info{};
         info.size = sizeof info;
         return vdsim_field(t.scene.get(), 1000000, &info);
       }},
      {"field size", 5, "size is 0",
       [](Things& t) {
         vdsim_field_info info{};
         return vdsim_field(t.scene.get(), 0, &info);
       }},
      // sim
      {"create NULL", 5, "scene is NULL", [](Things& t) { return vdsim_sim_create(nullptr, nullptr, &t.sim_out); }},
      {"create of a part", 5, "is a part",
       [](Things& t) { return vdsim_sim_create(t.part.get(), nullptr, &t.sim_out); }},
      {"create which", 2, "first, second",
       [](Things& t) { return vdsim_sim_create(t.fleet.get(), nullptr, &t.sim_out); }},
      {"create who", 2, "did you mean 'second'",
       [](Things& t) { return vdsim_sim_create(t.fleet.get(), "secnd", &t.sim_out); }},
      {"step NULL", 5, "sim is NULL", [](Things&) { return vdsim_sim_step(nullptr, nullptr, nullptr, 1e-3); }},
      {"step commands", 5, "from is NULL",
       [](Things& t) { return vdsim_sim_step(t.sim.get(), nullptr, nullptr, 1e-3); }},
      {"step size", 5, "size is 3", [](Things& t) { return step(t, 1e-3, [](auto& c) { c.size = 3; }); }},
      {"step newer", 5, "size is 4096", [](Things& t) { return step(t, 1e-3, [](auto& c) { c.size = 4096; }); }},
      {"step throttle", 2, "throttle: 1.5", [](Things& t) { return step(t, 1e-3, [](auto& c) { c.throttle = 1.5; }); }},
      {"step NaN", 2, "steer", [](Things& t) { return step(t, 1e-3, [](auto& c) { c.steer = nan_; }); }},
      {"step gear", 2, "gear", [](Things& t) { return step(t, 1e-3, [](auto& c) { c.gear = 99; }); }},
      {"step back", 2, "dt", [](Things& t) { return step(t, -1e-3, [](auto&) {}); }},
      {"step long", 2, "dt", [](Things& t) { return step(t, 5, [](auto&) {}); }},
      {"step NaN long", 2, "dt", [](Things& t) { return step(t, nan_, [](auto&) {}); }},
      {"demand two", 2, "one of speed",
       [](Things& t) { return drive(t, [](auto& a, auto& b) { a.speed = b.speed = 9, a.force = b.force = 1; }); }},
      {"demand range", 2, "speed: 1000",
       [](Things& t) { return drive(t, [](auto& a, auto& b) { a.speed = b.speed = 1000; }); }},
      {"demand levels", 2, "another command level",
       [](Things& t) { return drive(t, [](auto& a, auto&) { a.speed = 9; }); }},
      {"demand path", 2, "no path",
       [](Things& t) { return drive(t, [](auto& a, auto& b) { a.follow_path = b.follow_path = 1; }); }},
      {"demand then", 2, "throttle",
       [](Things& t) { return drive(t, [](auto& a, auto& b) { a.steer = 0.01, b.throttle = 7; }); }},
      {"demand long", 2, "dt",
       [](Things& t) {
         vdsim_demand now = demand();
         now.speed = 9, now.curvature = 0.01;
         return vdsim_sim_demand(t.sim.get(), &now, nullptr, 5);
       }},
      {"demand size", 5, "size", [](Things& t) { return drive(t, [](auto& a, auto&) { a.size = 1; }); }},
      {"run past", 2, "is past", [](Things& t) { return vdsim_sim_run(t.sim.get(), 0.1); }},
      {"run NaN", 2, "finite", [](Things& t) { return vdsim_sim_run(t.sim.get(), nan_); }},
      {"run infinity", 2, "finite", [](Things& t) { return vdsim_sim_run(t.sim.get(), INFINITY); }},
      {"change part", 5, "is a part", [](Things& t) { return vdsim_sim_change(t.sim.get(), t.part.get()); }},
      {"change fleet", 2, "no 'ego'", [](Things& t) { return vdsim_sim_change(t.sim.get(), t.fleet.get()); }},
      {"reset NaN", 2, "vx0",
       [](Things& t) {
         const vdsim_pose pose = {sizeof pose, 0, 0, 0, nan_, 0};
         return vdsim_sim_reset(t.sim.get(), &pose);
       }},
      {"signal", 2, "did you mean 'vx'",
       [](Things& t) {
         std::uint32_t id;
         return vdsim_signal_id(t.sim.get(), "vxx", &id);
       }},
      {"signal NULL", 5, "name is NULL",
       [](Things& t) {
         std::uint32_t id;
         return vdsim_signal_id(t.sim.get(), nullptr, &id);
       }},
      {"signal index", 5, "signal 9999",
       [](Things& t) {
         vdsim_signal info{sizeof info, nullptr, nullptr, nullptr};
         return vdsim_signal_info(t.sim.get(), 9999, &info);
       }},
      {"read index", 5, "signal 9999",
       [](Things& t) {
         const std::uint32_t id = 9999;
         return vdsim_sim_read(t.sim.get(), &id, 1, &number_);
       }},
      {"read out", 5, "out is NULL", [](Things& t) { return vdsim_sim_read(t.sim.get(), nullptr, 1, nullptr); }},
      {"snapshot room", 5, "room for 4 bytes", [](Things& t) { return vdsim_sim_snapshot(t.sim.get(), tiny, 4); }},
      {"restore NULL", 5, "bytes is NULL", [](Things& t) { return vdsim_sim_restore(t.sim.get(), nullptr, 9); }},
      {"restore cut", 2, "cut",
       [](Things& t) { return vdsim_sim_restore(t.sim.get(), t.snapshot.data(), t.snapshot.size() - 8); }},
      {"restore nothing", 2, "cut", [](Things& t) { return vdsim_sim_restore(t.sim.get(), t.snapshot.data(), 0); }},
      {"restore foreign", 2, "another car",
       [](Things& t) { return vdsim_sim_restore(t.sim.get(), t.foreign.data(), t.foreign.size()); }},
      {"restore damaged", 2, "damaged",
       [](Things& t) {
         vd::Snapshot bytes = t.snapshot;
         bytes[bytes.size() / 2] ^= 1;
         return vdsim_sim_restore(t.sim.get(), bytes.data(), bytes.size());
       }},
      // tire
      {"tire of a brake", 5, "no tire part", [](Things& t) { return vdsim_tire_create(t.brake.get(), &t.tire_out); }},
      {"tire of a scene", 5, "no tire part", [](Things& t) { return vdsim_tire_create(t.scene.get(), &t.tire_out); }},
      {"tire load", 2, "fz", [](Things& t) { return rig(t, [](auto& in) { in.fz = -5; }); }},
      {"tire NaN", 2, "omega", [](Things& t) { return rig(t, [](auto& in) { in.omega = nan_; }); }},
      {"tire lies", 2, "gamma", [](Things& t) { return rig(t, [](auto& in) { in.gamma = 2; }); }},
      {"tire size", 5, "in.size", [](Things& t) { return rig(t, [](auto& in) { in.size = 1; }); }},
      {"tire step", 2, "h: expected",
       [](Things& t) {
         const vdsim_rig_input in = rig_input();
         return vdsim_tire_step(t.tire.get(), &in, nullptr, 0, nullptr);
       }},
      {"tire restore", 2, "another tire",
       [](Things& t) { return vdsim_tire_restore(t.tire.get(), t.snapshot.data(), t.snapshot.size()); }},
      {"steady stride", 5, "out_stride",
       [](Things& t) {
         const vdsim_rig_input in = rig_input();
         vdsim_rig_output out = VDSIM_RIG_OUTPUT_INIT;
         return vdsim_tire_steady(t.tire.get(), 2, &in, 0, &out, 0);
       }},
      {"batch of no number", 2, "expected float or double",
       [](Things& t) {
         vdsim_batch* out;
         return vdsim_batch_create(t.scene.get(), 10, "half", &out);
       }},
      {"batch step", 5, "batch is NULL", [](Things&) { return vdsim_batch_step(nullptr, 1e-3, 1, 0); }},
  };
  return all;
}

TEST(CCalls, RefusedAndNothingChanged) {
  Things things;
  const std::string before = things.state();
  EXPECT_GE(refusals().size(), 60u);
  for (const Refusal& each : refusals()) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(each.call(things), each.status);
    const std::string error = vdsim_error();
    EXPECT_NE(error.find(each.says), std::string::npos) << error;
    ASSERT_GE(vdsim_error_count(), 1u);
    vdsim_error_info info{sizeof info, 0, 0, nullptr, nullptr, nullptr};
    ASSERT_EQ(vdsim_error_item(0, &info), VDSIM_OK);
    EXPECT_NE(std::string(info.what), "");
    EXPECT_NE(error.find(info.what), std::string::npos);
    EXPECT_EQ(things.state(), before);
  }
  EXPECT_TRUE(!things.spec_out && !things.sim_out && !things.tire_out && !things.catalog_out);
  EXPECT_EQ(vdsim_error_item(99, nullptr), VDSIM_MISUSE);
}

TEST(CCalls, ErrorsHavePlacesAndAllLines) {
  const std::string text = "id: a\nmuu: 1\nfleet:\n  - id: b\n    overrides: {chassis: {mass: -3, masss: 1}}\n";
  vdsim_spec* out = nullptr;
  ASSERT_EQ(vdsim_spec_read(catalog().get(), VDSIM_SCENE, text.data(), text.size(), nullptr, &out), VDSIM_BAD_INPUT);
  ASSERT_EQ(vdsim_error_count(), 3u) << vdsim_error();
  vdsim_error_info info{sizeof info, 0, 0, nullptr, nullptr, nullptr};
  ASSERT_EQ(vdsim_error_item(1, &info), VDSIM_OK);
  EXPECT_EQ(info.line, 5);
  EXPECT_STREQ(info.file, "text");
  EXPECT_STREQ(info.path, "fleet[0].overrides.chassis.mass");
  EXPECT_NE(std::string(info.what).find("-3 is out of range"), std::string::npos);
  EXPECT_EQ(std::string(vdsim_error()).find("text:2:"), 0u) << vdsim_error();
}

TEST(CCalls, ErrorsAreOfTheirThread) {
  vdsim_spec* out = nullptr;
  ASSERT_EQ(vdsim_spec_load(catalog().get(), VDSIM_SCENE, "nowhere", &out), VDSIM_BAD_INPUT);
  const std::string mine = vdsim_error();
  std::string other = "?", later;
  std::thread([&] {
    other = vdsim_error();
    vdsim_sim_run(nullptr, 1);
    later = vdsim_error();
  }).join();
  EXPECT_EQ(other, "");
  EXPECT_EQ(later, "sim is NULL");
  EXPECT_EQ(vdsim_error(), mine);
}

TEST(CCalls, NotesTellWhatTheCommandLineTells) {
  vd::Spec scene =
      vd::Spec::read(catalog(), VDSIM_SCENE, "id: a\nfleet: [{id: b, overrides: {tire: {lugre: {sigma2: 5}}}}]\n");
  EXPECT_NE(scene.notes().find("sigma2"), std::string::npos) << scene.notes();  // without effect with this law
  EXPECT_EQ(scene.notes().find("against finer"), std::string::npos);
  scene.set("solver", "{dt: 0.004, integrator: implicit}");
  EXPECT_NE(scene.notes().find("against finer"), std::string::npos) << scene.notes();
  EXPECT_EQ(vd::Spec(catalog(), VDSIM_SCENE, "step_steer").notes(), "");
}

TEST(CCalls, HandlesOutliveTheirCatalog) {
  auto own = std::make_unique<vd::Catalog>(VDSIM_SOURCE_DIR "/configs");
  auto scene = std::make_unique<vd::Spec>(*own, VDSIM_SCENE, "crg_road_demo");
  own.reset();
  scene->set("tire.mu_nominal", 0.9);
  vd::Sim sim(*scene);
  scene.reset();
  sim.run(0.2);
  EXPECT_GT(sim.read("x"), 3);
  vdsim_catalog_close(nullptr), vdsim_spec_free(nullptr), vdsim_sim_free(nullptr), vdsim_tire_free(nullptr);
}

TEST(CCalls, EverythingReadsBack) {
  for (const vdsim_kind kind : {VDSIM_PART, VDSIM_VEHICLE, VDSIM_SCENE})
    for (const std::string& id : split(catalog().ids(kind), '\n')) {
      SCOPED_TRACE(id);
      const vd::Spec spec(catalog(), kind, id);
      const vd::Spec again = vd::Spec::read(catalog(), kind, spec.text());
      EXPECT_EQ(again.text(), spec.text());
      EXPECT_EQ(again.hash(), spec.hash());
      vd::Spec copy = spec;
      for (std::size_t i = 0; i < spec.field_count(); ++i) {  // every value that can be read can be set to itself
        const vdsim_field_info f = spec.field(i);
        if (std::string(f.kind) == "other") continue;
        const std::string value = spec.get(f.path);
        if (i % 7 == 0 && !value.empty() && std::string(f.kind) != "text") copy.set(f.path, value);
      }
      EXPECT_EQ(copy.text(), spec.text());
    }
}

// A spec lists every path that --set knows, of every schema of tires; blocks by their values.
TEST(CCalls, NoFieldIsMissing) {
  std::set<std::string> listed;
  for (const char* tire : {"tire.lugre_on", "tire.rally", "tire.lugre_patch"}) {
    vd::Spec scene =
        vd::Spec::read(catalog(), VDSIM_SCENE, "id: a\nfleet: [{id: b, parts: {tire: " + std::string(tire) + "}}]\n");
    for (std::size_t i = 0; i < scene.field_count(); ++i) listed.insert(scene.field(i).path);
  }
  EXPECT_GT(listed.size(), 400u);
  for (const std::string& path : vdsim::settable_paths()) {
    const auto below = listed.lower_bound(path + ".");  // a block, or one axle of what is listed for all four
    const bool block = below != listed.end() && below->starts_with(path + ".");
    std::string all = path;
    if (path.starts_with("tire_front.") || path.starts_with("tire_rear.")) all = "tire" + path.substr(path.find('.'));
    if (path.starts_with("surface.")) all = "tire." + path;
    EXPECT_TRUE(listed.count(path) || listed.count(all) || block || path == "driver") << path;
  }
}

TEST(CCalls, FieldsSayWhatTheyAre) {
  const vd::Spec vehicle(catalog(), VDSIM_VEHICLE, "vehicle.sedan_comfort");
  int found = 0;
  for (std::size_t i = 0; i < vehicle.field_count(); ++i) {
    const vdsim_field_info f = vehicle.field(i);
    EXPECT_NE(std::string(f.meaning), "") << f.path;
    if (std::string(f.path) == "chassis.mass") {
      ++found;
      EXPECT_STREQ(f.unit, "kg");
      EXPECT_STREQ(f.kind, "number");
      EXPECT_EQ(f.lo, 0);
      EXPECT_EQ(f.lo_open, 1);
      EXPECT_EQ(f.hi, INFINITY);
      EXPECT_GT(std::stod(f.default_text), 500);
    }
    if (std::string(f.path) == "drivetrain.type" || std::string(f.kind) == "choice") {
      ++found;
      EXPECT_GE(f.choice_count, 2u) << f.path;
      bool has = false;
      for (std::uint32_t k = 0; k < f.choice_count; ++k) has = has || vehicle.get(f.path) == f.choices[k];
      EXPECT_TRUE(has) << f.path;
    }
  }
  EXPECT_GT(found, 3);
}

// To the end of the run: 700 steps of 1 ms add up to 0.7000000000000001 s, and 0.7004 s end in a shorter step.
TEST(CCalls, SetIsThatOfTheCommandLine) {
  vd::Spec scene(catalog(), VDSIM_SCENE, "step_steer");
  scene.set("chassis.cg_height", 0.61).set("tire_rear.mu_nominal", 0.8);
  for (const char* duration : {"0.7", "0.7004"}) {
    const CommandLine line("step_steer", "--set chassis.cg_height=0.61 --set tire_rear.mu_nominal=0.8 --set duration=" +
                                             std::string(duration));
    const Rows rows = line.rows("ego");
    scene.set("duration", duration);
    EXPECT_EQ(scene.hash(), rows.config);
    vd::Sim sim(scene);
    sim.run(std::stod(duration));
    std::vector<double> last = sim.read();
    for (double& x : last) x += 0.0;  // a file writes -0 as 0
    EXPECT_EQ(last, rows.rows.back()) << duration;
  }
  EXPECT_EQ(scene.number("tire_rear.mu_nominal"), 0.8);
  EXPECT_EQ(scene.get("tire_fl.mu_nominal"), scene.get("tire_front.mu_nominal"));
  EXPECT_THROW(scene.number("tire.mu_nominal"), vd::Error);  // the wheels differ
  scene.set("tire.mu_nominal", 0.75);                        // the last word counts, for all four
  EXPECT_EQ(scene.number("tire_rl.mu_nominal"), 0.75);
  EXPECT_EQ(scene.number("tire.mu_nominal"), 0.75);
  EXPECT_EQ(scene.list("chassis.inertia_diag").size(), 3u);
}

// An older program, whose struct ends earlier: what it does not have is as the INIT macro has it.
TEST(CCalls, ShorterStructsHaveDefaults) {
  vd::Spec scene(catalog(), VDSIM_SCENE, "step_steer");
  vd::Sim whole(scene), part(scene);
  vdsim_commands all = VDSIM_COMMANDS_INIT, old = VDSIM_COMMANDS_INIT;
  all.throttle = old.throttle = 0.3;
  old.size = offsetof(vdsim_commands, brake);
  old.brake = 0.9, old.torque[2] = 1e6;  // beyond its end
  for (int i = 0; i < 100; ++i) {
    whole.step(all, 1e-3);
    ASSERT_EQ(vdsim_sim_step(part.get(), &old, nullptr, 1e-3), VDSIM_OK) << vdsim_error();
  }
  EXPECT_EQ(whole.snapshot(), part.snapshot());
  vdsim_signal info{offsetof(vdsim_signal, meaning), nullptr, nullptr, "mine"};
  ASSERT_EQ(vdsim_signal_info(whole.get(), 0, &info), VDSIM_OK);
  EXPECT_STREQ(info.name, "t");
  EXPECT_STREQ(info.meaning, "mine");
}

TEST(CCalls, StepReadAndSnapshotDoNotAllocate) {
  long checked = 0;
  for (const std::string& id : split(catalog().ids(VDSIM_SCENE), '\n')) {
    SCOPED_TRACE(id);
    const vd::Spec scene(catalog(), VDSIM_SCENE, id);
    const vdsim::Scenario scenario = vdsim::load_scene(vdsim::Catalog(VDSIM_SOURCE_DIR "/configs"), id);
    vd::Sim sim(scene, scenario.cars[0].id.c_str());
    std::vector<double> row(sim.signal_count());
    vd::Snapshot bytes = sim.snapshot();
    const vdsim_commands held = VDSIM_COMMANDS_INIT;
    vdsim_demand wanted = VDSIM_DEMAND_INIT;
    wanted.speed = 15;
    sim.run(0.05);
    const double dt = scenario.solver.dt;
    const long before = g_allocations;
    bool ok = vdsim_sim_run(sim.get(), 0.1) == 0;
    for (int i = 0; i < 20; ++i) {
      ok = ok && vdsim_sim_step(sim.get(), &held, nullptr, dt) == 0;
      ok = ok && vdsim_sim_demand(sim.get(), &wanted, &wanted, dt) == 0;
      ok = ok && vdsim_sim_read(sim.get(), nullptr, row.size(), row.data()) == 0;
      ok = ok && vdsim_sim_snapshot(sim.get(), bytes.data(), bytes.size()) == 0;
      ok = ok && vdsim_sim_restore(sim.get(), bytes.data(), bytes.size()) == 0;
    }
    EXPECT_EQ(g_allocations - before, 0);
    EXPECT_TRUE(ok) << vdsim_error();
    ++checked;
  }
  EXPECT_GE(checked, 18);
  const long before = g_allocations;
  vd::Spec(catalog(), VDSIM_SCENE, "step_steer");
  EXPECT_GT(g_allocations - before, 100) << "allocations inside the library are seen";
}

TEST(CCalls, TireIsTheRig) {
  for (const char* id : {"tire.lugre_on", "tire.rally", "tire.lugre_patch"}) {
    SCOPED_TRACE(id);
    const vd::Spec part(catalog(), VDSIM_PART, id);
    vdsim::Errors errors;
    const auto loaded = vdsim::load_part(vdsim::Catalog(VDSIM_SOURCE_DIR "/configs"), {id, "", {}, ""}, "tire", errors);
    vdsim::TireRig rig(loaded->tire);
    vd::Tire tire(part);
    vdsim_rig_input from = rig_input(), to = rig_input();
    vdsim::RigInput a, b;
    a.vx = 20, a.omega = 62, a.fz = 3500;
    b = a;
    tire.start(from), rig.start(a);
    const vd::Snapshot start = tire.snapshot();
    vdsim_rig_output last = VDSIM_RIG_OUTPUT_INIT;
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 200; ++i) {
        to.vy = b.vy = 0.01 * i;
        last = tire.step(from, to, 1e-3);
        if (round == 0) rig.step(a, b, 1e-3);
        from.vy = a.vy = to.vy;
      }
      const vdsim::RigOutput o = rig.output(b);
      EXPECT_EQ(last.fx, o.fx);
      EXPECT_EQ(last.fy, o.fy);
      EXPECT_EQ(last.mz, o.mz);
      EXPECT_EQ(tire.output(to).fy, o.fy);
      from.vy = a.vy = 0;
      tire.restore(start);
    }
    rig.start(b);
    EXPECT_EQ(tire.steady(to).fy, rig.output(b).fy);
    vdsim_rig_input many[3] = {to, to, to};
    many[1].fz = 0.5 * to.fz;
    vdsim_rig_output out[3];
    for (auto& each : out) each.size = sizeof each;
    ASSERT_EQ(vdsim_tire_steady(tire.get(), 3, many, sizeof many[0], out, sizeof out[0]), VDSIM_OK) << vdsim_error();
    EXPECT_EQ(out[0].fy, out[2].fy);
    EXPECT_LT(std::abs(out[1].fy), std::abs(out[0].fy));
  }
}

// A step without a finite result: told, and the car is where it was.
TEST(CCalls, DivergedStepChangesNothing) {
  for (const char* tire : {"tire.lugre_on", "tire.lugre_patch"}) {
    SCOPED_TRACE(tire);
    const std::string text = "{id: a, fleet: [{id: b, vx0: 10, parts: {tire: " + std::string(tire) + "}}]}";
    vd::Sim sim(vd::Spec::read(catalog(), VDSIM_SCENE, text));
    sim.run(0.1);
    const vd::Snapshot before = sim.snapshot();
    vdsim_commands wild = VDSIM_COMMANDS_INIT;
    wild.torque[0] = 1e308, wild.torque[3] = -1e308;
    EXPECT_EQ(vdsim_sim_step(sim.get(), &wild, nullptr, 1e-3), VDSIM_DIVERGED);
    EXPECT_NE(std::string(vdsim_error()).find("diverged after t = 0.1 s: "), std::string::npos) << vdsim_error();
    EXPECT_EQ(sim.snapshot(), before);
    sim.run(0.2);
    EXPECT_NEAR(sim.read("vx"), 10, 0.1);
  }
}

// Memory that ends at any instant: status 6, nothing lost (sanitizers look), nothing changed, and the next call succeeds.
TEST(CCalls, AnyAllocationMayFail) {
  Things things;
  const std::string before = things.state(), text = "{id: a, fleet: [{id: b, driver: {speed: 9}}]}";
  const auto on_own_sim = [&](const auto& call) {  // all but the call itself has memory
    const long left = g_allocations_left.exchange(-1);
    vd::Sim sim(things.scene);
    sim.run(0.1);
    const vd::Snapshot was = sim.snapshot();
    g_allocations_left = left;
    const int status = call(sim.get());
    const long after = g_allocations_left.exchange(-1);
    if (status != VDSIM_OK) {
      EXPECT_EQ(sim.snapshot(), was);
    }
    sim.run(0.2);
    g_allocations_left = after;
    return status;
  };
  const std::vector<std::function<int()>> calls{
      [&] {
        const int status = vdsim_catalog_open(VDSIM_SOURCE_DIR "/configs", &things.catalog_out);
        vdsim_catalog_close(std::exchange(things.catalog_out, nullptr));
        return status;
      },
      [&] {
        const int status = read(VDSIM_SCENE, text, things);
        vdsim_spec_free(std::exchange(things.spec_out, nullptr));
        return status;
      },
      [&] {
        const int status = vdsim_sim_create(things.scene.get(), nullptr, &things.sim_out);
        vdsim_sim_free(std::exchange(things.sim_out, nullptr));
        return status;
      },
      [&] { return on_own_sim([&](vdsim_sim* sim) { return vdsim_sim_change(sim, things.vehicle.get()); }); },
      [&] { return on_own_sim([&](vdsim_sim* sim) { return vdsim_sim_reset(sim, nullptr); }); },
      [&] { return set(things.scene, "chassis.mass", "much"); },
      [&] { return vdsim_sim_run(things.sim.get(), -1); },
  };
  const int done[] = {VDSIM_OK, VDSIM_OK, VDSIM_OK, VDSIM_OK, VDSIM_OK, VDSIM_BAD_INPUT, VDSIM_BAD_INPUT};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    long failed = 0;
    for (long n = 0, step = 1; n < 200000; n += step = 1 + n / 16) {
      g_allocations_left = n;
      const int status = calls[i]();
      const bool reached = g_allocations_left < 0;
      g_allocations_left = -1;
      EXPECT_EQ(status, reached ? VDSIM_NO_MEMORY : done[i]) << n << ": " << vdsim_error();
      if (!reached) break;
      EXPECT_STREQ(vdsim_error(), "out of memory");
      ++failed;
    }
    EXPECT_GT(failed, 0);
    EXPECT_EQ(calls[i](), done[i]) << vdsim_error();
  }
  EXPECT_EQ(things.state(), before);
}

// What the door costs: the same car, the same commands, stepped by Car::step and by vdsim_sim_step; the best of many rounds each.
TEST(CCalls, DoorCostsLittle) {
  using Clock = std::chrono::steady_clock;
  const vdsim::Scenario scene = vdsim::load_scene(vdsim::Catalog(VDSIM_SOURCE_DIR "/configs"), "step_steer");
  const vdsim::CarSpec& spec = scene.cars[0];
  const vdsim::StartSpec& s = spec.start;
  vdsim::Car car(spec.vehicle, scene.road, spec.level, scene.solver.integrator, {s.x0, s.y0, s.yaw0, s.vx0, s.z0});
  vd::Sim sim(vd::Spec(catalog(), VDSIM_SCENE, "step_steer"));
  const vdsim::Commands held;
  const vdsim_commands c_held = VDSIM_COMMANDS_INIT;
  constexpr int steps = 500, rounds = 60;
  double inside = 1, outside = 1;
  const auto measure = [](double& best, auto&& step) {
    const auto start = Clock::now();
    for (int i = 0; i < steps; ++i) step();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / steps);
  };
  for (int i = 0; i < rounds; ++i) {
    measure(inside, [&] { car.step(held, 1e-3); });
    measure(outside, [&] { vdsim_sim_step(sim.get(), &c_held, &c_held, 1e-3); });
  }
  const double ns = 1e9 * (outside - inside);
  std::printf("Car::step %.0f ns, vdsim_sim_step %.0f ns: the door costs %.0f ns\n", 1e9 * inside, 1e9 * outside, ns);
  RecordProperty("door_ns", std::to_string(ns));
  EXPECT_LT(ns, 500);  // a loaded machine or a sanitizer; docs/C_API.md has the number
}

}  // namespace
