// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include "bindings/fmi/description.hpp"
#include "bindings/fmi/units.hpp"
#include "bindings/fmi/xml.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim::fmi {
namespace {

std::string start_text(const Variable& v) {
  if (v.type == Type::boolean) return v.start != 0 ? "true" : "false";
  return number_text(v.start);
}

// `state`: reference of the state that a rate is of; `steps`: there is co-simulation.
std::string attributes(const Variable& v, std::uint32_t state, bool steps) {
  std::string out = xml_attribute("name", v.count > 1 ? v.array : v.name) +
                    xml_attribute("valueReference", std::to_string(v.vr)) + xml_attribute("description", v.meaning) +
                    xml_attribute("causality", enum_name(v.causality)) +
                    xml_attribute("variability", enum_name(v.variability));
  out += initial_of(v) + type_attributes(v);
  if (v.rate >= 0) out += xml_attribute("derivative", std::to_string(state));
  if (steps && v.in_steps()) out += xml_attribute("intermediateUpdate", "true");
  return has_start(v) ? out + xml_attribute("start", start_text(v)) : out;
}

std::string variable(const Variable& v, std::uint32_t state, bool steps) {
  static constexpr const char* kNames[] = {"Float64", "Int32", "Boolean", "Enumeration"};
  const std::string name = kNames[static_cast<std::size_t>(v.type)];
  const std::string begin = "    <" + name + attributes(v, state, steps);
  if (v.count == 1) return begin + "/>\n";
  return begin + ">\n      <Dimension" + xml_attribute("start", std::to_string(v.count)) + "/>\n    </" + name + ">\n";
}

std::string type_definitions(const std::vector<Variable>& variables) {
  std::string out;
  for (const Variable& v : variables) {
    if (v.type != Type::enumeration) continue;
    out += "    <EnumerationType" + xml_attribute("name", type_name(v)) + ">\n";
    for (std::size_t i = 0; i < v.items.size(); ++i)
      out += "      <Item" + xml_attribute("name", v.items[i]) + xml_attribute("value", std::to_string(i + 1)) + "/>\n";
    out += "    </EnumerationType>\n";
  }
  return "  <TypeDefinitions>\n" + out + "  </TypeDefinitions>\n";
}

template <class F> std::string unknowns(const std::vector<Variable>& variables, const char* element, F&& wanted) {
  std::string out;
  for (const Variable& v : variables)
    if (v.index == 0 && wanted(v))
      out += "    <" + std::string(element) + xml_attribute("valueReference", std::to_string(v.vr)) + "/>\n";
  return out;
}

std::string structure(const std::vector<Variable>& variables) {
  const auto goes_out = [](const Variable& v) { return v.causality == Causality::output; };
  const auto rate = [](const Variable& v) { return v.rate >= 0; };
  return "  <ModelStructure>\n" + unknowns(variables, "Output", goes_out) +
         unknowns(variables, "ContinuousStateDerivative", rate) +
         unknowns(variables, "InitialUnknown",
                  [&](const Variable& v) { return goes_out(v) || rate(v) || v.state >= 0; }) +
         unknowns(variables, "EventIndicator", [](const Variable& v) { return v.indicator >= 0; }) +
         "  </ModelStructure>\n";
}

// A plug: variables that go together.
std::string terminal(const char* name, const std::vector<const Variable*>& members, const char* kind) {
  if (members.empty()) return "";
  std::string out = "    <Terminal" + xml_attribute("name", name) + " matchingRule=\"plug\"" +
                    xml_attribute("terminalKind", std::string("_vdsim_") + name) + ">\n";
  for (const Variable* v : members) {
    const std::string variable = v->count > 1 ? v->array : v->name;
    std::string member = variable;
    if (member.starts_with("wheel.")) member.erase(0, 6);
    out += "      <TerminalMemberVariable" + xml_attribute("variableName", variable) +
           xml_attribute("memberName", member) + xml_attribute("variableKind", kind) + "/>\n";
  }
  return out + "    </Terminal>\n";
}

}  // namespace

std::string description3(const Described& d) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\"";
  out += xml_attribute("modelName", d.name) + xml_attribute("instantiationToken", d.token) +
         xml_attribute("description", d.description) + xml_attribute("generationTool", "VDSim " + version_text()) +
         xml_attribute("variableNamingConvention", "structured") + ">\n";
  if (d.kind != Kind::cs)
    out += "  <ModelExchange" + xml_attribute("modelIdentifier", kModelIdentifier) +
           " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"false\""
           " needsCompletedIntegratorStep=\"true\"/>\n";
  if (d.kind != Kind::me)
    out += "  <CoSimulation" + xml_attribute("modelIdentifier", kModelIdentifier) +
           " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"false\""
           " canHandleVariableCommunicationStepSize=\"true\"" +
           xml_number("fixedInternalStepSize", d.dt) +
           " maxOutputDerivativeOrder=\"0\" providesIntermediateUpdate=\"true\" mightReturnEarlyFromDoStep=\"true\""
           " canReturnEarlyAfterIntermediateUpdate=\"true\" hasEventMode=\"true\"/>\n";
  out += unit_definitions(units_in_use(d.variables)) + type_definitions(d.variables) + log_categories("Category");
  out += "  <DefaultExperiment startTime=\"0\"" + xml_number("stopTime", d.duration) + xml_number("stepSize", d.dt) +
         "/>\n  <ModelVariables>\n";
  std::vector<std::uint32_t> state;
  for (const Variable& v : d.variables)
    if (v.state >= 0) state.push_back(v.vr);
  for (const Variable& v : d.variables)
    if (v.index == 0) out += variable(v, v.rate < 0 ? 0 : state[static_cast<std::size_t>(v.rate)], d.kind != Kind::me);
  return out + "  </ModelVariables>\n" + structure(d.variables) + "</fmiModelDescription>\n";
}

std::string terminals3(const std::vector<Variable>& variables, bool tire) {
  std::vector<const Variable*> driver, motion, hub;
  const std::set<std::string> moves{"x", "y",    "psi",   "vx", "vy", "r", "ax", "ay",
                                    "z", "roll", "pitch", "vz", "p",  "q", "az"};
  const std::set<std::string> hubs{"wheel.omega", "wheel.fx", "wheel.fy", "wheel.fz",
                                   "wheel.mx",    "wheel.my", "wheel.mz"};
  for (const Variable& v : variables) {
    if (v.causality == Causality::input) (tire ? hub : driver).push_back(&v);
    if (v.causality != Causality::output || v.index > 0) continue;
    if (moves.count(v.name)) motion.push_back(&v);
    if (hubs.count(tire ? "wheel." + v.name : v.array)) hub.push_back(&v);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n"
         "  <GraphicalRepresentation>\n"
         "    <CoordinateSystem x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\" suggestedScalingFactorTo_mm=\"0.1\"/>\n"
         "    <Icon x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\"/>\n"
         "  </GraphicalRepresentation>\n  <Terminals>\n" +
         terminal("driver", driver, "signal") + terminal("motion", motion, "signal") + terminal("hub", hub, "signal") +
         "  </Terminals>\n</fmiTerminalsAndIcons>\n";
}

}  // namespace vdsim::fmi
