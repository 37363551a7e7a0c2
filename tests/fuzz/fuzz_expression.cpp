// SPDX-License-Identifier: Apache-2.0
// Any bytes as an expression: errors or an expression, never a crash; what is accepted gives the same from its own text,
// in brackets, per step and row by row.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "vdsim/config/expression.hpp"

namespace {

using namespace vdsim;

constexpr std::size_t kRows = 4;
constexpr double kT[kRows] = {0, 0.3, 2, 1e9}, kA[kRows] = {-1.5, 0, 2, std::numeric_limits<double>::quiet_NaN()};

bool same(double x, double y) {
  return (std::isnan(x) && std::isnan(y)) || std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

ExpressionScope scope_of(ExpressionScope::Use use) {
  const auto last = [](std::span<const Trace> args, std::span<const double> t) { return args[0].at(t.size() - 1); };
  return {use, {{"t", 0, true}, {"a", 1, true}, {"p", 2}}, {{"last", "last(signal)", 1, 1, last, 1}}};
}

std::optional<Expression> parse(const std::string& text, ExpressionScope::Use use) {
  Errors errors;
  auto e = Expression::parse(text, scope_of(use), {"fuzz.yaml", 1, 1}, "x", errors);
  if (e.has_value() != errors.empty()) std::abort();
  for (const InputError& error : errors.list())
    if (error.place.column < 1 || error.place.column > static_cast<int>(text.size()) + 1 || error.what.empty())
      std::abort();
  return e;
}

Trace over(const Expression& e) {
  const Trace out = e.over(std::array{Trace::view(kT), Trace::view(kA), Trace(0.7)}, kT);
  if (!out.is_number() && out.rows().size() != kRows) std::abort();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto step = parse(text, ExpressionScope::Use::per_step);
  const auto recorded = parse(text, ExpressionScope::Use::recording);
  if (step && !recorded) std::abort();
  if (!recorded) return 0;
  const Trace whole = over(*recorded);
  if (!recorded->has_rows() && !whole.is_number()) std::abort();
  const auto again = parse(recorded->text(), ExpressionScope::Use::recording);
  if (!again || again->text() != text || again->names() != recorded->names()) std::abort();
  const auto bracketed = parse("(" + text + ")", ExpressionScope::Use::recording);  // none if it was as deep as allowed
  for (std::size_t row = 0; row < kRows; ++row) {
    if (!same(over(*again).at(row), whole.at(row))) std::abort();
    if (bracketed && !same(over(*bracketed).at(row), whole.at(row))) std::abort();
    if (step && !same(step->value(std::array{kT[row], kA[row], 0.7}), whole.at(row))) std::abort();
  }
  return 0;
}
