// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include "bindings/fmi/description.hpp"
#include "bindings/fmi/door.hpp"
#include "bindings/fmi/units.hpp"
#include "bindings/fmi/xml.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim::fmi {
namespace {

struct Named {
  const Variable* of;
  std::string name;
  bool alias;
};

// Scalars and their other names, in the order of ModelVariables.
std::vector<Named> scalars(const std::vector<Variable>& variables) {
  std::vector<Named> out;
  for (const Variable& v : variables) {
    out.push_back({&v, v.name, false});
    if (!v.alias.empty()) out.push_back({&v, v.alias, true});
  }
  return out;
}

std::string start_text(const Variable& v) {
  if (v.type == Type::boolean) return v.start != 0 ? "true" : "false";
  return number_text(v.start);
}

// `state`: place of the state that a rate is of.
std::string type_element(const Variable& v, std::size_t state) {
  static constexpr const char* kNames[] = {"Real", "Integer", "Boolean", "Enumeration"};
  std::string out = std::string("<") + kNames[static_cast<std::size_t>(v.type)];
  out += type_attributes(v);
  if (has_start(v)) out += xml_attribute("start", start_text(v));
  if (v.rate >= 0) out += xml_attribute("derivative", std::to_string(state));
  return out + "/>";
}

std::string scalar_variable(const Named& named, std::size_t state) {
  const Variable& v = *named.of;
  std::string out = "    <ScalarVariable" + xml_attribute("name", named.name) +
                    xml_attribute("valueReference", std::to_string(v.vr)) +
                    xml_attribute("description", named.alias ? "the same as " + v.name : v.meaning) +
                    xml_attribute("causality", enum_name(v.causality)) +
                    xml_attribute("variability", enum_name(v.variability));
  return out + initial_of(v) + ">" + type_element(v, state) + "</ScalarVariable>\n";
}

std::string type_definitions(const std::vector<Variable>& variables) {
  std::set<std::string> done;
  std::string out;
  for (const Variable& v : variables) {
    if (v.type != Type::enumeration || !done.insert(type_name(v)).second) continue;
    out += "    <SimpleType" + xml_attribute("name", type_name(v)) + ">\n      <Enumeration>\n";
    for (std::size_t i = 0; i < v.items.size(); ++i)
      out +=
          "        <Item" + xml_attribute("name", v.items[i]) + xml_attribute("value", std::to_string(i + 1)) + "/>\n";
    out += "      </Enumeration>\n    </SimpleType>\n";
  }
  return "  <TypeDefinitions>\n" + out + "  </TypeDefinitions>\n";
}

template <class F> std::string unknowns(const std::vector<Named>& all, const char* list, F&& wanted) {
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (wanted(*all[i].of)) out += "      <Unknown" + xml_attribute("index", std::to_string(i + 1)) + "/>\n";
  const std::string name = list;
  return out.empty() ? "" : "    <" + name + ">\n" + out + "    </" + name + ">\n";
}

std::string structure(const std::vector<Named>& all) {
  const auto goes_out = [](const Variable& v) { return v.causality == Causality::output; };
  const auto rate = [](const Variable& v) { return v.rate >= 0; };
  return "  <ModelStructure>\n" + unknowns(all, "Outputs", goes_out) + unknowns(all, "Derivatives", rate) +
         unknowns(all, "InitialUnknowns", [&](const Variable& v) { return goes_out(v) || rate(v) || v.state >= 0; }) +
         "  </ModelStructure>\n";
}

}  // namespace

std::vector<std::string> units_in_use(const std::vector<Variable>& variables) {
  std::set<std::string> out;
  for (const Variable& v : variables)
    if (v.type == Type::real && !v.unit.empty() && v.unit != "-") out.insert(v.unit);
  return {out.begin(), out.end()};
}

bool has_start(const Variable& v) { return !v.calculated() && v.causality != Causality::independent; }
std::string initial_of(const Variable& v) {
  if (v.calculated()) return xml_attribute("initial", "calculated");
  return v.causality == Causality::parameter || v.causality == Causality::local ? xml_attribute("initial", "exact")
                                                                                : "";
}

std::string type_attributes(const Variable& v) {
  std::string out;
  if (v.type == Type::enumeration) out += xml_attribute("declaredType", type_name(v));
  if (v.type == Type::real && !v.unit.empty() && v.unit != "-") {
    out += xml_attribute("unit", v.unit);
    if (const auto shown = display_units(v.unit); !shown.empty()) out += xml_attribute("displayUnit", shown[0].name);
  }
  if (v.type == Type::real || v.type == Type::integer) {
    if (std::isfinite(v.range.lo)) out += xml_number("min", v.range.lo);
    if (std::isfinite(v.range.hi)) out += xml_number("max", v.range.hi);
  }
  if (v.nominal > 0) out += xml_number("nominal", v.nominal);
  return out;
}

std::string type_name(const Variable& v) { return v.name + "_choices"; }

std::string log_categories(const char* element) {
  std::string out = "  <LogCategories>\n";
  for (const char* category : kCategories)
    out += "    <" + std::string(element) + xml_attribute("name", category) + "/>\n";
  return out + "  </LogCategories>\n";
}

std::string description2(const Described& d) {
  const std::vector<Named> all = scalars(d.variables);
  const auto indicators =
      std::count_if(d.variables.begin(), d.variables.end(), [](const Variable& v) { return v.indicator >= 0; });
  std::vector<std::size_t> state;  // place of each
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].of->state >= 0) state.push_back(i + 1);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"";
  out += xml_attribute("modelName", d.name) + xml_attribute("guid", d.token) +
         xml_attribute("description", d.description) + xml_attribute("generationTool", "VDSim " + version_text()) +
         xml_attribute("variableNamingConvention", "structured") +
         xml_attribute("numberOfEventIndicators", std::to_string(indicators)) + ">\n";
  if (d.kind != Kind::cs)
    out += "  <ModelExchange" + xml_attribute("modelIdentifier", kModelIdentifier) +
           " completedIntegratorStepNotNeeded=\"false\" canBeInstantiatedOnlyOncePerProcess=\"false\""
           " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
           " providesDirectionalDerivative=\"false\"/>\n";
  if (d.kind != Kind::me)
    out +=
        "  <CoSimulation" + xml_attribute("modelIdentifier", kModelIdentifier) +
        " canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"true\" maxOutputDerivativeOrder=\"0\""
        " canBeInstantiatedOnlyOncePerProcess=\"false\" canNotUseMemoryManagementFunctions=\"true\""
        " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"false\"/>\n";
  out += unit_definitions(units_in_use(d.variables)) + type_definitions(d.variables) + log_categories("Category");
  out += "  <DefaultExperiment startTime=\"0\"" + xml_number("stopTime", d.duration) + xml_number("stepSize", d.dt) +
         "/>\n  <ModelVariables>\n";
  for (const Named& each : all)
    out += scalar_variable(each, each.of->rate < 0 ? 0 : state[static_cast<std::size_t>(each.of->rate)]);
  return out + "  </ModelVariables>\n" + structure(all) + "</fmiModelDescription>\n";
}

}  // namespace vdsim::fmi
