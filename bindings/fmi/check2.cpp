// SPDX-License-Identifier: Apache-2.0
// The rules of FMI 2.0 for modelDescription.xml.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "bindings/fmi/importer.hpp"

namespace vdsim::fmi {
namespace {

using Node = pugi::xml_node;
using Words = std::vector<std::string>;

// --- elements: what may stand in them, in this order, and which attributes they have; '!' = must be there
struct Element {
  const char* name;
  Words children, attributes;
};
const Words kSimple{"Real", "Integer", "Boolean", "String", "Enumeration"};
const Words kInterface{"modelIdentifier!",
                       "needsExecutionTool",
                       "canBeInstantiatedOnlyOncePerProcess",
                       "canNotUseMemoryManagementFunctions",
                       "canGetAndSetFMUstate",
                       "canSerializeFMUstate",
                       "providesDirectionalDerivative"};
Words with(Words first, const Words& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}
const std::vector<Element>& elements() {
  static const std::vector<Element> all{
      {"fmiModelDescription",
       {"ModelExchange", "CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories", "DefaultExperiment",
        "VendorAnnotations", "ModelVariables!", "ModelStructure!"},
       {"fmiVersion!", "modelName!", "guid!", "description", "author", "version", "copyright", "license",
        "generationTool", "generationDateAndTime", "variableNamingConvention", "numberOfEventIndicators"}},
      {"ModelExchange", {"SourceFiles"}, with(kInterface, {"completedIntegratorStepNotNeeded"})},
      {"CoSimulation",
       {"SourceFiles"},
       with(kInterface, {"canHandleVariableCommunicationStepSize", "canInterpolateInputs", "maxOutputDerivativeOrder",
                         "canRunAsynchronuously"})},
      {"UnitDefinitions", {"Unit!"}, {}},
      {"Unit", {"BaseUnit", "DisplayUnit"}, {"name!"}},
      {"BaseUnit", {}, {"kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset"}},
      {"DisplayUnit", {}, {"name!", "factor", "offset"}},
      {"TypeDefinitions", {"SimpleType!"}, {}},
      {"SimpleType", kSimple, {"name!", "description"}},
      {"LogCategories", {"Category!"}, {}},
      {"Category", {}, {"name!", "description"}},
      {"DefaultExperiment", {}, {"startTime", "stopTime", "tolerance", "stepSize"}},
      {"ModelVariables", {"ScalarVariable!"}, {}},
      {"ScalarVariable",
       with(kSimple, {"Annotations"}),
       {"name!", "valueReference!", "description", "causality", "variability", "initial",
        "canHandleMultipleSetPerTimeInstant"}},
      {"Real",
       {},
       {"declaredType", "start", "derivative", "reinit", "quantity", "unit", "displayUnit", "relativeQuantity", "min",
        "max", "nominal", "unbounded"}},
      {"Integer", {}, {"declaredType", "start", "quantity", "min", "max"}},
      {"Boolean", {}, {"declaredType", "start"}},
      {"String", {}, {"declaredType", "start"}},
      {"Enumeration", {"Item"}, {"declaredType", "start", "quantity", "min", "max"}},
      {"Item", {}, {"name!", "value!", "description"}},
      {"ModelStructure", {"Outputs", "Derivatives", "InitialUnknowns"}, {}},
      {"Outputs", {"Unknown!"}, {}},
      {"Derivatives", {"Unknown!"}, {}},
      {"InitialUnknowns", {"Unknown!"}, {}},
      {"Unknown", {}, {"index!", "dependencies", "dependenciesKind"}}};
  return all;
}

struct Variable2 {
  std::string name, causality, variability, initial;
  Node node, type;
  std::uint32_t vr = 0;
  std::string start() const { return type.attribute("start").as_string(); }
  bool has_start() const { return static_cast<bool>(type.attribute("start")); }
};

struct Checked {
  const Unpacked& fmu;
  std::vector<Variable2> variables;
  Words errors;
  template <class... A> void fail(fmt::format_string<A...> text, A&&... more) {
    errors.push_back("modelDescription.xml: " + fmt::format(text, std::forward<A>(more)...));
  }
};

bool holds(const Words& words, const std::string& word) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& w) {
    return w == word || (w.back() == '!' && w.compare(0, w.size() - 1, word) == 0);
  });
}

