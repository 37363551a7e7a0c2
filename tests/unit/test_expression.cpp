// SPDX-License-Identifier: Apache-2.0
// Expressions: what each operator and function gives, that a recording gives the same row by row, and what is refused.
#include "vdsim/config/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

// Counted by tests/count_allocations.hpp, which one other file of this binary includes.
extern std::atomic<long> g_allocations;

namespace vdsim {
namespace {

constexpr double kPi = 3.141592653589793, kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

using Use = ExpressionScope::Use;

double mean(std::span<const Trace> args, std::span<const double> t) {
  const Trace x = args[0].spread(t.size());
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= args[1].number() && t[i] <= args[2].number()) sum += x.rows()[i], ++count;
  return sum / count;
}

// t, a, b: signals in a recording; p, q.r: numbers.
ExpressionScope scope_of(Use use) {
  return {use,
          {{"t", 0, true}, {"a", 1, true}, {"b", 2, true}, {"p", 3}, {"q.r", 4}},
          {{"mean", "mean(signal, from, to)", 3, 3, mean, 1},
           {"rows", "rows()", 0, 0, [](auto, std::span<const double> t) { return double(t.size()); }}}};
}

Expression parsed(std::string_view text, Use use = Use::per_step) {
  Errors errors;
  auto e = Expression::parse(text, scope_of(use), {"test", 1, 1}, "", errors);
  for (const std::string& line : errors.lines()) ADD_FAILURE() << text << ": " << line;
  return e ? *e : *Expression::parse("0", scope_of(use), {}, "", errors);
}

double value(std::string_view text, double t = 0, double a = 0, double b = 0, double p = 0, double qr = 0) {
  return parsed(text).value(std::array{t, a, b, p, qr});
}

std::vector<std::string> problems(std::string_view text, Use use = Use::per_step,
                                  const Place& place = {"m.yaml", 7, 11}) {
  Errors errors;
  const auto e = Expression::parse(text, scope_of(use), place, "steer", errors);
  EXPECT_EQ(e.has_value(), errors.empty()) << text;
  return errors.lines();
}
// Of exactly one.
std::string problem(std::string_view text, Use use = Use::per_step, const Place& place = {"m.yaml", 7, 11}) {
  const auto all = problems(text, use, place);
  EXPECT_EQ(all.size(), 1u) << text << "\n" << fmt::format("{}", fmt::join(all, "\n"));
  return all.empty() ? "" : all.front();
}

// The same number; every NaN is like another.
bool same(double x, double y) {
  return (std::isnan(x) && std::isnan(y)) || std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

// ------------------------------------------------------------------------------------------------ operators

TEST(Expression, NumbersAsInYaml) {
  const std::pair<const char*, double> cases[] = {{"1", 1},       {".5", .5}, {"1.", 1},       {"1e-3", 1e-3},
                                                  {"-2.5", -2.5}, {"+3", 3},  {" 1E3 ", 1000}, {"6.02e+23", 6.02e23},
                                                  {"-1e2", -100}, {"007", 7}, {"0.1", 0.1}};
  for (const auto& [text, wanted] : cases) EXPECT_TRUE(same(value(text), wanted)) << text;
  EXPECT_EQ(value("pi"), kPi);
  EXPECT_EQ(value("g"), 9.80665);
  EXPECT_EQ(value("-inf"), -kInf);
}

TEST(Expression, PrecedenceByHand) {
  const std::pair<const char*, double> cases[] = {{"2 + 3 * 4", 14},
                                                  {"(2 + 3) * 4", 20},
                                                  {"2 - 3 - 4", -5},
                                                  {"24 / 4 / 2", 3},
                                                  {"24 / 4 * 2", 12},
                                                  {"2 ^ 3 ^ 2", 512},
                                                  {"-2 ^ 2", -4},
                                                  {"(-2) ^ 2", 4},
                                                  {"2 ^ -1", .5},
                                                  {"2 ^ -1 ^ 2", .5},
                                                  {"2 * -3", -6},
                                                  {"--3", 3},
                                                  {"-+-3", 3},
                                                  {"1 - -1", 2},
                                                  {"2 * 3 ^ 2", 18},
                                                  {"1 + 2 < 4", 1},
                                                  {"1 + (2 < 4)", 2},
                                                  {"1 < 2 and 3 < 2", 0},
                                                  {"1 < 2 or 3 < 2", 1},
                                                  {"1 or 0 and 0", 1},
                                                  {"(1 or 0) and 0", 0},
                                                  {"not 0 and 0", 0},
                                                  {"not (0 and 0)", 1},
                                                  {"not 1 == 2", 1},
                                                  {"(not 1) == 2", 0},
                                                  {"not not 5", 1},
                                                  {"0 or not 0", 1},
                                                  {"1 ? 2 : 3", 2},
                                                  {"0 ? 2 : 3", 3},
                                                  {"0 ? 1 : 0 ? 2 : 3", 3},
                                                  {"1 ? 0 ? 4 : 5 : 6", 5},
                                                  {"1 ? 2 : 3 + 10", 2},
                                                  {"0 or 1 ? 7 : 8", 7},
                                                  {"(1 ? 2 : 3) + 10", 12},
                                                  {"1 == 1 ? 2 : 3", 2},
                                                  {"-1 and .5", 1}};
  for (const auto& [text, wanted] : cases) EXPECT_EQ(value(text), wanted) << text;
}

TEST(Expression, ComparisonsGiveOneOrZero) {
  const char* signs[] = {"<", "<=", ">", ">=", "==", "!="};
  const int less[] = {1, 1, 0, 0, 0, 1}, equal[] = {0, 1, 0, 1, 1, 0}, greater[] = {0, 0, 1, 1, 0, 1};
  for (int i = 0; i < 6; ++i) {
    const std::string text = fmt::format("a {} b", signs[i]);
    EXPECT_EQ(value(text, 0, 1, 2), less[i]) << text;
    EXPECT_EQ(value(text, 0, 2, 2), equal[i]) << text;
    EXPECT_EQ(value(text, 0, 3, 2), greater[i]) << text;
    EXPECT_EQ(value(text, 0, kNan, 2), 0) << text;
    EXPECT_EQ(value(text, 0, 2, kNan), 0) << text;
    EXPECT_EQ(value(text, 0, kNan, kNan), 0) << text;
  }
}

TEST(Expression, ArithmeticFollowsIeeeAndNanIsNotTrue) {
  EXPECT_EQ(value("a / b", 0, 1, 0), kInf);
  EXPECT_EQ(value("a / b", 0, -1, 0), -kInf);
  EXPECT_TRUE(std::isnan(value("a / b", 0, 0, 0)));
  EXPECT_TRUE(std::isnan(value("sqrt(a) + 1", 0, -1)));
  EXPECT_TRUE(std::isnan(value("max(a, 1)", 0, kNan)) && std::isnan(value("max(1, a)", 0, kNan)));
  EXPECT_TRUE(std::isnan(value("min(a, 1, 2)", 0, kNan)) && std::isnan(value("min(1, 2, a)", 0, kNan)));
  for (const char* text :
       {"clamp(a, 0, 1)", "ramp(a, 0, 1)", "smooth(a, 0, 1)", "interp(a, 0, 1, 2, 3)", "sign(a)", "chirp(a, 1, 2, 3)",
        "log_chirp(a, 1, 2, 3)", "noise(a, 1, 2)", "noise(0, a, 2)", "dwell_sine(a, 1, 2)", "round(a)", "-a", "abs(a)"})
    EXPECT_TRUE(std::isnan(value(text, 0, kNan))) << text;
  EXPECT_EQ(value("a ? 1 : 2", 0, kNan), 2);
  EXPECT_EQ(value("a or 0", 0, kNan), 0);
  EXPECT_EQ(value("a and 1", 0, kNan), 0);
  EXPECT_EQ(value("not a", 0, kNan), 1);
  EXPECT_EQ(value("a ? 1 : 2", 0, -kInf), 1);
}

// ------------------------------------------------------------------------------------------------ functions

TEST(Expression, ElementaryFunctionsAtKnownPoints) {
  const std::pair<const char*, double> exact[] = {
      {"abs(-2)", 2},      {"abs(3)", 3},       {"min(3, 1, 2)", 1}, {"min(1, 3)", 1},  {"max(3, 1, 2)", 3},
      {"max(1, 2, 3)", 3}, {"sqrt(9)", 3},      {"sqrt(0)", 0},      {"sin(0)", 0},     {"cos(0)", 1},
      {"tan(0)", 0},       {"exp(0)", 1},       {"log(1)", 0},       {"log(0)", -kInf}, {"floor(-1.5)", -2},
      {"floor(2)", 2},     {"round(2.5)", 3},   {"round(-2.5)", -3}, {"round(1.4)", 1}, {"sign(-.1)", -1},
      {"sign(0)", 0},      {"sign(1e-300)", 1}, {"hypot(3, 4)", 5},  {"kmh(36)", 10},   {"kmh(-3.6)", -1},
      {"deg(180)", kPi},   {"deg(0)", 0},       {"atan2(0, 1)", 0},  {"acos(1)", 0},    {"asin(0)", 0},
      {"atan(0)", 0},      {"exp(-inf)", 0}};
  for (const auto& [text, wanted] : exact) EXPECT_EQ(value(text), wanted) << text;
  const std::pair<const char*, double> rounded[] = {
      {"sin(pi / 6)", .5}, {"cos(pi / 3)", .5},    {"tan(pi / 4)", 1},          {"asin(-1)", -kPi / 2},
      {"acos(-1)", kPi},   {"atan(inf)", kPi / 2}, {"atan2(1, -1)", .75 * kPi}, {"atan2(-1, 1)", -kPi / 4},
      {"log(exp(2))", 2},  {"deg(90)", kPi / 2},   {"sin(deg(30))", .5},        {"kmh(100)", 27.777777777777779}};
  for (const auto& [text, wanted] : rounded) EXPECT_NEAR(value(text), wanted, 4e-16 * (1 + std::abs(wanted))) << text;
}

TEST(Expression, ClampHoldsBetweenItsLimits) {
  EXPECT_EQ(value("clamp(a, -1, 2)", 0, -3), -1);
  EXPECT_EQ(value("clamp(a, -1, 2)", 0, 0.5), 0.5);
  EXPECT_EQ(value("clamp(a, -1, 2)", 0, 7), 2);
  EXPECT_EQ(value("clamp(a, 1, 1)", 0, 7), 1);
  EXPECT_EQ(value("clamp(a, -inf, 1)", 0, -1e300), -1e300);
  EXPECT_TRUE(std::isnan(value("clamp(0, a, b)", 0, 1, 0)));  // no number is above 1 and below 0
}

TEST(Expression, StepRampSmooth) {
  EXPECT_EQ(value("step(t, 2)", std::nextafter(2, 0)), 0);
  EXPECT_EQ(value("step(t, 2)", 2), 1);
  EXPECT_EQ(value("step(t, 2)", 3), 1);
  for (const auto& [t, wanted] :
       {std::pair{0., 0.}, {1, 0}, {1.5, .25}, {2, .5}, {3, 1}, {9, 1}, {-kInf, 0}, {kInf, 1}}) {
    EXPECT_EQ(value("ramp(t, 1, 3)", t), wanted) << t;
    EXPECT_EQ(value("ramp(t, 3, 1)", t), 1 - wanted) << t;  // 0 at t0, 1 at t1, whichever comes first
    EXPECT_EQ(value("smooth(t, 1, 3)", t), wanted == .25 ? .15625 : wanted) << t;
  }
  for (const double t : {1.9, 2.0, 2.1})  // no time to rise
    for (const char* text : {"ramp(t, 2, 2)", "smooth(t, 2, 2)"}) EXPECT_EQ(value(text, t), t >= 2) << text << t;
  // Slope 0 at the ends: near them it leaves its value with the square of the distance, 3 d^2.
  const Expression e = parsed("smooth(t, 1, 2)");
  for (const double d : {1e-3, 1e-4}) {
    EXPECT_NEAR(e.value(std::array{1 + d, 0., 0., 0., 0.}), 3 * d * d, 3 * d * d * d);
    EXPECT_NEAR(1 - e.value(std::array{2 - d, 0., 0., 0., 0.}), 3 * d * d, 3 * d * d * d);
  }
}

TEST(Expression, BetweenIncludesItsEnds) {
  for (const auto& [x, wanted] : {std::pair{0.9, 0.}, {1, 1}, {1.5, 1}, {2, 1}, {2.1, 0}, {kNan, 0}})
    EXPECT_EQ(value("between(a, 1, 2)", 0, x), wanted) << x;
  EXPECT_EQ(value("between(a, 2, 1)", 0, 1.5), 0);
}

TEST(Expression, InterpolatesAndHolds) {
  const char* text = "interp(a, 0, 10, 2, 20, 3, -5)";
  for (const auto& [x, wanted] :
       {std::pair{-1., 10.}, {0, 10}, {0.5, 12.5}, {2, 20}, {2.5, 7.5}, {3, -5}, {8, -5}, {-kInf, 10}, {kInf, -5}})
    EXPECT_EQ(value(text, 0, x), wanted) << x;
  EXPECT_EQ(value("interp(a, 5, 7)", 0, -3), 7);
  EXPECT_EQ(value("interp(a, 5, 7)", 0, 5), 7);
  // Two points at one place: a jump, right-continuous as step().
  const char* jump = "interp(a, 0, 0, 1, 1, 1, 3, 2, 4)";
  EXPECT_NEAR(value(jump, 0, std::nextafter(1, 0)), 1, 1e-15);
  EXPECT_EQ(value(jump, 0, 1), 3);
  EXPECT_EQ(value(jump, 0, 1.5), 3.5);
  EXPECT_EQ(value("interp(a, 1, 2, 1, 5)", 0, 1), 5);
  EXPECT_EQ(value("interp(a, 1, 2, 1, 5)", 0, .5), 2);
  EXPECT_TRUE(std::isnan(value("interp(0, a, 1, b, 2)", 0, 3, 2)));  // points that go back
}

// Zeros of sin are where the phase is a multiple of pi: at the times that solve this for t the chirp crosses zero,
// upward for the even ones.
void expect_crossings(const char* text, const std::function<double(double)>& time_of_turns, double turns) {
  const Expression e = parsed(text);
  for (int k = 0; k <= 2 * turns; ++k) {
    const double t = time_of_turns(k / 2.0), d = 1e-4;
    EXPECT_NEAR(e.value(std::array{t, 0., 0., 0., 0.}), 0, 1e-12) << text << k;
    EXPECT_GT((k % 2 ? -1 : 1) * e.value(std::array{t + d, 0., 0., 0., 0.}), 0) << text << k;
  }
}

TEST(Expression, ChirpsSweepTheirFrequency) {
  // f0 t + (f1 - f0) t^2 / (2 T) = n turns; (f0 + f1)/2 T = 21 of them
  expect_crossings(
      "chirp(t, .2, 4, 10)", [](double n) { return (-.2 + std::sqrt(.04 + .76 * n)) / .38; }, 21);
  const double rate = std::log(4 / .2) / 10;  // f0/rate (exp(rate t) - 1) = n turns; (f1 - f0)/rate = 12.7 of them
  expect_crossings(
      "log_chirp(t, .2, 4, 10)", [&](double n) { return std::log1p(n * rate / .2) / rate; }, 12.5);
  // with one frequency both are a sine
  for (const double t : {0.1, 3.3, 9.0, 14.0}) {
    EXPECT_NEAR(value("chirp(t, 2, 2, 10) - sin(2 * pi * 2 * t)", t), 0, 1e-13);
    EXPECT_NEAR(value("log_chirp(t, 2, 2, 10) - sin(2 * pi * 2 * t)", t), 0, 1e-13);
    EXPECT_NEAR(value("log_chirp(t, 2, 2 * (1 + 1e-9), 10) - log_chirp(t, 2, 2, 10)", t), 0, 1e-6);
  }
  for (const std::string name : {"chirp", "log_chirp"}) {
    EXPECT_EQ(value(name + "(t, 1, 3.3, 5)", -1e-9), 0);
    const Expression e = parsed(name + "(t, 1, 3.3, 5)");
    const auto at = [&](double t) { return e.value(std::array{t, 0., 0., 0., 0.}); };
    for (const double t : {5.0, 5.1, 7.7}) EXPECT_NEAR(at(t + 1 / 3.3), at(t), 1e-12) << name;  // goes on with f1
    // neither value nor slope jumps at T: the second difference is of the order (2 pi f1)^2 d^2
    EXPECT_NEAR((at(5 + 1e-4) - 2 * at(5) + at(5 - 1e-4)) / 1e-4, 0, 430 * 1e-4 * 1.01) << name;
    EXPECT_TRUE(std::isnan(value(name + "(1, 1, 2, a)", 0, 0)));
  }
  EXPECT_TRUE(std::isnan(value("log_chirp(1, a, 2, 3)", 0, -1)));
}

TEST(Expression, DwellSineWaitsAtItsSecondPeak) {
  // 0.7 Hz: peaks at 0.357 and 1.071 s, then 0.5 s at -1, end at 1.929 s
  const Expression e = parsed("dwell_sine(t, .7, .5)");
  const auto at = [&](double t) { return e.value(std::array{t, 0., 0., 0., 0.}); };
  const double quarter = .25 / .7;
  EXPECT_EQ(at(-.1), 0);
  EXPECT_EQ(at(0), 0);
  EXPECT_NEAR(at(quarter), 1, 1e-15);
  EXPECT_NEAR(at(2 * quarter), 0, 1e-15);
  for (const double s : {0.0, .1, .25, .4999, .5}) EXPECT_NEAR(at(3 * quarter + s), -1, 1e-15) << s;
  EXPECT_GT(at(3 * quarter - .1), -.95);
  EXPECT_GT(at(3 * quarter + .5 + .1), -.95);
  EXPECT_NEAR(at(4 * quarter + .5 - 1e-9), 0, 1e-8);
  EXPECT_EQ(at(4 * quarter + .5 + 1e-9), 0);
  for (double s = 0; s < quarter; s += .05)  // the way back is the mirrored way there
    EXPECT_NEAR(at(3 * quarter - s), at(3 * quarter + .5 + s), 1e-14) << s;
  for (const double t : {.2, .9, 1.4}) EXPECT_NEAR(value("dwell_sine(t, .7, 0) - sin(2 * pi * .7 * t)", t), 0, 1e-14);
  EXPECT_TRUE(std::isnan(value("dwell_sine(1, a, 0)", 0, 0)));
  EXPECT_TRUE(std::isnan(value("dwell_sine(1, 1, a)", 0, -1)));
}

// Flat from 0 to B and nothing above is, seen in time, an autocorrelation of sin(2 pi B d) / (2 pi B d).
TEST(Expression, NoiseHasItsRmsAndAFlatSpectrum) {
  const double band = 4, dt = .25 / band;
  const Expression e = parsed("noise(t, p, 4)");
  for (const double seed : {1.0, 2.0, -0.5}) {
    std::vector<double> x;
    for (int i = 0; i < 8000; ++i) x.push_back(e.value(std::array{100 + i * dt, 0., 0., seed, 0.}));
    const auto correlation = [&](std::size_t lag) {
      double sum = 0;
      for (std::size_t i = lag; i < x.size(); ++i) sum += x[i] * x[i - lag];
      return sum / double(x.size() - lag);
    };
    // 128 lines over 500 s: neighbours are 15 beats apart, which leaves less than 2 % of the mean square
    EXPECT_NEAR(correlation(0), 1.0 / 9, .02 / 9);
    for (const int lag : {1, 2, 3, 4, 6, 7}) {
      const double phase = 2 * kPi * band * lag * dt;
      EXPECT_NEAR(correlation(lag), std::sin(phase) / phase / 9, .02 / 9) << lag;
    }
    const auto beyond = std::count_if(x.begin(), x.end(), [](double v) { return std::abs(v) > 1; });
    EXPECT_LT(beyond, 80);  // 1 %; of a Gaussian 0.27 % are beyond 3 RMS
    EXPECT_GT(beyond, 0);
  }
}

TEST(Expression, NoiseIsSmoothAndBelongsToItsSeed) {
  const Expression e = parsed("noise(t, p, 4)");
  const auto at = [&](double t, double seed) { return e.value(std::array{t, 0., 0., seed, 0.}); };
  double product = 0;
  for (int i = 0; i < 2000; ++i) {
    const double t = i * .13;
    EXPECT_EQ(at(t, 3), at(t, 3));
    // Bernstein: a signal below B is at most 2 pi B max|x| steep; max|x| <= sqrt(2 * 128) / 3
    EXPECT_LT(std::abs(at(t + 1e-3, 3) - at(t, 3)), 2 * kPi * 4 * 1e-3 * 16 / 3);
    product += at(t, 3) * at(t, 4) / 2000;
  }
  EXPECT_NEAR(product, 0, .1 / 9);  // 2000 samples of two that know nothing of each other: 2 % of the mean square
  EXPECT_EQ(at(1, 0), at(1, -0.0));
  EXPECT_EQ(value("noise(t, 5, 0)", 1), value("noise(t, 5, 0)", 99));  // no band, no change
}

// ------------------------------------------------------------------------------------------------ recordings

struct Recording {
  std::vector<double> t, a, b;
  double p, qr;
  std::vector<Trace> slots() const { return {Trace::view(t), Trace::view(a), Trace::view(b), p, qr}; }
  std::array<double, 5> row(std::size_t i) const { return {t[i], a[i], b[i], p, qr}; }
};

Recording random_recording(std::mt19937& random, std::size_t rows) {
  std::normal_distribution<double> normal(0, 2);
  Recording r{{}, {}, {}, normal(random), normal(random)};
  for (std::size_t i = 0; i < rows; ++i) {
    r.t.push_back(.1 * double(i));
    r.a.push_back(i % 7 == 3 ? kNan : i % 7 == 5 ? 0 : normal(random));
    r.b.push_back(i % 11 == 3 ? kInf : std::round(normal(random)));
  }
  return r;
}

// A random text of every operator and function, in full brackets.
std::string random_text(std::mt19937& random, int depth) {
  const auto upto = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  const auto inner = [&] { return random_text(random, depth - 1); };
  if (depth == 0) {
    const char* names[] = {"t", "a", "b", "p", "q.r", "pi", "g"};
    return upto(3) ? names[upto(7)] : fmt::format("{}", .5 * upto(9));
  }
  switch (upto(4)) {
    case 0: return fmt::format("({} ? {} : {})", inner(), inner(), inner());
    case 1: return fmt::format("({} {})", upto(2) ? "-" : "not", inner());
    case 2: {
      const char* signs[] = {"+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "and", "or"};
      return fmt::format("({} {} {})", inner(), signs[upto(13)], inner());
    }
    default: break;
  }
  const auto functions = expression_functions();
  const ExpressionFunction& f = functions[upto(static_cast<int>(functions.size()))];
  const std::size_t count = f.max_args == f.min_args ? f.min_args : f.min_args + f.group * upto(3);
  std::string args;
  for (std::size_t i = 0; i < count; ++i) args += (i ? ", " : "") + inner();
  return fmt::format("{}({})", f.name, args);
}

TEST(Expression, OverARecordingIsRowByRow) {
  std::mt19937 random(5);
  int parsed_texts = 0, with_rows = 0;
  for (int k = 0; k < 1500; ++k) {
    const std::string text = random_text(random, 1 + k % 3);
    const Recording r = random_recording(random, 12);
    Errors errors;
    const auto e = Expression::parse(text, scope_of(k % 2 ? Use::per_step : Use::recording), {}, "", errors);
    if (!e) continue;  // constants without a result
    ++parsed_texts;
    const Trace over = e->over(r.slots(), r.t);
    with_rows += !over.is_number();
    ASSERT_TRUE(over.is_number() || over.rows().size() == r.t.size());
    ASSERT_TRUE(k % 2 || e->has_rows() || over.is_number()) << text;
    for (std::size_t i = 0; i < r.t.size(); ++i)
      ASSERT_TRUE(same(over.at(i), e->value(r.row(i)))) << text << "\nrow " << i;
  }
  EXPECT_GT(parsed_texts, 1200);
  EXPECT_GT(with_rows, 700);
}

// Written with as few brackets as the precedence allows, a text means the same as in full brackets.
struct Written {
  std::string full, brief;
  int level;  // of its outermost operator
};
Written random_written(std::mt19937& random, int depth) {
  const auto upto = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  if (depth == 0) {
    const std::string leaf = upto(2) ? std::string(1, "tabp"[upto(4)]) : fmt::format("{}", 1 + upto(4));
    return {leaf, leaf, 9};
  }
  const auto in = [](const Written& w, int least) { return w.level >= least ? w.brief : "(" + w.brief + ")"; };
  const Written x = random_written(random, depth - 1), y = random_written(random, depth - 1);
  // ternary 0, or 1, and 2, not 3, comparison 4, sum 5, product 6, minus 7, power 8, value 9
  struct Sign {
    const char* text;
    int level;
  };
  const Sign signs[] = {{"or", 1}, {"and", 2}, {"<", 4}, {">=", 4}, {"==", 4},
                        {"!=", 4}, {"+", 5},   {"-", 5}, {"*", 6},  {"/", 6}};
  const int kind = upto(14);
  if (kind == 10) {
    const Written z = random_written(random, depth - 1);
    return {fmt::format("({} ? {} : {})", x.full, y.full, z.full),
            fmt::format("{} ? {} : {}", in(x, 1), in(y, 0), in(z, 0)), 0};
  }
  if (kind == 11) return {fmt::format("(not {})", x.full), fmt::format("not {}", in(x, 3)), 3};
  if (kind == 12) return {fmt::format("(-{})", x.full), fmt::format("-{}", in(x, 7)), 7};
  if (kind == 13) return {fmt::format("({} ^ {})", x.full, y.full), fmt::format("{} ^ {}", in(x, 9), in(y, 7)), 8};
  const auto [sign, level] = signs[kind];
  return {fmt::format("({} {} {})", x.full, sign, y.full),
          fmt::format("{} {} {}", in(x, level == 4 ? 5 : level), sign, in(y, level + 1)), level};
}

TEST(Expression, BriefTextMeansTheSameAsFullBrackets) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> small(-3, 3);
  int compared = 0;
  for (int k = 0; k < 4000; ++k) {
    const Written w = random_written(random, 1 + k % 4);
    Errors full_errors, brief_errors;
    const auto full = Expression::parse(w.full, scope_of(Use::per_step), {}, "", full_errors);
    const auto brief = Expression::parse(w.brief, scope_of(Use::per_step), {}, "", brief_errors);
    ASSERT_EQ(full.has_value(), brief.has_value()) << w.brief << "\n"
                                                   << fmt::format("{}", fmt::join(brief_errors.lines(), "\n"));
    if (!full) continue;  // such as 0/0
    ++compared;
    for (int i = 0; i < 8; ++i) {
      const std::array<double, 5> slots{small(random) + .5, double(small(random)), double(small(random)), .5, 0};
      ASSERT_TRUE(same(full->value(slots), brief->value(slots))) << w.brief << "\n" << w.full;
    }
  }
  EXPECT_GT(compared, 3800);
}

TEST(Expression, ReducersLookAtARecording) {
  const std::vector<double> t{0, 1, 2, 3}, a{2, 4, 6, 8};
  const std::vector<Trace> slots{Trace::view(t), Trace::view(a), 0, 10, 0};
  const auto over = [&](std::string_view text) { return parsed(text, Use::recording).over(slots, t); };
  EXPECT_EQ(over("mean(a, 1, 3)").number(), 6);
  EXPECT_EQ(over("mean(2 * a + t, 0, 3) / p").number(), 1.15);
  EXPECT_EQ(over("mean(p, 0, 3)").number(), 10);             // a number is a signal that does not change
  EXPECT_EQ(over("mean(a, 0, mean(t, 0, 3))").number(), 3);  // up to 1.5 s
  EXPECT_EQ(over("rows() + 1").number(), 5);
  EXPECT_EQ(over("mean(a, 5, 6) > 0").number(), 0);  // nothing there: NaN
  EXPECT_TRUE(std::isnan(over("mean(a, 5, 6)").number()));
  const Trace centred = over("a - mean(a, 0, 3)");
  ASSERT_FALSE(centred.is_number());
  EXPECT_EQ(std::vector<double>(centred.rows().begin(), centred.rows().end()), (std::vector<double>{-3, -1, 1, 3}));
  EXPECT_EQ(over("t > 1 ? mean(a, 0, 0) : t").at(3), 2);
  EXPECT_TRUE(parsed("a - mean(a, 0, 3)", Use::recording).has_rows());
  EXPECT_FALSE(parsed("mean(a, 0, 3) + p", Use::recording).has_rows());
  EXPECT_TRUE(parsed("mean(a, 0, 3)", Use::recording).has_reducers());
  EXPECT_THROW(parsed("mean(a, 0, 3)", Use::recording).value(std::array{0., 0., 0., 0., 0.}), std::logic_error);
}

TEST(Expression, RefusesSlotsThatDoNotFit) {
  const std::vector<double> t{0, 1, 2}, shorter{1, 2};
  const std::vector<Trace> wrong{Trace::view(t), Trace::view(shorter)};
  EXPECT_THROW(parsed("a").over(wrong, t), std::logic_error);
  EXPECT_THROW(parsed("p").over(wrong, t), std::logic_error);
  EXPECT_THROW(parsed("p").value(std::array{0., 1.}), std::logic_error);
  EXPECT_THROW(parsed("p + t").value(std::array{0., 1.}), std::logic_error);
  EXPECT_EQ(parsed("2").value({}), 2);
  EXPECT_THROW(Trace::view(t).number(), std::logic_error);
  ExpressionScope scope = scope_of(Use::recording);
  scope.reducers[0].name = "max";
  Errors errors;
  EXPECT_THROW(Expression::parse("1", scope, {}, "", errors), std::logic_error);
}

TEST(Expression, EmptyRecordingStaysEmpty) {
  const std::vector<Trace> slots{Trace::of({}), Trace::of({}), Trace::of({}), 1, 2};
  const Trace over = parsed("a > 0 ? a + p : t", Use::recording).over(slots, {});
  EXPECT_FALSE(over.is_number());
  EXPECT_TRUE(over.rows().empty());
}

TEST(Expression, TellsItsTextAndNames) {
  const Expression e = parsed(" q.r*t + max(t, 2) + pi ");
  EXPECT_EQ(e.text(), " q.r*t + max(t, 2) + pi ");
  EXPECT_EQ(e.names(), (std::vector<std::string>{"q.r", "t"}));
  EXPECT_TRUE(parsed("1 + g").names().empty());
  EXPECT_EQ(parsed("0 ? a : b").names(), (std::vector<std::string>{"a", "b"}));
}

TEST(Expression, ValueNeverAllocates) {
  const Expression e = parsed(
      "t < 1 ? interp(t, 0, a, 1, b) : clamp(noise(t, 1, 4) + chirp(t, 1, 4, 9), -p, p) * smooth(t, 1, 2) + max(a, b, "
      "3)");
  std::string many = "max(t";
  while (many.size() < 3990) many += ",t";
  const Expression wide = parsed(many + ")");
  const long before = g_allocations;
  double sum = 0;
  for (int i = 0; i < 100; ++i) {
    const std::array<double, 5> slots{.03 * i, 1, 2, .5, 0};
    sum += e.value(slots) + wide.value(slots);
  }
  EXPECT_EQ(g_allocations, before);
  EXPECT_TRUE(std::isfinite(sum));
}

// ------------------------------------------------------------------------------------------------ errors

TEST(Expression, ErrorsNameTheirColumn) {
  EXPECT_EQ(problem("a + vel"), "m.yaml:7:15: steer: unknown name 'vel'; valid: t, a, b, p, q.r, pi, g, inf");
  EXPECT_EQ(problem("2 * q_r"), "m.yaml:7:15: steer: unknown name 'q_r', did you mean 'q.r'?");
  EXPECT_EQ(problem("smoth(t, 0, 1)"), "m.yaml:7:11: steer: unknown function 'smoth', did you mean 'smooth'?");
  EXPECT_EQ(problem("1 + clamp(a, 1)"), "m.yaml:7:15: steer: clamp(x, lo, hi) takes 3 arguments, found 2");
  EXPECT_EQ(problem("sin()"), "m.yaml:7:11: steer: sin(x) takes 1 argument, found 0");
  EXPECT_EQ(problem("min(1)"), "m.yaml:7:11: steer: min(a, b, ...) takes 2 or more arguments, found 1");
  EXPECT_EQ(problem("interp(t, 1, 2, 3)"),
            "m.yaml:7:11: steer: interp(x, x0, y0, x1, y1, ...) takes 3 arguments, or 2 more each time, found 4");
  EXPECT_EQ(problem("a + mean(a, 0, 1)"),
            "m.yaml:7:15: steer: mean(...) looks at a whole recording; it can be used in metrics only");
  EXPECT_EQ(problem("mean(a, 1)", Use::recording),
            "m.yaml:7:11: steer: mean(signal, from, to) takes 3 arguments, found 2");
  EXPECT_EQ(problem("mean(a, 0, t > 1)", Use::recording),
            "m.yaml:7:22: steer: argument 3 of mean(signal, from, to) must be one number, not a signal");
  EXPECT_EQ(problem("meen(a, 0, 1)", Use::recording),
            "m.yaml:7:11: steer: unknown function 'meen', did you mean 'mean'?");
  EXPECT_EQ(problem("max + 1"), "m.yaml:7:11: steer: 'max' is a function: max(a, b, ...)");
  EXPECT_EQ(problem("p(2)"), "m.yaml:7:11: steer: 'p' is no function; is a '*' missing?");
}

TEST(Expression, SyntaxErrorsSayWhatIsMissing) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "7:11: steer: expected a value, found the end"},
      {"  ", "7:13: steer: expected a value, found the end"},
      {"1 +", "7:14: steer: expected a value, found the end"},
      {"(a + 1", "7:17: steer: expected ')' to close a bracket, found the end"},
      {"max(a, 1", "7:19: steer: expected ')' or ',' in the call of 'max', found the end"},
      {"a ? 1", "7:16: steer: expected ':' and the other value after '?', found the end"},
      {"a b", "7:13: steer: expected an operator, found 'b'"},
      {"5 deg", "7:13: steer: expected an operator, found 'deg'; it is a function: deg(x)"},
      {"a)", "7:12: steer: expected an operator, found ')'"},
      {"1 + not a", "7:15: steer: expected a value, found 'not': write '(not ...)'"},
      {"1 < a < 2", "7:17: steer: comparisons do not chain: write 'a < b and b < c'"},
      {"a && b", "7:13: steer: '&&' is not known here: write 'and'"},
      {"a || b", "7:13: steer: '||' is not known here: write 'or'"},
      {"a ** 2", "7:13: steer: '**' is not known here: write '^'"},
      {"a = 2", "7:13: steer: '=' is not known here: write '=='"},
      {"!a", "7:11: steer: '!' is not known here: write 'not'"},
      {"a $ b", "7:13: steer: '$' is not known here"},
      {"30\xC2\xB0", "7:13: steer: only plain letters, digits and signs (ASCII) are known here"},
      {"1e999", "7:11: steer: the number '1e999' is out of range"},
      {"a.", "7:12: steer: '.' is not known here"},
      {"max(,1)", "7:15: steer: expected a value, found ','"},
      {"and", "7:11: steer: expected a value, found 'and'"}};
  for (const auto& [text, wanted] : cases) EXPECT_EQ(problem(text), std::string("m.yaml:") + wanted) << text;
}

