// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/fit/fit.hpp"

#include <fmt/core.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>

#include "vdsim/lab/fit/fit_stage.hpp"

namespace vdsim {
namespace {

using namespace fitting;

class Fitter {
 public:
  Fitter(const FitModel& model, const FitData& data, const FitOptions& options)
      : model_(model), data_(data), options_(options) {
    sort_by_load();
    for (std::size_t c = 0; c < kChannels; ++c)
      for (std::size_t b = 0; b < classes_; ++b) peak_[c].push_back(peak(c, b));
    const std::vector<std::size_t> few = random_choice();
    const auto long_only = [](const FitPoint& p) { return std::abs(p.alpha) <= kPureAlpha; };
    const auto lat_only = [](const FitPoint& p) { return std::abs(p.kappa) <= kPureKappa; };
    add("Fx", {FitStage::longitudinal}, {0}, few, long_only);
    add("Fy", {FitStage::lateral}, {1}, few, lat_only);
    add("combined", {FitStage::combined}, {0, 1}, few, nullptr);
    add("Mz", {FitStage::aligning}, {2}, few, nullptr);
    const std::vector<FitStage> every{FitStage::longitudinal, FitStage::lateral, FitStage::combined,
                                      FitStage::aligning};
    if (model.parameters.size() <= kFewParameters) add("all", every, {0, 1, 2}, few, nullptr);
    add("choice", {}, {0, 1, 2}, few, nullptr);
    add("all", every, {0, 1, 2}, everything(), nullptr);
    whole_ = std::move(stages_.back());
    stages_.pop_back();
    choice_ = std::move(stages_.back());
    stages_.pop_back();
  }

  FitResult run() {
    const auto began = std::chrono::steady_clock::now();
    FitResult out;
    out.runs.resize(static_cast<std::size_t>(std::max(1, options_.starts)));
    run_all(out.runs);
    choose(out);
    std::vector<double> values = out.runs[out.best].values;
    int iterations = 0;
    if (!run_stage(whole_, true, values, iterations)) values = out.runs[out.best].values;
    out.stopped = stopped();
    describe(values, out);
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    say(fmt::format("all {} points fitted, {} iterations", data_.points.size(), iterations));
    return out;
  }

 private:
  std::size_t channels() const { return data_.has_mz ? 3 : 2; }
  std::size_t threads() const {
    return options_.threads > 0 ? static_cast<std::size_t>(options_.threads)
                                : std::max(1u, std::thread::hardware_concurrency());
  }
  bool stopped() const { return options_.stop && *options_.stop; }

  std::vector<std::size_t> everything() const {
    std::vector<std::size_t> out(data_.points.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }
  std::vector<std::size_t> random_choice() const {
    std::vector<std::size_t> out = everything();
    const std::size_t many =
        std::clamp<std::size_t>(kWork / std::max<std::size_t>(model_.parameters.size(), 1), 1200, 2500);
    if (out.size() <= many) return out;
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < many; ++i) std::swap(out[i], out[i + random() % (out.size() - i)]);
    out.resize(many);
    std::sort(out.begin(), out.end());
    return out;
  }

  // Classes of about equal size, equal loads together.
  void sort_by_load() {
    const std::size_t n = data_.points.size();
    classes_ = std::clamp<std::size_t>(n / 300, 1, 6);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto fz = [&](std::size_t i) { return data_.points[i].fz; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return fz(a) < fz(b); });
    class_.resize(n);
    for (std::size_t k = 0, first = 0; k < n; ++k) {
      if (fz(order[k]) > fz(order[first]) * 1.02) first = k;
      class_[order[k]] = first * classes_ / n;
    }
  }

  // 99th percentile of the measured size; of all loads for an empty class.
  double peak(std::size_t channel, std::size_t load) const {
    std::vector<double> sizes;
    for (const bool all : {false, true})
      for (std::size_t i = 0; i < class_.size() && (!all || sizes.empty()); ++i)
        if (all || class_[i] == load) sizes.push_back(std::abs(data_.points[i].*kData[channel]));
    return std::max(quantile(sizes, 0.99), 1e-9);
  }

