// SPDX-License-Identifier: Apache-2.0
// The numbers as a page, a table and a JSON document.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "vdsim/validation/cases.hpp"

namespace vdsim {
namespace {

// Values whose law is 0, and differences of numbers: below these they are rounding, which compilers do not share.
constexpr double kZero = 1e-12, kSame = 1e-9;

std::string rounded(double x, int digits) {
  if (std::isnan(x)) return "none";
  const double size = std::fabs(x);
  if (x != 0 && (size < 1e-3 || size >= 99999.5)) return fmt::format("{:.{}e}", x, digits - 1);
  const int before = x == 0 ? digits : int(std::floor(std::log10(size))) + 1;
  return fmt::format("{:.{}f}", x, std::max(0, digits - before));
}
std::string with_unit(const std::string& x, const ValidationRow& r) {
  return r.is.unit.empty() ? x : x + " " + r.is.unit;
}
std::string measured(const ValidationRow& r) {
  const bool nothing = r.got.expected == 0 && std::fabs(r.got.value) < kZero;
  return with_unit(nothing ? "< 1e-12" : rounded(r.got.value, 4), r);
}
std::string expected(const ValidationRow& r) { return with_unit(rounded(r.got.expected, 4), r); }
std::string difference(const ValidationRow& r) {
  if (std::isnan(r.difference)) return "none";
  if (r.is.relative) {
    if (r.difference < kSame) return "< 1e-9";
    return r.difference < 1e-3 ? rounded(r.difference, 2) : rounded(100 * r.difference, 2) + " %";
  }
  const bool zero = r.got.expected == 0;
  if (r.difference < (zero ? kZero : kSame)) return with_unit(zero ? "< 1e-12" : "< 1e-9", r);
  return with_unit(rounded(r.difference, 2), r);
}
std::string limit(const ValidationRow& r) {
  if (!r.is.relative) return with_unit(fmt::format("{:g}", r.is.limit), r);
  return r.is.limit < 1e-3 ? fmt::format("{:g}", r.is.limit) : fmt::format("{:g} %", 100 * r.is.limit);
}

struct Chapter {
  const char *title, *text;
};
constexpr Chapter kChapters[] = {
    {"Closed forms",
     "A closed form is evaluated beside the model and compared with what the model does. Cars in the linear range have "
     "no losses and no parking torque. What differs is the error of the numerical method or a term that the closed "
     "form leaves out; the limit says which."},
    {"Between the levels",
     "The same car and the same motion at L1, L2, L3 and L5. Expected is the level named under \"how\"."},
    {"Published figures of VDSim 0.7",
     "Where the law of VDSim 0.7 is still there (`law: breakaway`), its figure is repeated; where the law has changed "
     "on purpose, the row says why and `expected` is what the present law must give. In the commands "
     "`CAR=\"{}\"`."},
    {"Independent codes", "Values that other programs computed from the same parameters."},
    {"Cars and tires of the catalog",
     "What the shipped cars and tires do beside the figures of their classes. Expected is the middle of the band, the "
     "limit half its width; bands are what manufacturers and road tests publish for such cars, not one measured car. "
     "[The cars](CARS.md)."},
    {"Controllers",
     "`control.esc` (ABS, EBD, TC, ESC, one set of numbers) on every car and tire of the catalog. Expected is the "
     "middle of "
     "what is allowed. [How they work](theory/14_brakes_and_control.md)."}};

constexpr const char* kIntroduction =
    R"(<!-- Written by `vdsim validate`. Edit the cases in src/vdsim/validation, not this page. -->

# Validation

