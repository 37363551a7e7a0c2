// SPDX-License-Identifier: Apache-2.0
// A comms file: which states go where, in which form, and where commands come in (docs/LIVE.md).
//   channels:
//     - {source: 0.state, template: vds1, to: [{ip: 127.0.0.1, port: 7002}]}
//     - {source: 0.state, template: nmea_gga, origin: [48.1, 11.6, 520], to: [{ip: 127.0.0.1, port: 7010}]}
//     - {direction: in, template: vds1_cmd, listen: {port: 7001}}
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/engine/column.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/mcap/geodesy.hpp"
#include "vdsim/study/live/frames.hpp"

namespace vdsim {

enum class StateForm { vds1, json, nmea_gga };
template <> struct EnumNames<StateForm> { static constexpr std::array names{"vds1", "json", "nmea_gga"}; };

struct Address {
  std::string ip;  // of version 4, in numbers
  std::uint16_t port = 0;
};
struct StateChannel {
  std::size_t car = 0;
  StateForm form = StateForm::vds1;
  Geodetic origin;  // of nmea_gga: where x = y = z = 0 lies
  std::vector<Address> to;
};
struct Comms {
  std::vector<StateChannel> out;
  std::vector<std::uint16_t> in;  // ports of this machine that take commands
};

bool is_ip(const std::string&);
// `cars`: of the scene, by place; a source names one by number.
Comms read_comms(std::string_view yaml, const std::string& file, std::size_t cars, Errors&);

// What a channel sends of a car at one instant.
std::string state_text(const StateChannel&, const StateFrame&, const std::vector<Column>& signals,
                       std::span<const double> values);
std::string nmea_gga(double time, const Geodetic&);  // with the checksum and the end of the line

}  // namespace vdsim
