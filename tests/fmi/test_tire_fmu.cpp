// SPDX-License-Identifier: Apache-2.0
// FMUs of a tire alone: to the bits of `vdsim rig`, and refused where they must be.
#include <cmath>

#include "tests/fmi/fmus3.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/lab/rig.hpp"

namespace {

std::vector<std::string> tires() {
  std::vector<std::string> out;
  for (const std::string& id : ids_of(catalog().parts(), "tire.")) out.push_back(id);
  return out;
}
Request tire(const std::string& id, int version = 2) {
  Request out = Exported::of(id);
  out.version = version;
  return out;
}

TEST(TireFmu, EveryTirePassesTheCheck) {
  ASSERT_GT(tires().size(), 15u);
  for (const int version : {2, 3})
    for (const std::string& id : tires()) {
      SCOPED_TRACE(id + ", FMI " + std::to_string(version));
      const Exported exported(tire(id, version));
      for (const std::string& line : check_fmu(Unpacked(exported.file))) ADD_FAILURE() << line;
    }
}

// Braking and steering into a slide over 0.5 s, in numbers and times that binary fractions hold: value + rate h is then exact, and
// an importer that gives inputs and their rates says the very motion of the table.
constexpr double kDt = 0x1p-10;
constexpr const char* kMotion =
    "t,omega,vx,vy,fz,gamma,mu,psidot\n"
    "0,64,20,0,4096,0,1,0\n"
    "0.125,56,20,-0.5,4352,0.015625,1,0.125\n"
    "0.25,32,19,-2,4608,0.03125,0.75,0.25\n"
    "0.5,0,16,-1,4096,0.03125,0.75,0\n";
const std::vector<std::string> kInputs{"omega", "vx", "vy", "fz", "gamma", "mu", "psidot"};

struct Reference {
  explicit Reference(const std::string& id) {
    Errors errors;
    motion = RigMotion::read(kMotion, "motion", errors);
    TireArgument argument;
    argument.tire = id;
    const auto spec = load_tire(catalog(), argument, errors);
    errors.throw_if_any();
    TireRig rig(*spec);
    RigOptions options;
    options.dt = kDt, options.states = true;
    names = rig_columns(rig, options);
    EXPECT_EQ(
        run_rig(rig, *motion, options, [&](std::span<const double> row) { rows.emplace_back(row.begin(), row.end()); }),
        RigEnd::done);
    for (const auto& row : rows) inputs.push_back(at(rig, row[0]));
  }
  std::vector<double> at(const TireRig& rig, double t) const {
    std::size_t row = 0;
    while (row + 2 < motion->rows() && t >= motion->time(row + 1)) ++row;
    const RigInput in = motion->at(rig, row, (t - motion->time(row)) / (motion->time(row + 1) - motion->time(row)));
    return {in.omega, in.vx, in.vy, in.fz, in.gamma, in.mu, in.psidot};
  }
  std::optional<RigMotion> motion;
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows, inputs;
};
std::string output_name(const std::string& column) { return column == "fz" ? "fz_applied" : column; }

TEST(TireFmu, EveryTireToTheBitsOfTheRig) {
  for (const std::string& id : tires()) {
    SCOPED_TRACE(id);
    const Reference reference(id);
    const Exported exported(tire(id));
    const Unpacked fmu(exported.file);
    const Library2 library(fmu.library());
    Instance2 i(fmu, library);
    ASSERT_TRUE(i.c) << i.text();
    const std::vector<fmi2Integer> first(kInputs.size(), 1);
    std::vector<fmi2ValueReference> vr, out;
    for (const std::string& name : kInputs) vr.push_back(i.names.at(name));
    for (std::size_t k = 1; k < reference.names.size(); ++k) out.push_back(i.names.at(output_name(reference.names[k])));
    ASSERT_EQ(library.fmi2SetReal(i.c, vr.data(), vr.size(), reference.inputs[0].data()), fmi2OK) << i.text();
    i.start();
    std::vector<double> now(out.size());
    for (std::size_t k = 0; k < reference.rows.size(); ++k) {
      ASSERT_EQ(library.fmi2GetReal(i.c, out.data(), out.size(), now.data()), fmi2OK) << i.text();
      for (std::size_t j = 0; j < out.size(); ++j)
        ASSERT_TRUE(same_bits({now[j] + 0.0}, {reference.rows[k][j + 1] + 0.0}))
            << reference.names[j + 1] << " in row " << k << ": " << now[j] << ", " << reference.rows[k][j + 1];
      if (k + 1 == reference.rows.size()) break;
      std::vector<double> rate;
      for (std::size_t j = 0; j < vr.size(); ++j)
        rate.push_back((reference.inputs[k + 1][j] - reference.inputs[k][j]) / kDt);
      ASSERT_EQ(library.fmi2SetReal(i.c, vr.data(), vr.size(), reference.inputs[k].data()), fmi2OK) << i.text();
      ASSERT_EQ(library.fmi2SetRealInputDerivatives(i.c, vr.data(), vr.size(), first.data(), rate.data()), fmi2OK);
      ASSERT_EQ(i.step(static_cast<double>(k) * kDt, kDt), fmi2OK) << i.text();
    }
  }
}

// Inputs that are held over a step jump at its start; a step of 5 ms is five of 1 ms, and FMI 3.0 has the same bits.
TEST(TireFmu, HeldInputsOnBothVersionsToTheSameBits) {
  for (const char* id : {"tire.lugre_on", "tire.rally_gravel", "tire.lugre_patch", "tire.lugre_breakaway"}) {
    SCOPED_TRACE(id);
    const Exported two(tire(id)), three(tire(id, 3));
    const Unpacked fmu2(two.file), fmu3(three.file);
    const Library2 l2(fmu2.library());
    const Library3 l3(fmu3.library());
    Instance2 a(fmu2, l2);
    Instance3 b(fmu3, l3);
    ASSERT_TRUE(a.c && b.c);
    Errors errors;
    TireArgument argument;
    argument.tire = id;
    TireRig rig(*load_tire(catalog(), argument, errors));
    const auto give = [&](double omega, double vx, double vy, double fz) {
      for (const auto& [name, value] :
           std::map<std::string, double>{{"omega", omega}, {"vx", vx}, {"vy", vy}, {"fz", fz}}) {
        ASSERT_EQ(a.set(name, value), fmi2OK) << a.text();
        const fmi3ValueReference vr = b.names.at(name);
        ASSERT_EQ(l3.fmi3SetFloat64(b.c, &vr, 1, &value, 1), fmi3OK) << b.text();
      }
    };
    give(60, 20, 0, 4000);
    RigInput in;
    in.omega = 60, in.vx = 20, in.fz = 4000;
    rig.start(in);
    a.start(), b.start();
    for (int k = 0; k < 40; ++k) {
      in.omega = 60 - k, in.vy = -0.1 * (k + 1), in.fz = 4000 + 20 * k;
      give(in.omega, in.vx, in.vy, in.fz);
      for (int n = 0; n < 5; ++n) rig.step(in, in, 1e-3);
      ASSERT_EQ(a.step(k * 0.005, 0.005), fmi2OK) << a.text();
      ASSERT_EQ(b.step(k * 0.005, 0.005), fmi3OK) << b.text();
      const RigOutput o = rig.output(in);
      const std::vector<double> want{o.fx, o.fy, o.mx, o.my, o.mz, o.kappa, o.alpha};
      const std::vector<std::string> names{"fx", "fy", "mx", "my", "mz", "kappa", "alpha"};
      ASSERT_TRUE(same_bits(a.outputs(names), want)) << "step " << k;
      for (std::size_t j = 0; j < names.size(); ++j) ASSERT_TRUE(same_bits(b.get(names[j]), {want[j]})) << names[j];
    }
    EXPECT_GT(std::abs(a.get("fy")), 500);
  }
}

TEST(TireFmu, StateGoesOnToTheSameBytes) {
  for (const char* id : {"tire.lugre_on", "tire.lugre_patch", "tire.rally"}) {
    SCOPED_TRACE(id);
    const Exported exported(tire(id));
    const Unpacked fmu(exported.file);
    const Library2 library(fmu.library());
    Instance2 a(fmu, library), b(fmu, library);
    ASSERT_EQ(a.set("omega", 50), fmi2OK);
    ASSERT_EQ(a.set("vx", 16), fmi2OK);
    ASSERT_EQ(a.set("fz", 4000), fmi2OK);
    a.start();
    a.set("vy", 1);
    for (int k = 0; k < 20; ++k) ASSERT_EQ(a.step(k * 0.01, 0.01), fmi2OK);
    const auto half = a.state();
    for (int k = 20; k < 40; ++k) ASSERT_EQ(a.step(k * 0.01, 0.01), fmi2OK);
    const auto whole = a.state();
    ASSERT_EQ(b.restore(half), fmi2OK) << b.text();
    EXPECT_EQ(b.state(), half);
    for (int k = 20; k < 40; ++k) ASSERT_EQ(b.step(k * 0.01, 0.01), fmi2OK) << b.text();
    EXPECT_EQ(b.state(), whole);
    auto cut = half;
    cut.pop_back();
    EXPECT_EQ(b.restore(cut), fmi2Error);
    EXPECT_EQ(b.state(), whole) << "a refused state changes nothing";
  }
  const Exported one(tire("tire.lugre_on")), other(tire("tire.rally"));
  const Unpacked fmu(one.file), foreign(other.file);
  const Library2 l(fmu.library()), lf(foreign.library());
  Instance2 a(fmu, l), b(foreign, lf);
  a.start(), b.start();
  EXPECT_EQ(a.restore(b.state()), fmi2Error);
  EXPECT_NE(a.text().find("of another FMU"), std::string::npos) << a.text();
}

// Parameters act as --set does; those that would change which states there are cannot be set.
TEST(TireFmu, ParametersActAsSetDoes) {
  Request changed = tire("tire.sport_grip");
  changed.sets = {"tire.mu_nominal=0.5"};
  const Exported plain(tire("tire.sport_grip")), set(changed);
  const Unpacked fmu(plain.file), fmu_set(set.file);
  const Library2 l(fmu.library()), l_set(fmu_set.library());
  Instance2 a(fmu, l), b(fmu_set, l_set), untouched(fmu, l);
  ASSERT_EQ(a.set("tire.mu_nominal", 0.5), fmi2OK) << a.text();
  std::vector<double> fy;
  for (Instance2* i : {&a, &b, &untouched}) {
    i->set("omega", 50), i->set("vx", 16), i->set("vy", 3), i->set("fz", 4000);
    i->start();
    fy.push_back(i->get("fy"));
  }
  EXPECT_EQ(fy[0], fy[1]);
  EXPECT_GT(std::abs(fy[2]), 1.5 * std::abs(fy[0]));
  EXPECT_EQ(a.set("tire.mu_nominal", 0.6), fmi2Error);
  EXPECT_NE(a.text().find("fixed"), std::string::npos) << a.text();
}

TEST(TireFmu, BadInputsAreRefusedAndChangeNothing) {
  const Exported exported(tire("tire.lugre_on"));
  const Unpacked fmu(exported.file);
  const Library2 library(fmu.library());
  Instance2 i(fmu, library);
  i.set("fz", 4000), i.set("vx", 10), i.set("omega", 30);
  i.start();
  ASSERT_EQ(i.step(0, 0.01), fmi2OK);
  const double before = i.get("fx");
  struct Case {
    const char* name;
    double value;
  };
  for (const auto& [name, value] : {Case{"fz", -1}, {"gamma", 2}, {"mu", -0.1}, {"pressure", -1}, {"vx", NAN}}) {
    SCOPED_TRACE(name);
    const double was = i.get(name);
    const bool set = i.set(name, value) == fmi2OK;
    EXPECT_EQ(set ? i.step(0.01, 0.01) : fmi2Error, fmi2Error);
    EXPECT_NE(i.text().find(name), std::string::npos) << i.text();
    EXPECT_EQ(i.get("fx"), before);
    EXPECT_EQ(i.set(name, was), fmi2OK);
  }
  EXPECT_EQ(i.step(0.01, 0.01), fmi2OK) << i.text();
}

TEST(TireFmu, ExportRefusesWithTheWayOut) {
  const auto told = [](Request request, const std::string& why) {
    request.libraries = VDSIM_FMU_LIBRARIES;
    try {
      make_fmu(catalog(), request);
      ADD_FAILURE() << "taken: " << why;
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  };
  Request request = tire("step_steer");
  request.tire_only = true;
  told(request, "--tire-only: step_steer is no tire part");
  told(tire("brake.suv"), "brake.suv is a brake part: there are FMUs of scenes, vehicles and tires");
  request = tire("tire.suv");
  request.sets = {"tire.mu_nominl=1"};
  told(request, "did you mean 'mu_nominal'?");
  request.sets = {"chassis.mass=1500"};
  told(request, "unknown key");
  request.sets = {}, request.car = "ego";
  told(request, "--car: of cars, tire.suv is a tire");
  request.car = "", request.control_given = true;
  told(request, "--control: of cars");
  request = tire("tire.suv"), request.options.command_level = 6;
  told(request, "--command-level: of cars");
}

}  // namespace
