// SPDX-License-Identifier: Apache-2.0
// Where the catalog lies; alone, so that what reads no catalog, the library of an FMU, holds no folder of this machine.
#include <cstdlib>
#include <filesystem>

#include "vdsim/config/catalog.hpp"

namespace vdsim {
namespace fs = std::filesystem;

std::string Catalog::default_folder() {
  if (const char* folder = std::getenv("VDSIM_CONFIGS"); folder && *folder) return folder;
  std::error_code ec;
  const fs::path program = fs::read_symlink("/proc/self/exe", ec);  // an installed program goes with its own catalog
  const fs::path shared = fs::path("share") / "vdsim" / "configs", installed = fs::path(VDSIM_INSTALL_PREFIX) / shared;
  for (const fs::path& folder : {program.parent_path().parent_path() / shared, fs::path(VDSIM_SOURCE_DIR "/configs")})
    if (fs::is_directory(folder, ec)) return folder.string();
  return installed.string();
}

}  // namespace vdsim
