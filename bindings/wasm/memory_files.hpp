// SPDX-License-Identifier: Apache-2.0
// Files in memory, in place of a disk: the catalog, and what a user drops on the page.
#pragma once
#include <map>
#include <string>

namespace vdsim::wasm {

std::map<std::string, std::string>& memory_files();  // by whole path

}  // namespace vdsim::wasm
