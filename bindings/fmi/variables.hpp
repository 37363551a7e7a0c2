// SPDX-License-Identifier: Apache-2.0
// The variables of an FMU: one list, made of the tables of signals, fields and commands. The exporter writes modelDescription.xml
// of it, the library in the FMU finds values by it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "vdsim/config/document.hpp"
#include "vdsim/study/driven_car.hpp"

namespace vdsim::fmi {

enum class Kind { cs, me, both };  // co-simulation, model exchange

// What was asked for at the export; resources/fmu.json holds it.
struct Options {
  Kind kind = Kind::cs;
  DocumentKind holds = DocumentKind::scene;  // part: a tire alone
  int command_level = 4;                     // which inputs there are, docs/FMI.md
  std::string parameters = "*";              // which paths of --set are parameters
  Control control = Control::internal;       // external: the inputs drive
  std::string text() const;                  // JSON
  static Options read(const YamlNode& root, const std::string& file, Errors&);
};

enum class Causality { independent, input, output, parameter, local };
enum class Variability { constant, fixed, tunable, discrete, continuous };
enum class Type { real, integer, boolean, enumeration };

struct Variable {
  std::string name;
  std::uint32_t vr = 0;  // value reference
  Type type = Type::real;
  Causality causality = Causality::output;
  Variability variability = Variability::continuous;
  std::string unit, meaning;
  Range range = any_finite();
  double start = 0;                // of inputs and parameters; of an enumeration 1, 2, ...
  std::vector<std::string> items;  // enumeration
  int column = -1;                 // output: of the signals
  int input = -1;                  // of inputs(), of a tire of RigInput
  int state = -1;                  // continuous state, or
  int rate = -1;                   // its rate, or
  int indicator = -1;              // event indicator: its number
  double nominal = 0;              // of a state; 0 = not said
  std::string path;                // parameter: as in --set
  std::string alias;               // another name of the same value
  std::string array;               // "wheel.fx": element `index` of `count`
  int index = 0, count = 1;
  bool in_steps() const {  // FMI 3.0: known to the host between internal steps
    return column >= 0 || (input >= 0 && variability == Variability::continuous);
  }
  bool calculated() const { return column >= 0 || state >= 0 || rate >= 0 || indicator >= 0; }
};

// One input: a command of the driver, at the command levels that have it.
struct Input {
  const char *name, *driver;  // driver: the key of a driver block that says the same; it has unit and range
  std::uint32_t vr;
  std::vector<int> levels;
};
const std::vector<Input>& inputs();
Demand demand_of(const std::vector<double>& values, int command_level);  // values: of inputs()

constexpr std::uint32_t kControlReference = 30;  // of the parameter `control`
constexpr double kRigStep = 1e-3;                // of a tire alone [s]

// The columns of a car's rows, in their order, by the names that its FMU has for them.
std::vector<Variable> signal_variables(const CarSpec&, const RoadSpec&);
// A scene has one car.
std::vector<Variable> fmu_variables(const Document& scene_or_tire, const Options&);
// What keeps a scene from model exchange, by name; none = nothing.
std::vector<std::string> not_exchangeable(const CarSpec&, const Options&);
bool matches(const std::string& glob, const std::string& text);  // * and ?, and several by commas
// Of what the FMU holds and of the list: an FMU whose parts are not from one export is refused.
std::string token_of(const std::string& document_text, const Options&, const std::vector<Variable>&);

}  // namespace vdsim::fmi

namespace vdsim {
template <> struct EnumNames<fmi::Kind> { static constexpr std::array names{"cs", "me", "both"}; };
template <> struct EnumNames<fmi::Causality> {
  static constexpr std::array names{"independent", "input", "output", "parameter", "local"};
};
template <> struct EnumNames<fmi::Variability> {
  static constexpr std::array names{"constant", "fixed", "tunable", "discrete", "continuous"};
};
}  // namespace vdsim
