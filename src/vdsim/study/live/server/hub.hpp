// SPDX-License-Identifier: Apache-2.0
// The clients of a live session: what they say and what they are told (docs/LIVE.md), without sockets and without a clock: times are
// given [s]. Protocols: vdsim.json.v1 (texts), vdsim.bin.v1 (the same, states as VALUES frames), foxglove.websocket.v1 (read only).
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/study/live/pacing.hpp"
#include "vdsim/study/live/server/foxglove.hpp"
#include "vdsim/study/live/server/host.hpp"
#include "vdsim/study/live/server/limits.hpp"

namespace vdsim {

enum class LiveProtocol { json, binary, foxglove };
template <> struct EnumNames<LiveProtocol> {
  static constexpr std::array names{"vdsim.json.v1", "vdsim.bin.v1", "foxglove.websocket.v1"};
};

struct LiveMessage {
  std::string data;
  bool binary = false;
};
struct LiveClose {
  int code;  // of WebSocket: 1008 too much, 1013 too slow
  std::string why;
};

class LiveHub {
 public:
  using Client = unsigned;
  // `records`: folder of recordings that clients start.
  LiveHub(LiveHost&, double now, std::string records);

  bool full(double now);  // no further client
  // `resume`: what an earlier hello gave, within 30 s: role and subscriptions go on, events of the time between come.
  Client join(LiveProtocol, const std::string& resume, double now);
  void leave(Client, double now);
  void receive(Client, std::string_view text, bool binary, double now);
  std::optional<LiveMessage> next(Client);  // what to send it now
  std::optional<LiveClose> closing(Client) const;

  // An operation of nobody in particular, as HTTP gives it: {"op": ...}. The reply, and whether it was obeyed.
  std::pair<bool, std::string> ask(std::string_view text, double now);
  std::string state_text();  // of all cars
  std::string hello_text() const;

  // Ticks that are due, and what clients hear of them. Then wait until deadline().
  void run(double now);
  double deadline() const;
  bool running() const { return running_; }
  const Pacer& pacer() const { return pacer_; }
  void stop_record();

 private:
  struct Subscription {
    std::vector<std::size_t> places;  // in signals(car)
    std::int64_t every = 0;           // ticks; 0 = none
  };
  struct Queued {
    std::size_t car;
    LiveMessage message;
  };
  struct Member {
    LiveProtocol protocol;
    std::string resume;
    std::vector<Subscription> cars;
    std::vector<std::string> signals;  // asked for, by name
    double rate = 0;
    std::deque<LiveMessage> events;
    std::deque<Queued> states;
    std::uint64_t dropped = 0;
    std::optional<LiveClose> close;
    std::optional<double> gone;  // when it left [s]
    RateLimit commands{LiveLimits::kCommands}, edits{LiveLimits::kEdits}, requests{LiveLimits::kRequests};
    std::uint32_t last_seq = 0;
    FoxgloveClient foxglove;
  };
  struct Refused {  // of an operation
    std::string code, path, what;
  };
  class Op;

  void say(Member&, std::string text);
  void tell_all(const std::string& text);
  void forget_gone(double now);
  void subscribe(Member&);
  void send_states(Member&, std::int64_t tick);
  void push_state(Member&, std::size_t car, LiveMessage);
  std::string hello(const Member&, Client) const;
  void obey(Client, const Op&, double now);
  void command(Client, const Op&);
  void control(const Op&, double now);
  void change(const Op&);
  void record();
  void take_car(Client, std::size_t car);
  void need_role(Client) const;
  void tick();

  LiveHost& host_;
  Pacer pacer_;
  std::string records_;
  bool running_ = true;
  std::int64_t ticks_ = 0;
  double status_at_ = 0;
  Client last_ = 0;  // 0 is nobody in particular
  std::map<Client, Member> members_;
  std::vector<std::optional<Client>> drivers_;  // of the cars
  int generation_ = 0;
  FoxgloveChannels channels_;
  std::unique_ptr<McapRecorder> topics_;  // into channels_
};

}  // namespace vdsim
