// SPDX-License-Identifier: Apache-2.0
// ZIP archives in memory.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace vdsim::fmi {

struct ArchiveFile {
  std::string name, bytes;
};
// Same files, same bytes: dates are those of 1980. Throws FileError.
std::string zipped(const std::vector<ArchiveFile>&);
// Throws BadInput for what is no archive, leads out of its folder, or unfolds to more than 1 GB.
void unzip(const std::string& file, const std::function<void(ArchiveFile)>& take);  // one after the other

}  // namespace vdsim::fmi