    ./vdsim validate                        # every case, and this page
    ./vdsim validate --only published       # one group, or one case by its id
    ./vdsim validate --check                # fails if a case fails or this page is not current

Each row is one number that the program measures anew whenever the command runs. Only the expected values taken from other
sources are typed in by hand. Cars are `vehicle.sedan_vdsim07` on a flat, dry road unless the row says otherwise; RK4 at 1 ms.
Differences are relative where the limit has no unit or is in percent, and cut off where rounding begins.
)";

constexpr const char* kLimits = R"(
## Known limits

| model | holds for | see |
|---|---|---|
| L1, L2 | flat or evenly inclined roads; no ride, no roll motion: loads follow from statics at once | [04](theory/04_bicycle.md), [05](theory/05_seven_dof.md) |
| L3 | small roll and pitch against the road plane (some 10 deg); no flight with rotation | [08](theory/08_fourteen_dof.md) |
| L5 | any attitude; struts without elastic bushings | [09](theory/09_free_3d.md) |
| magic formula MF96 | slip and load near those of the data; friction falls linearly with load down to 30 % | [03](theory/03_magic_formula.md) |
| rolling law | one bristle per direction: relaxation length = slip stiffness/sigma0, no higher carcass modes | [19](theory/19_lugre_dynamic_tire.md) |
| breakaway law | kept to repeat published figures: steady forces at small slip are too large and depend on sigma0 | [19](theory/19_lugre_dynamic_tire.md) |
| low-speed fallback | creeps on grades, as every law without a bristle | [20](theory/20_low_speed_fallback.md) |
| MF-Tyre files | steady forces and first-order relaxation; moments under turn slip are not compared | [24](theory/24_mf_tyre.md) |
| contact-patch LuGre | one friction law along the patch, constant load profile | [22](theory/22_lugre_patch.md) |
| rally tire | shapes are plausible, not measured | [23](theory/23_rally_tire.md) |
| roads | ISO 8608 spectra between 0.0131 and 2.83 cycles/m; edges are smoothed by the contact patch | [06](theory/06_roads.md) |
| handling analysis | L1 and L2; no roll or compliance steer | [31](theory/31_handling.md) |

No case compares with one measured car: the parameters of the catalog are typical values of their classes, not identified from tests.
)";

}  // namespace

std::string validation_page(const std::vector<ValidationRow>& rows) {
  const std::string settings = fmt::format("--set {}", fmt::join(validation::kPublishedCar, " --set "));
  std::string out = kIntroduction;
  for (int g = 0; g < int(std::size(kChapters)); ++g) {
    const bool published = ValidationGroup(g) == ValidationGroup::published;
    out += fmt::format(
        "\n## {}\n\n{}\n\n| case | {}measured | expected | difference | limit | how |\n|---|{}---|---|---|---|---|\n",
        kChapters[g].title, fmt::format(fmt::runtime(kChapters[g].text), settings), published ? "published | " : "",
        published ? "---|" : "");
    for (const ValidationRow& r : rows) {
      if (r.is.group != ValidationGroup(g)) continue;
      const std::string figure = r.is.published.empty() ? ""
                                 : published            ? r.is.published
                                                        : " VDSim 0.7: " + r.is.published + ".";
      out += fmt::format("| {} (`{}`) |{} {} | {} | {}{} | {}: {} | {}.{} |\n", r.is.what, r.is.id,
                         published ? " " + figure + " |" : "", measured(r), expected(r), difference(r),
                         r.pass ? "" : " **FAIL**", limit(r), r.is.reason, r.is.how, published ? "" : figure);
    }
  }
  return out + kLimits;
}

std::string validation_table(const std::vector<ValidationRow>& rows) {
  std::string out;
  const ValidationGroup* group = nullptr;
  std::size_t failed = 0;
  for (const ValidationRow& r : rows) {
    if (!group || *group != r.is.group)
      out += fmt::format("{}{}\n  {:<24} {:>20} {:>20} {:>16} {:>12}\n", group ? "\n" : "",
                         kValidationGroups[int(r.is.group)], "case", "measured", "expected", "difference", "limit");
    group = &r.is.group;
    failed += !r.pass;
    out += fmt::format("  {:<24} {:>20} {:>20} {:>16} {:>12}  {}\n", r.is.id, measured(r), expected(r), difference(r),
                       limit(r), r.pass ? "pass" : "FAIL");
  }
  return out + fmt::format("\n{} of {} cases pass\n", rows.size() - failed, rows.size());
}

std::string validation_json(const std::vector<ValidationRow>& rows) {
  using Json = nlohmann::ordered_json;
  const auto finite = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  Json cases = Json::array();
  bool pass = true;
  for (const ValidationRow& r : rows) {
    pass = pass && r.pass;
    cases.push_back({{"id", r.is.id},
                     {"group", kValidationGroups[int(r.is.group)]},
                     {"what", r.is.what},
                     {"unit", r.is.unit},
                     {"value", finite(r.got.value)},
                     {"expected", finite(r.got.expected)},
                     {"difference", finite(r.difference)},
                     {"limit", r.is.limit},
                     {"relative", r.is.relative},
                     {"reason", r.is.reason},
                     {"published", r.is.published},
                     {"how", r.is.how},
                     {"pass", r.pass}});
  }
  return Json{{"verdict", pass ? "pass" : "fail"}, {"cases", cases}}.dump(2);
}

}  // namespace vdsim
