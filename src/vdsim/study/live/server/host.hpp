// SPDX-License-Identifier: Apache-2.0
// What every host of a live session does at each tick of 1/rate: who drives, commands that grow old, lockstep, numbers of states,
// recordings. No clock and no sockets.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vdsim/formats/mcap/mcap_file.hpp"
#include "vdsim/study/live/server/mcap_recorder.hpp"
#include "vdsim/study/live/session.hpp"
#include "vdsim/study/live/state_frame.hpp"

namespace vdsim {

class LiveHost {
 public:
  // rate, cmd_timeout and everything else are the scene's. Throws BadInput where 1/rate is no multiple of dt.
  LiveHost(std::shared_ptr<const Catalog>, Scenario, bool lockstep = false);

  LiveSession& session() { return session_; }
  const LiveSession& session() const { return session_; }
  bool lockstep() const { return lockstep_; }
  double rate() const { return session_.scene().timing.rate; }
  double period() const { return static_cast<double>(steps_) * session_.dt(); }  // simulated time of a tick [s]

  // As LiveSession, and noted here. All throw BadInput, and nothing has changed.
  void command(std::size_t car, const Demand&, std::uint32_t seq);
  void edit(const std::vector<Assignment>&);
  void reset();
  void rewind(std::int64_t step);

  bool ready() const;       // lockstep: every external car has a command that no tick has used yet
  bool tick();              // false: a car diverged
  bool step(std::int64_t);  // single steps of dt
  // The command of a car that is driven from outside is older than cmd_timeout: it brakes by itself.
  bool stale(std::size_t car) const;
  bool fresh(std::size_t car) const { return cars_[car].fresh; }  // lockstep: has its command of this tick

  StateFrame state(std::size_t car);  // of now; seq: of the command obeyed in lockstep, else counted

  void record(const std::string& path, const Geodetic& origin);  // throws FileError
  void flush_record();                                           // what was recorded can be read
  std::string stop_record();                                     // its path; "" if there was none
  bool recording() const { return file_ != nullptr; }

 private:
  struct HostedCar {
    std::optional<double> heard;  // time of the last command from outside [s]
    std::uint32_t seq = 0, states = 0;
    bool fresh = false, braked = false;
    std::unique_ptr<StateReader> reader;
  };
  void note_rows();
  void brake_silent();
  void forget_readers();
  static std::int64_t steps_of(const Scenario&);

  LiveSession session_;
  bool lockstep_;
  std::int64_t steps_;  // of dt in a tick
  std::vector<HostedCar> cars_;
  std::unique_ptr<McapFile> file_;
  std::unique_ptr<McapRecorder> recorder_;
};

}  // namespace vdsim