TEST(Expression, EveryErrorAtOnce) { EXPECT_EQ(problems("foo + sin(1, 2) * bar(baz) + mean(quux)").size(), 6u); }

TEST(Expression, ConstantsWithoutAResultAreErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {"1 + 0 / 0", "7:17: steer: the result is not a number (NaN)"},
      {"inf - inf", "7:15: steer: the result is not a number (NaN)"},
      {"2 * sqrt(-1)", "7:15: steer: sqrt(x) needs x >= 0"},
      {"asin(2) + sqrt(asin(2))", "7:11: steer: asin(x) needs -1 <= x <= 1"},
      {"clamp(a, 1, -1)", "7:11: steer: clamp(x, lo, hi) needs lo <= hi"},
      {"interp(t, 1, 0, 0, 1)", "7:11: steer: interp(x, x0, y0, x1, y1, ...) needs finite x0 <= x1 <= ..."},
      {"chirp(t, 1, 2, 0)", "7:11: steer: chirp(t, f0, f1, T) needs finite f0, f1, and T > 0"},
      {"log_chirp(t, 0, 2, 1)", "7:11: steer: log_chirp(t, f0, f1, T) needs finite f0, f1, T > 0"},
      {"dwell_sine(t, .7, -.5)", "7:11: steer: dwell_sine(t, f, dwell) needs finite f > 0, dwell >= 0"},
      {"noise(t, 1, inf)", "7:11: steer: noise(t, seed, f_max) needs finite seed and f_max"}};
  for (const auto& [text, wanted] : cases) {
    const auto all = problems(text);
    ASSERT_FALSE(all.empty()) << text;
    EXPECT_EQ(all.front(), std::string("m.yaml:") + wanted) << text;
  }
  EXPECT_EQ(problems("clamp(1, 2, 0) + clamp(a, 2, 0)").size(), 2u);
  for (const char* fine :
       {"a / 0", "1 / 0", "atan2(t, 0)", "hypot(t, 0)", "ramp(t, 0, inf)", "clamp(t, 0, inf)", "a ^ .5"})
    EXPECT_TRUE(problems(fine).empty()) << fine;
}

