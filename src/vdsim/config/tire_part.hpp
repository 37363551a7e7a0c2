// SPDX-License-Identifier: Apache-2.0
// The body of a tire part: which keys it has depends on its schema; the file behind tir_path is read with it.
#pragma once
#include "vdsim/config/read.hpp"
#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {

std::string schema_name(const TireSpec&);
// Keys of `map` into the tire. A block that starts with another `schema` starts from the defaults of that schema.
void read_tire(const Reader&, const YamlNode& map, TireSpec&, const std::string& path);
// An MF-Tyre file as the steady law of a tire.
void read_tir_into(const Reader&, const Place& place, const std::string& path, const std::string& file, TireSpec&);

}  // namespace vdsim
