// SPDX-License-Identifier: Apache-2.0
// FMI 3.0: the rules of modelDescription.xml, and a trial run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "bindings/fmi/importer.hpp"

namespace vdsim::fmi {
namespace {

using Node = pugi::xml_node;
using Words = std::vector<std::string>;

const Words kTypes{"Float32", "Float64", "Int8",    "UInt8",  "Int16",  "UInt16",      "Int32", "UInt32",
                   "Int64",   "UInt64",  "Boolean", "String", "Binary", "Enumeration", "Clock"};
const Words kOrder{"ModelExchange", "CoSimulation",      "ScheduledExecution", "UnitDefinitions", "TypeDefinitions",
                   "LogCategories", "DefaultExperiment", "ModelVariables",     "ModelStructure",  "Annotations"};
struct Pair {
  const char *causality, *variability;
  Words initial;
};
const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all{{"structuralParameter", "fixed", {"exact"}},
                                     {"structuralParameter", "tunable", {"exact"}},
                                     {"parameter", "fixed", {"exact"}},
                                     {"parameter", "tunable", {"exact"}},
                                     {"calculatedParameter", "fixed", {"calculated", "approx"}},
                                     {"calculatedParameter", "tunable", {"calculated", "approx"}},
                                     {"input", "discrete", {"exact"}},
                                     {"input", "continuous", {"exact"}},
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

bool holds(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Variable3 {
  std::string name, causality, variability, initial;
  Node node;
  std::uint32_t vr = 0;
  std::size_t size = 1;
};

struct Checked {
  const Unpacked& fmu;
  std::vector<Variable3> variables;
  Words errors;
  template <class... A> void fail(fmt::format_string<A...> text, A&&... more) {
    errors.push_back("modelDescription.xml: " + fmt::format(text, std::forward<A>(more)...));
  }
};

void read_variables(Checked& c) {
  std::set<std::uint32_t> references;
  for (const Node node : c.fmu.root().child("ModelVariables").children()) {
    if (node.type() != pugi::node_element) continue;
    if (!holds(kTypes, node.name())) c.fail("<{}> is no type of FMI 3.0", node.name());
    Variable3 v;
    v.node = node, v.name = node.attribute("name").as_string(), v.vr = node.attribute("valueReference").as_uint();
    const bool real = std::string_view(node.name()).starts_with("Float");
    v.causality = node.attribute("causality").as_string("local");
    const bool settable = v.causality.ends_with("arameter");
    v.variability = node.attribute("variability").as_string(settable ? "fixed" : real ? "continuous" : "discrete");
    v.initial = node.attribute("initial").as_string();
    for (const Node dimension : node.children("Dimension")) v.size *= dimension.attribute("start").as_uint(1);
    if (!references.insert(v.vr).second) c.fail("{}: value reference {} is there twice", v.name, v.vr);
    c.variables.push_back(v);
  }
}

void check_pair(Checked& c, const Variable3& v) {
  const auto pair = std::find_if(pairs().begin(), pairs().end(), [&](const Pair& p) {
    return v.causality == p.causality && v.variability == p.variability;
  });
  if (pair == pairs().end())
    return c.fail("{} is {} and {}, which do not go together", v.name, v.causality, v.variability);
  if (!v.initial.empty() && !holds(pair->initial, v.initial))
    return c.fail("{} cannot have initial '{}'", v.name, v.initial);
  const std::string initial = !v.initial.empty() ? v.initial : pair->initial.empty() ? "" : pair->initial[0];
  const bool needs = initial == "exact" || initial == "approx", has = static_cast<bool>(v.node.attribute("start"));
  if (needs && !has && !v.node.child("Start")) c.fail("{} needs a start value", v.name);
  if (!needs && has) c.fail("{} has a start value, which it cannot", v.name);
  const auto bound = [&](const char* name, double otherwise) { return v.node.attribute(name).as_double(otherwise); };
  if (has && v.size == 1 && (bound("start", 0) < bound("min", -1e308) || bound("start", 0) > bound("max", 1e308)))
    c.fail("{}: start is outside min and max", v.name);
}

void check_names(Checked& c) {
  std::set<std::string> names, units, types;
  int clocks = 0;
  std::map<std::string, std::set<std::string>> shown;
  for (const Node unit : c.fmu.root().child("UnitDefinitions").children("Unit")) {
    const std::string name = unit.attribute("name").as_string();
    if (!units.insert(name).second) c.fail("unit '{}' is there twice", name);
    for (const Node each : unit.children("DisplayUnit")) shown[name].insert(each.attribute("name").as_string());
  }
  for (const Node type : c.fmu.root().child("TypeDefinitions").children())
    types.insert(type.attribute("name").as_string());
  for (const Variable3& v : c.variables) {
    if (v.name.empty()) c.fail("a variable has no name");
    if (!names.insert(v.name).second) c.fail("{} is there twice", v.name);
    for (const Node alias : v.node.children("Alias"))
      if (!names.insert(alias.attribute("name").as_string()).second)
        c.fail("{} is there twice", alias.attribute("name").as_string());
    clocks += v.causality == "independent";
    const std::string unit = v.node.attribute("unit").as_string(),
                      display = v.node.attribute("displayUnit").as_string();
    if (!unit.empty() && !units.count(unit)) c.fail("{}: unit '{}' is not defined", v.name, unit);
    if (!display.empty() && !shown[unit].count(display))
      c.fail("{}: display unit '{}' is not one of '{}'", v.name, display, unit);
    const std::string type = v.node.attribute("declaredType").as_string();
    if (std::string_view(v.node.name()) == "Enumeration" && type.empty()) c.fail("{} declares no type", v.name);
    if (!type.empty() && !types.count(type)) c.fail("{}: type '{}' is not defined", v.name, type);
  }
  if (clocks != 1) c.fail("there are {} independent variables, expected one", clocks);
}

template <class F> void check_unknowns(Checked& c, const char* list, F&& wanted) {
  std::set<std::uint32_t> named;
  for (const Node unknown : c.fmu.root().child("ModelStructure").children(list)) {
    const std::uint32_t vr = unknown.attribute("valueReference").as_uint();
    const auto v = std::find_if(c.variables.begin(), c.variables.end(), [&](const Variable3& x) { return x.vr == vr; });
    if (v == c.variables.end()) {
      c.fail("{}: there is no variable with the reference {}", list, vr);
      continue;
    }
    if (!named.insert(vr).second) c.fail("{}: {} is there twice", list, v->name);
    if (!wanted(*v)) c.fail("{}: {} does not belong there", list, v->name);
  }
  for (const Variable3& v : c.variables)
    if (wanted(v) && !named.count(v.vr)) c.fail("{}: {} is missing", list, v.name);
}

void check_whole(Checked& c) {
  const Node root = c.fmu.root();
  for (const char* name : {"fmiVersion", "modelName", "instantiationToken"})
    if (!*root.attribute(name).as_string()) c.fail("lacks '{}'", name);
  std::size_t last = 0;
  for (const Node child : root.children()) {
    if (child.type() != pugi::node_element) continue;
    const auto at = static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), child.name()) - kOrder.begin());
    if (at == kOrder.size()) c.fail("<{}> cannot stand in <fmiModelDescription>", child.name());
    if (at < last) c.fail("<{}> stands too late", child.name());
    last = at;
  }
  for (const char* name : {"ModelVariables", "ModelStructure"})
    if (!root.child(name)) c.fail("lacks <{}>", name);
  if (c.fmu.identifier().empty()) c.fail("names no modelIdentifier");
}

// --- a trial run

struct Log {
  std::string last;
};
void keep(fmi3InstanceEnvironment to, fmi3Status status, fmi3String, fmi3String message) {
  if (to && status > fmi3Warning) static_cast<Log*>(to)->last = message;
}

class Trial {
 public:
  Trial(const Unpacked& fmu, const Library3& library) : fmu_(fmu), l_(library) {
    for (const Node v : fmu.root().child("ModelVariables").children("Float64")) {
      if (std::string_view(v.attribute("causality").as_string()) != "output") continue;
      outputs_.push_back(v.attribute("valueReference").as_uint());
      std::size_t n = 1;
      for (const Node dimension : v.children("Dimension")) n *= dimension.attribute("start").as_uint(1);
      values_ += n;
    }
  }
  fmi3Instance made(const std::string& token) {
    return l_.fmi3InstantiateCoSimulation("check", token.c_str(), fmu_.resource_path().c_str(), false, false, false,
                                          false, nullptr, 0, &log_, keep, nullptr);
  }
  bool good(fmi3Status status, const char* what) {
    if (status <= fmi3Warning) return true;
    errors.push_back(fmt::format("{} failed{}", what, log_.last.empty() ? "" : ": " + log_.last));
    return false;
  }
  bool start(fmi3Instance c) {
    return good(l_.fmi3EnterInitializationMode(c, false, 0, 0, false, 0), "fmi3EnterInitializationMode") &&
           good(l_.fmi3ExitInitializationMode(c), "fmi3ExitInitializationMode");
  }
  std::vector<double> read(fmi3Instance c) {
    std::vector<double> out(values_);
    good(l_.fmi3GetFloat64(c, outputs_.data(), outputs_.size(), out.data(), out.size()),
         "fmi3GetFloat64 of all outputs");
    return out;
  }
  std::vector<double> drive(fmi3Instance c, int first, int steps) {
    const double h = fmu_.root().child("DefaultExperiment").attribute("stepSize").as_double(0.01);
    bool event = false, end = false, early = false;
    double reached = 0;
    for (int k = first; k < first + steps; ++k)
      if (!good(l_.fmi3DoStep(c, k * h, h, true, &event, &end, &early, &reached), "fmi3DoStep")) return {};
    return read(c);
  }
  void run(fmi3Instance c);
  Words errors;
  std::string last() const { return log_.last; }

