// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/batch/bench.hpp"

namespace vdsim::cli {
namespace {

struct BenchArguments {
  BenchOptions options;
  bool json = false;
  std::string backend = "cpu", cars, threads = "1";
  SceneChanges changes;
  std::string level = "L2", integrator = "rk4";
};

void print_table(const BenchOptions& o, const std::vector<BenchResult>& results) {
  fmt::print("{}, {}, {} ms, {} numerics, one core\n", enum_name(o.level), enum_name(o.integrator), kBenchStep * 1e3,
             bench_numerics());
  for (const BenchResult& r : results) {
    if (r.checked)
      fmt::print("{:>8}  {:<12}  {} lane{}  {}  largest deviation {:.2g}\n", r.number, r.laws, r.lanes,
                 r.lanes == 1 ? " " : "s",
                 r.same      ? "same bits as run"
                 : passed(r) ? "agrees with run"
                             : "DIFFERS FROM RUN",
                 r.worst);
    else
      fmt::print("{:>8}  {:<12}  {:8.1f} ns per {}-step  {:10.0f} {}-steps/s  {:8.0f} x real time\n", r.number, r.laws,
                 r.ns_per_step, o.wheel ? "wheel" : "car", 1e9 / r.ns_per_step, o.wheel ? "wheel" : "car",
                 kBenchStep * 1e9 / r.ns_per_step);
  }
}

void print_json(const BenchArguments& in, const std::vector<BenchResult>& results) {
  nlohmann::json doc = {{"level", enum_name(in.options.level)},
                        {"integrator", enum_name(in.options.integrator)},
                        {"dt", kBenchStep},
                        {"backend", in.backend},
                        {"threads", 1},
                        {"numeric", bench_numerics()}};
  for (const BenchResult& r : results) {
    nlohmann::json one = {{"number", r.number}, {"laws", r.laws}, {"lanes", r.lanes}};
    if (r.checked)
      one.update({{"same_bits", r.same}, {"worst", r.worst}, {"passed", passed(r)}});
    else
      one.update({{"steps_per_s", 1e9 / r.ns_per_step}, {"ns_per_step", r.ns_per_step}});
    doc["results"].push_back(one);
  }
  fmt::print("{}\n", doc.dump(2));
}

void print_batches(const BenchOptions& o, const std::vector<BatchResult>& results) {
  fmt::print("{}, {}, {} ms, {} numerics, batches{}\n", enum_name(o.level), enum_name(o.integrator), kBenchStep * 1e3,
             bench_numerics(), o.own ? ", mass, friction and tire stiffness of each car its own" : "");
  for (const BatchResult& r : results)
    fmt::print(
        "{:>8}  {:<12}  {:>8} cars  {:>2} thread{}  {:8.1f} ns per car-step ({:.1f} of processor time)  "
        "{:11.0f} car-steps/s  {} bytes per car\n",
        r.number, r.laws, r.cars, r.threads, r.threads == 1 ? " " : "s", r.ns_per_step, r.cpu_ns_per_step,
        1e9 / r.ns_per_step, r.bytes_per_car);
}
void print_batches_json(const BenchOptions& o, const std::vector<BatchResult>& results) {
  nlohmann::json doc = {{"level", enum_name(o.level)},
                        {"integrator", enum_name(o.integrator)},
                        {"dt", kBenchStep},
                        {"backend", "cpu"},
                        {"numeric", bench_numerics()},
                        {"own", o.own}};
  for (const BatchResult& r : results)
    doc["results"].push_back({{"number", r.number},
                              {"laws", r.laws},
                              {"cars", r.cars},
                              {"threads", r.threads},
                              {"bytes_per_car", r.bytes_per_car},
                              {"ns_per_step", r.ns_per_step},
                              {"cpu_ns_per_step", r.cpu_ns_per_step},
                              {"steps_per_s", 1e9 / r.ns_per_step}});
  fmt::print("{}\n", doc.dump(2));
}

// "1000,100000"
template <class T> std::vector<T> counts(const char* option, const std::string& text, T most) {
  std::vector<T> out;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    T n = 0;
    const auto [stop, fault] = std::from_chars(at, end, n);
    if (fault != std::errc() || n < 1 || n > most || (stop != end && *stop != ','))
      throw BadInput(fmt::format("{} {}: expected numbers from 1 to {}, with commas between them", option, text, most));
    out.push_back(n);
    if (stop == end) return out;
    at = stop + 1;
  }
}

int run_batches(const BenchArguments& in) {
  if (in.options.wheel || in.options.check) throw BadInput("--cars times whole batches: not with --wheel or --check");
  const std::vector<BatchResult> results = bench_batch(in.options);
  if (in.json)
    print_batches_json(in.options, results);
  else
    print_batches(in.options, results);
  return std::all_of(results.begin(), results.end(), [](const BatchResult& r) { return r.standing == 0; }) ? 0 : 3;
}

int run_bench(BenchArguments in) {
  in.options.level = choose<Level>("--level", in.level);
  in.options.integrator = choose<Integrator>("--integrator", in.integrator);
  if (in.backend != "cpu") throw BadInput("--backend " + in.backend + ": expected cpu");
  in.options.threads = counts<unsigned>("--threads", in.threads, 4096);
  if (!in.cars.empty()) in.options.cars = counts<std::size_t>("--cars", in.cars, 100'000'000);
  if (in.cars.empty() && (in.threads != "1" || in.options.own))
    throw BadInput("--threads and --own are of batches: say how many cars with --cars");
  if (in.options.wheel && in.options.check) throw BadInput("--check compares cars, not --wheel");
  if (!(in.options.seconds > 0)) throw BadInput("--duration: expected a number above 0");
  if (in.changes.vehicle.empty()) in.changes.vehicle = "vehicle.sedan_vdsim07";  // no equipment, as the kernels
  in.options.vehicle = load_vehicle(Catalog(Catalog::default_folder()), in.changes);
  if (!in.options.cars.empty()) return run_batches(in);
  if (has_patches(in.options.vehicle))
    throw BadInput("--tire: contact-patch LuGre tires run one car at a time and have no batch kernel");
  const std::vector<BenchResult> results = bench(in.options);
  if (in.json)
    print_json(in, results);
  else
    print_table(in.options, results);
  return std::all_of(results.begin(), results.end(), passed) ? 0 : 1;
}

}  // namespace

