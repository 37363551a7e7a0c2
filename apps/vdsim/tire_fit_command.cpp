// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "apps/vdsim/tire_verbs.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/lab/fit/fit_report.hpp"

namespace vdsim::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFitExamples = R"(Examples:
  vdsim tire fit --model mf96 --data measured.csv --out tire.yaml
  vdsim tire fit --model mf61 --data long.tdx --data lat.tdx --out tire.yaml --plot residuals.html
  vdsim tire fit --model rally --data gravel.csv --start tire.rally_gravel --out my_gravel.yaml

Data: steady points, csv with fz,kappa,alpha[,gamma,vx,pressure],fx,fy[,mz] (SI, rad, ISO 8855: Fy < 0 for alpha > 0), or
TYDEX (.tdx). Several files are taken together. mf61 writes a .tir beside the part. Method: docs/theory/25_fitting.md.)";

struct FitArguments {
  std::string model, output, start, plot;
  std::vector<std::string> data, sets;
  FitOptions options;
  bool quiet = false, json = false;
};

TireSpec start_of(const FitArguments& in, const FitData& data) {
  if (in.start.empty()) {
    if (!in.sets.empty()) throw BadInput("--set changes the tire that --start names, so it needs --start");
    return fit_start(in.model, data);
  }
  Errors errors;
  const Catalog catalog(Catalog::default_folder());
  TireArgument start;
  start.tire = in.start, start.sets = in.sets;
  const auto tire = load_tire(catalog, start, errors);
  errors.throw_if_any();
  if (!fits_model(in.model, *tire))
    throw BadInput(fmt::format("--start {}: this tire has a different law than --model {}", in.start, in.model));
  return *tire;
}

void check(const FitArguments& in) {
  const auto& names = fit_model_names();
  if (std::find(names.begin(), names.end(), in.model) == names.end())
    throw BadInput(
        fmt::format("--model {}: expected {}{}", in.model, fmt::join(names, ", "), suggestion(in.model, names)));
  if (in.options.starts < 1 || in.options.starts > 1000)
    throw BadInput(fmt::format("--starts {}: expected 1 to 1000", in.options.starts));
  if (!in.plot.empty() && !in.plot.ends_with(".svg") && !in.plot.ends_with(".html"))
    throw BadInput(fmt::format("--plot {}: expected a name that ends in .svg or .html", in.plot));
}

std::string json_of(const FitModel& model, const FitData& data, const FitResult& result, const FitArguments& in) {
  Json parameters = Json::array(), channels = Json::array();
  for (const FittedParameter& p : result.parameters)
    parameters.push_back({{"name", p.parameter.name},
                          {"unit", p.parameter.unit},
                          {"start", p.parameter.start},
                          {"fitted", p.value},
                          {"std_error", p.error},
                          {"on_bound", p.at_bound},
                          {"shown", p.shown}});
  for (const FitChannel& c : result.channels)
    channels.push_back({{"name", c.name},
                        {"unit", c.unit},
                        {"points", c.points},
                        {"peak", c.peak},
                        {"noise", c.noise},
                        {"rms", c.rms},
                        {"outliers", c.outliers}});
  const Json out{{"model", model.name},         {"data", data.files},        {"points", data.points.size()},
                 {"output", in.output},         {"seconds", result.seconds}, {"starts", result.runs.size()},
                 {"agreeing", result.agreeing}, {"parameters", parameters},  {"channels", channels},
                 {"notes", model.notes}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string plot_text(const FitArguments& in, const FitModel& model, const FitData& data, const FitResult& result) {
  const std::vector<std::string> tables{html_table("Parameters", parameter_table(result)),
                                        html_table("Channels", channel_table(result))};
  return chart_document(in.plot, fit_figure(model, data, result), tables);
}

int fit(FitArguments& in) {
  check(in);
  Errors errors;
  const auto data = load_fit_data(in.data, errors);
  if (data) check_fit_data(*data, errors);
  errors.throw_if_any();
  need_writable(in.output);
  if (!in.plot.empty()) need_writable(in.plot);
  const FitModel model = make_fit_model(in.model, start_of(in, *data), *data);
  in.options.stop = &stop_signal();
  if (!in.quiet) in.options.progress = [](const std::string& line) { show_progress(line + "\n"); };
  const FitResult result = fit_tire(model, *data, in.options);
  if (result.stopped) return report_stop(in.json);
  const FitFiles files = fit_files(model, *data, result, in.output);
  std::vector<NamedText> written{{in.output, files.part}};
  if (!files.tir.empty()) written.push_back({fit_tir_path(in.output), files.tir});
  if (!in.plot.empty()) written.push_back({in.plot, plot_text(in, model, *data, result)});
  write_together(written);
  if (in.json) {
    fmt::print("{}\n", json_of(model, *data, result, in));
  } else if (!in.quiet) {
    fmt::print("{}\n", fit_summary(model, *data, result));
    for (const NamedText& file : written) fmt::print("{}\n", file.path);
  }
  return done;
}

}  // namespace

void add_tire_fit(Verb tire, Action& chosen) {
  auto in = std::make_shared<FitArguments>();
  Verb sub = tire.add_subcommand("fit", "Fit the parameters of a tire to measured points");
  sub.footer(kFitExamples);
  sub.add_option("--model", in->model, "law to fit").required().type_name("mf96|mf61|rally|lugre_patch");
  sub.add_option("--data", in->data, "measured points, repeatable")
      .required()
      .type_name("FILE.csv|FILE.tdx")
      .allow_extra_args(false);
  sub.add_option("--out", in->output, "tire part to write").required().type_name("PART.yaml");
  sub.add_option("--start", in->start, "tire to start from; keeps what is not fitted").type_name("ID|FILE");
  add_sets(sub, in->sets, "set one value of it, repeatable");
  sub.add_option("--starts", in->options.starts, "number of starts, the given one and random ones [6]").type_name("N");
  sub.add_option("--seed", in->options.seed, "seed of the random starts [1]").type_name("N");
  sub.add_option("--threads", in->options.threads, "threads [all]").type_name("N");
  sub.add_option("--plot", in->plot, "picture of curves and residuals").type_name("FILE.html|FILE.svg");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.add_flag("--json", in->json, "print one JSON document");
  sub.callback([in, &chosen] { chosen = [in] { return fit(*in); }; });
}

}  // namespace vdsim::cli