 private:
  const Unpacked& fmu_;
  const Library3& l_;
  Log log_;
  std::vector<fmi3ValueReference> outputs_;
  std::size_t values_ = 0;
};

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void Trial::run(fmi3Instance c) {
  constexpr int kSteps = 100;
  if (!start(c)) return;
  const std::vector<double> half = drive(c, 0, kSteps);
  for (const double x : half)
    if (!std::isfinite(x)) errors.emplace_back("an output is not finite after 100 steps");
  fmi3FMUState state = nullptr;
  const bool saves = fmu_.root().child("CoSimulation").attribute("canGetAndSetFMUState").as_bool();
  if (saves) good(l_.fmi3GetFMUState(c, &state), "fmi3GetFMUState");
  const std::vector<double> whole = drive(c, kSteps, kSteps);
  if (saves && state && good(l_.fmi3SetFMUState(c, state), "fmi3SetFMUState")) {
    if (!same(read(c), half)) errors.emplace_back("a restored state has other outputs");
    if (!same(drive(c, kSteps, kSteps), whole)) errors.emplace_back("a restored state goes on differently");
    good(l_.fmi3FreeFMUState(c, &state), "fmi3FreeFMUState");
  }
  good(l_.fmi3Terminate(c), "fmi3Terminate");
  good(l_.fmi3Reset(c), "fmi3Reset");
  if (start(c) && !same(drive(c, 0, kSteps), half)) errors.emplace_back("after fmi3Reset it runs differently");
}

}  // namespace