void check_element(Checked& c, Node node) {
  const std::string name = node.name();
  if (name == "VendorAnnotations" || name == "Annotations" || name == "SourceFiles") return;  // anybody's
  const auto known =
      std::find_if(elements().begin(), elements().end(), [&](const Element& e) { return name == e.name; });
  if (known == elements().end()) return c.fail("<{}> is no element of FMI 2.0", name);
  for (const auto& attribute : node.attributes())
    if (!holds(known->attributes, attribute.name()) && !std::string_view(attribute.name()).starts_with("xmlns") &&
        !std::string_view(attribute.name()).starts_with("xsi:"))
      c.fail("<{}> has no attribute '{}'", name, attribute.name());
  for (const std::string& each : known->attributes)
    if (each.back() == '!' && !node.attribute(each.substr(0, each.size() - 1).c_str()))
      c.fail("<{}> lacks '{}'", name, each.substr(0, each.size() - 1));
  for (const std::string& each : known->children)
    if (each.back() == '!' && !node.child(each.substr(0, each.size() - 1).c_str()))
      c.fail("<{}> lacks <{}>", name, each.substr(0, each.size() - 1));
  std::size_t last = 0;
  for (const Node child : node.children()) {
    if (child.type() != pugi::node_element) continue;
    std::size_t at = 0;
    while (at < known->children.size() && !holds({known->children[at]}, child.name())) ++at;
    if (at == known->children.size())
      c.fail("<{}> cannot stand in <{}>", child.name(), name);
    else if (at < last)
      c.fail("<{}> stands too late in <{}>", child.name(), name);
    else
      last = at;
    check_element(c, child);
  }
}

void read_variables(Checked& c) {
  for (const Node node : c.fmu.root().child("ModelVariables").children("ScalarVariable")) {
    Variable2 v;
    v.node = node, v.name = node.attribute("name").as_string(), v.vr = node.attribute("valueReference").as_uint();
    v.causality = node.attribute("causality").as_string("local");
    int types = 0;
    for (const std::string& type : kSimple)
      if (const Node found = node.child(type.c_str())) v.type = found, ++types;
    if (types != 1) c.fail("{} has {} types, expected one", v.name, types);
    v.variability = node.attribute("variability").as_string("continuous");
    v.initial = node.attribute("initial").as_string();
    c.variables.push_back(v);
  }
}

// --- causality, variability, initial (FMI 2.0.4, 2.2.7): which values of initial each pair may have, the first as default
struct Pair {
  const char *causality, *variability;
  Words initial;  // none: no attribute at all
};
const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all{{"parameter", "fixed", {"exact"}},
                                     {"parameter", "tunable", {"exact"}},
                                     {"calculatedParameter", "fixed", {"calculated", "approx"}},
                                     {"calculatedParameter", "tunable", {"calculated", "approx"}},
                                     {"input", "discrete", {}},
                                     {"input", "continuous", {}},
                                     {"output", "constant", {"exact"}},
                                     {"output", "discrete", {"calculated", "exact", "approx"}},
                                     {"output", "continuous", {"calculated", "exact", "approx"}},
                                     {"local", "constant", {"exact"}},
                                     {"local", "fixed", {"calculated", "approx"}},
                                     {"local", "tunable", {"calculated", "approx"}},
                                     {"local", "discrete", {"calculated", "exact", "approx"}},
                                     {"local", "continuous", {"calculated", "exact", "approx"}},
                                     {"independent", "continuous", {}}};
  return all;
}

