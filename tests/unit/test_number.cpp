// SPDX-License-Identifier: Apache-2.0
// Numbers of texts by strtod, which WebAssembly needs, against std::from_chars.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "vdsim/formats/number.hpp"

namespace vdsim {
namespace {

void expect_alike(const std::string& text) {
  const char *first = text.data(), *last = first + text.size();
  double ours = 0.5, theirs = 0.5;  // what is not written stays
  const auto a = number_by_strtod(first, last, ours), b = std::from_chars(first, last, theirs);
  ASSERT_EQ(a.ptr - first, b.ptr - first) << text;
  ASSERT_EQ(a.ec, b.ec) << text;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(ours), std::bit_cast<std::uint64_t>(theirs)) << text;
}

TEST(Number, OddTexts) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           " 1",
                           ".",
                           "-.",
                           "1.",
                           ".5",
                           "-.5",
                           "1e",
                           "1e+",
                           "1e-",
                           "1e5",
                           "1E-5x",
                           "1.5.2",
                           "0x10",
                           "1_000",
                           "inf",
                           "-INF",
                           "infinit",
                           "Infinity",
                           "nan",
                           "-nan",
                           "nan(1_a)",
                           "nan(",
                           "nan(-)",
                           "1e308",
                           "1e309",
                           "-1e309",
                           "1e400",
                           "1e-308",
                           "5e-324",
                           "2e-324",
                           "1e-400",
                           "-1e-400",
                           "0e999",
                           "0.0e-999",
                           "00.1e1",
                           "-0",
                           "1e99999999999",
                           "1e-99999999999",
                           "9007199254740993",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "2.2250738585072011e-308",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "123456789012345678901234567890",
                           "0.1e",
                           "i",
                           "n",
                           "e5",
                           "--1",
                           "1,5"})
    expect_alike(text);
}

// 1e5 texts as files hold them: every bit pattern, few digits, too many digits.
TEST(Number, HundredThousandTexts) {
  std::mt19937_64 draw(1);
  for (int i = 0; i < 100000; ++i) {
    char text[900];
    const std::uint64_t bits = draw();
    const double value =
        i % 2 ? std::bit_cast<double>(bits) : std::ldexp(double(std::int64_t(bits)), int(draw() % 120) - 100);
    const int digits = i % 5 == 0 ? 30 : int(draw() % 18);
    std::snprintf(text, sizeof text, i % 7 == 0 ? "%.*f" : "%.*g", digits, value);
    if (std::strlen(text) < 880) expect_alike(text);
  }
}

}  // namespace
}  // namespace vdsim
