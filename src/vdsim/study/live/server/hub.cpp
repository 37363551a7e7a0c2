// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/server/hub.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "vdsim/config/catalog.hpp"
#include "vdsim/formats/shown.hpp"
#include "vdsim/study/json.hpp"
#include "vdsim/study/line_request.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

using nlohmann::json;

std::string dumped(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string random_name() {  // 128 bits
  std::random_device device;
  std::string out;
  for (int i = 0; i < 4; ++i) out += fmt::format("{:08x}", device());
  return out;
}

}  // namespace

// One operation of a client, read once.
class LiveHub::Op {
 public:
  Op(std::string_view text, const Scenario& scene) : scene_(scene) {
    if (json_depth(text) > LiveLimits::kDepth) throw Refused{"depth", "", "nested too deep"};
    auto root = parse_json(text, "", errors_);
    fail_if_any("json");
    if (root->kind != YamlNode::Kind::map) throw Refused{"json", "", "expected an object"};
    root_ = std::move(*root);
    name_ = this->text("op");
    seq = static_cast<std::uint32_t>(number("seq", 0, 0, 4294967295.0));
  }
  std::uint32_t seq = 0;
  const std::string& name() const { return name_; }
  const YamlNode& root() const { return root_; }
  bool has(const char* key) const { return root_.find(key) != nullptr; }
  std::string text(const char* key) const {
    const YamlNode* node = root_.find(key);
    if (!node || node->kind != YamlNode::Kind::scalar)
      throw Refused{"missing", key, fmt::format("'{}' is missing", key)};
    return node->text;
  }
  double number(const char* key, double otherwise, double lo, double hi) const {
    const YamlNode* node = root_.find(key);
    if (!node) return otherwise;
    Errors errors;
    const auto value = read_number({"", errors}, *node, key, "", between(lo, hi));
    if (!value) throw Refused{"range", key, errors.list()[0].what};
    return *value;
  }
  std::size_t car(std::size_t otherwise = 0) const {  // by place or by id
    const YamlNode* node = root_.find("car");
    if (!node) return otherwise;
    for (std::size_t i = 0; i < scene_.cars.size(); ++i)
      if (node->text == scene_.cars[i].id || (!node->quoted && node->text == std::to_string(i))) return i;
    throw Refused{"car", "car", "the scene has no such car"};
  }
  std::vector<std::string> list(const char* key) const {
    const YamlNode* node = root_.find(key);
    if (!node || node->kind != YamlNode::Kind::list || node->items.size() > kMostFrameValues)
      throw Refused{"missing", key, "expected a list of names"};
    std::vector<std::string> out;
    for (const YamlNode& item : node->items) out.push_back(item.text);
    return out;
  }
  // Keys that are no demand are ignored, as those of a later version.
  Demand demand(std::size_t car) const {
    Demand unused;
    const std::vector<std::string> known = names_of(demand_fields(unused));
    YamlNode only = root_;
    std::erase_if(only.entries, [&](const YamlEntry& entry) {
      return std::find(known.begin(), known.end(), entry.key) == known.end();
    });
    Errors errors;
    const auto out = read_demand({"", errors}, only, "", scene_.cars[car].driver.path.given());
    if (!out) throw Refused{"range", errors.list()[0].path, errors.list()[0].what};
    if (std::abs(out->direct.steer) > kMostFrameSteer) throw Refused{"range", "steer", "out of range"};
    return *out;
  }

 private:
  void fail_if_any(const char* code) const {
    if (!errors_.empty()) throw Refused{code, errors_.list()[0].path, errors_.list()[0].what};
  }
  const Scenario& scene_;
  Errors errors_;
  YamlNode root_;
  std::string name_;
};

LiveHub::LiveHub(LiveHost& host, double now, std::string records)
    : host_(host), pacer_(now, host.period(), 1), records_(std::move(records)), drivers_(host.session().cars()) {}

// --- who is there
void LiveHub::forget_gone(double now) {
  std::erase_if(members_, [&](const auto& each) {
    const bool over = each.second.gone && now - *each.second.gone > LiveLimits::kResume;
    if (over)
      for (auto& driver : drivers_)
        if (driver == each.first) driver.reset();
    return over;
  });
}
bool LiveHub::full(double now) {
  forget_gone(now);
  int there = 0;
  for (const auto& [id, member] : members_) there += !member.gone;
  return there >= LiveLimits::kClients;
}