void check_pair(Checked& c, const Variable2& v) {
  const auto pair = std::find_if(pairs().begin(), pairs().end(), [&](const Pair& p) {
    return v.causality == p.causality && v.variability == p.variability;
  });
  if (pair == pairs().end())
    return c.fail("{} is {} and {}, which do not go together", v.name, v.causality, v.variability);
  if (!v.initial.empty() && !holds(pair->initial, v.initial))
    return c.fail("{} cannot have initial '{}'", v.name, v.initial);
  const std::string initial = !v.initial.empty() ? v.initial : pair->initial.empty() ? "" : pair->initial[0];
  const bool needs = v.causality == "input" || initial == "exact" || initial == "approx";
  if (needs && !v.has_start()) c.fail("{} needs a start value", v.name);
  if (!needs && v.has_start()) c.fail("{} has a start value, which it cannot", v.name);
  if (std::string_view(v.type.name()) != "Real" && v.variability == "continuous" && v.causality != "independent")
    c.fail("{} is continuous, only a Real can be", v.name);
}

void check_names(Checked& c) {
  std::set<std::string> names;
  int clocks = 0;
  for (const Variable2& v : c.variables) {
    if (v.name.empty()) c.fail("a variable has no name");
    if (!names.insert(v.name).second) c.fail("{} is there twice", v.name);
    clocks += v.causality == "independent";
  }
  if (clocks > 1) c.fail("there are {} independent variables", clocks);
  if (c.fmu.attribute("variableNamingConvention") != "structured") return;
  for (const Variable2& v : c.variables) {
    bool fine = !v.name.empty(), starts = true;
    const bool rate = v.name.starts_with("der(") && v.name.ends_with(")");
    for (const char letter : rate ? v.name.substr(4, v.name.size() - 5) : v.name) {
      const bool word = std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
      fine = fine && (word ? !starts || !std::isdigit(static_cast<unsigned char>(letter)) || letter == '_'
                           : letter == '.' || letter == '[' || letter == ']' || letter == ',');
      starts = letter == '.';
    }
    if (!fine || v.name.back() == '.') c.fail("{} is no structured name", v.name);
  }
}

void check_units(Checked& c) {
  std::map<std::string, std::set<std::string>> units;
  for (const Node unit : c.fmu.root().child("UnitDefinitions").children("Unit")) {
    const std::string name = unit.attribute("name").as_string();
    if (units.count(name)) c.fail("unit '{}' is there twice", name);
    auto& shown = units[name];
    for (const Node each : unit.children("DisplayUnit")) shown.insert(each.attribute("name").as_string());
  }
  std::map<std::string, std::string> types;
  for (const Node type : c.fmu.root().child("TypeDefinitions").children("SimpleType"))
    types[type.attribute("name").as_string()] = type.first_child().name();
  for (const Variable2& v : c.variables) {
    const std::string unit = v.type.attribute("unit").as_string(), shown = v.type.attribute("displayUnit").as_string();
    if (!unit.empty() && !units.count(unit)) c.fail("{}: unit '{}' is not defined", v.name, unit);
    if (!shown.empty() && (unit.empty() || !units[unit].count(shown)))
      c.fail("{}: display unit '{}' is not one of '{}'", v.name, shown, unit);
    const std::string type = v.type.attribute("declaredType").as_string();
    if (std::string_view(v.type.name()) == "Enumeration" && type.empty()) c.fail("{} declares no type", v.name);
    if (!type.empty() && types[type] != v.type.name()) c.fail("{}: type '{}' is not defined so", v.name, type);
  }
}

std::optional<double> number(Node type, const char* name) {
  if (!type.attribute(name)) return std::nullopt;
  return type.attribute(name).as_double();
}

void check_bounds(Checked& c) {
  for (const Variable2& v : c.variables) {
    const auto low = number(v.type, "min"), high = number(v.type, "max"), start = number(v.type, "start");
    if (low && high && *low > *high) c.fail("{}: min is above max", v.name);
    if (start && ((low && *start < *low) || (high && *start > *high)))
      c.fail("{}: start is outside min and max", v.name);
  }
}

