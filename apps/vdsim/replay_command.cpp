// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/file_text.hpp"
#include "vdsim/formats/readable.hpp"
#include "vdsim/study/car_watch.hpp"
#include "vdsim/study/live/drive_rows.hpp"
#include "vdsim/study/run_files.hpp"

namespace vdsim::cli {
namespace {

constexpr const char* kReplayExamples = R"(Examples:
  vdsim replay drive.json
  vdsim replay drive.json --out results/drive --json

A tape is what the page and the server record of a drive: its scene, every command and edit, and hashes of the states. The drive is
repeated and the hashes are compared: exit code 0, it is the same to the bit; 1, it is not. docs/LIVE.md)";

struct ReplayArguments {
  std::string tape, out;
  bool quiet = false, json = false, no_report = false;
};

std::string text_of(const std::string& path) {
  Errors errors;
  const auto text = read_data(path, {path, 0, 0}, errors, Tape::kMostBytes);
  errors.throw_if_any();
  return *text;
}

// The files of a drive that is repeated, car by car.
class Replay {
 public:
  Replay(std::shared_ptr<const Catalog> catalog, const std::string& text, const std::string& file, RunOptions options)
      : options_(std::move(options)), text_(text), file_(file), taped_(load_tape(*catalog, text, file)) {
    if (options_.out.empty()) options_.out = fmt::format("results/{}_replay", taped_.scene.id);
    if (options_.finish)
      options_.finish = [this](const std::string& staging) { write_run_page(staging, options_.out); };
    rows_ = std::make_unique<DriveRows>(std::move(catalog), taped_);
    result_.hash = taped_.tape.config;
  }

  // False: stopped, and nothing is left.
  bool run() {
    const auto start = std::chrono::steady_clock::now();
    ResultFolder results(options_.out);
    open(results);
    if (!write_rows()) return false;
    conclude();
    result_.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      tables_[i]->commit();
      add_failed_state(result_.cars[i], folder(i), results);
    }
    results.add("resolved.yaml",
                resolved_text(taped_.scene, result_.hash,
                              "The scene that the drive began with; vdsim replay tape.json repeats it."));
    results.add("tape.json", text_);
    finish_files(timed(), options_, results, result_);
    results.commit();
    return true;
  }

  const RunResult& result() const { return result_; }
  const Scenario& scene() const { return taped_.scene; }
  const Tape& tape() const { return taped_.tape; }
  const LiveSession& session() const { return rows_->session(); }
  const std::string& out() const { return options_.out; }
  double time() const { return rows_->end_time(); }

 private:
  std::string folder(std::size_t car) const { return car_folder(taped_.scene, taped_.scene.cars[car]); }
  Scenario timed() const {  // a drive takes what it takes
    Scenario out = taped_.scene;
    out.timing.duration = rows_->end_time();
    return out;
  }
  void open(ResultFolder& results) {
    Scenario scene = timed();
    scene.timing.duration = std::max(scene.timing.duration, taped_.scene.timing.duration);
    for (std::size_t i = 0; i < scene.cars.size(); ++i) {
      TableHead head = run_head(scene, scene.cars[i], result_.hash);
      head.columns = rows_->columns(i);
      tables_.push_back(open_run_table(scene, head, folder(i), results, options_));
      result_.cars.emplace_back().id = scene.cars[i].id;
    }
  }

  bool write_rows() {
    std::vector<Watch> watches;
    for (CarResult& car : result_.cars) watches.emplace_back(car);
    while (next()) {
      for (std::size_t i = 0; i < tables_.size(); ++i) write_row(i, watches[i]);
      if (options_.progress) options_.progress(rows_->progress());
      if (*options_.stop) return false;
    }
    for (Watch& watch : watches) watch.end();
    return true;
  }
  bool next() {
    try {
      return rows_->next();
    } catch (const BadInput& e) {  // a level that cannot change in the air
      std::vector<std::string> lines;
      for (const std::string& line : e.lines)
        lines.push_back(fmt::format("{}: the edit at step {}: {}", file_, session().step(), line));
      throw BadInput(lines);
    }
  }
  void write_row(std::size_t i, Watch& watch) {
    CarResult& car = result_.cars[i];
    if (!session().why(i).empty() || car.failed) return note_failure(i);
    const std::span<const double> row = rows_->row(i);
    if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) {
      car.failed = true, car.why = "a number of the row is not finite";
      return note_failure(i);
    }
    tables_[i]->row(row);
    if (rows_->restarted()) watch.put_at(rows_->outputs(i));
    watch.row(rows_->outputs(i));
    car.end_time = session().time();
  }
  void note_failure(std::size_t i) {
    CarResult& car = result_.cars[i];
    if (car.why.empty()) car.why = session().why(i);
    if (car.failed_at.empty()) {
      car.failed_at.resize(session().sim(i).snapshot_size());
      session().sim(i).snapshot(car.failed_at);
    }
    car.failed = true;
  }
  void conclude() {
    for (std::size_t i = 0; i < result_.cars.size(); ++i) {
      CarResult& car = result_.cars[i];
      car.level = session().sim(i).car().level();
      car.energy = session().sim(i).car().energy();
      car.steps = static_cast<long>(session().step());
    }
  }

  RunOptions options_;
  std::string text_, file_;
  TapedScene taped_;
  std::unique_ptr<DriveRows> rows_;
  RunResult result_;
  std::vector<std::unique_ptr<TableWriter>> tables_;
};