LiveHub::Client LiveHub::join(LiveProtocol protocol, const std::string& resume, double now) {
  forget_gone(now);
  for (auto& [id, member] : members_)
    if (!resume.empty() && member.gone && member.resume == resume && member.protocol == protocol) {
      member.gone.reset();
      member.events.push_front({hello(member, id), false});
      return id;
    }
  const Client id = ++last_;
  Member& member = members_.emplace(id, Member{}).first->second;
  member.protocol = protocol, member.resume = random_name();
  member.cars.resize(host_.session().cars());
  if (protocol == LiveProtocol::foxglove) {
    if (!topics_) topics_ = std::make_unique<McapRecorder>(channels_, host_.session().scene(), Geodetic{});
    say(member, FoxgloveChannels::server_info("vdsim " + version_text(), member.resume));
    say(member, channels_.advertise());
  } else {
    say(member, hello(member, id));
  }
  return id;
}
void LiveHub::leave(Client id, double now) {
  const auto found = members_.find(id);
  if (found == members_.end()) return;
  found->second.states.clear();
  found->second.gone = now;
  found->second.close.reset();
}

// --- what they are told
std::string LiveHub::hello_text() const { return hello(Member{}, 0); }

std::string LiveHub::hello(const Member& member, Client id) const {
  const LiveSession& session = host_.session();
  json cars = json::array();
  for (std::size_t i = 0; i < session.cars(); ++i) {
    json signals = json::array();
    for (const Column& column : session.signals(i)) signals.push_back({{"name", column.name}, {"unit", column.unit}});
    cars.push_back({{"id", session.scene().cars[i].id},
                    {"level", enum_name(session.scene().cars[i].level)},
                    {"signals", std::move(signals)},
                    {"role", drivers_[i] && *drivers_[i] == id ? "driver"
                             : drivers_[i]                     ? "watcher"
                                                               : "free"}});
  }
  bool drives = false;
  for (const auto& driver : drivers_) drives = drives || (driver && *driver == id);
  return dumped({{"op", "hello"},
                 {"schema", "vdsim.live.v1"},
                 {"engine", "vdsim " + version_text() + " (" + git_text() + ")"},
                 {"session", scenario_hash(session.scene())},
                 {"scene", session.scene().id},
                 {"dt", session.dt()},
                 {"rate", host_.rate()},
                 {"cars", std::move(cars)},
                 {"role", drives ? "driver" : "watcher"},
                 {"resume", member.resume}});
}

void LiveHub::say(Member& member, std::string text) {
  if (member.events.size() >= LiveLimits::kEvents) {
    if (!member.gone) member.close = LiveClose{1013, "too slow"};
    return;
  }
  member.events.push_back({std::move(text), false});
}
void LiveHub::tell_all(const std::string& text) {
  for (auto& [id, member] : members_)
    if (member.protocol != LiveProtocol::foxglove) say(member, text);
}
std::optional<LiveMessage> LiveHub::next(Client id) {
  Member& member = members_.at(id);
  std::optional<LiveMessage> out;
  if (!member.events.empty()) {
    out = std::move(member.events.front());
    member.events.pop_front();
  } else if (!member.states.empty()) {
    out = std::move(member.states.front().message);
    member.states.pop_front();
  }
  return out;
}
std::optional<LiveClose> LiveHub::closing(Client id) const { return members_.at(id).close; }

void LiveHub::push_state(Member& member, std::size_t car, LiveMessage message) {
  std::size_t waiting = 0;
  for (const Queued& each : member.states) waiting += each.car == car;
  if (waiting >= LiveLimits::kStates) {
    const auto oldest =
        std::find_if(member.states.begin(), member.states.end(), [&](const Queued& q) { return q.car == car; });
    member.states.erase(oldest);
    ++member.dropped;
  }
  member.states.push_back({car, std::move(message)});
}

void LiveHub::send_states(Member& member, std::int64_t tick) {
  if (member.protocol == LiveProtocol::foxglove) {
    for (const auto& [subscription, channel] : member.foxglove.subscribed)
      if (std::string text = channels_.message(channel, subscription); !text.empty())
        push_state(member, channel, {std::move(text), true});
    return;
  }
  LiveSession& session = host_.session();
  for (std::size_t car = 0; car < member.cars.size(); ++car) {
    const Subscription& wanted = member.cars[car];
    if (wanted.every == 0 || tick % wanted.every != 0) continue;
    const std::span<const double> values = session.values(car);
    std::vector<double> chosen;
    for (const std::size_t place : wanted.places) chosen.push_back(values[place]);
    const auto seq = static_cast<std::uint32_t>(tick);
    if (member.protocol == LiveProtocol::binary) {
      push_state(member, car, {frame_bytes({seq, static_cast<std::uint32_t>(car), session.time()}, chosen), true});
      continue;
    }
    std::string text = fmt::format(R"({{"op":"state","car":{},"seq":{},"t":{},{}"values":[)", car, seq,
                                   number_text(session.time()), host_.stale(car) ? R"("stale":true,)" : "");
    for (std::size_t i = 0; i < chosen.size(); ++i)
      text += (i ? "," : "") + (std::isfinite(chosen[i]) ? number_text(chosen[i]) : std::string("null"));
    push_state(member, car, {text + "]}", false});
  }
}

