// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include "tests/reference_data.hpp"
#include "vdsim/formats/crc32.hpp"
#include "vdsim/formats/little_endian.hpp"
#include "vdsim/study/live/frames.hpp"

namespace vdsim {
namespace {

// Frames by name, made by Python.
std::map<std::string, std::string> made_by_python() {
  std::map<std::string, std::string> out;
  for (const auto& path : reference_files("vds1", ".txt")) {
    std::ifstream in(path);
    std::string name, hex;
    while (in >> name >> hex)
      for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        out[name].push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return out;
}

CommandFrame some_command() {
  CommandFrame out;
  out.seq = 7, out.vehicle = 1, out.time = 2.5;
  out.steer = -0.125, out.throttle = 0.75, out.brake = 0.0625, out.gear = -1, out.handbrake = 1;
  out.aux_accel = 3.5, out.aux_speed = -4.25;
  return out;
}

std::string resealed(std::string frame) {
  frame.resize(frame.size() - 4);
  put_le(frame, crc32(frame));
  return frame;
}

TEST(Frames, BytesAreThoseOfPython) {
  const auto python = made_by_python();
  EXPECT_EQ(frame_bytes(some_command()), python.at("command"));
  StateFrame state;
  state.seq = 4294967295u, state.vehicle = 3, state.time = 12.345;
  double* const numbers = state.body.position;  // 53 numbers without gaps
  for (int i = 0; i < 53; ++i) numbers[i] = i + 0.1;
  EXPECT_EQ(frame_bytes(state), python.at("state"));
  const double values[] = {1.5, -2.25, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(frame_bytes(FrameHead{9, 0, 0.1}, values), python.at("values"));
  EXPECT_EQ(frame_bytes(FrameHead{9, 0, 0.1}, {}), python.at("values_none"));
}

TEST(Frames, ReadBackWhatPythonMade) {
  const auto python = made_by_python();
  const auto command = std::get<CommandFrame>(read_command_frame(python.at("command")));
  EXPECT_EQ(frame_bytes(command), frame_bytes(some_command()));
  const auto state = std::get<StateFrame>(read_state_frame(python.at("state")));
  EXPECT_EQ(state.body.position[0], 0.1);
  EXPECT_EQ(state.body.acceleration[1], 13.1);
  EXPECT_EQ(state.body.rack_torque, 24.1);
  EXPECT_EQ(state.body.gnss[1], 42.1);
  EXPECT_EQ(state.body.brake_applied, 52.1);
  const auto values = std::get<ValuesFrame>(read_values_frame(python.at("values")));
  ASSERT_EQ(values.values.size(), 3u);
  EXPECT_EQ(values.values[1], -2.25);
}

TEST(CommandGate, CountsEveryRefusalByItsKind) {
  CommandGate gate(2);
  CommandFrame good = some_command();
  ASSERT_TRUE(gate.take(frame_bytes(good)));
  std::array<std::uint64_t, kRefusals> wanted{};
  const auto refuse = [&](Refusal why, const std::string& bytes) {
    EXPECT_FALSE(gate.take(bytes)) << enum_name(why);
    ++wanted[static_cast<std::size_t>(why)];
    for (std::size_t i = 0; i < kRefusals; ++i)
      EXPECT_EQ(gate.refused(static_cast<Refusal>(i)), wanted[i])
          << enum_name(why) << " counted as " << EnumNames<Refusal>::names[i];
  };
  good.seq = 8;
  const std::string frame = frame_bytes(good);
  const auto with = [&](std::size_t at, char byte) {
    std::string out = frame;
    out[at] = byte;
    return out;
  };
  refuse(Refusal::size, "");
  refuse(Refusal::size, frame.substr(1));
  refuse(Refusal::size, frame + '\0');
  refuse(Refusal::magic, with(0, 'X'));
  refuse(Refusal::version, with(4, 4));
  refuse(Refusal::type, with(6, 2));
  for (std::size_t at = 8; at < frame.size(); ++at) refuse(Refusal::crc, with(at, static_cast<char>(frame[at] ^ 0x10)));
  refuse(Refusal::id, resealed(with(12, 2)));
  CommandFrame old = good;
  for (const std::uint32_t seq : {7u, 6u, 0x80000007u}) old.seq = seq, refuse(Refusal::seq, frame_bytes(old));
  for (double CommandFrame::*member : {&CommandFrame::steer, &CommandFrame::throttle, &CommandFrame::brake}) {
    CommandFrame bad = good;
    bad.*member = std::nan("");
    refuse(Refusal::non_finite, frame_bytes(bad));
    bad.*member = -std::numeric_limits<double>::infinity();
    refuse(Refusal::non_finite, frame_bytes(bad));
    bad.*member = 1e9;
    refuse(Refusal::range, frame_bytes(bad));
  }
  CommandFrame bad = good;
  bad.handbrake = 2;
  refuse(Refusal::range, frame_bytes(bad));
  // what is only carried may be anything; a refused number has not counted as seen
  good.aux_accel = std::nan("");
  EXPECT_TRUE(gate.take(frame_bytes(good)));
  EXPECT_EQ(gate.taken(), 2u);
}

TEST(CommandGate, OrderIsThatOfTheCar) {
  CommandGate gate(2);
  CommandFrame frame;
  const auto takes = [&](std::uint32_t vehicle, std::uint32_t seq) {
    frame.vehicle = vehicle, frame.seq = seq;
    return gate.take(frame_bytes(frame)).has_value();
  };
  EXPECT_TRUE(takes(0, 0xFFFFFFFF));
  EXPECT_TRUE(takes(0, 1)) << "numbers go round";
  EXPECT_FALSE(takes(0, 0xFFFFFFFF));
  EXPECT_TRUE(takes(0, 0)) << "unnumbered";
  EXPECT_FALSE(takes(0, 1));
  EXPECT_TRUE(takes(1, 1)) << "the other car counts for itself";
  gate.forget(0);
  EXPECT_TRUE(takes(0, 1)) << "after a silence its sender may have started again";
  EXPECT_EQ(gate.text(), "5 commands, 2 refused: 2 seq");
}

}  // namespace
}  // namespace vdsim
