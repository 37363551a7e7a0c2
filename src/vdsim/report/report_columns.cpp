// SPDX-License-Identifier: Apache-2.0
#include "vdsim/report/report_columns.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace vdsim {
namespace {

constexpr double kLargestCode = 65534;  // largest code of a value
constexpr std::uint16_t kGap = 65535;   // code of a gap
constexpr std::size_t kShort = 512;     // columns up to this length are kept as floats
constexpr double kSameStep = 1e-4;      // of a step: so far may an x stand off the even grid
constexpr double kLargest = 1e300;      // beyond it a range would overflow: a gap, as in svg_chart
static_assert(std::endian::native == std::endian::little);

bool there(double v) { return std::abs(v) < kLargest; }

template <class T> std::string raw(const std::vector<double>& values) {
  std::string out;
  for (const double v : values) {
    const T each = there(v) ? static_cast<T>(v) : std::numeric_limits<T>::quiet_NaN();
    char bytes[sizeof(T)];
    std::memcpy(bytes, &each, sizeof(T));
    out.append(bytes, sizeof(T));
  }
  return out;
}

std::string json_of(const char* code, std::size_t n, double a, double d, std::string_view bytes) {
  return fmt::format(R"({{"k":"{}","n":{},"a":{},"d":{},"b":"{}"}})", code, n, a, d, base64(bytes));
}

bool even_steps(const std::vector<double>& x, double& step) {
  if (x.size() < 3 || !there(x.front()) || !there(x.back())) return false;
  step = (x.back() - x.front()) / static_cast<double>(x.size() - 1);
  if (!(step > 0)) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(std::abs(x[i] - x.front() - static_cast<double>(i) * step) <= kSameStep * step)) return false;
  return true;
}

bool floats_will_do(const std::vector<double>& x) {  // no step of x is lost
  double smallest = INFINITY, worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0 && x[i] > x[i - 1]) smallest = std::min(smallest, x[i] - x[i - 1]);
    if (there(x[i])) worst = std::max(worst, std::abs(static_cast<double>(static_cast<float>(x[i])) - x[i]));
  }
  return worst <= 1e-3 * smallest;
}

std::string x_json(const std::vector<double>& x) {
  double step = 0;
  if (even_steps(x, step)) return fmt::format(R"({{"k":"u","n":{},"a":{},"d":{}}})", x.size(), x.front(), step);
  return floats_will_do(x) ? json_of("f4", x.size(), 0, 1, raw<float>(x))
                           : json_of("f8", x.size(), 0, 1, raw<double>(x));
}

std::string as_differences(const std::vector<std::uint16_t>& codes) {
  std::string out;
  std::int32_t last = 0;
  for (const std::uint16_t code : codes) {
    const std::int32_t d = code - last;
    std::uint32_t z = (static_cast<std::uint32_t>(d) << 1) ^ static_cast<std::uint32_t>(d >> 31);
    for (; z > 127; z >>= 7) out += static_cast<char>(z | 128);
    out += static_cast<char>(z);
    last = code;
  }
  return out;
}

std::string y_json(const std::vector<double>& y) {
  double low = INFINITY, high = -INFINITY;
  for (const double v : y)
    if (there(v)) low = std::min(low, v), high = std::max(high, v);
  if (!(low <= high)) low = high = 0;
  // a float has 24 bits: large values with small differences need the codes
  if (y.size() <= kShort && (high - low) > 1e-4 * std::max(std::abs(low), std::abs(high)))
    return json_of("f4", y.size(), 0, 1, raw<float>(y));
  const double step = (high - low) / kLargestCode;
  std::vector<std::uint16_t> codes;
  for (const double v : y)
    codes.push_back(!there(v) ? kGap : step > 0 ? static_cast<std::uint16_t>(std::lround((v - low) / step)) : 0);
  std::string packed = as_differences(codes);
  if (packed.size() < 2 * codes.size() || codes.empty()) return json_of("v", y.size(), low, step, packed);
  packed.resize(2 * codes.size());
  std::memcpy(packed.data(), codes.data(), packed.size());
  return json_of("i2", y.size(), low, step, packed);
}

}  // namespace

std::string base64(std::string_view bytes) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kLetters[bits >> (18 - 6 * k) & 63];
  }
  return out;
}

int ColumnStore::add(const std::vector<double>& values, Axis axis) {
  std::vector<double> key = values;  // NaN has no order
  for (double& v : key)
    if (!there(v)) v = INFINITY;
  const auto [at, fresh] = known_.try_emplace({axis, std::move(key)}, static_cast<int>(json_.size()));
  if (fresh) {
    json_.push_back(axis == Axis::x ? x_json(values) : y_json(values));
    bytes_ += json_.back().size() + 1;
  }
  return at->second;
}

std::vector<double> keep_extremes(const std::vector<double>& y, std::size_t stride) {
  if (stride < 2 || y.size() < 4 * stride) return y;
  const std::size_t buckets = y.size() / (2 * stride);
  std::vector<double> out;
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t from = 2 * stride * b, to = b + 1 == buckets ? y.size() : from + 2 * stride;
    std::size_t low = to, high = to;
    for (std::size_t i = from; i < to; ++i) {
      if (!there(y[i])) continue;
      if (low == to || y[i] < y[low]) low = i;
      if (high == to || y[i] > y[high]) high = i;
    }
    const double first = low == to ? NAN : y[std::min(low, high)], second = low == to ? NAN : y[std::max(low, high)];
    out.insert(out.end(), {first, second});
  }
  return out;
}

std::vector<double> every(const std::vector<double>& x, std::size_t stride) {
  if (stride < 2 || x.size() < 4 * stride) return x;
  std::vector<double> out;
  for (std::size_t i = 0; i < x.size() / (2 * stride) * 2; ++i) out.push_back(x[i * stride]);
  return out;
}

std::vector<std::size_t> keep_corners(const std::vector<double>& x, const std::vector<double>& y, std::size_t stride) {
  const std::size_t n = std::min(x.size(), y.size()), step = stride < 2 ? 1 : 4 * stride;
  std::vector<std::size_t> out;
  for (std::size_t from = 0; from < n; from += step) {
    const std::size_t to = std::min(n, from + step);
    std::vector<std::size_t> kept;
    std::size_t corner[4] = {to, to, to, to};
    for (std::size_t i = from; i < to; ++i) {
      if (!there(x[i]) || !there(y[i])) {
        if (kept.empty()) kept.push_back(i);
        continue;
      }
      const bool better[4] = {corner[0] == to || x[i] < x[corner[0]], corner[1] == to || x[i] > x[corner[1]],
                              corner[2] == to || y[i] < y[corner[2]], corner[3] == to || y[i] > y[corner[3]]};
      for (std::size_t k = 0; k < 4; ++k)
        if (better[k]) corner[k] = i;
    }
    for (const std::size_t i : corner)
      if (i != to) kept.push_back(i);
    if (to == n) kept.push_back(n - 1);
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    out.insert(out.end(), kept.begin(), kept.end());
  }
  return out;
}

}  // namespace vdsim
