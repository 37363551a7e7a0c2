// SPDX-License-Identifier: Apache-2.0
// What an FMU is made of: rules of the description, same bytes, what the library needs, how long a step takes.
#include <chrono>
#include <functional>
#include <regex>
#include <set>

#include "bindings/fmi/units.hpp"
#include "tests/fmi/fmus.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/study/sim.hpp"

namespace {

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  pclose(pipe);
  return out;
}

TEST(FmuFiles, EveryCarPassesTheCheck) {
  for (const int version : {2, 3})
    for (const CatalogEntry& entry : catalog().blueprints()) {
      SCOPED_TRACE(entry.id + ", FMI " + std::to_string(version));
      Request request = Exported::of(entry.id);
      request.version = version;
      const Exported exported(request);
      for (const std::string& line : check_fmu(Unpacked(exported.file))) ADD_FAILURE() << line;
    }
}

// A description that breaks a rule is told of by the check, with the rule's words.
TEST(FmuFiles, CheckFindsBrokenRules) {
  struct Case {
    int version;
    std::string from, to, told;
  };
  const std::vector<Case> cases{
      {2, " guid=", " gui=", "no attribute 'gui'"},
      {2, "canInterpolateInputs", "canInterpolateInput", "no attribute 'canInterpolateInput'"},
      {2, "<Category name=\"logAll\"/>", "<Kategory/>", "<Kategory> cannot stand in <LogCategories>"},
      {2, "name=\"vy\"", "name=\"vx\"", "vx is there twice"},
      {2, "name=\"vy\"", "name=\"v y\"", "v y is no structured name"},
      {2, "causality=\"input\" variability=\"continuous\"", "causality=\"input\" variability=\"fixed\"",
       "is input and fixed, which do not go together"},
      {2, " start=\"0\"/></ScalarVariable>", "/></ScalarVariable>", "needs a start value"},
      {2, "initial=\"calculated\"", "initial=\"exact\"", "needs a start value"},
      {2, "<Unit name=\"m/s\">", "<Unit name=\"m/t\">", "unit 'm/s' is not defined"},
      {2, "<DisplayUnit name=\"deg\"", "<DisplayUnit name=\"grad\"", "display unit 'deg' is not one of 'rad'"},
      {2, "declaredType=\"control_choices\"", "declaredType=\"other\"", "type 'other' is not defined so"},
      {2, "valueReference=\"2\"", "valueReference=\"1\"", "are one value and both have a start"},
      {2, "      <Unknown index=\"8\"/>\n", "", "is missing"},
      {2, "<Unknown index=\"9\"/>", "<Unknown index=\"2\"/>", "does not belong there"},
      {2, "<Unknown index=\"9\"/>", "<Unknown index=\"9999\"/>", "there is no variable 9999"},
      {2, "max=\"1\" start=\"0\"", "max=\"1\" start=\"2\"", "start is outside min and max"},
      {3, " instantiationToken=", " token=", "lacks 'instantiationToken'"},
      {3, "name=\"vy\"", "name=\"vx\"", "vx is there twice"},
      {3, "valueReference=\"14\" description", "valueReference=\"13\" description",
       "value reference 13 is there twice"},
      {3, "    <Output valueReference=\"13\"/>\n", "", "Output: vx is missing"},
      {3, "<InitialUnknown valueReference=\"13\"/>", "<InitialUnknown valueReference=\"1\"/>", "does not belong there"},
      {3, "causality=\"independent\"", "causality=\"output\"", "there are 0 independent variables"},
      {3, "<Unit name=\"m/s\">", "<Unit name=\"m/t\">", "unit 'm/s' is not defined"}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.told);
    Request request = Exported::of("step_steer");
    request.version = each.version;
    const Exported exported(request);
    std::vector<ArchiveFile> files = exported.made.files;
    std::erase_if(files, [](const ArchiveFile& file) { return file.name.starts_with("binaries/"); });
    for (ArchiveFile& file : files) {
      if (file.name != "modelDescription.xml") continue;
      const std::size_t at = file.bytes.find(each.from);
      ASSERT_NE(at, std::string::npos) << each.from;
      file.bytes.replace(at, each.from.size(), each.to);
    }
    exported.write(files);
    const Unpacked fmu(exported.file);
    const auto found = each.version == 2 ? check_description2(fmu) : check_description3(fmu);
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const std::string& line) {
      return line.find(each.told) != std::string::npos;
    })) << (found.empty() ? "nothing was found" : found[0]);
  }
}

TEST(FmuFiles, SameInputSameBytes) {
  for (const int version : {2, 3}) {
    Request request = Exported::of("four_surfaces");
    request.version = version;
    request.car = load_scene(catalog(), "four_surfaces").cars[0].id;
    const Exported a(request);
    setenv("TZ", "Asia/Tokyo", 1);
    const Exported b(request);
    unsetenv("TZ");
    EXPECT_EQ(zipped(a.made.files), zipped(b.made.files));
  }
}