// Variables of one type with one reference are the same value.
void check_aliases(Checked& c) {
  std::map<std::pair<std::string, std::uint32_t>, const Variable2*> first;
  for (const Variable2& v : c.variables) {
    std::string type = v.type.name();
    if (type == "Enumeration") type = "Integer";
    const auto [other, fresh] = first.emplace(std::pair{type, v.vr}, &v);
    if (fresh) continue;
    const Variable2& o = *other->second;
    if (o.has_start() && v.has_start()) c.fail("{} and {} are one value and both have a start", o.name, v.name);
    if (std::string_view(o.type.attribute("unit").as_string()) != v.type.attribute("unit").as_string())
      c.fail("{} and {} are one value in two units", o.name, v.name);
    for (const Variable2* each : {&o, &v})
      if (each->causality == "input" || each->causality == "parameter")
        c.fail("{} can be set and has another name", each->name);
  }
}

// The unknowns of a list: each once, in order, and just those that `wanted` asks for.
template <class F> void check_unknowns(Checked& c, const char* list, F&& wanted) {
  std::set<std::size_t> named;
  std::size_t last = 0;
  for (const Node unknown : c.fmu.root().child("ModelStructure").child(list).children("Unknown")) {
    const std::size_t index = unknown.attribute("index").as_uint();
    if (index == 0 || index > c.variables.size()) {
      c.fail("{}: there is no variable {}", list, index);
      continue;
    }
    const Variable2& v = c.variables[index - 1];
    if (!named.insert(index).second) c.fail("{}: {} is there twice", list, v.name);
    if (index < last) c.fail("{}: {} is not in order", list, v.name);
    last = index;
    if (!wanted(v)) c.fail("{}: {} does not belong there", list, v.name);
  }
  for (std::size_t i = 0; i < c.variables.size(); ++i)
    if (wanted(c.variables[i]) && !named.count(i + 1)) c.fail("{}: {} is missing", list, c.variables[i].name);
}

// A derivative is of a continuous Real, and both are unknowns of the initialization.
void check_structure(Checked& c) {
  std::set<const Variable2*> states;
  for (const Variable2& v : c.variables) {
    if (!v.type.attribute("derivative")) continue;
    const std::size_t of = v.type.attribute("derivative").as_uint();
    if (of == 0 || of > c.variables.size()) {
      c.fail("{} is the derivative of variable {}, which there is not", v.name, of);
      continue;
    }
    const Variable2& state = c.variables[of - 1];
    if (state.variability != "continuous" || v.variability != "continuous" || &state == &v)
      c.fail("{} cannot be the derivative of {}", v.name, state.name);
    if (!states.insert(&state).second) c.fail("{} has two derivatives", state.name);
  }
  const auto rate = [](const Variable2& v) { return static_cast<bool>(v.type.attribute("derivative")); };
  check_unknowns(c, "Outputs", [](const Variable2& v) { return v.causality == "output"; });
  check_unknowns(c, "Derivatives", rate);
  check_unknowns(c, "InitialUnknowns", [&](const Variable2& v) {
    const bool calculated = v.initial == "calculated" || v.initial == "approx";
    return (calculated && (v.causality == "output" || rate(v) || states.count(&v))) ||
           v.causality == "calculatedParameter";
  });
}

}  // namespace

std::vector<std::string> check_description2(const Unpacked& fmu) {
  Checked c{fmu, {}, {}};
  if (std::string_view(fmu.root().name()) != "fmiModelDescription") {
    c.fail("begins with <{}>, expected <fmiModelDescription>", fmu.root().name());
    return c.errors;
  }
  check_element(c, fmu.root());
  if (!fmu.root().child("CoSimulation") && !fmu.root().child("ModelExchange"))
    c.fail("is of neither co-simulation nor model exchange");
  read_variables(c);
  for (const Variable2& v : c.variables) check_pair(c, v);
  check_names(c);
  check_units(c);
  check_bounds(c);
  check_aliases(c);
  check_structure(c);
  return c.errors;
}

}  // namespace vdsim::fmi
