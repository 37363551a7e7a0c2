// SPDX-License-Identifier: Apache-2.0
// A scene that is driven by hand and changed while it drives; its tape repeats it to the bit. No clock, sockets, files or threads: the
// page, the server and `vdsim replay` are hosts of it. docs/LIVE.md
// Events (command, edit, reset) act between two steps. One that is refused throws BadInput, and nothing has changed.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vdsim/study/live/tape.hpp"
#include "vdsim/study/sim.hpp"

namespace vdsim {

// Something done, for plots.
struct LiveMark {
  std::int64_t step;
  double time;       // [s]
  std::string what;  // "tire.lugre.enabled=false mu=0.5", "reset"
};

class LiveSession {
 public:
  static constexpr std::int64_t kSnapshotEvery =
      100;                               // steps, for kDense seconds; before that 1000, for 10 kDense; ...
  static constexpr double kDense = 120;  // [s]

  LiveSession(std::shared_ptr<const Catalog>, Scenario);  // throws BadInput
  // A drive that is to be repeated: at step 0, the events of the tape lie ahead as if it had been rewound there.
  LiveSession(std::shared_ptr<const Catalog>, const TapedScene&);

  std::size_t cars() const { return cars_.size(); }
  const Scenario& scene() const { return *now_->scene; }      // as it is now, edits included
  std::int64_t step() const { return step_; }                 // counts on over resets and edits of dt
  std::int64_t end() const { return std::max(end_, step_); }  // of the drive: beyond step() after a rewind
  double time() const { return base_ + static_cast<double>(step_ - base_step_) * dt(); }  // counts on over resets [s]
  double dt() const { return scene().solver.dt; }
  int generation() const { return now_->generation; }  // another one: signals() may be others

  // This car, from now on. The first command takes the wheel from the scene's driver, until a reset. Numbers are rounded to 1/8192.
  // A car with `control: external`: until it is older than cmd_timeout.
  void command(std::size_t car, const Demand&);
  // As --set, together: on all cars, or with "<car id>.path" on one. Car::change says what goes on.
  void edit(const std::vector<Assignment>&);
  void reset();  // every car to its start, the drivers of the scene drive

  // So many steps, past events that lie ahead. False if a car diverged in them: it stands from then on, the others go on.
  // Throws BadInput at an event of a tape that is refused: step() says where.
  bool advance(std::int64_t steps);
  // To any step of the drive, after the events of that step: later ones stay, until a new one cuts the drive here.
  void rewind(std::int64_t step);
  const std::string& why(std::size_t car) const { return cars_.at(car).why; }  // it diverged; "" while it drives

  // `signals` are the columns of run.csv; t is time(). The span holds until the next call that is not const.
  const std::vector<Column>& signals(std::size_t car) const { return cars_.at(car).sim->signals(); }
  std::span<const double> values(std::size_t car);
  EnergyBalance energy(std::size_t car) const;                                    // since the last edit or reset
  bool by_hand(std::size_t car) const { return cars_.at(car).hand.has_value(); }  // a command drives it
  std::size_t snapshots() const { return snapshots_.size(); }
  const Sim& sim(std::size_t car) const { return *cars_.at(car).sim; }

  std::string hash() const;  // 16 hex digits, of the states of all cars
  std::optional<std::int64_t> differs() const {
    return differs_;
  }  // first step that had another hash the last time, or on the tape
  std::string tape() const { return tape_text(taped()); }
  Tape taped() const;                   // to end()
  std::vector<LiveMark> marks() const;  // edits and resets so far

 private:
  // Between two edits.
  struct Epoch {
    std::shared_ptr<const Scenario> scene;
    std::vector<std::string> car;       // hash of all that one car depends on
    std::vector<EnergyBalance> energy;  // of each car where the epoch begins
    int generation = 0;
  };
  struct LiveCar {
    std::unique_ptr<Sim> sim;
    std::optional<Demand> hand;
    std::string why;
    std::vector<double> values;
  };
  struct Snapshot {
    std::int64_t step = 0, base_step = 0;
    double base = 0;
    std::size_t events = 0;  // done by then
    std::shared_ptr<const Epoch> epoch;
    struct OfCar {
      std::vector<std::byte> state;
      std::optional<Demand> hand;
      std::string why;
    };
    std::vector<OfCar> car;
  };
  struct Edited;

  void begin();
  void cut();
  void take(TapeEvent);
  void play();
  void drive(std::size_t car, const Demand&);
  Edited edited(const std::vector<Assignment>&) const;
  void become(Edited);
  void restart();
  bool step_cars();
  void reached();
  void note_difference();
  void keep();
  void thin();
  void restore(const Snapshot&);

  std::shared_ptr<const Catalog> catalog_;
  std::shared_ptr<const Scenario> first_;  // the scene of step 0
  std::shared_ptr<const Epoch> now_;
  std::vector<LiveCar> cars_;
  std::int64_t step_ = 0, end_ = 0, base_step_ = 0;
  double base_ = 0;  // time at base_step_ [s]
  std::vector<TapeEvent> events_;
  std::vector<double> event_time_;  // of those done at least once [s]
  std::size_t done_ = 0;            // events
  std::vector<std::string> hashes_;
  std::string last_hash_;  // at end_, if that was reached once
  std::optional<std::int64_t> differs_;
  std::deque<Snapshot> snapshots_;
  std::vector<std::vector<std::byte>> spare_;  // of snapshots that were thinned out
};

// The drive of a tape, repeated to its end; differs() names the first step with another hash. Throws BadInput: a bad tape, all errors.
LiveSession replay_tape(std::shared_ptr<const Catalog>, std::string_view text, const std::string& file);

}  // namespace vdsim
