// SPDX-License-Identifier: Apache-2.0
// The validation matrix: cases with a measured and an expected number, what `vdsim validate` runs and docs/VALIDATION.md shows.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace vdsim {

class Catalog;

enum class ValidationGroup { analytic, cross_level, published, reference, cars, control };
inline constexpr const char* kValidationGroups[] = {"analytic",  "cross-level", "published",
                                                    "reference", "cars",        "control"};

struct Measurement {
  double value, expected;  // in the case's unit; NaN fails
};

struct ValidationCase {
  std::string id;  // [a-z0-9_], unique
  ValidationGroup group;
  std::string what, unit;  // unit "": a ratio
  std::string published;   // figure of VDSim 0.7, where there is one
  std::string how;         // formula or source, and the command that repeats it
  double limit;            // of |value - expected|, or of that over |expected|
  bool relative;
  std::string reason;  // of the limit
  std::function<Measurement()> measure;
};

struct ValidationRow {
  ValidationCase is;
  Measurement got;
  double difference;  // absolute or relative, as the limit
  bool pass;
};

std::vector<ValidationCase> validation_cases(const Catalog&);  // the catalog must outlive them
ValidationRow validate(const ValidationCase&);

// Numbers are rounded so that compilers of the exact build agree on every character.
std::string validation_page(const std::vector<ValidationRow>&);   // docs/VALIDATION.md
std::string validation_table(const std::vector<ValidationRow>&);  // for a terminal
std::string validation_json(const std::vector<ValidationRow>&);

}  // namespace vdsim
