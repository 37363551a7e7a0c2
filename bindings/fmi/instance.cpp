// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/instance.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>

#include "vdsim/config/files.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/formats/file_text.hpp"

namespace vdsim::fmi {
namespace {

constexpr double kSameStep = 1e-6;  // of a step: how far n dt may be from the step that is asked for
constexpr std::uint64_t kMagic = 0x316574617453444eULL;

std::string read_file(const std::string& folder, const char* name) {
  Errors errors;
  const auto text = read_text((std::filesystem::path(folder) / name).string(), errors);
  errors.throw_if_any();
  return *text;
}

Options read_options(const Catalog& catalog, const std::string& folder) {
  Errors errors;
  const std::string file = (std::filesystem::path(folder) / "fmu.json").string();
  const YamlNode* root = catalog.files().yaml(file, errors);
  errors.throw_if_any();
  const Options out = Options::read(*root, file, errors);
  errors.throw_if_any();
  return out;
}

std::string value_text(const Variable& v, double value) {
  switch (v.type) {
    case Type::boolean: return value != 0 ? "true" : "false";
    case Type::enumeration: return quoted_text(v.items[static_cast<std::size_t>(value) - 1]);
    case Type::real:
    case Type::integer: break;
  }
  return number_text(value);
}

}  // namespace

Instance::Instance(const std::string& folder, const std::string& token, Kind use)
    : catalog_(std::make_shared<const Catalog>()), use_(use) {
  options_ = read_options(*catalog_, folder);
  if (options_.kind != Kind::both && options_.kind != use)
    throw Refused(use == Kind::me ? "this FMU is for co-simulation" : "this FMU is for model exchange");
  const std::string text = read_file(folder, (enum_name(options_.holds) + ".json").c_str());
  document_.reset(new Document(Document::read(catalog_, options_.holds, text, folder)));
  variables_ = fmu_variables(*document_, options_);
  token_ = token_of(text, options_, variables_);
  if (token != token_)
    throw BadInput("the description has the token " + token + ", the resources have " + token_ +
                   ": they are not from one export");
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& v = variables_[i];
    if (by_reference_.size() <= v.vr) by_reference_.resize(v.vr + 1, -1);
    by_reference_[v.vr] = static_cast<int>(i);
  }
  reset();
}

const Variable& Instance::at(std::uint32_t vr) const {
  if (vr >= by_reference_.size() || by_reference_[vr] < 0)
    throw Refused("there is no variable with the value reference " + std::to_string(vr));
  return variables_[static_cast<std::size_t>(by_reference_[vr])];
}

double& Instance::parameter(const Variable& v) { return parameters_[static_cast<std::size_t>(by_reference_[v.vr])]; }

double Instance::get(const Variable& v) {
  if (v.causality == Causality::independent) return time();
  if (v.input >= 0) return inputs_[static_cast<std::size_t>(v.input)];
  if (!v.calculated()) return parameter(v);
  need_plant();
  if (v.column < 0) return continuous(v);
  const double value = plant_->values()[static_cast<std::size_t>(v.column)];
  if (!std::isfinite(value)) throw Refused(v.name + " is not finite");
  return value;
}

double Instance::continuous(const Variable& v) {
  if (v.indicator >= 0) {
    auto* plant = dynamic_cast<ExchangePlant*>(plant_.get());
    if (!plant) return 0;  // co-simulation handles its events itself
    indicators_.resize(plant->indicator_count());
    plant->indicators(indicators_);
    return indicators_[static_cast<std::size_t>(v.indicator)];
  }
  plant_->continuous(states_, state_rates_);
  return v.state >= 0 ? states_[static_cast<std::size_t>(v.state)] : state_rates_[static_cast<std::size_t>(v.rate)];
}

void Instance::set(const Variable& v, double value) {
  if (phase_ == Phase::terminated) throw Refused(v.name + " cannot be set after the end");
  if (!std::isfinite(value)) throw Refused(v.name + ": expected a finite number, found " + number_text(value));
  if (v.input >= 0) {
    inputs_[static_cast<std::size_t>(v.input)] = value;
    rates_[static_cast<std::size_t>(v.input)] = 0;
    asked_ = true;
    return;
  }
  if (v.causality != Causality::parameter) throw Refused(v.name + " is no input and no parameter: it cannot be set");
  if (phase_ == Phase::stepping && use_ == Kind::me) throw Refused(v.name + " can be set in event mode");
  if (phase_ >= Phase::stepping && v.variability != Variability::tunable)
    throw Refused(v.name + " is fixed: it can be set until the end of the initialization");
  if (v.type == Type::enumeration && !(value >= 1 && value <= static_cast<double>(v.items.size())))
    throw Refused(v.name + ": expected 1 to " + std::to_string(v.items.size()) + ", found " + number_text(value));
  if (!v.range.holds(value))
    throw Refused(v.name + ": " + number_text(value) + " is out of range, expected " +
                  describe(v.range, v.unit.c_str()));
  double& now = parameter(v);
  changed_ = changed_ || now != value;
  now = value;
}