// --- what they say
void LiveHub::receive(Client id, std::string_view text, bool binary, double now) {
  Member& member = members_.at(id);
  if (member.close) return;
  if (!member.commands.take(now)) {
    member.close = LiveClose{1008, "too many messages"};
    return;
  }
  if (member.protocol == LiveProtocol::foxglove) {
    const std::string wrong =
        binary || json_depth(text) > LiveLimits::kDepth ? "expected text" : member.foxglove.receive(text, channels_);
    if (!wrong.empty()) say(member, dumped({{"op", "status"}, {"level", 2}, {"message", wrong}}));
    return;
  }
  std::uint32_t seq = 0;
  try {
    if (binary) throw Refused{"json", "", "expected text"};
    const Op op(text, host_.session().scene());
    seq = op.seq;
    obey(id, op, now);
  } catch (const Refused& e) {
    say(member, dumped({{"op", "error"}, {"seq", seq}, {"code", e.code}, {"path", e.path}, {"what", e.what}}));
  } catch (const BadInput& e) {
    say(member, dumped({{"op", "error"},
                        {"seq", seq},
                        {"code", "refused"},
                        {"path", e.items.empty() ? "" : e.items[0].path},
                        {"what", e.lines.empty() ? "" : e.lines[0]}}));
  }
}

std::pair<bool, std::string> LiveHub::ask(std::string_view text, double now) {
  try {
    const Op op(text, host_.session().scene());
    obey(0, op, now);
    return {
        true,
        dumped({{"ok", true}, {"step", host_.session().step()}, {"t", host_.session().time()}, {"running", running_}})};
  } catch (const Refused& e) {
    return {false, dumped({{"error", {{"code", e.code}, {"path", e.path}, {"what", e.what}}}})};
  } catch (const BadInput& e) {
    return {false, dumped({{"error", {{"code", "refused"}, {"what", e.lines}}}})};
  } catch (const FileError& e) {
    return {false, dumped({{"error", {{"code", "file"}, {"what", e.what()}}}})};
  }
}

void LiveHub::obey(Client id, const Op& op, double now) {
  const auto limited = [&](RateLimit Member::*limit) {
    if (id != 0 && !(members_.at(id).*limit).take(now)) {
      members_.at(id).close = LiveClose{1008, "too many requests"};
      throw Refused{"rate", "", "too many requests"};
    }
  };
  if (op.name() == "cmd") return command(id, op);
  if (op.name() == "set") return limited(&Member::edits), need_role(id), change(op);
  limited(&Member::requests);
  if (op.name() == "control") return need_role(id), control(op, now);
  if (op.name() == "take") return take_car(id, op.car());
  if (op.name() == "release") {
    if (auto& driver = drivers_[op.car()]; driver && *driver == id) driver.reset();
    return tell_all(dumped({{"op", "event"}, {"what", "release"}, {"car", op.car()}}));
  }
  if (op.name() == "subscribe" && id != 0) {
    Member& member = members_.at(id);
    const std::vector<std::string> signals = op.list("signals");
    const double rate = op.number("rate", std::min(60.0, host_.rate()), 1, 1000);
    for (const std::string& name : signals) {
      std::vector<std::string> all;
      for (std::size_t i = 0; i < host_.session().cars(); ++i)
        for (const Column& column : host_.session().signals(i)) all.push_back(column.name);
      if (std::find(all.begin(), all.end(), name) == all.end())
        throw Refused{"signal", "signals", "no signal '" + printable(name.substr(0, 60)) + "'" + suggestion(name, all)};
    }
    member.signals = signals, member.rate = rate;
    return subscribe(member);
  }
  throw Refused{"op", "op",
                "unknown operation '" + printable(op.name().substr(0, 60)) + "'" +
                    suggestion(op.name(), {"cmd", "subscribe", "set", "control", "take", "release"})};
}

// Signals by name; a car that has no such signal is left out of it.
void LiveHub::subscribe(Member& member) {
  for (std::size_t car = 0; car < member.cars.size(); ++car) {
    Subscription& to = member.cars[car];
    to.places.clear();
    const std::vector<Column>& signals = host_.session().signals(car);
    for (const std::string& name : member.signals)
      for (std::size_t i = 0; i < signals.size(); ++i)
        if (signals[i].name == name) to.places.push_back(i);
    to.every = to.places.empty() ? 0 : std::max<std::int64_t>(1, std::llround(host_.rate() / member.rate));
  }
}

