// SPDX-License-Identifier: Apache-2.0
// VDS1: commands and states of a car as frames of fixed layout, little endian (docs/LIVE.md).
//   header 24 bytes: magic u32 0x56445331, version u16, type u16, seq u32, vehicle u32, time f64 [s]
//   then the body, then the CRC-32 of everything before it.
// Version 5 has CMD (type 1, 76 bytes) and STATE (type 2, 452 bytes); version 6 VALUES (type 3): what a client subscribed to.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vdsim/study/demand.hpp"

namespace vdsim {

inline constexpr std::uint32_t kFrameMagic = 0x56445331;
inline constexpr std::size_t kFrameHeader = 24;
inline constexpr std::size_t kMostFrameValues = 8000;  // of a VALUES frame: below the 64 kB of a WebSocket frame

inline constexpr double kMostFrameSteer = 1.5;  // of a command [rad]: wheels stand across before

struct FrameHead {
  std::uint32_t seq = 0;  // of a command: 0 = unnumbered; of a state: that of the last command obeyed, or counted on
  std::uint32_t vehicle = 0;  // place of the car in the scene, from 0
  double time = 0;            // of a state: simulated [s]; of a command: not read
};

struct CommandFrame : FrameHead {
  static constexpr std::size_t kSize = 76;
  double steer = 0, throttle = 0, brake = 0;  // road-wheel angle [rad], pedals [-]
  std::int32_t gear = 1;                      // 1 forward, 0 neutral, -1 reverse; manual gearbox: the gear
  std::uint8_t handbrake = 0;                 // 0 or 1
  double aux_accel = 0, aux_speed = 0;        // carried, not read
};

// The body of STATE: 53 numbers in the order of the wire. Wheels fl, fr, rl, rr (L1: the axle's wheel on both sides).
struct StateBody {
  double position[3] = {};                        // CG; axes of the road plane [m]
  double attitude[3] = {};                        // roll, pitch, yaw [rad]
  double velocity[3] = {}, rates[3] = {};         // body axes [m/s], [rad/s]
  double acceleration[2] = {};                    // body axes [m/s^2]
  double wheel_spin[4] = {};                      // [rad/s]
  double steer_applied = 0, wheel_radius = 0;     // [rad], [m]
  double fz[4] = {};                              // [N]
  double rack_torque = 0;                         // aligning moments of the front tires, summed [N m]
  double slip_ratio[4] = {}, slip_angle[4] = {};  // [-], [rad]
  double suspension[4] = {};                      // wheel up against the body [m]
  double measured_ax = 0, measured_ay = 0, measured_wz = 0, measured_steer = 0;  // sensors, or the truth without them
  double gnss[2] = {};                                                           // likewise [m]
  double fx[4] = {}, fy[4] = {};                   // of the road on the tires, body axes [N]
  double throttle_applied = 0, brake_applied = 0;  // [-]
};
struct StateFrame : FrameHead {
  static constexpr std::size_t kSize = 452;
  StateBody body;
};
static_assert(kFrameHeader + sizeof(StateBody) + 4 == StateFrame::kSize);

struct ValuesFrame : FrameHead {
  std::vector<double> values;  // in the order of the subscription
};

std::string frame_bytes(const CommandFrame&);
std::string frame_bytes(const StateFrame&);
std::string frame_bytes(const FrameHead&, std::span<const double> values);  // VALUES

// Why a frame is not obeyed. The first that applies, in this order.
enum class Refusal { size, magic, version, type, crc, id, seq, non_finite, range };
template <> struct EnumNames<Refusal> {
  static constexpr std::array names{"size", "magic", "version", "type", "crc", "id", "seq", "non_finite", "range"};
};
inline constexpr std::size_t kRefusals = EnumNames<Refusal>::names.size();

// The form alone: size to CRC.
std::variant<CommandFrame, Refusal> read_command_frame(std::string_view bytes);
std::variant<StateFrame, Refusal> read_state_frame(std::string_view bytes);
std::variant<ValuesFrame, Refusal> read_values_frame(std::string_view bytes);

Demand demand_of(const CommandFrame&);

// Who lets commands in: form, car, order, numbers. What it refuses it counts.
class CommandGate {
 public:
  explicit CommandGate(std::size_t cars) : last_(cars) {}
  std::optional<CommandFrame> take(std::string_view bytes);
  // The next command of this car may have any number: its sender was silent for so long that it may have started again.
  void forget(std::size_t car) { last_[car].reset(); }

  std::uint64_t taken() const { return taken_; }
  std::uint64_t refused(Refusal why) const { return refused_[static_cast<std::size_t>(why)]; }
  std::uint64_t refused() const;
  std::string text() const;  // "1200 commands, 3 refused: 2 crc, 1 seq"

 private:
  std::optional<Refusal> fault(const CommandFrame&) const;

  std::vector<std::optional<std::uint32_t>> last_;  // seq, by car
  std::uint64_t taken_ = 0;
  std::array<std::uint64_t, kRefusals> refused_{};
};

}  // namespace vdsim
