// SPDX-License-Identifier: Apache-2.0
// `vdsim serve`: a scene in real time or in lockstep, driven by datagrams.
#include <fmt/format.h>
#include <sys/prctl.h>

#include <chrono>
#include <memory>

#include "apps/vdsim/commands.hpp"
#include "apps/vdsim/udp.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/formats/file_text.hpp"
#include "vdsim/study/live/pacing.hpp"
#include "vdsim/study/live/server/host.hpp"

namespace vdsim::cli {
namespace {

constexpr const char* kServeExamples = R"(Examples:
  vdsim serve two_vehicle_race                                 commands in at UDP 7001, states out to 127.0.0.1:7002, 200 times a second
  vdsim serve lugre_grade_demo --lockstep                      each command advances by 1/rate; no clock; the bits of `vdsim run`
  vdsim serve step_steer --record drive.mcap --duration 20     a recording for Foxglove and ROS 2 tools
  vdsim serve my_scene.yaml --comms comms.yaml --time-scale 0.5

Frames are VDS1 version 5: CMD of 76 bytes, STATE of 452 bytes. A command that is older than cmd_timeout makes the car brake (0.3), its
wheels stay where they point. Commands are taken from this machine alone; states go to the addresses given here and nowhere else.
Layout of frames, comms files, examples in Python and C: docs/LIVE.md.)";

struct ServeArguments {
  std::string scene, state_ip = "127.0.0.1", record, comms, lugre, cmd_timeout, rate;
  std::vector<std::string> sets;
  int cmd_port = 7001, state_port = 7002;
  double time_scale = 1;
  std::optional<double> duration;
  bool lockstep = false, quiet = false;
};

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

SceneChanges changes_of(const ServeArguments& in) {
  SceneChanges out;
  const auto option = [&](const char* name, const char* path, const std::string& value) {
    if (!value.empty()) out.sets.push_back({fmt::format("{} {}", name, value), path, value});
  };
  option("--rate", "rate", in.rate);
  option("--cmd-timeout", "cmd_timeout", in.cmd_timeout);
  if (!in.lugre.empty())
    option("--lugre", "tire.lugre.enabled", choose_word("--lugre", in.lugre, {"off", "on"}) == 1 ? "true" : "false");
  for (const std::string& assignment : in.sets) out.set(assignment);
  return out;
}

void check_ports(const ServeArguments& in) {
  std::vector<std::string> lines;
  const auto port = [&](const char* name, int value) {
    if (value < 1 || value > 65535) lines.push_back(fmt::format("{} {}: expected 1 to 65535", name, value));
  };
  port("--cmd-port", in.cmd_port), port("--state-port", in.state_port);
  if (!is_ip(in.state_ip))
    lines.push_back(fmt::format("--state-ip {}: expected an address such as 127.0.0.1", in.state_ip));
  if (in.time_scale != 0 && !(in.time_scale >= Pacer::kSlowest && in.time_scale <= Pacer::kFastest))
    lines.push_back(fmt::format("--time-scale {}: expected {} to {}, or 0 for as fast as it goes", in.time_scale,
                                Pacer::kSlowest, Pacer::kFastest));
  if (in.duration && !(*in.duration > 0))
    lines.push_back(fmt::format("--duration {}: expected more than 0", *in.duration));
  if (!lines.empty()) throw BadInput(lines);
}

Comms comms_of(const ServeArguments& in, std::size_t cars) {
  Comms out;
  if (!in.comms.empty()) {
    Errors errors;
    const auto text = read_text(in.comms, errors);
    if (text) out = read_comms(*text, in.comms, cars, errors);
    errors.throw_if_any();
    return out;
  }
  out.in.push_back(static_cast<std::uint16_t>(in.cmd_port));
  for (std::size_t i = 0; i < cars; ++i)
    out.out.push_back({i, StateForm::vds1, {}, {{in.state_ip, static_cast<std::uint16_t>(in.state_port)}}});
  return out;
}

// One run of the server.
class Serving {
 public:
  Serving(const ServeArguments& in, std::shared_ptr<const Catalog> catalog, Scenario scene)
      : in_(in),
        host_(std::move(catalog), std::move(scene), in.lockstep),
        comms_(comms_of(in, host_.session().cars())),
        udp_(comms_.in),
        gate_(host_.session().cars()) {}

  int run() {
    if (!in_.record.empty()) host_.record(in_.record, origin());
    announce();
    in_.lockstep ? in_lockstep() : in_real_time();
    const std::string recorded = host_.stop_record();
    if (!in_.quiet) summarise(recorded);
    for (std::size_t i = 0; i < host_.session().cars(); ++i)
      if (!host_.session().why(i).empty())
        tell("diverged: car {}: {}\n", host_.session().scene().cars[i].id, host_.session().why(i));
    return failed_ ? diverged : done;
  }

 private:
  static constexpr int kMostPerLook = 512;  // datagrams taken between two looks at the clock

