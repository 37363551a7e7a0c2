// SPDX-License-Identifier: Apache-2.0
// vdsim: parse the command line, call the library, print.
#include <fcntl.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/read.hpp"
#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/shown.hpp"
#include "vdsim/formats/temporary.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  vdsim run lugre_grade_demo                    a braked car on a grade, results in results/lugre_grade_demo
  vdsim run step_steer --set mu=0.4             the same with low friction
  vdsim run step_steer --vehicle vehicle.race_gt --tire tire.sport_grip
  vdsim run my_scene.yaml --out /tmp/my_run     a scene of your own
  vdsim maneuver run iso7401                    an ISO manoeuvre: metrics, verdict, report
  vdsim catalog list                            scenes, vehicles and parts
  vdsim catalog show tire.lugre_on              every value with its unit
  vdsim tire plot --tire tire.rally --out rally.html     curves of a tire, also of a .tir file
  vdsim rig --tire my.tir --input motion.csv --out forces.csv
  vdsim run step_steer --set level=L5           the same as a free body on springs (L5)
  vdsim road plot my.crg --out road.svg         an OpenCRG road or a height map
  vdsim handling vehicle.race_gt                understeer budget, handling diagram, g-g-V
  vdsim report results/step_steer               one page of charts and tables
  vdsim validate                                run all validation cases and write docs/VALIDATION.md
  vdsim bench                                   speed of this machine

vdsim help VERB tells more of one; vdsim completion makes the Tab key know verbs, options, ids and paths of --set.
VDSIM_CONFIGS names the folder of another catalog (a copy of configs/, or of share/vdsim/configs).
Exit codes: 0 done, 1 verdict failed, 2 bad input, 3 diverged, 4 file system.)";

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  return out;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) out.push_back(sub->get_name());
  return out;
}

// Words that no option, verb or argument took, each with the nearest name.
void refuse_extras(const CLI::App& app, const std::string& name, std::vector<std::string>& lines) {
  for (const std::string& word : app.remaining(false)) {
    const bool option = word.starts_with("-");
    const std::string stem = word.substr(0, word.find('='));
    const bool verb = !option && !verb_names(app).empty();
    lines.push_back(fmt::format("{}: unknown {} '{}'{}", name,
                                option ? "option"
                                : verb ? "command"
                                       : "argument",
                                stem,
                                suggestion(stem, option ? option_names(app)
                                                 : verb ? verb_names(app)
                                                        : std::vector<std::string>{})));
    if (option) break;  // what follows may be its value
  }
  for (const CLI::App* sub : app.get_subcommands()) refuse_extras(*sub, name + " " + sub->get_name(), lines);
}

void allow_extras(CLI::App& app) {
  app.allow_extras();
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) allow_extras(*sub);
}

// `help` as a verb, and option names of earlier versions.
std::vector<std::string> command_words(const CLI::App& app, int argc, char** argv) {
  static constexpr std::pair<std::string_view, std::string_view> kOldNames[] = {{"--output", "--out"},
                                                                                {"--seconds", "--duration"}};
  std::vector<std::string> out(argv + 1, argv + argc);
  if (!out.empty() && out[0] == "help") {
    out.erase(out.begin());
    const std::vector<std::string> verbs = verb_names(app);
    if (!out.empty() && std::find(verbs.begin(), verbs.end(), out[0]) == verbs.end())
      throw BadInput(fmt::format("vdsim help: unknown command '{}'{}", out[0], suggestion(out[0], verbs)));
    out.emplace_back("--help");
  }
  for (std::string& word : out)
    for (const auto& [old, now] : kOldNames)
      if (word == old || word.starts_with(std::string(old) + "=")) word.replace(0, old.size(), now);
  return out;
}

int dispatch(int argc, char** argv) {
  CLI::App app{"VDSim: vehicle dynamics with tires that hold at rest and grip at speed.", "vdsim"};
  app.footer(kExamples);
  app.set_version_flag("--version", fmt::format("vdsim {} ({})", version_text(), git_text()));
  app.require_subcommand(0, 1);  // after a verb, words such as "tire" are arguments of that verb
  Action chosen;
  add_verbs(app, chosen);
  allow_extras(app);
  try {
    std::vector<std::string> words = command_words(app, argc, argv);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(std::move(words));
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    throw BadInput(fmt::format("vdsim: {}, see --help", e.what()));
  }
  std::vector<std::string> lines;
  refuse_extras(app, "vdsim", lines);
  if (!lines.empty()) throw BadInput(lines);
  if (chosen) return chosen();
  fmt::print("{}", app.help());
  return done;
}

}  // namespace

