// SPDX-License-Identifier: Apache-2.0
// Cars of a scene that go in step, one of them or all: what advance() steps. One that fails stays where it is, the others go on.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vdsim/study/car_run.hpp"
#include "vdsim/study/finer_run.hpp"

namespace vdsim {

class Fleet {
 public:
  struct Member {
    Member(const Scenario& scene, const CarSpec& car) : spec(&car), run(scene, car), finer(finer_run(scene, car)) {}
    const CarSpec* spec;
    CarRun run;
    FinerRun<CarRun> finer;
    std::string why;       // it failed; "" while it runs
    bool refused = false;  // by who commands it, not by its numbers
    bool failed() const { return !why.empty(); }
  };
  // Commands the external cars: asked at the start, whenever the steps that it granted are done, and a last time when the run is over.
  // Gives the number of steps to go on; 0 ends the run.
  using Control = std::function<long(Fleet&)>;
  static Control in_turn(Control first, Control second);  // both; either ends the run
  Fleet(const Scenario&, std::span<const CarSpec>, const Control&);

  bool done() const { return ended_ || runs_out(); }
  bool step();  // false if every car has failed
  long step_index() const { return step_; }
  double progress() const { return static_cast<double>(step_) / static_cast<double>(steps_); }  // 0..1
  double time() const;                                                                          // [s]
  bool runs_out() const;  // the time is up, or every car has failed
  std::vector<Member>& members() { return members_; }
  void command(Member&, const Demand&);  // an external car, from now on

 private:
  void listen();

  std::vector<Member> members_;
  const Control& control_;
  long step_ = 0, steps_, granted_ = 0;
  bool ended_ = false;
};

}  // namespace vdsim
