// SPDX-License-Identifier: Apache-2.0
// Writing OpenCRG files.
#pragma once
#include <string>

#include "vdsim/formats/crg_read.hpp"

namespace vdsim {

// The smaller of the two text or binary formats that keeps every number to the bit. Text cannot keep every double: then
// LDFI with as many digits as fit.
CrgFormat crg_exact_format(const CrgFile&, bool binary);

// The bytes of a file. read_crg() of it gives the same road, to the bit if the format holds the numbers.
std::string crg_text(const CrgFile&, CrgFormat);

}  // namespace vdsim
