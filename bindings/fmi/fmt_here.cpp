// SPDX-License-Identifier: Apache-2.0
// What the rooms call of fmt, in the library of an FMU itself: it must not need libfmt. A name that is missing here fails the link.
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

namespace vdsim::fmi {

namespace d = fmt::detail;
[[gnu::used]] std::string (*const kept_format)(fmt::string_view, fmt::format_args) = &fmt::vformat;
[[gnu::used]] bool (*const kept_printable)(std::uint32_t) = &d::is_printable;
[[gnu::used]] void (*const kept_error)(const char*) = &d::throw_format_error;
[[gnu::used]] char (*const kept_point)(d::locale_ref) = &d::decimal_point_impl<char>;
[[gnu::used]] d::thousands_sep_result<char> (*const kept_thousands)(d::locale_ref) = &d::thousands_sep_impl<char>;
[[gnu::used]] d::dragonbox::decimal_fp<double> (*const kept_double)(double) = &d::dragonbox::to_decimal<double>;
[[gnu::used]] d::dragonbox::decimal_fp<float> (*const kept_float)(float) = &d::dragonbox::to_decimal<float>;

}  // namespace vdsim::fmi
