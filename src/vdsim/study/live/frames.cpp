// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/frames.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "vdsim/engine/reflect.hpp"
#include "vdsim/formats/crc32.hpp"
#include "vdsim/formats/little_endian.hpp"

namespace vdsim {
namespace {

enum class FrameType : std::uint16_t { command = 1, state = 2, values = 3 };
constexpr std::uint16_t kFixedVersion = 5, kValuesVersion = 6;
using StateNumbers = std::array<double, sizeof(StateBody) / sizeof(double)>;

std::string begin_frame(const FrameHead& head, std::uint16_t version, FrameType type) {
  std::string out;
  put_le(out, kFrameMagic);
  put_le(out, version);
  put_le(out, static_cast<std::uint16_t>(type));
  put_le(out, head.seq);
  put_le(out, head.vehicle);
  put_le(out, head.time);
  return out;
}
std::string sealed(std::string frame) {
  put_le(frame, crc32(frame));
  return frame;
}

std::optional<Refusal> form_fault(std::string_view bytes, std::uint16_t version, FrameType type) {
  if (get_le<std::uint32_t>(bytes, 0) != kFrameMagic) return Refusal::magic;
  if (get_le<std::uint16_t>(bytes, 4) != version) return Refusal::version;
  if (get_le<std::uint16_t>(bytes, 6) != static_cast<std::uint16_t>(type)) return Refusal::type;
  const std::size_t end = bytes.size() - 4;
  if (get_le<std::uint32_t>(bytes, end) != crc32(bytes.substr(0, end))) return Refusal::crc;
  return {};
}
void read_head(std::string_view bytes, FrameHead& out) {
  out.seq = get_le<std::uint32_t>(bytes, 8);
  out.vehicle = get_le<std::uint32_t>(bytes, 12);
  out.time = get_le<double>(bytes, 16);
}

// Numbers go round: 1 comes after 0xFFFFFFFF.
bool newer(std::uint32_t seq, std::uint32_t last) { return static_cast<std::int32_t>(seq - last) > 0; }

}  // namespace

std::string frame_bytes(const CommandFrame& in) {
  std::string out = begin_frame(in, kFixedVersion, FrameType::command);
  for (const double x : {in.steer, in.throttle, in.brake}) put_le(out, x);
  put_le(out, in.gear);
  put_le(out, in.handbrake);
  out.append(3, '\0');
  put_le(out, in.aux_accel);
  put_le(out, in.aux_speed);
  return sealed(std::move(out));
}

std::string frame_bytes(const StateFrame& in) {
  std::string out = begin_frame(in, kFixedVersion, FrameType::state);
  for (const double x : std::bit_cast<StateNumbers>(in.body)) put_le(out, x);
  return sealed(std::move(out));
}

std::string frame_bytes(const FrameHead& head, std::span<const double> values) {
  std::string out = begin_frame(head, kValuesVersion, FrameType::values);
  put_le(out, static_cast<std::uint32_t>(values.size()));
  for (const double x : values) put_le(out, x);
  return sealed(std::move(out));
}

std::variant<CommandFrame, Refusal> read_command_frame(std::string_view bytes) {
  if (bytes.size() != CommandFrame::kSize) return Refusal::size;
  if (const auto fault = form_fault(bytes, kFixedVersion, FrameType::command)) return *fault;
  CommandFrame out;
  read_head(bytes, out);
  out.steer = get_le<double>(bytes, 24), out.throttle = get_le<double>(bytes, 32);
  out.brake = get_le<double>(bytes, 40), out.gear = get_le<std::int32_t>(bytes, 48);
  out.handbrake = get_le<std::uint8_t>(bytes, 52);
  out.aux_accel = get_le<double>(bytes, 56), out.aux_speed = get_le<double>(bytes, 64);
  return out;
}

std::variant<StateFrame, Refusal> read_state_frame(std::string_view bytes) {
  if (bytes.size() != StateFrame::kSize) return Refusal::size;
  if (const auto fault = form_fault(bytes, kFixedVersion, FrameType::state)) return *fault;
  StateFrame out;
  read_head(bytes, out);
  StateNumbers numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = get_le<double>(bytes, kFrameHeader + 8 * i);
  out.body = std::bit_cast<StateBody>(numbers);
  return out;
}

std::variant<ValuesFrame, Refusal> read_values_frame(std::string_view bytes) {
  if (bytes.size() < kFrameHeader + 8) return Refusal::size;
  const std::size_t count = get_le<std::uint32_t>(bytes, kFrameHeader);
  if (count > kMostFrameValues || bytes.size() != kFrameHeader + 8 + 8 * count) return Refusal::size;
  if (const auto fault = form_fault(bytes, kValuesVersion, FrameType::values)) return *fault;
  ValuesFrame out;
  read_head(bytes, out);
  for (std::size_t i = 0; i < count; ++i) out.values.push_back(get_le<double>(bytes, kFrameHeader + 4 + 8 * i));
  return out;
}

Demand demand_of(const CommandFrame& in) {
  Demand out;
  out.direct.steer = in.steer, out.direct.throttle = in.throttle, out.direct.brake = in.brake;
  out.direct.gear = in.gear, out.direct.handbrake = in.handbrake;
  return out;
}

std::optional<Refusal> CommandGate::fault(const CommandFrame& in) const {
  if (in.vehicle >= last_.size()) return Refusal::id;
  const std::optional<std::uint32_t>& last = last_[in.vehicle];
  if (in.seq != 0 && last && !newer(in.seq, *last)) return Refusal::seq;
  for (const double x : {in.steer, in.throttle, in.brake})
    if (!std::isfinite(x)) return Refusal::non_finite;
  if (std::abs(in.steer) > kMostFrameSteer || !validate(demand_of(in), false).empty()) return Refusal::range;
  return {};
}

std::optional<CommandFrame> CommandGate::take(std::string_view bytes) {
  const auto read = read_command_frame(bytes);
  const CommandFrame* frame = std::get_if<CommandFrame>(&read);
  const std::optional<Refusal> why = frame ? fault(*frame) : std::get<Refusal>(read);
  if (why) {
    ++refused_[static_cast<std::size_t>(*why)];
    return {};
  }
  ++taken_;
  if (frame->seq != 0) last_[frame->vehicle] = frame->seq;
  return *frame;
}

std::uint64_t CommandGate::refused() const {
  return std::accumulate(refused_.begin(), refused_.end(), std::uint64_t{0});
}

std::string CommandGate::text() const {
  std::string out = fmt::format("{} commands, {} refused", taken_, refused());
  bool first = true;
  for (std::size_t i = 0; i < kRefusals; ++i)
    if (refused_[i] > 0) {
      out += fmt::format("{} {} {}", first ? ":" : ",", refused_[i], EnumNames<Refusal>::names[i]);
      first = false;
    }
  return out;
}

}  // namespace vdsim