std::string count_text(const Tape& tape) {
  const auto n = [&](TapeEvent::Kind kind) {
    return std::count_if(tape.events.begin(), tape.events.end(), [&](const TapeEvent& e) { return e.kind == kind; });
  };
  return fmt::format("{} commands, {} edits, {} resets", n(TapeEvent::Kind::command), n(TapeEvent::Kind::edit),
                     n(TapeEvent::Kind::reset));
}

const char* verdict_of(const Replay& replay) {
  if (replay.session().differs()) return "differs";
  return replay.result().failed() ? "diverged" : "same";
}

void print_replay(const Replay& replay) {
  const Tape& tape = replay.tape();
  fmt::print("{}: {} s, {} steps, {}\n", replay.scene().id, number_text(replay.time()), tape.end, count_text(tape));
  fmt::print("{} hashes compared, at the end {}: {}\n\n", tape.hashes.size() + 1, replay.session().hash(),
             replay.session().differs() ? "not that of the tape" : "the same drive");
  print_files(replay.out(), replay.result().files);
}

void print_json(const Replay& replay) {
  nlohmann::ordered_json out;
  out["verdict"] = verdict_of(replay);
  out["scene"] = replay.scene().id;
  out["steps"] = replay.tape().end;
  out["time_s"] = replay.time();
  out["events"] = replay.tape().events.size();
  out["hash"] = replay.session().hash();
  out["differs_at_step"] = replay.session().differs() ? nlohmann::ordered_json(*replay.session().differs())
                                                      : nlohmann::ordered_json(nullptr);
  out["files"] = replay.result().files;
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

int replay(const ReplayArguments& in) {
  RunOptions options;
  options.out = in.out;
  options.stop = &stop_signal();
  if (!in.no_report) options.finish = [](const std::string&) {};
  Progress progress(in.quiet);
  options.progress = [&](double fraction) { progress(fraction); };
  Replay drive(std::make_shared<const Catalog>(Catalog::default_folder()), text_of(in.tape), in.tape, options);
  if (!drive.run()) return report_stop(in.json);
  if (in.json)
    print_json(drive);
  else if (!in.quiet)
    print_replay(drive);
  for (const CarResult& car : drive.result().cars)
    if (car.failed)
      tell("diverged: car {} after t = {:.9g} s: {}; the rows so far and failed.snapshot are in {}\n", car.id,
           car.end_time, car.why, drive.out());
  if (const auto step = drive.session().differs()) {
    tell("{}: not the same drive: the states differ at step {}{}\n", in.tape, *step,
         drive.tape().vdsim == version_text() ? "" : fmt::format(", the tape is of vdsim {}", drive.tape().vdsim));
    return verdict_failed;
  }
  return drive.result().failed() ? diverged : done;
}

}  // namespace

void add_replay(Verb app, Action& chosen) {
  auto in = std::make_shared<ReplayArguments>();
  Verb sub = app.add_subcommand("replay", "Repeat a drive by its tape, check it and write its results");
  sub.footer(kReplayExamples);
  sub.add_option("tape", in->tape, "tape of a drive, JSON").required().type_name("FILE");
  sub.add_option("--out", in->out, "folder for the results [results/<scene id>_replay]").type_name("DIR");
  sub.add_flag("--no-report", in->no_report, "no report.html");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.add_flag("--json", in->json, "print the verdict as one JSON document");
  sub.callback([in, &chosen] { chosen = [in] { return replay(*in); }; });
}

}  // namespace vdsim::cli
