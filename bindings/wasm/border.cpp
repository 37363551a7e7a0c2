// SPDX-License-Identifier: Apache-2.0
#include "bindings/wasm/border.hpp"

#include <cmath>

#include "vdsim/engine/errors.hpp"

namespace vdsim::wasm {
namespace {

std::string text, reply;

Op op_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& list : {session_ops(), study_ops()})
    for (const NamedOp& each : list) {
      if (name == each.name) return each.run;
      names.push_back(each.name);
    }
  throw bad_value("op", "unknown '" + name.substr(0, 60) + "'" + suggestion(name, names));
}

Answer answer_to(std::string_view request) {
  const Question question = Question::parse(request, nullptr, false);
  if (!question.is_object()) throw BadInput("a question is a JSON object");
  return op_named(question.value("op", ""))(question);
}

}  // namespace

std::string_view received(std::size_t size) { return std::string_view(text).substr(0, size); }

Engine& engine() {
  static Engine the;
  return the;
}

LiveSession& Engine::live() const {
  if (!session) throw BadInput("no scene is open");
  return *session;
}

}  // namespace vdsim::wasm

using vdsim::wasm::engine;

// What the host calls. Frames (command, advance, values) refuse nothing that the page may send.
#define VD_EXPORT(name) [[clang::export_name(#name)]]
extern "C" {

VD_EXPORT(vd_text) char* vd_text(std::size_t size) {
  vdsim::wasm::text.resize(size);
  return vdsim::wasm::text.data();
}
VD_EXPORT(vd_ask) std::size_t vd_ask(std::size_t size) {
  using Handler = vdsim::wasm::Answer::error_handler_t;
  vdsim::wasm::reply = vdsim::wasm::answer_to(vdsim::wasm::received(size)).dump(-1, ' ', false, Handler::replace);
  return vdsim::wasm::reply.size();
}
VD_EXPORT(vd_reply) const char* vd_reply() { return vdsim::wasm::reply.data(); }

VD_EXPORT(vd_command)
void vd_command(std::size_t car, double steer, double throttle, double brake, double handbrake, double gear) {
  vdsim::Demand demand;
  demand.direct.steer = steer, demand.direct.throttle = throttle, demand.direct.brake = brake;
  demand.direct.handbrake = handbrake, demand.direct.gear = static_cast<int>(std::lround(gear));
  engine().live().command(car, demand);
}
// How many steps were made: a tape that lies ahead may hold events that a page of another version refuses.
VD_EXPORT(vd_advance) double vd_advance(double steps) {
  vdsim::LiveSession& live = engine().live();
  const auto before = live.step();
  live.advance(static_cast<std::int64_t>(steps));
  return static_cast<double>(live.step() - before);
}
VD_EXPORT(vd_values) const double* vd_values(std::size_t car) { return engine().live().values(car).data(); }
VD_EXPORT(vd_count) std::size_t vd_count(std::size_t car) { return engine().live().signals(car).size(); }
VD_EXPORT(vd_time) double vd_time() { return engine().live().time(); }
VD_EXPORT(vd_step) double vd_step() { return static_cast<double>(engine().live().step()); }
}
