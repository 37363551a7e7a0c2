// SPDX-License-Identifier: Apache-2.0
// The text of a file, read whole.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "vdsim/engine/errors.hpp"

namespace vdsim {

// The text of a file, at most 1 MB. An error is placed at `from` if given, else at the file itself.
std::optional<std::string> read_text(const std::string& path, Errors& errors, const Place* from = nullptr);

// The text of a file of up to `most` bytes. An error is placed at `from`.
std::optional<std::string> read_data(const std::string& path, const Place& from, Errors&,
                                     std::size_t most = std::size_t(1) << 30);

// Where a text stops being UTF-8; npos if it does not. Overlong forms, surrogates and more than 0x10FFFF are refused, too.
std::size_t broken_utf8(std::string_view text);

}  // namespace vdsim
