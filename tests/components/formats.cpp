// SPDX-License-Identifier: Apache-2.0
// Component formats: a table read and written again, as HDF5.
#include <cstdio>

#include <vdsim/formats/table_read.hpp>
#include <vdsim/formats/table_writer.hpp>

int main() {
  vdsim::Errors errors;
  const auto table = vdsim::read_table("fz,fy\n1000,950\n2000,1800\n", "text", {{"fz", "N"}, {"fy", "N"}}, errors);
  if (!table) return 1;
  const auto file = vdsim::open_hdf5("formats.h5", {{}, {{"fy", "N", "side force"}}});
  for (const double fy : table->columns[1]) file->row({&fy, 1});
  file->commit();
  std::printf("formats: %g N\n", table->at("fy", 1, 0));
}
