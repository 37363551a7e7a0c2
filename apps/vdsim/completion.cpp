// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <set>

#include "apps/vdsim/commands.hpp"
#include "vdsim/core/vehicle/level.hpp"
#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim::cli {
namespace {

std::vector<CLI::App*> verbs(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

std::string names(CLI::App& app) {
  std::string out;
  for (CLI::App* verb : verbs(app)) out += (out.empty() ? "" : " ") + verb->get_name();
  return out;
}

// Of a verb and of those below it, each once.
void add_options(CLI::App& app, std::set<std::string>& out) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out.insert("--" + name);
  for (CLI::App* below : verbs(app)) add_options(*below, out);
}
std::string options(CLI::App& app) {
  std::set<std::string> out;
  add_options(app, out);
  return fmt::format("{}", fmt::join(out, " "));
}

// Ids are asked of the program when needed, so they stay current. They are compared, never evaluated: compgen -W would run
// what a name says. VDSIM_COMPLETING: ./vdsim must not start a build.
std::string bash_script(CLI::App& app) {
  std::string cases;
  for (CLI::App* verb : verbs(app))
    cases += fmt::format("    {}) words=\"{} {}\" ;;\n", verb->get_name(), names(*verb), options(*verb));
  return fmt::format(R"sh(_vdsim() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" verb="${{COMP_WORDS[1]}}" words=""
  _vdsim_offer() {{
    local word
    COMPREPLY=()
    while IFS= read -r word; do
      if [[ $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
    done < <(VDSIM_COMPLETING=1 "${{COMP_WORDS[0]}}" "$@" 2>/dev/null; [[ $prev == --set ]] || compgen -f -- "$cur")
  }}
  if [[ $verb == maneuver && ($prev == run || $prev == show) ]]; then _vdsim_offer maneuver list --ids; return; fi
  case "$prev" in
    --vehicle) _vdsim_offer catalog list --ids blueprints; return ;;
    --tire) _vdsim_offer catalog list --ids tire; return ;;
    --set) _vdsim_offer catalog list --ids set; COMPREPLY=("${{COMPREPLY[@]/%/=}}"); compopt -o nospace 2>/dev/null; return ;;
    handling) _vdsim_offer catalog list --ids blueprints; return ;;
    --surface) _vdsim_offer catalog list --ids surface; return ;;
    --level) COMPREPLY=($(compgen -W "{}" -- "$cur")); return ;;
    --law) COMPREPLY=($(compgen -W "{}" -- "$cur")); return ;;
    --integrator) COMPREPLY=($(compgen -W "{}" -- "$cur")); return ;;
    --format) COMPREPLY=($(compgen -W "csv hdf5" -- "$cur")); return ;;
    --out) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    run) _vdsim_offer catalog list --ids scenes; return ;;
    show) _vdsim_offer catalog list --ids; return ;;
    completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$cur")); return ;;
  esac
  case "$verb" in
{}    *) words="{} {}" ;;
  esac
  [[ $COMP_CWORD -eq 1 ]] && words="{} {}"
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o filenames -F _vdsim vdsim ./vdsim
)sh",
                     words_of<Level>(" "), words_of<LugreLaw>(" "), words_of<Integrator>(" "), cases, names(app),
                     "--help --version", names(app), "--help --version");
}

std::string zsh_script(CLI::App& app) {
  return "#compdef vdsim\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n" +
         bash_script(app);
}

std::string fish_quoted(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string fish_script(CLI::App& app) {
  std::string out = "complete -c vdsim -f\n";
  for (CLI::App* verb : verbs(app)) {
    out += fmt::format("complete -c vdsim -n __fish_use_subcommand -a {} -d '{}'\n", verb->get_name(),
                       fish_quoted(verb->get_description()));
    const std::string after = fmt::format("complete -c vdsim -n '__fish_seen_subcommand_from {}'", verb->get_name());
    for (const CLI::Option* option : verb->get_options())
      for (const std::string& name : option->get_lnames())
        out += fmt::format("{} -l {} -d '{}'\n", after, name, fish_quoted(option->get_description()));
    for (CLI::App* inner : verbs(*verb)) out += fmt::format("{} -a {}\n", after, inner->get_name());
  }
  const std::string when = "complete -c vdsim -n '", of_maneuver = "__fish_seen_subcommand_from maneuver; and ",
                    not_of_maneuver = "not " + of_maneuver, run = "__fish_seen_subcommand_from run'",
                    show = "__fish_seen_subcommand_from show'";
  out += when + not_of_maneuver + run + " -F -a '(env VDSIM_COMPLETING=1 vdsim catalog list --ids scenes)'\n";
  out += when + not_of_maneuver + show + " -a '(env VDSIM_COMPLETING=1 vdsim catalog list --ids)'\n";
  for (const std::string& verb : {run, show})
    out += when + of_maneuver + verb + " -F -a '(env VDSIM_COMPLETING=1 vdsim maneuver list --ids)'\n";
  out += when +
         "__fish_seen_subcommand_from handling' -F -a '(env VDSIM_COMPLETING=1 vdsim catalog list --ids blueprints)'\n";
  out += fmt::format("{}{} -l set -x -a '(env VDSIM_COMPLETING=1 vdsim catalog list --ids set)='\n", when, run);
  for (const auto& [option, words] : {std::pair{"level", words_of<Level>(" ")},
                                      {"law", words_of<LugreLaw>(" ")},
                                      {"integrator", words_of<Integrator>(" ")},
                                      {"format", "csv hdf5"}})
    out += fmt::format("{}{} -l {} -x -a '{}'\n", when, run, option, words);
  for (const auto& [option, group] : {std::pair{"vehicle", "blueprints"}, {"tire", "tire"}, {"surface", "surface"}})
    out += fmt::format("{}{} -l {} -x -a '(env VDSIM_COMPLETING=1 vdsim catalog list --ids {})'\n", when, run, option,
                       group);
  return out;
}

int print_script(CLI::App& app, const std::string& shell) {
  if (shell == "bash")
    fmt::print("{}", bash_script(app));
  else if (shell == "zsh")
    fmt::print("{}", zsh_script(app));
  else if (shell == "fish")
    fmt::print("{}", fish_script(app));
  else
    throw BadInput(
        fmt::format("vdsim completion: unknown shell '{}'{}", shell, suggestion(shell, {"bash", "zsh", "fish"})));
  return done;
}

}  // namespace

void add_completion(Verb app, Action& chosen) {
  auto shell = std::make_shared<std::string>();
  Verb sub = app.add_subcommand("completion", "Print a completion script for your shell");
  sub.footer(
      "Examples:\n  source <(vdsim completion bash)\n  vdsim completion fish > ~/.config/fish/completions/vdsim.fish");
  sub.add_option("shell", *shell, "bash, zsh or fish").required().type_name("bash|zsh|fish");
  sub.callback([shell, app, &chosen] { chosen = [shell, app] { return print_script(app.app(), *shell); }; });
}

}  // namespace vdsim::cli
