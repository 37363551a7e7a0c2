// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line. Each add_ function registers one and stores what to do when it is chosen.
#pragma once
#include <fmt/core.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "apps/vdsim/verb.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim::cli {

enum ExitCode { done = 0, verdict_failed = 1, bad_input = 2, diverged = 3, file_system = 4 };

using Action = std::function<int()>;

void add_verbs(Verb app, Action& chosen);  // all_verbs.cpp, or of vdsim_daily daily_verbs.cpp

void add_run(Verb app, Action& chosen);
void add_catalog(Verb app, Action& chosen);
void add_maneuver(Verb app, Action& chosen);
void add_bench(Verb app, Action& chosen);
void add_report(Verb app, Action& chosen);
void add_handling(Verb app, Action& chosen);
void add_sensitivity(Verb app, Action& chosen);
void add_validate(Verb app, Action& chosen);
void add_rig(Verb app, Action& chosen);
void add_tire(Verb app, Action& chosen);
void add_road(Verb app, Action& chosen);
void add_paper(Verb app, Action& chosen);
void add_replay(Verb app, Action& chosen);
void add_fmu(Verb app, Action& chosen);
void add_serve(Verb app, Action& chosen);
void add_page(Verb app, Action& chosen);
void add_completion(Verb app, Action& chosen);

// `vdsim compare low-speed`. out: folder, or the page NAME.html; "" = results/low_speed
using LowSpeed = int (*)(const std::string& out, bool json, bool quiet);
int compare_low_speed(const std::string& out, bool json, bool quiet);
void add_compare(Verb app, Action& chosen, LowSpeed);

// Ctrl-C and SIGTERM end every command, and its temporary files and folders go: at once, or after 0.8 s where the command
// looks at stop_signal(), the number of the signal once it came, else 0.
void listen_for_stop(bool json);
const std::atomic<int>& stop_signal();
int report_stop(bool json);  // says so; the exit code

// Who commands external cars by lines on standard input and output; listens to stop_signal().
Fleet::Control stdio_control(const Scenario&);

// Who drives the cars that have `control: {fmu: FILE}`, and what to know about their wiring; none: nobody. Of a program without FMI:
// throws BadInput.
inline constexpr const char* kNoControllers =
    "control: {fmu: ..}: this program is built without FMI; `./vdsim fmu info FILE` installs what it needs (libzip, "
    "pugixml) and builds "
    "the one that has it, which ./vdsim then takes for `run` too";
Fleet::Control fmu_controllers(const Scenario&, std::vector<std::string>& notes);

// report.html of the results in `staging`, which will be the folder `out`.
void write_run_page(const std::string& staging, const std::string& out);
std::string report_name(const std::string& out);
void print_files(const std::string& folder, const std::vector<std::string>&);  // what was written, in short

// Exactly one JSON document on stdout, or lines on stderr.
void report_errors(bool json, int code, const std::vector<std::string>& lines);
std::string errors_text(bool json, int code, const std::vector<std::string>& lines);

// On stderr. Does not throw: it may be full, or a terminal that is gone; main() tells by the exit code.
template <class... Values> void tell(fmt::format_string<Values...> text, Values&&... values) {
  std::fputs(fmt::format(text, std::forward<Values>(values)...).c_str(), stderr);
}

void print_warnings(const std::vector<std::string>& lines, bool quiet);  // on stderr
void print_notes(const std::vector<std::string>& lines, bool quiet);     // likewise

// A verb that is nothing without one of those below it; `expected` names them: "eval, info or plot".
Verb add_group(Verb app, const char* name, const char* help, const char* expected, Action& chosen);
void add_sets(Verb, std::vector<std::string>& sets, const char* help = "set one value, repeatable");
void add_tire_argument(Verb, TireArgument&);  // --tire, --surface, --set, and
void add_tire_use(Verb, TireArgument&);       // --temperature, --wear, --pressure

// The names of an enum: "rk4|euler|implicit".
template <class E> std::string words_of(const char* between = "|") {
  std::string out;
  for (const std::string& name : enum_names<E>()) out += (out.empty() ? "" : between) + name;
  return out;
}

// What the word after an option names. Throws BadInput with the nearest one.
int choose_word(const char* option, const std::string& word, const std::vector<std::string>& names);
template <class E> E choose(const char* option, const std::string& word) {
  return static_cast<E>(choose_word(option, word, enum_names<E>()));
}

// --law, --integrator, --dt, --rate
class SolverOptions {
 public:
  void add(Verb);
  void change(SceneChanges&) const;  // after parsing

 private:
  std::string law_, integrator_, dt_, rate_;
};

Format format_of(const std::string& word);  // of --format; throws BadInput

// --lugre and --no-lugre, of which one may be given; `--lugre=off` and `--no-lugre=false` say the contrary.
class LugreSwitch {
 public:
  void add(Verb);
  void change(SceneChanges&) const;  // after parsing

 private:
  bool on_ = false, off_ = false;
  std::vector<Option> options_;
};

// Pages under docs/reference, made from the field tables and the catalog.
struct Page {
  std::string name, text;
};
std::vector<Page> reference_pages();

void show_progress(const std::string& text);  // on stderr; one that cannot be written is no error

// A bar on a terminal, a line per 10 % elsewhere; nothing within the first second.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void operator()(double fraction);

 private:
  bool quiet_, terminal_, shown_ = false;
  double start_, last_ = 0;
  int tenths_ = 0;
};

}  // namespace vdsim::cli