void Instance::set_rate(const Variable& v, double value) {
  if (v.input < 0 || v.type != Type::real) throw Refused(v.name + " is no continuous input");
  if (!std::isfinite(value)) throw Refused(v.name + ": expected a finite rate, found " + number_text(value));
  rates_[static_cast<std::size_t>(v.input)] = value;
}

std::vector<Assignment> Instance::changes(const std::vector<double>& parameters) const {
  std::vector<Assignment> out;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& v = variables_[i];
    if (v.path.empty() || parameters[i] == v.start) continue;
    const std::string text = value_text(v, parameters[i]);
    out.push_back({v.path + " = " + text, v.path, text});
  }
  return out;
}

void Instance::check_columns(std::size_t count) const {
  std::size_t described = 0;
  for (const Variable& v : variables_) described += v.column >= 0;
  if (count != described)
    throw Refused("these parameters change which outputs there are: export the changed " + enum_name(options_.holds));
}

Scenario Instance::changed_scene(const std::vector<double>& parameters) const {
  Scenario out = *document_->scene();
  const std::vector<Assignment> sets = changes(parameters);
  if (!sets.empty()) change_scene(*catalog_, sets, out);
  check_columns(row_columns(out.cars.at(0), out.road).size());
  return out;
}

Control Instance::control(const std::vector<double>& parameters) const {
  return static_cast<Control>(static_cast<int>(parameters[static_cast<std::size_t>(by_reference_[kControlReference])]) -
                              1);
}

std::unique_ptr<Plant> Instance::new_plant(const std::vector<double>& parameters) const {
  if (use_ == Kind::me) {
    if (control(parameters) == Control::internal)
      throw Refused("control internal: the driver of the scene acts in steps; in model exchange the inputs drive");
    return std::make_unique<ExchangePlant>(changed_scene(parameters));
  }
  if (document_->scene())
    return std::make_unique<CarPlant>(changed_scene(parameters), options_.command_level, control(parameters));
  Document part(*document_);
  part.set(changes(parameters));
  auto out = std::make_unique<TirePlant>(part);
  check_columns(out->values().size());
  return out;
}

void Instance::build() {
  if (phase_ == Phase::events && plant_)
    plant_ = static_cast<ExchangePlant&>(*plant_).changed(changed_scene(parameters_));
  else if (phase_ == Phase::stepping && plant_)  // tunable parameters are those of cars
    static_cast<CarPlant&>(*plant_).change(changed_scene(parameters_));
  else
    plant_ = new_plant(parameters_);
  changed_ = false, asked_ = true;
}

void Instance::need_plant() {
  if (!plant_ || changed_) build();
  if (!asked_ || (phase_ == Phase::stepping && use_ == Kind::cs)) return;
  plant_->begin(inputs_);
  asked_ = false;
}

void Instance::enter_initialization(double start) {
  if (phase_ != Phase::instantiated) throw Refused("the initialization has been entered before");
  if (!std::isfinite(start)) throw Refused("the start time is not finite");
  start_ = start;
  phase_ = Phase::initializing;
}

void Instance::exit_initialization() {
  if (phase_ != Phase::initializing) throw Refused("the initialization has not been entered");
  need_plant();
  if (use_ == Kind::me) static_cast<ExchangePlant&>(*plant_).settle();
  phase_ = use_ == Kind::me ? Phase::events : Phase::stepping;
}

ExchangePlant& Instance::exchange() {
  if (use_ != Kind::me) throw Refused("is of model exchange, this instance is for co-simulation");
  if (phase_ != Phase::events && phase_ != Phase::stepping && phase_ != Phase::initializing)
    throw Refused("needs the initialization before it");
  need_plant();
  return static_cast<ExchangePlant&>(*plant_);
}
void Instance::set_time(double t) {
  ExchangePlant& plant = exchange();
  if (!std::isfinite(t)) throw Refused("the time is not finite");
  plant.set_time(t - start_);
}
void Instance::enter_events() {
  exchange();
  if (phase_ != Phase::stepping) throw Refused("comes in continuous-time mode");
  phase_ = Phase::events;
}
bool Instance::settle() {
  ExchangePlant& plant = exchange();
  if (phase_ != Phase::events) throw Refused("comes in event mode");
  return plant.settle();
}
void Instance::leave_events() {
  exchange();
  if (phase_ != Phase::events) throw Refused("comes in event mode");
  phase_ = Phase::stepping;
}

bool Instance::step(double t, double h, const std::function<bool()>& between) {
  if (use_ == Kind::me) throw Refused("is of co-simulation, this instance is for model exchange");
  if (phase_ != Phase::stepping) throw Refused("a step needs the end of the initialization before it");
  if (!(h > 0 && std::isfinite(h))) throw Refused("expected a step above 0 s, found " + number_text(h));
  if (changed_) build();
  const double dt = plant_->dt();
  if (!(std::abs(t - time()) < 0.5 * dt))
    throw Refused("the step begins at " + number_text(t) + " s, the time is " + number_text(time()) + " s");
  std::int64_t n = std::llround(h / dt);
  double rest = 0;
  if (std::abs(h - static_cast<double>(n) * dt) > kSameStep * dt) {
    n = static_cast<std::int64_t>(std::floor(h / dt));
    rest = h - static_cast<double>(n) * dt;
  }
  const Course course{inputs_, rates_};
  bool done = true, ended = false;
  for (std::int64_t k = 0; k < n && done && !ended; ++k) {
    done = plant_->step(course, static_cast<double>(k) * dt, dt);
    ended = done && between && between();
  }
  if (done && !ended && rest > 0) {
    done = plant_->step(course, static_cast<double>(n) * dt, rest);
    if (done && between) between();
  }
  std::fill(rates_.begin(), rates_.end(), 0.0);
  return done;
}