std::string errors_text(bool json, int code, const std::vector<std::string>& lines) {
  if (json) {
    const nlohmann::ordered_json out{{"verdict", "error"}, {"exit_code", code}, {"errors", lines}};
    return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  std::string out;
  for (const std::string& line : lines) out += printable(line) + "\n";
  return out;
}

// Not fmt::print: it throws where a stream is full, and main() calls this from its handlers.
void report_errors(bool json, int code, const std::vector<std::string>& lines) {
  std::fputs(errors_text(json, code, lines).c_str(), json ? stdout : stderr);
}

void print_warnings(const std::vector<std::string>& lines, bool quiet) {
  if (quiet) return;
  for (const std::string& line : lines) tell("warning: {}\n", printable(line));
}

void print_notes(const std::vector<std::string>& lines, bool quiet) {
  if (quiet) return;
  for (const std::string& line : lines) tell("note: {}\n", printable(line));
}

Verb add_group(Verb app, const char* name, const char* help, const char* expected, Action& chosen) {
  Verb group = app.add_subcommand(name, help);
  group.callback([text = fmt::format("vdsim {}: expected {}", name, expected), &chosen] {
    if (!chosen) chosen = [text]() -> int { throw BadInput(text); };  // runs after the callback of a verb below
  });
  return group;
}

void add_sets(Verb verb, std::vector<std::string>& sets, const char* help) {
  verb.add_option("--set", sets, help).type_name("PATH=VALUE").allow_extra_args(false);
}

void add_tire_argument(Verb verb, TireArgument& in) {
  verb.add_option("--tire", in.tire, "tire part, or a .tir file").required().type_name("ID|FILE");
  verb.add_option("--surface", in.surface, "surface part under a rally tire").type_name("ID|FILE");
  add_tire_use(verb, in);
  add_sets(verb, in.sets);
}
void add_tire_use(Verb verb, TireArgument& in) {
  verb.add_option("--temperature", in.temperature, "of tread and core of a rally tire [ambient]").type_name("DEGC");
  verb.add_option("--wear", in.wear, "of a rally tire, 0 new, 1 bald [0]").type_name("SHARE");
  verb.add_option("--pressure", in.pressure, "inflation of a rally tire at that temperature [the part's]")
      .type_name("PA");
}

void SolverOptions::add(Verb verb) {
  verb.add_option("--law", law_, "bristle law").type_name(words_of<LugreLaw>());
  verb.add_option("--integrator", integrator_, "method").type_name(words_of<Integrator>());
  verb.add_option("--dt", dt_, "step [s]").type_name("S");
  verb.add_option("--rate", rate_, "rows per second in the output").type_name("HZ");
}
void SolverOptions::change(SceneChanges& out) const {
  const auto option = [&](const char* name, const char* path, const std::string& value) {
    if (!value.empty()) out.sets.push_back({fmt::format("{} {}", name, value), path, value});
  };
  option("--integrator", "solver.integrator", integrator_);
  option("--dt", "solver.dt", dt_);
  option("--rate", "rate", rate_);
  option("--law", "tire.lugre.law", law_);
}

int choose_word(const char* option, const std::string& word, const std::vector<std::string>& names) {
  Errors errors;
  YamlEntry entry;
  entry.value.kind = YamlNode::Kind::scalar;
  entry.value.text = word;
  const auto choice = read_choice({std::string(option) + " " + word, errors}, entry, "", names);
  errors.throw_if_any();
  return static_cast<int>(*choice);
}

Format format_of(const std::string& word) {
  if (word == "csv") return Format::csv;
  if (word == "hdf5") return Format::hdf5;
  throw BadInput(fmt::format("--format {}: expected csv or hdf5{}", word, suggestion(word, {"csv", "hdf5"})));
}

void LugreSwitch::add(Verb verb) {
  Option on = verb.add_flag("--lugre", on_, "bristle dynamics on"),
         off = verb.add_flag("--no-lugre", off_, "bristle dynamics off: kinematic fallback at low speed").excludes(on);
  options_ = {on, off};
}
void LugreSwitch::change(SceneChanges& out) const {
  const bool on = options_[0].given(), off = options_[1].given();
  if (!on && !off) return;
  const char* enabled = (on ? on_ : !off_) ? "true" : "false";
  out.sets.push_back({on ? "--lugre" : "--no-lugre", "tire.lugre.enabled", enabled});
}

}  // namespace vdsim::cli

// A file that is opened must not become standard output or error because the caller closed these. Standard output is not
// opened for writing: results that nobody can get are an error.
static void open_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", fd == 2 ? O_RDWR : O_RDONLY) < 0)
      std::_Exit(vdsim::cli::file_system);
}

static constexpr const char* kLost = "cannot write to standard output";

static int run_and_report(int argc, char** argv, bool json) {
  using namespace vdsim;
  try {
    const int code = cli::dispatch(argc, argv);
    const Uninterrupted whole;                                    // work that is being ended has no more to say
    const bool told = code != cli::done || !std::ferror(stderr);  // a failure speaks by its code
    if (std::fflush(stdout) == 0 && !std::ferror(stdout) && told) return code;
    cli::report_errors(false, cli::file_system, {kLost});
    return cli::file_system;
  } catch (const BadInput& e) {
    const Uninterrupted whole;
    cli::report_errors(json, cli::bad_input, e.lines);
    return cli::bad_input;
  } catch (const std::bad_alloc&) {
    const Uninterrupted whole;
    cli::report_errors(json, cli::file_system, {"not enough memory"});
  } catch (const std::exception& e) {  // FileError, and what the system or a library says
    const Uninterrupted whole;
    const bool lost = std::ferror(stdout) != 0;
    cli::report_errors(json && !lost, cli::file_system, {lost ? kLost : e.what()});
  }
  return cli::file_system;
}

int main(int argc, char** argv) {
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
  const bool json =
      std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  vdsim::cli::listen_for_stop(json);
  return run_and_report(argc, argv, json);
}
