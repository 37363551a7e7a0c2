// SPDX-License-Identifier: Apache-2.0
// In place of hdf5.cpp in a build without HDF5.
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/table_writer.hpp"

namespace vdsim {

std::unique_ptr<TableWriter> open_hdf5(const std::string& path, const TableHead&) {
  throw FileError("cannot write " + path + ": this build of VDSim has no HDF5 (VDSIM_HDF5=OFF); write CSV instead");
}

}  // namespace vdsim