void add_bench(Verb app, Action& chosen) {
  auto in = std::make_shared<BenchArguments>();
  Verb sub = app.add_subcommand("bench", "Measure simulation steps per second on this machine");
  sub.footer(
      "Examples:\n  vdsim bench\n  vdsim bench --json --level L2 --tire tire.lugre_on --cars 1000\n  vdsim bench "
      "--check\n  vdsim bench --wheel --tire tire.rally\n  vdsim bench --cars 1000,100000 --threads 1,2 --integrator "
      "implicit");
  sub.add_flag("--json", in->json, "print one JSON document");
  sub.add_flag("--check", in->options.check, "compare every lane with the run of a single car");
  sub.add_flag("--wheel", in->options.wheel, "time one tire instead of a car");
  sub.add_option("--level", in->level, "vehicle model [L2]").type_name(words_of<Level>());
  sub.add_option("--vehicle", in->changes.vehicle, "vehicle [vehicle.sedan_vdsim07]").type_name("ID|FILE");
  sub.add_option("--tire", in->changes.tire, "tire part for all four wheels").type_name("ID|FILE");
  sub.add_option("--integrator", in->integrator, "method [rk4]").type_name(words_of<Integrator>());
  sub.add_option("--backend", in->backend, "where to run [cpu]").type_name("cpu");
  sub.add_option("--cars", in->cars, "time whole batches of so many cars instead of one register").type_name("N,..");
  sub.add_option("--threads", in->threads, "of batches [1]").type_name("N,..");
  sub.add_flag("--own", in->options.own, "of batches: mass, friction and tire stiffness differ from car to car");
  sub.add_option("--duration", in->options.seconds, "time per measurement [s]").type_name("S");
  sub.callback([in, &chosen] { chosen = [in] { return run_bench(*in); }; });
}

}  // namespace vdsim::cli
