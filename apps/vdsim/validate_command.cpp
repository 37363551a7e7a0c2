// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/yaml.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/validation/validation.hpp"

namespace vdsim::cli {
namespace {

struct ValidateArguments {
  bool check = false, json = false, quiet = false;
  std::string out, only;
};

void keep_only(const std::string& word, std::vector<ValidationCase>& cases) {
  std::vector<std::string> names(std::begin(kValidationGroups), std::end(kValidationGroups));
  for (const ValidationCase& c : cases) names.push_back(c.id);
  if (std::find(names.begin(), names.end(), word) == names.end())
    throw BadInput(fmt::format("--only {}: unknown group or case{}", word, suggestion(word, names)));
  std::erase_if(cases,
                [&](const ValidationCase& c) { return c.id != word && kValidationGroups[int(c.group)] != word; });
}

int validate_command(const ValidateArguments& in) {
  if (!in.only.empty() && (in.check || !in.out.empty()))
    throw BadInput("--only: the page holds every case, so --check and --out cannot be combined with it");
  const std::string file = in.out.empty() ? VDSIM_SOURCE_DIR "/docs/VALIDATION.md" : in.out;
  if (!in.check && in.only.empty()) need_writable(file);
  const Catalog catalog(Catalog::default_folder());
  std::vector<ValidationCase> cases = validation_cases(catalog);
  if (!in.only.empty()) keep_only(in.only, cases);
  std::stable_sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.group < b.group; });
  std::vector<ValidationRow> rows;
  {
    Progress progress(in.quiet || in.json);
    for (const ValidationCase& c : cases) {
      rows.push_back(validate(c));
      progress(double(rows.size()) / double(cases.size()));
    }
  }
  bool fine = std::all_of(rows.begin(), rows.end(), [](const ValidationRow& r) { return r.pass; });
  if (in.json)
    fmt::print("{}\n", validation_json(rows));
  else if (!in.quiet)
    fmt::print("{}", validation_table(rows));
  if (!in.only.empty()) return fine ? done : verdict_failed;
  const std::string page = validation_page(rows);
  Errors unread;
  const auto there = read_text(file, unread);
  if (there && *there == page) return fine ? done : verdict_failed;
  if (in.check) {
    tell("not current, run vdsim validate: {}\n", file);
    return verdict_failed;
  }
  write_file(file, page);
  if (!in.json && !in.quiet) fmt::print("written: {}\n", file);
  return fine ? done : verdict_failed;
}

}  // namespace

void add_validate(Verb app, Action& chosen) {
  auto in = std::make_shared<ValidateArguments>();
  Verb sub = app.add_subcommand("validate", "Run the validation cases and write docs/VALIDATION.md");
  sub.footer(
      "Examples:\n  vdsim validate\n  vdsim validate --check\n  vdsim validate --only analytic\n  vdsim validate "
      "--only "
      "iso7401_yaw_rate --json");
  sub.add_flag("--check", in->check, "write nothing; fail if the page is not current");
  sub.add_option("--out", in->out, "page to write or check [docs/VALIDATION.md of the source tree]").type_name("FILE");
  sub.add_option("--only", in->only, "analytic, cross-level, published, reference, or the id of a case; writes no page")
      .type_name("GROUP|ID");
  sub.add_flag("--json", in->json, "print one JSON document");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.callback([in, &chosen] { chosen = [in] { return validate_command(*in); }; });
}

}  // namespace vdsim::cli
