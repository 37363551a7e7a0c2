// SPDX-License-Identifier: Apache-2.0
#include "apps/vdsim/verb.hpp"

#include <CLI/CLI.hpp>
#include <optional>
#include <vector>

namespace vdsim::cli {

Option Option::required() const { return Option(option_->required()); }
Option Option::type_name(const std::string& name) const { return Option(option_->type_name(name)); }
Option Option::allow_extra_args(bool several) const { return Option(option_->allow_extra_args(several)); }
Option Option::delimiter(char between_values) const { return Option(option_->delimiter(between_values)); }
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
bool Option::given() const { return option_->count() > 0; }

Verb Verb::add_subcommand(const char* name, const char* help) const { return *app_->add_subcommand(name, help); }
void Verb::require_subcommand() const { app_->require_subcommand(1); }
void Verb::footer(const std::string& text) const { app_->footer(text); }
void Verb::callback(std::function<void()> act) const { app_->callback(std::move(act)); }
Option Verb::add_flag(const char* names, bool& value, const char* help) const {
  return Option(app_->add_flag(names, value, help));
}
template <class T> Option Verb::add_option(const char* names, T& value, const char* help) const {
  return Option(app_->add_option(names, value, help));
}
template Option Verb::add_option(const char*, std::string&, const char*) const;
template Option Verb::add_option(const char*, double&, const char*) const;
template Option Verb::add_option(const char*, std::optional<double>&, const char*) const;
template Option Verb::add_option(const char*, int&, const char*) const;
template Option Verb::add_option(const char*, unsigned&, const char*) const;
template Option Verb::add_option(const char*, std::vector<std::string>&, const char*) const;
template Option Verb::add_option(const char*, std::vector<double>&, const char*) const;

}  // namespace vdsim::cli
