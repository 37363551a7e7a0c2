// SPDX-License-Identifier: Apache-2.0
// A live run as MCAP with the messages of ROS 2 (docs/LIVE.md). Topics of one car: /odom, /imu/data, /gnss/fix, /joint_states, /wheel/fl ..,
// /vdsim/state; of several: below /<car id>; /tf for all. Frames: map, odom, base_link (the CG), wheel_fl ..; of several "<car id>/base_link".
#pragma once
#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/column.hpp"
#include "vdsim/formats/mcap/geodesy.hpp"
#include "vdsim/formats/mcap/mcap_writer.hpp"
#include "vdsim/formats/mcap/ros2_cdr.hpp"
#include "vdsim/study/live/state_frame.hpp"

namespace vdsim {

class McapRecorder {
 public:
  static McapWriter::Options options();
  // Attaches the scene as resolved.yaml. The sink stays with the caller.
  McapRecorder(ChannelSink&, const Scenario&, const Geodetic& origin);
  // A car's signals at a simulated time; `signals` are those of now, they may change with an edit.
  void write(std::size_t car, double time, const std::vector<Column>& signals, std::span<const double> values);
  void changed(const Scenario&);  // after an edit: what it is now, attached as well

 private:
  struct Wheel {
    std::string name, frame;
    ChannelSink::Id wrench;
    double x, y, z;    // centre from the CG at rest, body axes [m]
    double angle = 0;  // turned so far, by the trapezoidal rule [rad]
    double omega = 0;  // when that was [rad/s]
  };
  struct Car {
    CarSpec spec;
    std::string prefix, frames;  // "" or "/<id>", "<id>/"
    ChannelSink::Id odom, imu, gnss, joints, state;
    std::vector<Wheel> wheels;
    std::vector<std::string> names;  // of the signals that `places` and `reader` are of
    std::map<std::string, std::size_t> places;
    std::unique_ptr<StateReader> reader;
    double time = 0;
    bool begun = false;
  };
  class Row;
  ChannelSink::Id topic(const std::string& name, const char* type);
  void add(const Scenario&, const CarSpec&, bool alone);
  void add_wheels(Car&);
  void know(Car&, const std::vector<Column>&);
  void write_motion(Car&, const Row&, const StateBody&);
  void write_wheels(Car&, const Row&, const StateBody&);

  ChannelSink& out_;
  Geodetic origin_;
  std::array<double, 3> gravity_;  // axes of the road plane [m/s^2]
  std::map<std::string, ChannelSink::Id> schemas_;
  std::vector<Car> cars_;
  ChannelSink::Id tf_ = 0;
};

// {"t":0.5,"vx":1.25,...}; what is not finite is null
std::string signals_json(const std::vector<Column>&, std::span<const double> values);

}  // namespace vdsim