  Geodetic origin() const {
    for (const StateChannel& channel : comms_.out)
      if (channel.form == StateForm::nmea_gga) return channel.origin;
    return {};
  }
  void announce() const {
    if (in_.quiet) return;
    std::string in, out;
    for (const std::uint16_t port : comms_.in) in += fmt::format("{}127.0.0.1:{}", in.empty() ? "" : ", ", port);
    for (const StateChannel& channel : comms_.out)
      for (const Address& to : channel.to) {
        const std::string one = fmt::format("{}:{}", to.ip, to.port);
        if (out.find(one) == out.npos) out += (out.empty() ? "" : ", ") + one;
      }
    fmt::print("{}: {} {}, commands in at {}, states out to {}, {} Hz, {}\n", host_.session().scene().id,
               host_.session().cars(), host_.session().cars() == 1 ? "car" : "cars", in, out, number_text(host_.rate()),
               in_.lockstep ? "lockstep" : fmt::format("time scale {}", number_text(in_.time_scale)));
    std::fflush(stdout);
  }
  void summarise(const std::string& recorded) const {
    const Pacer::Statistics& s = pacer_ ? pacer_->statistics() : Pacer::Statistics{};
    fmt::print("{} s simulated, {}\n", number_text(host_.session().time()), gate_.text());
    if (pacer_ && !pacer_->free())
      fmt::print("{} ticks, late by {:.2f} ms (99 %), {:.2f} ms at most; {} slips, {:.3g} s lost\n", s.ticks,
                 1e3 * pacer_->late(0.99), 1e3 * s.largest, s.slips, s.lost);
    fmt::print("hash {}\n", host_.session().hash());
    if (!recorded.empty()) fmt::print("{}\n", recorded);
  }

  bool over() const {
    return stop_ != 0 || failed_ ||
           (in_.duration && host_.session().time() >= *in_.duration - 0.5 * host_.session().dt());
  }
  void take_commands() {
    udp_.receive(kMostPerLook, [&](std::string_view bytes) {
      for (std::size_t i = 0; i < host_.session().cars(); ++i)
        if (!in_.lockstep && host_.stale(i)) gate_.forget(i);
      if (const auto frame = gate_.take(bytes)) {
        if (!host_.session().why(frame->vehicle).empty()) return;
        host_.command(frame->vehicle, demand_of(*frame), frame->seq);
        if (in_.lockstep && host_.ready()) advance();
      }
    });
  }
  void advance() {
    host_.tick();
    bool any = false;
    for (std::size_t i = 0; i < host_.session().cars(); ++i) any = any || host_.session().why(i).empty();
    failed_ = !any;  // all of them stand
    send_states();
  }
  void send_states() {
    for (const StateChannel& channel : comms_.out) {
      const std::string text = state_text(channel, host_.state(channel.car), host_.session().signals(channel.car),
                                          host_.session().values(channel.car));
      for (const Address& to : channel.to) udp_.send(to, text);
    }
  }

  void in_lockstep() {
    while (!over()) {
      udp_.wait(0.2);
      take_commands();
      flush(now_s());
    }
  }
  void in_real_time() {
    ::prctl(PR_SET_TIMERSLACK, 1000);  // [ns]; the default of 50 us is lateness
    pacer_.emplace(now_s(), host_.period(), in_.time_scale);
    while (!over()) {
      const double now = now_s();
      take_commands();
      if (pacer_->due(now))
        advance();
      else
        udp_.wait(pacer_->deadline() - now);
      flush(now);
    }
  }
  void flush(double now) {
    if (now - flushed_ < 1) return;
    host_.flush_record();
    flushed_ = now;
  }

  const ServeArguments& in_;
  LiveHost host_;
  Comms comms_;
  Udp udp_;
  CommandGate gate_;
  std::optional<Pacer> pacer_;
  const std::atomic<int>& stop_ = stop_signal();
  double flushed_ = 0;
  bool failed_ = false;
};

int serve(const ServeArguments& in) {
  check_ports(in);
  const auto catalog = std::make_shared<const Catalog>(Catalog::default_folder());
  Scenario scene = load_scene(*catalog, in.scene, changes_of(in));
  print_warnings(scene.warnings, false);
  print_notes(scene.notes, in.quiet);
  return Serving(in, catalog, std::move(scene)).run();
}

}  // namespace

void add_serve(Verb app, Action& chosen) {
  auto in = std::make_shared<ServeArguments>();
  Verb sub = app.add_subcommand("serve", "Run a scene in real time or in lockstep, driven over UDP");
  sub.footer(kServeExamples);
  sub.add_option("scene", in->scene, "id of a scene, or a YAML file").required().type_name("SCENE|FILE");
  sub.add_option("--cmd-port", in->cmd_port, "UDP port of this machine for commands [7001]").type_name("PORT");
  sub.add_option("--state-ip", in->state_ip, "where states go [127.0.0.1]").type_name("IP");
  sub.add_option("--state-port", in->state_port, "UDP port there [7002]").type_name("PORT");
  sub.add_option("--rate", in->rate, "states per simulated second [the scene's]").type_name("HZ");
  sub.add_option("--cmd-timeout", in->cmd_timeout, "age of a command from which the car brakes [the scene's]")
      .type_name("S");
  sub.add_option("--time-scale", in->time_scale, "simulated per real time, 0.05 to 10; 0: as fast as it goes [1]")
      .type_name("X");
  sub.add_flag("--lockstep", in->lockstep, "no clock: a command of every car advances by 1/rate");
  sub.add_option("--lugre", in->lugre, "bristle friction of all tires").type_name("on|off");
  add_sets(sub, in->sets);
  sub.add_option("--comms", in->comms, "channels of another layout, instead of the ports above").type_name("FILE");
  sub.add_option("--record", in->record, "what is driven, as MCAP").type_name("FILE");
  sub.add_option("--duration", in->duration, "simulated time after which it ends [until Ctrl-C]").type_name("S");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.callback([in, &chosen] { chosen = [in] { return serve(*in); }; });
}

}  // namespace vdsim::cli
