// SPDX-License-Identifier: Apache-2.0
// The tape of a drive, vdsim.tape.v1: the scene it began with, what was done at which step, and hashes to check a replay by. docs/LIVE.md
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/study/demand.hpp"

namespace vdsim {

// Between two steps: after `step` of them, in the order of the list.
struct TapeEvent {
  enum class Kind { command, edit, reset };
  std::int64_t step = 0;
  Kind kind = Kind::reset;
  std::size_t car = 0;           // command: of Tape::cars
  Demand demand;                 // command
  std::vector<Assignment> sets;  // edit
};
template <> struct EnumNames<TapeEvent::Kind> { static constexpr std::array names{"command", "edit", "reset"}; };

struct Tape {
  static constexpr const char* kSchema = "vdsim.tape.v1";
  static constexpr std::int64_t kHashEvery = 1000;  // steps
  static constexpr double kSteps = 8192;            // per unit: every number of a command is a multiple of 1/8192
  static constexpr std::size_t kMostBytes = 64 << 20, kMostEvents = 1000000;

  std::string vdsim;              // version that wrote it
  std::string config;             // scenario_hash() of the scene
  std::string scene;              // YAML of scenario_text()
  double dt = 0;                  // of that scene [s]
  std::vector<std::string> cars;  // their ids
  std::vector<TapeEvent> events;
  std::vector<std::string> hashes;  // of the states at step 0, 1000, ..., before the events of that step
  std::int64_t end = 0;             // steps of the drive
  std::string hash;                 // of the states at its end
};

// A tape goes to other machines: files of the catalog are named "catalog:tir/x.tir" on it, in the scene and in values of edits.
// to_catalog: as on a tape; else as files here. load_tape() and LiveSession::taped() do that.
void name_files(const Catalog&, bool to_catalog, Tape&);

Demand rounded(Demand);  // to multiples of 1/8192, as physics sees it

std::string tape_text(const Tape&);  // JSON, an event per line
// Strictly: every error at once. What the tape says of its scene is not looked at: check_tape().
std::optional<Tape> read_tape(std::string_view text, const std::string& file, Errors&);
// Whether it is a tape of this scene: what read_scene() made of Tape::scene.
void check_tape(const Tape&, const Scenario&, const std::string& file, Errors&);
// All three, the scene too. Throws BadInput with every error.
struct TapedScene {
  Tape tape;
  Scenario scene;
};
TapedScene load_tape(const Catalog&, std::string_view text, const std::string& file);

}  // namespace vdsim
