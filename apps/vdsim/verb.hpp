// SPDX-License-Identifier: Apache-2.0
// A verb of the command line and its options. CLI11 does the work in verb.cpp; a file that sees it takes seconds more to
// compile, so the commands see these handles only. Functions are named as in CLI11.
#pragma once
#include <functional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vdsim::cli {

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option required() const;
  Option type_name(const std::string& name) const;  // as the help shows the value
  Option allow_extra_args(bool several) const;      // false: one value each time it is given
  Option delimiter(char between_values) const;
  Option excludes(Option other) const;
  bool given() const;  // after parsing

 private:
  CLI::Option* option_;
};

class Verb {
 public:
  Verb(CLI::App& app) : app_(&app) {}
  Verb add_subcommand(const char* name, const char* help) const;
  void require_subcommand() const;             // exactly one
  void footer(const std::string& text) const;  // below the options of --help
  void callback(std::function<void()>) const;  // after parsing, if the verb was given
  Option add_flag(const char* names, bool& value, const char* help) const;
  // T: string, double, int, unsigned, list of strings or of doubles. `names` without dashes: by position.
  template <class T> Option add_option(const char* names, T& value, const char* help) const;
  CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

}  // namespace vdsim::cli
