// SPDX-License-Identifier: Apache-2.0
// A number of a text, the same bits with every library: std::from_chars where it reads doubles, strtod where it does not (libc++ 14).
#pragma once
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <version>

namespace vdsim {

// How much of a text from_chars takes for a number, 0 = none: [-] inf, infinity, nan, nan(letters), or digits [. digits] [e [+-] digits]
inline std::size_t number_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  const auto digits = [&](std::size_t i) {
    while (at(i) >= '0' && at(i) <= '9') ++i;
    return i;
  };
  const auto word = [&](std::size_t i, std::string_view small) {
    for (std::size_t k = 0; k < small.size(); ++k)
      if ((at(i + k) | 0x20) != small[k]) return false;
    return true;
  };
  const std::size_t sign = at(0) == '-' ? 1 : 0;
  if (word(sign, "inf")) return sign + (word(sign, "infinity") ? 8 : 3);
  if (word(sign, "nan")) {
    std::size_t end = sign + 4;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(at(end))) || at(end) == '_')) ++end;
    return at(sign + 3) == '(' && at(end) == ')' ? end + 1 : sign + 3;
  }
  const std::size_t whole = digits(sign), behind = at(whole) == '.' ? digits(whole + 1) : whole;
  const std::size_t written = (whole - sign) + (behind > whole ? behind - whole - 1 : 0);
  if (written == 0) return 0;
  if ((at(behind) | 0x20) != 'e') return behind;
  const std::size_t power = behind + 1 + (at(behind + 1) == '+' || at(behind + 1) == '-');
  return digits(power) > power ? digits(power) : behind;
}

// As std::from_chars, by strtod. The program never leaves the C locale.
inline std::from_chars_result number_by_strtod(const char* first, const char* last, double& value) {
  const std::size_t length = number_length({first, static_cast<std::size_t>(last - first)});
  if (length == 0) return {first, std::errc::invalid_argument};
  const std::string copy(first, length);
  const double read = std::strtod(copy.c_str(), nullptr);
  const bool digit = copy.find_first_of("123456789") < copy.find_first_of("eE");  // of the mantissa
  if (digit && (std::isinf(read) || read == 0)) return {first + length, std::errc::result_out_of_range};
  value = read;
  return {first + length, std::errc{}};
}

inline std::from_chars_result number_from(const char* first, const char* last, double& value) {
#if defined(__cpp_lib_to_chars)
  return std::from_chars(first, last, value);
#else
  return number_by_strtod(first, last, value);
#endif
}

}  // namespace vdsim
