// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/line_protocol.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "vdsim/study/run.hpp"
#include "vdsim/study/sensors.hpp"

namespace vdsim {
namespace {

std::string in_quotes(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Read back it has the same bits: "-0" would be a whole number without a sign to many readers.
std::string value_text(double value) {
  if (!std::isfinite(value)) return "null";
  return value == 0 && std::signbit(value) ? "-0.0" : number_text(value);
}

// {"vx":"m/s",...}
std::string units_text(const std::vector<Column>& columns) {
  std::string out = "{";
  for (const Column& column : columns)
    out += fmt::format("{}{}:{}", out.size() > 1 ? "," : "", in_quotes(column.name), in_quotes(column.unit));
  return out + "}";
}
std::vector<Column> demand_columns() {
  std::vector<Column> out;
  Demand demand;
  for (const FieldRef& field : demand_fields(demand)) out.push_back({field.name, field.unit, field.meaning});
  return out;
}

LineScene line_scene(const Scenario& scene) {
  LineScene out{scene.solver.dt, {}, {}};
  std::size_t external = 0;
  for (const CarSpec& car : scene.cars) {
    if (car.control == Control::external && !car.controller.given() && ++external == 1) out.main = out.cars.size();
    out.cars.push_back({&car, row_columns(car, scene.road)});
  }
  if (external > 1) out.main.reset();
  if (external == 0 && scene.cars.size() == 1) out.main = 0;
  return out;
}

}  // namespace

LineProtocol::LineProtocol(const Scenario& scene, LineReader::Source source, Sink sink)
    : scene_(line_scene(scene)),
      read_(scene.cars.size()),
      lines_(std::move(source), kMostLine),
      sink_(std::move(sink)),
      hello_(hello(scene)) {
  for (const CarSpec& car : scene.cars) scopes_.push_back(car_scope(car, scene.road));
}

std::string LineProtocol::hello(const Scenario& scene) const {
  std::string out = fmt::format(
      R"({{"vdsim":{},"protocol":{},"scene":{},"dt":{},"duration":{},"cmd_timeout":{},"demand":{},"cars":{{)",
      in_quotes(version_text()), kVersion, in_quotes(scene.id), number_text(scene.solver.dt),
      number_text(scene.timing.duration), number_text(scene.timing.cmd_timeout), units_text(demand_columns()));
  for (const LineCar& car : scene_.cars)
    out += fmt::format(R"({}{}:{{"control":{},"level":{},"signals":{}}})", &car == scene_.cars.data() ? "" : ",",
                       in_quotes(car.spec->id),
                       in_quotes(car.spec->controller.given() ? "fmu" : enum_name(car.spec->control)),
                       in_quotes(enum_name(car.spec->level)), units_text(car.signals));
  return out + "}}";
}

// "read":{"vx":20.1,...} and what else there is to say of it, each with a comma before it
void LineProtocol::append_car(const Fleet::Member& member, std::size_t car, std::string& out) {
  const std::vector<std::size_t>& ids = read_[car];
  if (!ids.empty()) {
    const CarOutputs now = member.run.outputs();
    values_.clear();
    signal_values(scopes_[car], now, values_);
    sensor_values(member.run.sensors(), values_);
    out += R"(,"read":{)";
    for (const std::size_t id : ids)
      fmt::format_to(std::back_inserter(out), "{}\"{}\":{}", out.back() == '{' ? "" : ",",
                     scene_.cars[car].signals[id].name, value_text(values_[id]));
    out += '}';
  }
  if (member.run.stale()) out += R"(,"stale":true)";
  if (member.failed()) out += fmt::format(R"(,"failed":{})", in_quotes(member.why));
}

std::string LineProtocol::reply(Fleet& fleet) {
  std::string out = fmt::format(R"({{"t":{})", number_text(fleet.time())), others, one;
  for (std::size_t i = 0; i < fleet.members().size(); ++i) {
    const Fleet::Member& member = fleet.members()[i];
    if (scene_.main == i) {
      append_car(member, i, out);
      continue;
    }
    one.clear();
    append_car(member, i, one);
    if (!one.empty())  // its leading comma gives way
      others +=
          fmt::format("{}\"{}\":{{{}}}", others.empty() ? "" : ",", member.spec->id, std::string_view(one).substr(1));
  }
  if (!others.empty()) out += fmt::format(R"(,"cars":{{{}}})", others);
  return out + (fleet.runs_out() ? R"(,"done":true})" : "}");
}

std::string LineProtocol::refusal(const Fleet& fleet, const Errors& errors) {
  std::string out = fmt::format(R"({{"t":{},"error":[)", number_text(fleet.time()));
  for (const std::string& line : errors.lines()) out += (out.back() == '[' ? "" : ",") + in_quotes(line);
  return out + "]}";
}

void LineProtocol::apply(LineRequest& request, Fleet& fleet) {
  for (std::size_t i = 0; i < request.cars.size(); ++i) {
    LineRequest::Car& car = request.cars[i];
    if (car.read) read_[i] = std::move(*car.read);
    if (car.demand && !fleet.members()[i].failed()) fleet.command(fleet.members()[i], *car.demand);
  }
}

long LineProtocol::operator()(Fleet& fleet) {
  if (!sink_(greeted_ ? reply(fleet) : hello_) || fleet.runs_out()) return 0;
  greeted_ = true;
  while (const auto line = lines_.next()) {
    Errors errors;
    const std::string place = fmt::format("request {}", ++requests_);
    LineRequest request;
    if (line->too_long)
      errors.add({place, 0, 0}, "", fmt::format("the line is longer than {} bytes", kMostLine));
    else
      request = read_request(scene_, line->text, place, errors);
    if (errors.empty()) {
      apply(request, fleet);
      if (request.steps > 0) return request.steps;
    }
    if (!sink_(errors.empty() ? reply(fleet) : refusal(fleet, errors))) return 0;
  }
  return 0;
}

}  // namespace vdsim
