#include <CLI/CLI.hpp>
#include <memory>

#include "apps/vdsim/commands.hpp"
#include "io/catalog.hpp"
#include "io/read.hpp"
#include "sim/batch/bench.hpp"
#include "sim/car.hpp"
#include "sim/scenario.hpp"

namespace vdsim::cli {
namespace {

struct BenchArguments {
  BenchOptions options;
  SceneChanges changes;
  std::string level = "L2", integrator = "rk4";
};

template <class E> E choose(const char* option, const std::string& word) {
  Errors errors;
  YamlEntry entry;
  entry.value.kind = YamlNode::Kind::scalar;
  entry.value.text = word;
  const auto choice = read_choice({std::string(option) + " " + word, errors}, entry, "",
                                  {EnumNames<E>::names.begin(), EnumNames<E>::names.end()});
  errors.throw_if_any();
  return static_cast<E>(*choice);
}

int bench(BenchArguments in) {
  in.options.level = choose<Level>("--level", in.level);
  in.options.integrator = choose<Integrator>("--integrator", in.integrator);
  if (in.options.backend != "cpu") throw BadInput("--backend " + in.options.backend + ": expected cpu");
  if (in.options.threads != 1) throw BadInput("--threads: expected 1, the kernels run on one core so far");
  if (in.options.wheel && in.options.check) throw BadInput("--check compares cars, not --wheel");
  if (!(in.options.seconds > 0)) throw BadInput("--seconds: expected a number above 0");
  in.options.vehicle = load_vehicle(Catalog(Catalog::default_folder()), in.changes);
  if (has_patches(in.options.vehicle))
    throw BadInput("--tire: contact-patch LuGre tires run one car at a time and have no batch kernel");
  return bench_command(in.options);
}

}  // namespace

void add_bench(CLI::App& app, Action& chosen) {
  auto in = std::make_shared<BenchArguments>();
  CLI::App* sub = app.add_subcommand("bench", "Measure steps per second on this machine");
  sub->footer(
      "Examples:\n  vdsim bench\n  vdsim bench --json --level L2 --tire tire.lugre_on --threads 1\n  vdsim bench "
      "--check\n  vdsim bench --wheel --tire tire.rally");
  sub->add_flag("--json", in->options.json, "print one JSON document");
  sub->add_flag("--check", in->options.check, "compare every lane with the run of a single car");
  sub->add_flag("--wheel", in->options.wheel, "time one tire instead of a car");
  sub->add_option("--level", in->level, "vehicle model [L2]")->type_name("L1|L2|L3|L5");
  sub->add_option("--vehicle", in->changes.vehicle, "vehicle [vehicle.sedan_comfort]")->type_name("ID|FILE");
  sub->add_option("--tire", in->changes.tire, "tire part for all four wheels")->type_name("ID|FILE");
  sub->add_option("--integrator", in->integrator, "method [rk4]")->type_name("rk4|euler|implicit");
  sub->add_option("--backend", in->options.backend, "where to run [cpu]")->type_name("cpu");
  sub->add_option("--threads", in->options.threads, "threads [1]")->type_name("N");
  sub->add_option("--seconds", in->options.seconds, "time per measurement [s]")->type_name("S");
  sub->callback([in, &chosen] { chosen = [in] { return bench(*in); }; });
}

}  // namespace vdsim::cli
