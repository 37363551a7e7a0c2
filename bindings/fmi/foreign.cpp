// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/foreign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/formats/shown.hpp"

namespace vdsim::fmi {
namespace {

constexpr std::size_t kLongestMessage = 300;

Port::Holds holds(const std::string& type) {
  if (type == "Real" || type.starts_with("Float")) return Port::Holds::number;
  if (type.starts_with("Int") || type.starts_with("UInt") || type == "Enumeration") return Port::Holds::whole;
  if (type == "Boolean") return Port::Holds::flag;
  return type == "String" ? Port::Holds::text : Port::Holds::other;
}

// Arrays of FMI 3.0. A dimension that a structural parameter gives has no size yet.
std::size_t count_of(const pugi::xml_node& variable) {
  std::size_t out = 1;
  for (const auto d : variable.children("Dimension")) out *= d.attribute("start") ? d.attribute("start").as_uint() : 0;
  return out;
}

// Names of an enumeration, from the types of FMI 2.0 or 3.0.
void find_items(const pugi::xml_node& root, const std::string& declared, Port& port) {
  for (const auto type : root.child("TypeDefinitions").children()) {
    if (declared.empty() || declared != type.attribute("name").as_string()) continue;
    const auto below = type.child("Enumeration");
    for (const auto item : (below ? below : type).children("Item")) {
      port.items.emplace_back(item.attribute("name").as_string());
      port.item_values.push_back(item.attribute("value").as_llong());
    }
  }
}

std::vector<Port> ports_of(const Unpacked& fmu) {
  std::vector<Port> out;
  for (const auto v : fmu.root().child("ModelVariables").children()) {
    const auto typed = fmu.version() == 2 ? v.first_child() : v;
    Port port;
    port.name = v.attribute("name").as_string(), port.vr = v.attribute("valueReference").as_uint();
    port.type = typed.name(), port.holds = holds(port.type), port.count = count_of(v);
    port.causality = v.attribute("causality").as_string("local");
    port.variability = v.attribute("variability").as_string();
    find_items(fmu.root(), typed.attribute("declaredType").as_string(), port);
    out.push_back(std::move(port));
  }
  return out;
}

// Machines there is a library for.
std::string machines(const Unpacked& fmu) {
  std::set<std::string> out;
  for (const std::string& name : fmu.names())
    if (name.starts_with("binaries/")) out.insert(printable(name.substr(9, name.find('/', 9) - 9)));
  return out.empty() ? "none" : fmt::format("{}", fmt::join(out, ", "));
}

}  // namespace

void check_whole(const Port& port, const double* values) {
  if (port.holds != Port::Holds::whole) return;
  const bool natural = port.type.starts_with("UInt");
  const std::size_t digits = port.type.find_first_of("0123456789");
  const int bits = std::min(digits == port.type.npos ? 32 : std::atoi(port.type.c_str() + digits), 53);
  const double most = std::ldexp(1.0, natural ? bits : bits - 1) - 1, least = natural ? 0 : -most - 1;
  for (std::size_t i = 0; i < port.count; ++i)
    if (const double x = values[i]; !(x >= least && x <= most) || x != std::floor(x))
      throw FmuFailure(fmt::format("{} of its input {} is no whole number that {} holds", number_text(x),
                                   printable(port.name), port.type));
}

void FmuLog::add(int status, const char* message) {
  if (status < 1 || !message) return;  // what it does is nobody's business while it goes well
  std::string text = printable(std::string_view(message).substr(0, kLongestMessage));
  while (!text.empty() && (text.back() == '?' || text.back() == ' ')) text.pop_back();
  last_ = std::move(text);
}

void FmuLog::good(int status, const char* what) {
  worst_ = std::max(worst_, status);
  if (status <= 1) return last_.clear();
  static constexpr const char* kNames[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  throw FmuFailure(fmt::format("{} returned {}{}", what, status <= 5 ? kNames[status] : "no status", last()));
}

ForeignFmu::ForeignFmu(const std::string& file) : files_(file) {
  std::vector<std::string> errors;
  const int version = files_.version();
  if (version == 0)
    errors.push_back(
        fmt::format("is of FMI {}, expected 2.0 or 3.0", printable(files_.attribute("fmiVersion").substr(0, 20))));
  else if (!files_.root().child("CoSimulation"))
    errors.emplace_back("is not made for co-simulation");
  else if (files_.library().empty())
    errors.push_back(fmt::format("has no library for this machine; there is: {}", machines(files_)));
  if (!errors.empty()) throw BadInput(errors);
  ports_ = ports_of(files_);
  if (version == 2)
    two_ = std::make_unique<Library2>(files_.library(), Functions::co_simulation);
  else
    three_ = std::make_unique<Library3>(files_.library(), Functions::co_simulation);
}

double ForeignFmu::preferred_step() const {
  const double step = files_.root().child("DefaultExperiment").attribute("stepSize").as_double(0);
  return std::isfinite(step) && step > 0 ? step : 0;
}

bool ForeignFmu::once_per_process() const {
  return files_.root().child("CoSimulation").attribute("canBeInstantiatedOnlyOncePerProcess").as_bool();
}

std::unique_ptr<CoSimulation> ForeignFmu::instantiate(const std::string& name) const {
  return two_ ? instantiate2(files_, *two_, name) : instantiate3(files_, *three_, name);
}

}  // namespace vdsim::fmi