// 44 functions of FMI 2.0, 75 of 3.0, nothing else shown; libc, libm and the loader alone; glibc 2.35 or older.
TEST(FmuFiles, LibraryStandsAlone) {
  const std::string library = std::string(VDSIM_FMU_LIBRARIES) + "/linux64/vdsim.so";
  std::istringstream needed(output_of("readelf -d " + library + " | sed -n 's/.*NEEDED.*\\[\\(.*\\)\\]/\\1/p'"));
  for (std::string name; std::getline(needed, name);)
    EXPECT_TRUE(std::regex_match(name, std::regex("libc\\.so\\..*|libm\\.so\\..*|ld-linux.*"))) << name;
  std::istringstream shown(output_of("nm -D --defined-only " + library + " | awk '{print $3}'"));
  int two = 0, three = 0;
  for (std::string name; std::getline(shown, name);) {
    two += name.starts_with("fmi2"), three += name.starts_with("fmi3");
    EXPECT_TRUE(name.starts_with("fmi2") || name.starts_with("fmi3")) << name;
  }
  EXPECT_EQ(two, 44);
  EXPECT_EQ(three, 75);
  std::istringstream versions(output_of("objdump -T " + library + " | grep -o 'GLIBC_2\\.[0-9]*' | sort -u"));
  for (std::string version; std::getline(versions, version);) EXPECT_LE(std::stoi(version.substr(8)), 35) << version;
  EXPECT_LT(std::filesystem::file_size(Exported("step_steer").file), 3000000u);
  EXPECT_EQ(output_of("strings " + library + " | grep -c '" VDSIM_SOURCE_DIR "'"), "0\n");
}

TEST(FmuFiles, EveryUnitOfTheTablesIsDefined) {
  std::set<std::string> units;
  for (const CatalogEntry& entry : catalog().scenes()) {
    const auto all = std::make_shared<const Catalog>(VDSIM_SOURCE_DIR "/configs");
    const Document scene = Document::load(all, DocumentKind::scene, entry.id);
    for (const DocumentField& row : scene.fields()) units.insert(row.field.unit);
  }
  SignalScope everything;
  everything.everything = true;
  for (const Column& column : signals(everything)) units.insert(column.unit);
  const std::set<std::string> none{"", "-", "m/s^2/sqrt(s)", "rad/s/sqrt(s)"};
  for (const std::string& unit : units) EXPECT_EQ(base_unit(unit).has_value(), !none.count(unit)) << unit;
  const auto is = [](const char* unit, std::array<int, 8> power, double factor, double offset) {
    const auto base = base_unit(unit);
    EXPECT_EQ(base->power, power) << unit;
    EXPECT_DOUBLE_EQ(base->factor, factor) << unit;
    EXPECT_EQ(base->offset, offset) << unit;
  };
  is("N m/rad", {1, 2, -2, 0, 0, 0, 0, -1}, 1, 0);
  is("degC", {0, 0, 0, 0, 1}, 1, 273.15);
  is("%", {}, 0.01, 0);
  is("rpm", {0, 0, -1, 0, 0, 0, 0, 1}, 0.10471975511965977, 0);
  is("N m/1000 rpm", {1, 2, -1, 0, 0, 0, 0, -1}, 0.0095492965855137202, 0);
  is("rad s^2/m", {0, -1, 2, 0, 0, 0, 0, 1}, 1, 0);
}

// Every signal of the car is an output, every plain value of the scene a parameter.
TEST(FmuFiles, NothingOfTheTablesIsMissing) {
  const auto all = std::make_shared<const Catalog>(VDSIM_SOURCE_DIR "/configs");
  for (const char* id : {"step_steer", "rough_road", "engine_launch"}) {
    const Document scene = Document::load(all, DocumentKind::scene, id);
    if (scene.scene()->cars.size() != 1) continue;
    const std::vector<Variable> variables = fmu_variables(scene, {});
    const Sim sim(*scene.scene(), scene.scene()->cars[0]);
    std::set<int> columns;
    std::set<std::string> paths, names;
    std::set<std::uint32_t> references;
    for (const Variable& v : variables) {
      if (v.column >= 0) columns.insert(v.column);
      if (!v.path.empty()) paths.insert(v.path);
      EXPECT_TRUE(names.insert(v.name).second) << v.name;
      EXPECT_TRUE(references.insert(v.vr).second) << v.name;
    }
    EXPECT_EQ(columns.size(), sim.signals().size());
    using Kind = DocumentField::Kind;
    for (const DocumentField& row : scene.fields()) {
      if (row.path == "control" || row.path == "cmd_timeout") continue;  // inputs drive, or not, and never get stale
      if (row.kind == Kind::integer || row.kind == Kind::flag || row.kind == Kind::choice ||
          (row.kind == Kind::number && row.said()))
        EXPECT_TRUE(paths.count(row.path)) << row.path;
    }
    EXPECT_TRUE(names.count("control"));
  }
}