void Instance::terminate() {
  if (phase_ != Phase::stepping && phase_ != Phase::events) throw Refused("there is no simulation to end");
  phase_ = Phase::terminated;
}

void Instance::reset() {
  phase_ = Phase::instantiated;
  start_ = 0;
  parameters_.clear();
  inputs_.assign(document_->scene() ? inputs().size() : member_count<RigInput>(), 0);
  rates_ = inputs_;
  for (const Variable& v : variables_) {
    parameters_.push_back(v.start);
    if (v.input >= 0) inputs_[static_cast<std::size_t>(v.input)] = v.start;
  }
  if (document_->scene()) inputs_[4] = 1;  // gear, also at command levels that do not name it
  plant_.reset();
  changed_ = asked_ = false;
}

SavedState Instance::save() const {
  SavedState out{phase_, start_, parameters_, inputs_, rates_, {}};
  if (plant_) {
    out.plant.resize(plant_->snapshot_size());
    plant_->snapshot(out.plant);
  }
  return out;
}

void Instance::restore(const SavedState& from) {
  const auto unfit = [] { return Refused("the state is of another FMU"); };
  if (from.parameters.size() != parameters_.size() || from.inputs.size() != inputs_.size()) throw unfit();
  if (from.plant.empty()) {
    plant_.reset();
  } else if (plant_ && !changed_ && from.parameters == parameters_) {
    if (!plant_->restore(from.plant)) throw unfit();
  } else {
    std::unique_ptr<Plant> other = new_plant(from.parameters);
    if (!other->restore(from.plant)) throw unfit();
    plant_ = std::move(other);
  }
  phase_ = from.phase, start_ = from.start, parameters_ = from.parameters, inputs_ = from.inputs, rates_ = from.rates;
  changed_ = false, asked_ = true;
}

namespace {

struct Head {
  std::uint64_t magic, token, size, phase, parameters, inputs, plant;
  double start;
};

}  // namespace

std::vector<std::byte> Instance::bytes_of(const SavedState& s) const {
  const std::size_t numbers = s.parameters.size() + 2 * s.inputs.size();
  Head head{kMagic,
            fnv1a(token_ + enum_name(use_)),
            sizeof(Head) + 8 * numbers + s.plant.size() + 8,
            static_cast<std::uint64_t>(s.phase),
            s.parameters.size(),
            s.inputs.size(),
            s.plant.size(),
            s.start};
  std::vector<std::byte> out(head.size);
  std::byte* to = out.data();
  const auto add = [&](const void* from, std::size_t n) {
    if (n > 0) std::memcpy(to, from, n);
    to += n;
  };
  add(&head, sizeof head);
  for (const std::vector<double>* list : {&s.parameters, &s.inputs, &s.rates}) add(list->data(), 8 * list->size());
  add(s.plant.data(), s.plant.size());
  const std::uint64_t sum = fnv1a({reinterpret_cast<const char*>(out.data()), out.size() - sizeof(std::uint64_t)});
  add(&sum, sizeof sum);
  return out;
}

SavedState Instance::read_bytes(std::span<const std::byte> bytes) const {
  Head head{};
  std::uint64_t sum = 0;
  const auto damaged = [] { return Refused("the state is cut, damaged, or none of VDSim"); };
  if (bytes.size() < sizeof head + sizeof sum) throw damaged();
  std::memcpy(&head, bytes.data(), sizeof head);
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  const std::string_view body(reinterpret_cast<const char*>(bytes.data()), bytes.size() - sizeof sum);
  if (head.magic != kMagic || head.size != bytes.size() || sum != fnv1a(body)) throw damaged();
  if (head.token != fnv1a(token_ + enum_name(use_))) throw Refused("the state is of another FMU");
  if (head.parameters != parameters_.size() || head.inputs != inputs_.size() || head.phase > 4 ||
      sizeof head + 8 * (head.parameters + 2 * head.inputs) + head.plant + sizeof sum != bytes.size())
    throw damaged();
  SavedState out{static_cast<Phase>(head.phase), head.start, parameters_, inputs_, rates_, {}};
  const std::byte* from = bytes.data() + sizeof head;
  for (std::vector<double>* list : {&out.parameters, &out.inputs, &out.rates}) {
    std::memcpy(list->data(), from, 8 * list->size());
    from += 8 * list->size();
  }
  out.plant.assign(from, from + head.plant);
  return out;
}

}  // namespace vdsim::fmi
