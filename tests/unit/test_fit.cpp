// SPDX-License-Identifier: Apache-2.0
// Fits: parameters and curves come back from synthetic data with noise, whatever the start; outliers do little; bad data are
// refused. Every data plan says how many points its bars need.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <numeric>
#include <random>

#include "vdsim/config/catalog.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/lab/fit/fit_report.hpp"
#include "vdsim/lab/tire_eval.hpp"

namespace vdsim {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  double sign() { return uniform(0, 1) < 0.5 ? -1 : 1; }
  double normal() {  // Box and Muller: std::normal_distribution differs between libraries
    return std::sqrt(-2 * std::log(uniform(1e-12, 1))) * std::cos(2 * std::numbers::pi * uniform(0, 1));
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<std::size_t> all_of(const FitData& data) {
  std::vector<std::size_t> out(data.points.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

std::vector<FitForce> forces_at(const TireSpec& tire, const FitData& data) {
  std::vector<FitForce> out(data.points.size());
  steady_forces(tire, data.points, all_of(data), true, out);
  return out;
}

// Five loads; two fifths of the points pure longitudinal, two fifths pure lateral, the rest combined. Slips spread evenly on
// a logarithmic scale, so that the slope, the knee, the peak and the tail weigh the same.
FitData plan(std::size_t n, unsigned seed, double largest_kappa, double largest_tan) {
  Random random(seed);
  FitData out;
  out.files = {"synthetic"};
  out.has_mz = true;
  for (std::size_t i = 0; i < n; ++i) {
    FitPoint p{1500.0 + 1500.0 * static_cast<double>(i % 5), 0, 0};
    const double kappa = random.sign() * 0.01 * std::pow(largest_kappa / 0.01, random.uniform(0, 1));
    const double tangent = random.sign() * 0.01 * std::pow(largest_tan / 0.01, random.uniform(0, 1));
    const std::size_t kind = i / 5 % 5;
    if (kind != 2 && kind != 3) p.kappa = kappa;
    if (kind >= 2) p.alpha = std::atan(tangent);
    out.points.push_back(p);
  }
  return out;
}

// Normal noise of `share` of the peak that the channel reaches at that load.
void measure(FitData& data, const TireSpec& truth, double share, unsigned seed) {
  Random random(seed);
  const std::vector<FitForce> f = forces_at(truth, data);
  std::map<double, FitForce> peak;
  for (std::size_t i = 0; i < f.size(); ++i) {
    FitForce& p = peak.try_emplace(data.points[i].fz, FitForce{0, 0, 0}).first->second;
    p = {std::max(p.fx, std::abs(f[i].fx)), std::max(p.fy, std::abs(f[i].fy)), std::max(p.mz, std::abs(f[i].mz))};
  }
  for (std::size_t i = 0; i < f.size(); ++i) {
    const FitForce& p = peak[data.points[i].fz];
    data.points[i].fx = f[i].fx + share * p.fx * random.normal();
    data.points[i].fy = f[i].fy + share * p.fy * random.normal();
    data.points[i].mz = f[i].mz + share * p.mz * random.normal();
  }
}

TireSpec mf96_truth() {
  TireSpec t;
  t.B_long = 11.5, t.C_long = 1.6, t.D_long = 1.12, t.E_long = 0.7;
  t.B_lat = 9, t.C_lat = 1.4, t.D_lat = 1.05, t.E_lat = -0.8;
  t.load_sensitivity = 0.18, t.pneumatic_trail = 0.04, t.trail_falloff_alpha = 0.15;
  return t;
}

// Curvature E is the parameter that shows least: with 2 % noise its standard error is 0.6 % at 90000 points (a quarter
// of an hour at 100 Hz) up to slip ratio 1.5 and 68 deg, so that 2 % are more than three of them.
TEST(Fit, Mf96ComesBackWithinTwoPercentFromEveryStart) {
  FitData data = plan(90000, 1, 1.5, 2.5);
  TireSpec truth = mf96_truth();
  measure(data, truth, 0.02, 2);
  const FitModel model = make_fit_model("mf96", fit_start("mf96", data), data);
  const FitResult clean = fit_tire(model, data, {});
  EXPECT_EQ(clean.runs.size(), 6u);
  EXPECT_EQ(clean.agreeing, 6u);
  ASSERT_EQ(clean.parameters.size(), 11u);
  for (const FittedParameter& p : clean.parameters) {
    const double true_value = p.parameter.of(truth), error = p.value - true_value;
    EXPECT_LT(std::abs(error), 0.02 * std::abs(true_value)) << p.parameter.name << " " << p.value;
    EXPECT_LT(std::abs(error), 4 * p.error) << p.parameter.name;  // the stated error is the real one
    EXPECT_LT(p.error, 0.02 / 3 * std::abs(true_value)) << p.parameter.name;
  }
  // every run found the same curves: the runs themselves see 2500 points, so each within a few of their standard errors
  for (const FitRun& run : clean.runs)
    for (std::size_t k = 0; k < run.values.size(); ++k)
      EXPECT_NEAR(run.values[k], clean.runs[0].values[k], 0.01 * std::abs(clean.runs[0].values[k])) << k;

  Random random(3);  // one point in twenty is off by half and more, always away from zero
  for (FitPoint& p : data.points) {
    if (random.uniform(0, 1) >= 0.05) continue;
    p.fx *= random.uniform(1.5, 2.5);
    p.fy *= random.uniform(1.5, 2.5);
    p.mz *= random.uniform(1.5, 2.5);
  }
  FitOptions once;
  once.starts = 1;
  const FitResult dirty = fit_tire(model, data, once);
  for (std::size_t k = 0; k < clean.parameters.size(); ++k)
    EXPECT_NEAR(dirty.parameters[k].value, clean.parameters[k].value, 0.01 * std::abs(clean.parameters[k].value))
        << clean.parameters[k].parameter.name;
  for (const FitChannel& c : dirty.channels) EXPECT_GT(c.outliers, 0.02 * 90000) << c.name;  // the rest is near zero
}

// A tire of the model that is not its start: each parameter a third of the range of the random starts away.
TireSpec another(const FitModel& model, unsigned seed) {
  Random random(seed);
  TireSpec out = model.start;
  for (const FitParameter& p : model.parameters)
    p.of(out) = std::clamp(p.start + random.uniform(-0.35, 0.35) * (p.to - p.from), p.low, p.high);
  return out;
}

// m parameters from n values with noise s leave a curve that is s sqrt(m/n) off on average and about four times that at the
// worst of some thousand points: at 2 % noise, under 1 % needs n > 64 m, three channels together.
void curves_come_back(const std::string& name, std::size_t n, std::size_t least_agreeing) {
  FitData data = plan(n, 5, 0.8, 0.5), held = plan(2000, 6, 0.8, 0.5);
  if (name == "lugre_patch") {  // its friction depends on the slip speed
    Random random(7);
    for (FitData* each : {&data, &held})
      for (FitPoint& p : each->points) p.vx = random.uniform(8, 20);
  }
  const FitModel model = make_fit_model(name, fit_start(name, data), data);
  const TireSpec truth = another(model, 8);
  measure(data, truth, 0.02, 9);
  const FitResult result = fit_tire(model, data, {});
  EXPECT_GE(result.agreeing, least_agreeing);
  const std::vector<FitForce> expected = forces_at(truth, held), found = forces_at(result.tire, held);
  for (double FitForce::*channel : {&FitForce::fx, &FitForce::fy, &FitForce::mz}) {
    double peak = 0, worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      peak = std::max(peak, std::abs(expected[i].*channel));
      worst = std::max(worst, std::abs(found[i].*channel - expected[i].*channel));
    }
    EXPECT_LT(worst, 0.01 * peak);
  }
}
TEST(Fit, Mf61CurvesComeBackWithinOnePercentOfThePeak) { curves_come_back("mf61", 6000, 3); }
TEST(Fit, RallyCurvesComeBackWithinOnePercentOfThePeak) { curves_come_back("rally", 3000, 4); }
TEST(Fit, PatchCurvesComeBackWithinOnePercentOfThePeak) { curves_come_back("lugre_patch", 1500, 3); }

TEST(Fit, ReadsTheLawThatTireEvalShows) {
  FitData data = plan(200, 11, 1, 0.6);
  for (FitPoint& p : data.points) p.gamma = 0.05;
  for (const std::string& name : fit_model_names()) {
    const TireSpec tire = another(make_fit_model(name, fit_start(name, data), data), 12);
    const SteadyTire law(tire);
    const std::vector<FitForce> f = forces_at(tire, data);
    for (std::size_t i = 0; i < f.size(); ++i) {
      const FitPoint& p = data.points[i];
      SteadyPoint at;
      at.fz = p.fz, at.kappa = p.kappa, at.alpha = p.alpha, at.gamma = p.gamma, at.vx = p.vx;
      const std::vector<double> o = law(at);  // columns fx, fy, mx, my, mz
      EXPECT_NEAR(f[i].fx, o[0], 1e-8 * p.fz) << name;
      EXPECT_NEAR(f[i].fy, o[1], 1e-8 * p.fz) << name;
      EXPECT_NEAR(f[i].mz, o[4], 1e-9 * p.fz) << name;
    }
  }
}

TEST(Fit, WrittenPartGivesTheFittedForces) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "vdsim_test_fit";
  std::filesystem::create_directories(folder);
  for (const std::string& name : fit_model_names()) {
    FitData data = plan(600, 21, 0.8, 0.5);
    const FitModel model = make_fit_model(name, fit_start(name, data), data);
    measure(data, another(model, 22), 0.02, 23);
    FitOptions once;
    once.starts = 1;
    const FitResult result = fit_tire(model, data, once);
    const std::string path = (folder / (name + ".yaml")).string();
    const FitFiles files = fit_files(model, data, result, path);
    EXPECT_EQ(files.tir.empty(), name != "mf61");
    if (!files.tir.empty()) write_file(fit_tir_path(path), files.tir);
    Errors errors;
    const auto part = read_part(files.part, path, errors);
    ASSERT_TRUE(part) << name << "\n" << ::testing::PrintToString(errors.lines()) << files.part;
    const std::vector<FitForce> f = forces_at(part->tire, data);
    for (std::size_t i = 0; i < f.size(); ++i) {
      EXPECT_EQ(f[i].fx, result.forces[i].fx) << name;
      EXPECT_EQ(f[i].fy, result.forces[i].fy) << name;
      EXPECT_EQ(f[i].mz, result.forces[i].mz) << name;
    }
    const std::string page = chart_document("x.html", fit_figure(model, data, result));
    EXPECT_EQ(page.find("no data"), std::string::npos) << name;
    EXPECT_NE(fit_summary(model, data, result).find("std error"), std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

TEST(Fit, WhatTheDataCannotShowStaysAtItsStart) {
  FitData data = plan(1000, 31, 1, 0.6);
  for (FitPoint& p : data.points) p.fz = 4000;
  data.has_mz = false;
  const FitModel model = make_fit_model("mf96", fit_start("mf96", data), data);
  for (const FitParameter& p : model.parameters) {
    EXPECT_NE(p.name, "load_sensitivity");
    EXPECT_NE(p.name, "pneumatic_trail");
  }
  EXPECT_EQ(model.notes.size(), 4u);  // load, camber, pressure, moment
  // a load exponent of the combined weighting, which a file without combined points cannot show
  FitData pure = plan(1500, 32, 0.8, 0.5);
  std::erase_if(pure.points, [](const FitPoint& p) { return p.kappa != 0 && p.alpha != 0; });
  const FitModel file = make_fit_model("mf61", fit_start("mf61", pure), pure);
  measure(pure, file.start, 0.02, 33);
  FitOptions once;
  once.starts = 1;
  const FitResult result = fit_tire(file, pure, once);
  for (const FittedParameter& p : result.parameters)
    if (p.parameter.name == "RBX1" || p.parameter.name == "RBY2") {
      EXPECT_FALSE(p.shown) << p.parameter.name;
      EXPECT_NEAR(p.value, p.parameter.start, 0.5 * (p.parameter.to - p.parameter.from));  // half the prior
    }
}

// ------------------------------------------------------------------------------------------------ data

std::vector<std::string> complaints(const FitData& data) {
  Errors errors;
  check_fit_data(data, errors);
  return errors.lines();
}

TEST(FitData, RefusesWhatCannotBeFitted) {
  FitData good = plan(200, 41, 1, 0.6);
  measure(good, TireSpec{}, 0, 1);
  EXPECT_EQ(complaints(good).size(), 0u);
  FitData few = good;
  few.points.resize(20);
  EXPECT_EQ(complaints(few), std::vector<std::string>{"synthetic: 20 points under load, a fit needs at least 30"});
  FitData no_long = good;
  for (FitPoint& p : no_long.points) p.kappa = 0;
  ASSERT_EQ(complaints(no_long).size(), 1u);
  EXPECT_EQ(complaints(no_long)[0], "synthetic: kappa: 0 points beyond 0.03, at least 8 are needed to see fx saturate");
  FitData no_lat = good;
  for (FitPoint& p : no_lat.points) p.alpha = 0;
  ASSERT_EQ(complaints(no_lat).size(), 1u);
  FitData other_sign = good;
  for (FitPoint& p : other_sign.points) p.alpha = -p.alpha;
  ASSERT_EQ(complaints(other_sign).size(), 1u);
  EXPECT_NE(complaints(other_sign)[0].find("ISO 8855"), std::string::npos);
}

TEST(FitData, CsvNamesWhatIsMissing) {
  Errors errors;
  EXPECT_FALSE(read_fit_csv("fz,kappa,alpha,fx\n1,0,0,0\n", "a.csv", errors));
  EXPECT_EQ(errors.lines(), std::vector<std::string>{"a.csv:1:1: missing column 'fy'"});
  Errors more;
  EXPECT_FALSE(read_fit_csv("fz,kappa,alpha,fx,fy\n-1,0,0,0,x\n", "a.csv", more));
  EXPECT_EQ(more.size(), 2u);
  Errors none;
  const auto data = read_fit_csv("fz,kappa,alpha,fx,fy,mz,gamma\n4000,0.1,0.2,1,2,3,0.05\n", "a.csv", none);
  ASSERT_TRUE(data);
  EXPECT_TRUE(data->has_mz && data->has_gamma && !data->has_vx && !data->has_pressure);
  EXPECT_EQ(data->points[0].gamma, 0.05);
  EXPECT_EQ(data->points[0].mz, 3);
}

std::string channel(const char* name, const char* unit, const char* numbers) {
  char line[120];
  std::snprintf(line, sizeof line, "%-10s%-30s%-10s%s\n", name, "some words", unit, numbers);
  return line;
}

TEST(FitData, TydexInItsOwnUnits) {
  const std::string head =
      "**HEADER\nRELEASE   1.3\n**CONSTANTS\n" + channel("INFLPRES", "bar", "2.2") + channel("TRAJVELW", "km/h", "72") +
      channel("MANUFACT", "", "Somebody") + "**MEASURCHANNELS\n" + channel("RUNTIME", "s", "1") +
      channel("LONGSLIP", "%", "1         0         0") + channel("SLIPANGL", "deg", "1") +
      channel("INCLANGL", "deg", "1") + channel("FZW", "kN", "0.5       2         1") + channel("FXW", "N", "1") +
      channel("FYW", "N", "-1") + channel("MZW", "Nm", "1") + "**MEASURDATA\n! a comment\n";
  Errors errors;
  const auto data = read_fit_tydex(head + "0.0 -10 90 -9 4 100 200 +3e1\n**END\n", "a.tdx", errors);
  ASSERT_TRUE(data) << ::testing::PrintToString(errors.lines());
  ASSERT_EQ(data->points.size(), 1u);
  const FitPoint& p = data->points[0];
  EXPECT_DOUBLE_EQ(p.kappa, -0.1);
  EXPECT_DOUBLE_EQ(p.alpha, std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(p.gamma, -std::numbers::pi / 20);
  EXPECT_DOUBLE_EQ(p.fz, 4000);  // (4 + 2) 0.5 + 1 kN
  EXPECT_DOUBLE_EQ(p.fx, 100);
  EXPECT_DOUBLE_EQ(p.fy, -200);
  EXPECT_DOUBLE_EQ(p.mz, 30);
  EXPECT_DOUBLE_EQ(p.vx, 20);
  EXPECT_DOUBLE_EQ(p.pressure, 2.2e5);
  EXPECT_TRUE(data->has_mz && data->has_gamma && data->has_vx && data->has_pressure);
}

TEST(FitData, TydexErrorsHaveTheirPlace) {
  const auto lines = [](const std::string& text) {
    Errors errors;
    EXPECT_FALSE(read_fit_tydex(text, "a.tdx", errors));
    return errors.lines();
  };
  EXPECT_EQ(lines("hello").size(), 1u);
  EXPECT_EQ(lines("**MEASURCHANNELS\n" + channel("FZW", "N", "1") + "**MEASURDATA\n1\n").size(), 4u);  // four missing
  const std::string all = "**MEASURCHANNELS\n" + channel("LONGSLIP", "%", "1") + channel("SLIPANGL", "deg", "1") +
                          channel("FZW", "N", "1") + channel("FXW", "N", "1");
  EXPECT_EQ(lines(all + channel("FYW", "pound", "1") + "**MEASURDATA\n1 1 1 1 1\n")[0],
            "a.tdx:7:1: FYW: unknown unit 'pound'");
  EXPECT_EQ(lines(all + channel("FYW", "N", "1") + "**MEASURDATA\n1 1 1 1\n")[0],
            "a.tdx:8:1: 4 values in this row, 5 channels");
  EXPECT_EQ(lines(all + channel("FYW", "N", "1") + "**MEASURDATA\n1 1 x 1 1\n")[0],
            "a.tdx:8:1: expected a number, found 'x'");
  EXPECT_EQ(lines(all + channel("FYW", "N", "1") + "**MEASURDATA\n1 500 1 1 1\n").size(), 1u);  // 500 deg
}

}  // namespace
}  // namespace vdsim
