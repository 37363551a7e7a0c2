// SPDX-License-Identifier: Apache-2.0
// Field tables as YAML that reads back to the same bits, and the hash of such a text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/engine/reflect.hpp"

namespace vdsim {

std::string quoted_text(std::string_view value);  // a YAML scalar in double quotes
std::string value_text(const FieldRef& field);    // any kind but block

enum class Units { none, as_comments };
// `fields` as lines, each after `indent` spaces
std::string block_text(const std::vector<FieldRef>& fields, int indent, Units units = Units::none,
                       const Readers& block = {});

std::string hash_text(std::string_view text);  // FNV-1a, 64 bit, 16 hex digits

}  // namespace vdsim
