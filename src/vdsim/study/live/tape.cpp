// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/tape.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

double on_grid(double x) {
  const double n = x * Tape::kSteps;
  if (!(std::abs(n) < 1e15)) return x;            // unsaid, or a multiple already
  return std::nearbyint(n) / Tape::kSteps + 0.0;  // + 0.0: no -0, which JSON does not know
}

std::string in_quotes(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
std::string list_text(const std::vector<std::string>& texts, const char* between) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : between) + in_quotes(text);
  return out;
}

// What differs from a demand that says nothing.
std::string demand_text(Demand demand) {
  Demand silent;
  const StateList said = demand_fields(demand), unsaid = demand_fields(silent);
  std::string out;
  for (std::size_t i = 0; i < said.size(); ++i)
    if (const std::string text = value_text(said[i]); text != value_text(unsaid[i]))
      out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", said[i].name, text);
  return "{" + out + "}";
}
std::string sets_text(const std::vector<Assignment>& sets) {
  std::string out;
  for (const Assignment& set : sets)
    out += fmt::format("{}[{},{}]", out.empty() ? "" : ",", in_quotes(set.path), in_quotes(set.value));
  return "[" + out + "]";
}
std::string event_text(const TapeEvent& event, const Tape& tape) {
  switch (event.kind) {
    case TapeEvent::Kind::command:
      return fmt::format("[{},{},{{\"command\":{}}}]", event.step, in_quotes(tape.cars[event.car]),
                         demand_text(event.demand));
    case TapeEvent::Kind::edit: return fmt::format("[{},null,{{\"edit\":{}}}]", event.step, sets_text(event.sets));
    case TapeEvent::Kind::reset: break;
  }
  return fmt::format("[{},null,\"reset\"]", event.step);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Where a quoted text, or the whole one, begins with `from`.
void rename(std::string& text, const std::string& from, const std::string& to) {
  if (text.starts_with(from)) text.replace(0, from.size(), to);
  for (std::size_t at = 0; (at = text.find('"' + from, at)) != std::string::npos; at += to.size())
    text.replace(at + 1, from.size(), to);
}

}  // namespace

void name_files(const Catalog& catalog, bool to_catalog, Tape& tape) {
  if (catalog.folder().empty()) return;
  std::string here = catalog.folder(), there = "catalog:";
  if (!here.ends_with('/')) here += '/';
  if (!to_catalog) std::swap(here, there);
  rename(tape.scene, here, there);
  for (TapeEvent& event : tape.events)
    for (Assignment& set : event.sets) rename(set.value, here, there);
}

// By hand, not by demand_fields(): it is called for every command, and allocates nothing.
Demand rounded(Demand demand) {
  Commands& direct = demand.direct;
  for (double* x : {&direct.steer, &direct.throttle, &direct.brake, &direct.handbrake, &demand.speed,
                    &demand.speed_rate, &demand.acceleration, &demand.force, &demand.curvature})
    *x = on_grid(*x);
  for (double& x : direct.torque) x = on_grid(x);
  return demand;
}

std::string tape_text(const Tape& tape) {
  std::string out = fmt::format(
      "{{\n\"schema\": \"{}\",\n\"vdsim\": {},\n\"config\": {},\n\"dt\": {},\n\"cars\": [{}],\n", Tape::kSchema,
      in_quotes(tape.vdsim), in_quotes(tape.config), number_text(tape.dt), list_text(tape.cars, ", "));
  out += "\"scene\": [\n" + list_text(lines_of(tape.scene), ",\n") + "],\n\"events\": [";
  for (std::size_t i = 0; i < tape.events.size(); ++i) out += (i ? ",\n" : "\n") + event_text(tape.events[i], tape);
  out += "],\n\"hashes\": [" + list_text(tape.hashes, ",\n") + "],\n";
  return out + fmt::format("\"end\": {},\n\"hash\": {}\n}}\n", tape.end, in_quotes(tape.hash));
}

void check_tape(const Tape& tape, const Scenario& scene, const std::string& file, Errors& errors) {
  const auto fail = [&](const std::string& path, std::string what) { errors.add({file, 0, 0}, path, std::move(what)); };
  if (tape.dt > 0 && tape.dt != scene.solver.dt)
    fail("dt",
         fmt::format("is {}, but solver.dt of the scene is {}", number_text(tape.dt), number_text(scene.solver.dt)));
  std::vector<std::string> ids;
  for (const CarSpec& car : scene.cars) ids.push_back(car.id);
  if (tape.cars.empty()) return;
  if (ids != tape.cars) return fail("cars", "are not those of the scene: " + list_text(ids, ", "));
  if (const std::string hash = scenario_hash(scene); hash != tape.config && !tape.config.empty())
    fail("config",
         fmt::format("is {}, but the scene has {}: it was changed, or a file that it names was", tape.config, hash));
  for (std::size_t i = 0; i < tape.events.size() && !errors.full(); ++i)
    if (const TapeEvent& event = tape.events[i]; event.demand.follow_path && !scene.cars[event.car].driver.path.given())
      fail(fmt::format("events[{}][2].command.follow_path", i), "the driver of this scene has no path");
}

TapedScene load_tape(const Catalog& catalog, std::string_view text, const std::string& file) {
  Errors errors;
  TapedScene out;
  if (auto tape = read_tape(text, file, errors)) out.tape = std::move(*tape);
  name_files(catalog, false, out.tape);
  if (!out.tape.scene.empty()) {
    const std::size_t before = errors.size();
    out.scene = read_scene(catalog, out.tape.scene, file + ", scene", "", {}, errors);
    if (errors.size() == before) check_tape(out.tape, out.scene, file, errors);
  }
  errors.throw_if_any();
  out.scene.warnings = errors.warnings();
  return out;
}

}  // namespace vdsim