TEST(Expression, PlacesWithoutALineAndTextsOfSeveral) {
  EXPECT_EQ(problem("a + foo.bar", Use::per_step, {"--set steer=x", 0, 0}),
            "--set steer=x: steer: unknown name 'foo.bar'; valid: t, a, b, p, q.r, pi, g, inf (column 5)");
  EXPECT_EQ(problem("a +\n  smoth(t)"),
            "m.yaml:7:11: steer: unknown function 'smoth', did you mean 'smooth'? (line 2, column 3 of the text)");
  EXPECT_EQ(value("a +\n\t1\r\n", 0, 2), 3);
}

TEST(Expression, LimitsOfLengthAndDepth) {
  const auto repeated = [](std::string_view s, std::size_t n) {
    std::string out;
    while (n--) out += s;
    return out;
  };
  // A level is a bracket, a call, a sign, not, ^ or ?: inside another; the whole is the first.
  EXPECT_EQ(value(repeated("(", 63) + "1" + repeated(")", 63)), 1);
  EXPECT_EQ(problem(repeated("(", 64) + "1" + repeated(")", 64)),
            "m.yaml:7:75: steer: nested more than 64 levels deep");
  EXPECT_EQ(value(repeated("-", 63) + "1"), -1);
  for (const auto& deep :
       {repeated("-", 64) + "1", repeated("not ", 64) + "1", repeated("abs(", 64) + "1" + repeated(")", 64),
        repeated("1^", 64) + "1", repeated("1?1:", 64) + "1", repeated("(", 3000), repeated("-+", 1500)})
    EXPECT_NE(problem(deep).find("nested more than 64 levels deep"), std::string::npos) << deep;
  EXPECT_EQ(value("1" + repeated("+1", 1999)), 2000);  // long is not deep
  EXPECT_EQ(value("a" + repeated("+t", 1999), 1, 1), 2000);
  EXPECT_EQ(problem(repeated(" ", 4000) + "1"), "m.yaml:7:11: steer: more than 4000 characters");
  EXPECT_EQ(value("min(" + repeated("t,", 1990) + "a)", 3, 2), 2);
  EXPECT_EQ(value(repeated("max(t,", 60) + repeated("t,", 1700) + "a" + repeated(")", 60), 3, 9), 9);
}

TEST(Expression, NamesThatCanBeUsed) {
  for (const char* name : {"x", "_x1", "a.b_2", "sin", "Pi", "andy"})
    EXPECT_EQ(expression_name_problem(name), "") << name;
  for (const char* name :
       {"", "1a", "a-b", "a.", ".a", "a..b", "a.1", "pi", "g", "inf", "and", "or", "not", "a b", "\xC3\xA4"})
    EXPECT_NE(expression_name_problem(name), "") << name;
}

TEST(Expression, ThePageListsEveryFunction) {
  std::ifstream file(VDSIM_SOURCE_DIR "/docs/EXPRESSIONS.md");
  std::stringstream page;
  page << file.rdbuf();
  for (const ExpressionFunction& f : expression_functions()) {
    const std::string needs = f.needs.empty() ? "" : fmt::format(" `{}`", f.needs);
    EXPECT_NE(page.str().find(fmt::format("| `{}` | {} |{} |", f.signature, f.meaning, needs)), std::string::npos)
        << f.signature;
  }
}

}  // namespace
}  // namespace vdsim
