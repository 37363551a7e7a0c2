// SPDX-License-Identifier: Apache-2.0
// The text of a file, read whole.
#pragma once
#include <optional>
#include <string>

#include "vdsim/engine/errors.hpp"

namespace vdsim {

// The text of a file, at most 1 MB. An error is placed at `from` if given, else at the file itself.
std::optional<std::string> read_text(const std::string& path, Errors& errors, const Place* from = nullptr);

// The text of a file of up to `most` bytes. An error is placed at `from`.
std::optional<std::string> read_data(const std::string& path, const Place& from, Errors&,
                                     std::size_t most = std::size_t(1) << 30);

}  // namespace vdsim