void LiveHub::take_car(Client id, std::size_t car) {
  if (id == 0) return;
  if (drivers_[car] && *drivers_[car] != id) throw Refused{"role", "car", "somebody else drives this car"};
  if (drivers_[car]) return;
  drivers_[car] = id;
  tell_all(dumped({{"op", "event"}, {"what", "take"}, {"car", car}}));
}
// Who drives may change the scene; while nobody drives, everybody.
void LiveHub::need_role(Client id) const {
  bool nobody = true;
  for (const auto& driver : drivers_) {
    nobody = nobody && !driver;
    if (driver && *driver == id) return;
  }
  if (!nobody) throw Refused{"role", "", "somebody else drives, this client watches"};
}

void LiveHub::command(Client id, const Op& op) {
  const std::size_t car = op.car();
  if (id == 0)
    need_role(id);
  else
    take_car(id, car);
  host_.command(car, op.demand(car), op.seq);
}

void LiveHub::change(const Op& op) {
  const std::string path = op.text("path"), value = op.text("value");
  if (names_file(value)) throw Refused{"refused", "value", "a client cannot name files of the server"};
  host_.edit({{"set " + path, path, value}});
  if (generation_ != host_.session().generation()) {
    generation_ = host_.session().generation();
    for (auto& [id, member] : members_) subscribe(member);
    const std::size_t before = channels_.size();
    if (topics_) topics_->changed(host_.session().scene());
    for (auto& [id, member] : members_)
      if (member.protocol == LiveProtocol::foxglove && channels_.size() != before)
        say(member, channels_.advertise(before));
  }
  tell_all(dumped({{"op", "event"},
                   {"what", "edit"},
                   {"path", path},
                   {"value", value},
                   {"t", host_.session().time()},
                   {"generation", generation_}}));
}

void LiveHub::control(const Op& op, double now) {
  const std::string action = op.text("action");
  const double n = op.number("n", 1, 1, 100000), scale = op.number("time_scale", pacer_.scale(), 0, Pacer::kFastest);
  if (scale != 0 && scale < Pacer::kSlowest) throw Refused{"range", "time_scale", "expected 0.05 to 10, or 0"};
  if (action == "start") {
    running_ = true;
  } else if (action == "pause") {
    running_ = false;
  } else if (action == "stop") {
    running_ = false, host_.reset();
  } else if (action == "reset") {
    host_.reset();
  } else if (action == "step") {
    running_ = false;
    host_.step(static_cast<std::int64_t>(n));
    for (auto& [id, member] : members_) send_states(member, 0);
  } else if (action == "record") {
    record();
  } else {
    throw Refused{"range", "action",
                  "unknown action" + suggestion(action, {"start", "stop", "reset", "pause", "step", "record"})};
  }
  pacer_.set_scale(now, scale);
  tell_all(dumped({{"op", "event"},
                   {"what", action},
                   {"t", host_.session().time()},
                   {"running", running_},
                   {"time_scale", scale},
                   {"recording", host_.recording()}}));
}

void LiveHub::record() {
  if (host_.recording()) return stop_record();
  std::filesystem::create_directories(records_);
  for (int i = 1;; ++i) {
    const std::string path = fmt::format("{}/{}_{}.mcap", records_, host_.session().scene().id, i);
    if (!std::filesystem::exists(path)) return host_.record(path, {});
  }
}
void LiveHub::stop_record() { host_.stop_record(); }

// --- time
double LiveHub::deadline() const { return running_ ? pacer_.deadline() : pacer_.deadline() + 3600; }

void LiveHub::tick() {
  host_.tick();
  ++ticks_;
  if (topics_)
    for (std::size_t i = 0; i < host_.session().cars(); ++i)
      topics_->write(i, host_.session().time(), host_.session().signals(i), host_.session().values(i));
  for (auto& [id, member] : members_)
    if (!member.gone) send_states(member, ticks_);
}

void LiveHub::run(double now) {
  for (int i = 0; running_ && i < 64 && pacer_.due(now); ++i) tick();
  if (now - status_at_ < 1) return;
  status_at_ = now;
  host_.flush_record();
  forget_gone(now);
  for (auto& [id, member] : members_)
    if (!member.gone && member.protocol != LiveProtocol::foxglove && member.events.size() < LiveLimits::kEvents / 2)
      say(member, fmt::format(R"({{"op":"status","t":{},"late_ms":{:.3f},"slips":{},"dropped":{}}})",
                              number_text(host_.session().time()), 1e3 * pacer_.late(0.99), pacer_.statistics().slips,
                              member.dropped));
}

std::string LiveHub::state_text() {
  std::string out =
      fmt::format(R"({{"t":{},"step":{},"running":{},"hash":"{}","cars":{{)", number_text(host_.session().time()),
                  host_.session().step(), running_, host_.session().hash());
  for (std::size_t i = 0; i < host_.session().cars(); ++i)
    out += fmt::format("{}\"{}\":{}", i ? "," : "", host_.session().scene().cars[i].id,
                       signals_json(host_.session().signals(i), host_.session().values(i)));
  return out + "}}";
}

}  // namespace vdsim