std::vector<std::string> check_description3(const Unpacked& fmu) {
  Checked c{fmu, {}, {}};
  check_whole(c);
  read_variables(c);
  for (const Variable3& v : c.variables) check_pair(c, v);
  check_names(c);
  std::set<std::uint32_t> states;
  for (const Variable3& v : c.variables)
    if (const auto of = v.node.attribute("derivative"))
      if (!states.insert(of.as_uint()).second) c.fail("{} is the second derivative of its state", v.name);
  const auto rate = [](const Variable3& v) { return static_cast<bool>(v.node.attribute("derivative")); };
  check_unknowns(c, "Output", [](const Variable3& v) { return v.causality == "output"; });
  check_unknowns(c, "ContinuousStateDerivative", rate);
  check_unknowns(c, "InitialUnknown", [&](const Variable3& v) {
    const bool calculated = v.initial != "exact" && v.variability != "constant";
    return (calculated && (v.causality == "output" || rate(v) || states.count(v.vr))) ||
           v.causality == "calculatedParameter";
  });
  for (const Node indicator : fmu.root().child("ModelStructure").children("EventIndicator")) {
    const std::uint32_t vr = indicator.attribute("valueReference").as_uint();
    if (std::none_of(c.variables.begin(), c.variables.end(), [&](const Variable3& v) { return v.vr == vr; }))
      c.fail("EventIndicator: there is no variable with the reference {}", vr);
  }
  return c.errors;
}

std::vector<std::string> check_run3(const Unpacked& fmu) {
  const Library3 library(fmu.library());
  Trial t(fmu, library);
  if (!std::string_view(library.fmi3GetVersion()).starts_with("3."))
    t.errors.emplace_back("the library is not of FMI 3.0");
  const std::string token = fmu.attribute("instantiationToken");
  if (fmi3Instance wrong = t.made(token + "x")) {
    t.errors.emplace_back("a wrong token is taken");
    library.fmi3FreeInstance(wrong);
  }
  fmi3Instance c = t.made(token);
  if (!c) {
    t.errors.push_back("fmi3InstantiateCoSimulation failed: " + t.last());
    return t.errors;
  }
  t.run(c);
  library.fmi3FreeInstance(c);
  return t.errors;
}

}  // namespace vdsim::fmi
