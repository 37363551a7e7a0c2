// SPDX-License-Identifier: Apache-2.0
// The keys of a .tir file: their block, versions and other names. Shared by the reader and the writer.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/core/tire/tir_spec.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {

struct TirKey {
  std::string_view block;  // as in the file, "LATERAL_COEFFICIENTS"
  FieldRef field;          // into the spec
  bool in52 = true, in61 = true, in62 = true;
  bool needed = false;    // no law without it
  bool optional = false;  // rarely given, so its absence is not worth a word

  std::string_view name() const { return field.name; }
  bool in(int version) const { return version == 52 ? in52 : version == 61 ? in61 : in62; }
};
std::vector<TirKey> tir_keys(TirSpec&);  // in the order of the file

std::string tir_block(const std::string& name);     // the usual name of a block; "" if not known
std::string tir_alias(const std::string& key);      // the usual name of a key; itself if it has no other
bool tir_key_ignored(const std::string& key);       // known, without effect here
bool tir_block_ignored(const std::string& block);   // known, without effect here
const std::vector<std::string>& tir_block_names();  // of the blocks that are read
std::string tir_upper(std::string_view);

}  // namespace vdsim