TEST(FmuFiles, HostileArchivesAreRefused) {
  const auto refused = [](const std::vector<ArchiveFile>& files, const std::string& why) {
    const std::string file = std::filesystem::temp_directory_path() / "vdsim_test_hostile.fmu";
    std::ofstream(file, std::ios::binary) << zipped(files);
    try {
      const Unpacked fmu(file);
      ADD_FAILURE() << "taken: " << why;
    } catch (const BadInput& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
    std::filesystem::remove(file);
  };
  refused({{"modelDescription.xml", "<a/>"}, {"../out", "x"}}, "leads out");
  refused({{"modelDescription.xml", "<a/>"}, {"a/../../out", "x"}}, "leads out");
  refused({{"modelDescription.xml", "<a/>"}, {"/etc/out", "x"}}, "leads out");
  refused({{"modelDescription.xml", "<a/>"}, {std::string(300, 'x'), "x"}}, "name of an entry is too long");
  refused({{"modelDescription.xml", "<a/>"}, {"big", std::string(201 << 20, 'x')}}, "big unfolds to more than 200 MB");
  refused({{"modelDescription.xml", "<a"}}, "modelDescription.xml: byte");
  refused({{"other.xml", "<a/>"}}, "no modelDescription.xml");
  EXPECT_THROW(Unpacked("there_is_no.fmu"), BadInput);
  const std::string text = std::filesystem::temp_directory_path() / "vdsim_test_text.fmu";
  std::ofstream(text) << "not an archive";
  EXPECT_THROW(Unpacked{text}, BadInput);
  std::filesystem::remove(text);
}

TEST(FmuFiles, ExportRefusesWithTheWayOut) {
  const auto told = [](const std::function<void(Request&)>& change, const std::string& why) {
    Request request = Exported::of("step_steer");
    request.libraries = VDSIM_FMU_LIBRARIES;
    change(request);
    try {
      make_fmu(catalog(), request);
      ADD_FAILURE() << "taken: " << why;
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  };
  told([](Request& r) { r.source = "step_ster"; }, "did you mean 'step_steer'?");
  told([](Request& r) { r.source = "nowhere.yaml"; }, "no such file: nowhere.yaml");
  told([](Request& r) { r.options.kind = Kind::me; }, "no model exchange, powertrain, control internal");
  told([](Request& r) { r.car = "nobody"; }, "no 'nobody' in this scene");
  told([](Request& r) { r.options.command_level = 9; }, "expected 1 to 8");
  told([](Request& r) { r.options.command_level = 8; }, "no path to follow");
  told([](Request& r) { r.options.parameters = "chasis.*"; }, "no path of this scene matches");
  told([](Request& r) { r.platforms = {"linux46"}; }, "did you mean 'linux64'?");
  told([](Request& r) { r.sets = {"chassis.mass=-1"}; }, "out of range");
  told([](Request& r) { r.sets = {"chasis.mass=1500"}; }, "did you mean");
  told([](Request& r) { r.libraries = "/"; }, "no library for FMUs");
}

TEST(FmuFiles, GlobsChooseParameters) {
  EXPECT_TRUE(matches("*", "chassis.mass"));
  EXPECT_TRUE(matches("mu,chassis.*", "chassis.mass"));
  EXPECT_TRUE(matches("chassis.m?ss", "chassis.mass"));
  EXPECT_FALSE(matches("chassis.*", "tire.mu_nominal"));
  EXPECT_FALSE(matches("", "mu"));
  Request request = Exported::of("step_steer");
  request.options.parameters = "chassis.*,mu";
  const Exported few(request);
  const Unpacked fmu(few.file);
  const Names names(fmu);
  EXPECT_TRUE(names.of.count("chassis.mass") && names.of.count("mu"));
  EXPECT_FALSE(names.of.count("tire.mu_nominal"));
  const Exported all("step_steer");
  EXPECT_EQ(Names(Unpacked(all.file)).at("mu"), names.at("mu")) << "a reference does not depend on the choice";
}

// A step of the FMU costs at most 300 ns more than the same step of the same objects.
TEST(FmuFiles, DoStepCostsLittle) {
  const Exported exported("step_steer");
  const Unpacked fmu(exported.file);
  const Library2 library(fmu.library());
  const Scenario scene = load_scene(catalog(), "step_steer");
  constexpr int kSteps = 4000;
  const auto seconds = [](auto&& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double best = 1e9;
  for (int trial = 0; trial < 15 && best > 300e-9; ++trial) {  // a busy machine only adds
    Instance2 i(fmu, library);
    i.start();
    Sim sim(scene, scene.cars[0]);
    const double door = seconds([&] {
      for (int k = 0; k < kSteps; ++k) i.step(k * 0.001, 0.001);
    });
    const double inside = seconds([&] {
      for (int k = 0; k < kSteps; ++k) sim.advance(1);
    });
    best = std::min(best, (door - inside) / kSteps);
  }
  EXPECT_LE(best, 300e-9);
}

}  // namespace