  // A stage with all points if too few are pure: the law is always read at the slips that were measured.
  void add(const char* name, const std::vector<FitStage>& of, const std::vector<std::size_t>& which,
           const std::vector<std::size_t>& from, bool (*pure)(const FitPoint&)) {
    Stage s;
    s.name = name;
    for (std::size_t k = 0; k < model_.parameters.size(); ++k)
      if (std::find(of.begin(), of.end(), model_.parameters[k].stage) != of.end()) s.active.push_back(k);
    if (s.active.empty() && !of.empty()) return;
    if (of.size() == 1 && s.active.size() == model_.parameters.size()) return;  // the stage of all does it
    for (const std::size_t i : from)
      if (!pure || pure(data_.points[i])) s.index.push_back(i);
    if (s.index.size() < 3 * s.active.size()) s.index = from;
    for (std::size_t slot = 0; slot < s.index.size(); ++slot)
      for (const std::size_t c : which)
        if (c < channels()) s.rows.push_back({s.index[slot], slot, c, class_[s.index[slot]]});
    s.moment = data_.has_mz && which.back() == 2;
    s.pure = pure != nullptr;
    stages_.push_back(std::move(s));
  }

  std::vector<double> start_values(std::size_t run) const {
    std::vector<double> out;
    std::mt19937_64 random(options_.seed * 7919u + run);
    for (const FitParameter& p : model_.parameters) {
      const double share = static_cast<double>(random() >> 11) * 0x1p-53;
      out.push_back(run == 0 ? p.start : p.from + share * (p.to - p.from));
    }
    return out;
  }

  // One stage: first with a wide loss that sees the whole curve (unless it is seen already), then with the noise it finds.
  // Steps are cut at the bounds, so a parameter that stays on one slows down the others: the last pass leaves it there.
  bool run_stage(const Stage& stage, bool near, std::vector<double>& values, int& iterations) {
    Stage now = stage;
    bool good = true;
    for (int pass = near ? 1 : 0; pass < 3 && good && !stopped() && !now.active.empty(); ++pass) {
      Sweep sweep(model_, data_, now, peak_, values);
      sweep.threads = near ? threads() : 1;
      if (pass > 0) sweep.measure_noise();
      good = minimise(sweep, pass == 2 ? 1e-6 : 1e-5, pass == 2 ? 40 : 15, options_.stop, iterations);
      values = sweep.values();
      if (pass == 1) std::erase_if(now.active, [&](std::size_t k) { return on_bound(k, values[k]); });
    }
    return good;
  }
  bool on_bound(std::size_t parameter, double value) const {
    const FitParameter& p = model_.parameters[parameter];
    return std::min(value - p.low, p.high - value) < 1e-6 * (p.high - p.low);
  }
  bool at_bound(const Stage& stage, const std::vector<double>& values) const {
    return std::any_of(stage.active.begin(), stage.active.end(), [&](std::size_t k) { return on_bound(k, values[k]); });
  }

  // Stage after stage. A pure curve that ends on a bound is tried from the middle of the random starts, too, and the joint
  // stage from the start itself: what fits the pure tests alone may lie in another valley.
  FitRun run_one(std::size_t run) {
    const std::vector<double> start = start_values(run);
    FitRun out{start, 0, 0};
    for (const Stage& stage : stages_) {
      std::vector<double> again = out.values;
      bool good = run_stage(stage, false, out.values, out.iterations);
      const bool joint =
          stage.active.size() == model_.parameters.size() && stage.active.size() <= kVeryFew && stages_.size() > 1;
      if (joint || (stage.pure && at_bound(stage, out.values))) {
        for (const std::size_t k : stage.active)
          again[k] = joint ? start[k] : 0.5 * (model_.parameters[k].from + model_.parameters[k].to);
        if (run_stage(stage, false, again, out.iterations) && (!good || better(stage, again, out.values))) {
          out.values = again;
          good = true;
        }
      }
      if (!good) out.cost = INFINITY;
      if (stopped()) break;
      say(fmt::format("start {} of {}: {} fitted", run + 1, std::max(1, options_.starts), stage.name));
    }
    return out;
  }
  // Robust cost in the units of the one with the smaller residuals.
  bool better(const Stage& stage, const std::vector<double>& a, const std::vector<double>& b) const {
    Sweep at_a(model_, data_, stage, peak_, a), at_b(model_, data_, stage, peak_, b);
    Sweep& judge = at_a.misfit() < at_b.misfit() ? at_a : at_b;
    return judge.cost_of(a) < judge.cost_of(b);
  }

