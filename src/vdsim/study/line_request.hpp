// SPDX-License-Identifier: Apache-2.0
// A request of the line protocol (study/line_protocol.hpp), read strictly: every error at once, with its path and the nearest key.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/config/read.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/column.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/study/demand.hpp"

namespace vdsim {

// What requests can speak of.
struct LineCar {
  const CarSpec* spec;
  std::vector<Column> signals;  // the columns of its run.csv
};
struct LineScene {
  double dt;  // [s]
  std::vector<LineCar> cars;
  std::optional<std::size_t> main;  // the car meant where none is named: the only external one, or the only one
};

struct LineRequest {
  long steps = 0;  // to go on
  struct Car {
    std::optional<Demand> demand;
    std::optional<std::vector<std::size_t>> read;  // signals that replies tell from now on
  };
  std::vector<Car> cars;  // as in the scene
};

// A demand by the keys of demand_fields(); nothing is returned after an error.
std::optional<Demand> read_demand(const Reader&, const YamlNode& map, const std::string& path, bool has_path);

// `place`: what errors call the line.
LineRequest read_request(const LineScene&, std::string_view line, const std::string& place, Errors&);

}  // namespace vdsim