  void run_all(std::vector<FitRun>& runs) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i; (i = next++) < runs.size();) runs[i] = run_one(i);
    };
    const std::size_t many = std::min(runs.size(), threads());
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < many; ++i) others.emplace_back(work);
    work();
    for (std::thread& each : others) each.join();
  }

  void say(const std::string& text) {
    if (!options_.progress) return;
    const std::lock_guard lock(saying_);
    options_.progress(text);
  }

  // Robust cost of every run at one common noise, that of the run with the smallest residuals.
  void choose(FitResult& out) {
    double least = INFINITY;
    std::unique_ptr<Sweep> reference;
    for (const FitRun& run : out.runs) {
      if (!std::isfinite(run.cost)) continue;
      auto sweep = std::make_unique<Sweep>(model_, data_, choice_, peak_, run.values);
      const double size = sweep->misfit();
      if (!(size < least)) continue;
      least = size;
      reference = std::move(sweep);
    }
    if (!reference) throw BadInput("the tire law gives no finite force at the measured points from any start");
    double best = INFINITY;
    for (std::size_t i = 0; i < out.runs.size(); ++i) {
      FitRun& run = out.runs[i];
      if (std::isfinite(run.cost)) run.cost = reference->cost_of(run.values);
      if (run.cost < best) {
        best = run.cost;
        out.best = i;
      }
    }
    for (const FitRun& run : out.runs) out.agreeing += run.cost <= best + std::max(2.0, 1e-3 * best);
  }

  void describe(const std::vector<double>& values, FitResult& out) {
    out.tire = model_.tire(values);
    Sweep sweep(model_, data_, whole_, peak_, values);
    sweep.measure_noise();
    channels_of(sweep, out);
    sweep.differentiate();
    parameters_of(sweep, out);
    out.forces.resize(data_.points.size());
    steady_forces(out.tire, data_.points, whole_.index, data_.has_mz, out.forces);
  }

  void channels_of(const Sweep& sweep, FitResult& out) const {
    constexpr std::array names{"fx", "fy", "mz"}, units{"N", "N", "N m"};
    for (std::size_t c = 0; c < channels(); ++c) {
      FitChannel channel{names[c], units[c]};
      channel.peak = *std::max_element(peak_[c].begin(), peak_[c].end());
      std::vector<double> sizes;
      for (std::size_t i = 0; i < sweep.residual.size(); ++i) {
        const Row& r = sweep.stage().rows[i];
        if (r.channel != c) continue;
        ++channel.points;
        channel.outliers += std::abs(sweep.residual[i]) > 4;
        sizes.push_back(std::abs(sweep.residual[i]) * sweep.unit(i));
        channel.rms += sizes.back() * sizes.back();
      }
      channel.noise = 1.4826 * median(sizes);
      channel.rms = std::sqrt(channel.rms / static_cast<double>(std::max<std::size_t>(channel.points, 1)));
      out.channels.push_back(std::move(channel));
    }
  }

  // Covariance of the robust estimate with its prior: s^2 (J'J + P)^-1, s^2 = mean(psi^2)/mean(psi')^2.
  void parameters_of(const Sweep& sweep, FitResult& out) const {
    const auto n = static_cast<Eigen::Index>(model_.parameters.size());
    double psi2 = 0, slope = 0;
    for (const double r : sweep.residual) {
      const double u = 1 + r * r / (kCauchy * kCauchy);
      psi2 += r * r / (u * u);
      slope += (2 - u) / (u * u);
    }
    const double m = static_cast<double>(sweep.residual.size()),
                 variance = (psi2 / m) / std::max((slope / m) * (slope / m), 1e-6);
    Eigen::MatrixXd H = sweep.jacobian.transpose() * sweep.jacobian / variance;
    Eigen::VectorXd scale(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      scale[k] = PriorCost::width(model_.parameters[static_cast<std::size_t>(k)]);
      H(k, k) += 1 / (scale[k] * scale[k]);
    }
    // in units of the prior the matrix is well conditioned: its diagonal is at least 1
    const Eigen::MatrixXd S = scale.asDiagonal() * H * scale.asDiagonal();
    const Eigen::MatrixXd cov = S.ldlt().solve(Eigen::MatrixXd::Identity(n, n));
    for (Eigen::Index k = 0; k < n; ++k) {
      const FitParameter& p = model_.parameters[static_cast<std::size_t>(k)];
      const double value = sweep.x[static_cast<std::size_t>(k)], width = scale[k];
      FittedParameter f{p, value, width * std::sqrt(std::max(cov(k, k), 0.0)), false, true};
      f.at_bound = on_bound(static_cast<std::size_t>(k), value);
      f.shown = f.error < 0.5 * width;
      out.parameters.push_back(std::move(f));
    }
  }

  const FitModel& model_;
  const FitData& data_;
  const FitOptions& options_;
  Peaks peak_;
  std::vector<std::size_t> class_;  // of load, per point
  std::size_t classes_ = 1;
  std::vector<Stage> stages_;  // on a choice of points
  Stage choice_;               // nothing to fit: compares the runs
  Stage whole_;                // all parameters, all points
  std::mutex saying_;
};

}  // namespace

FitResult fit_tire(const FitModel& model, const FitData& data, const FitOptions& options) {
  return Fitter(model, data, options).run();
}

}  // namespace vdsim
