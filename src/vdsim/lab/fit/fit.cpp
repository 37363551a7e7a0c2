#include "vdsim/lab/fit/fit.hpp"

#include <ceres/ceres.h>
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

namespace vdsim {
namespace {

constexpr double kCauchy = 2.385;                       // in units of the noise: 95 % efficient on clean data
constexpr double kPriorWidth = 1;                       // of the prior / range of the random starts
constexpr double kPureKappa = 0.01, kPureAlpha = 0.01;  // slip across a pure test [-], [rad]
constexpr double kNoiseFloor = 1e-5;                    // of the peak: noise-free data must not divide by zero
constexpr double kWide = 0.5;               // first pass: noise over the peak, so wide that the loss is a square
constexpr std::size_t kVeryFew = 15;        // so many also without the stages before
constexpr std::size_t kFewParameters = 30;  // so many are fitted all together from every start
constexpr std::size_t kWork = 60000;        // points times parameters on which the starts are compared
constexpr std::size_t kChannels = 3;
constexpr std::array<double FitForce::*, kChannels> kModel{&FitForce::fx, &FitForce::fy, &FitForce::mz};
constexpr std::array<double FitPoint::*, kChannels> kData{&FitPoint::fx, &FitPoint::fy, &FitPoint::mz};

// What a rig adds may grow with the load and with the force itself: one size of noise per channel, class of load and
// level of the force (below 30 %, below 70 %, above, of the peak of the class).
constexpr std::size_t kLevels = 3;
using Noise = std::array<std::vector<double>, kChannels>;  // [channel][load * kLevels + level]
using Peaks = std::array<std::vector<double>, kChannels>;  // [channel][load]

struct Row {
  std::size_t point, slot, channel;  // slot: position of the point among those of the stage
  std::size_t load;                  // class of load
};

// One least-squares problem: some parameters, some points, some channels.
struct Stage {
  std::string name;
  std::vector<std::size_t> active;  // parameters
  std::vector<std::size_t> index;   // points
  std::vector<Row> rows;
  bool moment = false;  // Mz is among the rows
  bool pure = false;    // one force over one slip
};

double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}
double median(std::vector<double>& values) { return quantile(values, 0.5); }

// Residuals and derivatives of all rows in one sweep: compiling a tire is dear, evaluating it is cheap.
class Sweep final : public ceres::EvaluationCallback {
 public:
  Sweep(const FitModel& model, const FitData& data, const Stage& stage, const Peaks& peak, std::vector<double> values)
      : model_(model),
        data_(data),
        stage_(stage),
        peak_(peak),
        all_(std::move(values)),
        forces_(stage.index.size()),
        residual(stage.rows.size()),
        jacobian(stage.rows.size(), stage.active.size()) {
    for (const std::size_t k : stage.active) x.push_back(all_[k]);
    for (const Row& r : stage.rows) class_.push_back(r.load * kLevels);
    for (std::size_t c = 0; c < kChannels; ++c)
      for (const double size : peak[c]) noise[c].insert(noise[c].end(), kLevels, kWide * size);
  }

  void PrepareForEvaluation(bool jacobians, bool new_point) override {
    if (new_point || !ready_) evaluate();
    if (jacobians) differentiate();
  }

  void evaluate() {
    ready_ = true;
    forces(x, forces_);
    for (std::size_t i = 0; i < stage_.rows.size(); ++i) {
      const Row& r = stage_.rows[i];
      residual[i] = (forces_[r.slot].*kModel[r.channel] - data_.points[r.point].*kData[r.channel]) / unit(i);
    }
  }

  // One-sided: halves the work, and the error of 1e-6 of a curvature is far below any noise.
  void differentiate() {
    forces(x, forces_);
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back([this, t] { columns(t); });
    columns(0);
    for (std::thread& each : others) each.join();
  }
  void columns(std::size_t first) {
    std::vector<FitForce> moved_forces(stage_.index.size());
    std::vector<double> moved = x;
    for (std::size_t k = first; k < x.size(); k += threads) {
      const FitParameter& p = model_.parameters[stage_.active[k]];
      double h = 1e-6 * std::max(std::abs(x[k]), 0.01 * (p.high - p.low));
      if (x[k] + h > p.high) h = -h;
      moved[k] = x[k] + h;
      const double step = moved[k] - x[k];
      forces(moved, moved_forces);
      moved[k] = x[k];
      for (std::size_t i = 0; i < stage_.rows.size(); ++i) {
        const Row& r = stage_.rows[i];
        jacobian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
            (moved_forces[r.slot].*kModel[r.channel] - forces_[r.slot].*kModel[r.channel]) / (step * unit(i));
      }
    }
  }

  std::vector<double> values() const {
    std::vector<double> out = all_;
    for (std::size_t k = 0; k < x.size(); ++k) out[stage_.active[k]] = x[k];
    return out;
  }

  // Robust size of the residuals at the present parameters, from now on the unit of all residuals. Rows without force say
  // nothing about it: in pure tests the other force is often written as 0.
  void measure_noise() {
    evaluate();
    std::array<std::vector<std::vector<double>>, kChannels> sizes;
    std::array<std::vector<double>, kChannels> whole;
    for (std::size_t c = 0; c < kChannels; ++c) sizes[c].resize(noise[c].size());
    for (std::size_t i = 0; i < stage_.rows.size(); ++i) {
      const Row& r = stage_.rows[i];
      const double force = std::abs(forces_[r.slot].*kModel[r.channel]) / peak_[r.channel][r.load];
      const double size = std::abs(residual[i]) * unit(i);
      class_[i] = r.load * kLevels + (force > 0.7 ? 2 : force > 0.3 ? 1 : 0);
      if (force < 0.01) continue;
      sizes[r.channel][class_[i]].push_back(size);
      whole[r.channel].push_back(size / peak_[r.channel][r.load]);
    }
    for (std::size_t c = 0; c < kChannels; ++c) {
      const double common = median(whole[c]);  // where a class has few rows
      for (std::size_t b = 0; b < noise[c].size(); ++b) {
        const double peak = peak_[c][b / kLevels];
        noise[c][b] =
            std::max(1.4826 * (sizes[c][b].size() < 100 ? common * peak : median(sizes[c][b])), kNoiseFloor * peak);
      }
    }
    evaluate();
  }
  // Sum of the logarithms of the residual sizes over the peaks: comparable between parameters.
  double misfit() {
    measure_noise();
    double sum = 0;
    for (std::size_t i = 0; i < stage_.rows.size(); ++i)
      sum += std::log(unit(i) / peak_[stage_.rows[i].channel][stage_.rows[i].load]);
    return sum / static_cast<double>(stage_.rows.size());
  }

  // Robust cost of other parameters in the present units.
  double cost_of(const std::vector<double>& values) {
    all_ = values;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = values[stage_.active[k]];
    evaluate();
    double sum = 0;
    for (const double r : residual) sum += 0.5 * kCauchy * kCauchy * std::log1p(r * r / (kCauchy * kCauchy));
    return sum;
  }
  double unit(std::size_t row) const { return noise[stage_.rows[row].channel][class_[row]]; }
  const FitModel& model() const { return model_; }
  const Stage& stage() const { return stage_; }

 private:
  void forces(const std::vector<double>& at, std::vector<FitForce>& out) const {
    std::vector<double> all = all_;
    for (std::size_t k = 0; k < at.size(); ++k) all[stage_.active[k]] = at[k];
    steady_forces(model_.tire(all), data_.points, stage_.index, stage_.moment, out);
  }

  const FitModel& model_;
  const FitData& data_;
  const Stage& stage_;
  const Peaks& peak_;
  std::vector<std::size_t> class_;  // of noise, per row
  std::vector<double> all_;
  std::vector<FitForce> forces_;
  bool ready_ = false;

 public:
  std::size_t threads = 1;  // for the derivatives
  Noise noise;
  std::vector<double> x;  // the parameters of the stage; Ceres moves them
  std::vector<double> residual;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> jacobian;
};

// One residual of the sweep.
class RowCost final : public ceres::CostFunction {
 public:
  RowCost(const Sweep& sweep, std::size_t row) : sweep_(sweep), row_(row) {
    set_num_residuals(1);
    mutable_parameter_block_sizes()->push_back(static_cast<int>(sweep.x.size()));
  }
  bool Evaluate(double const* const*, double* residuals, double** jacobians) const override {
    residuals[0] = sweep_.residual[row_];
    if (jacobians && jacobians[0])
      for (std::size_t k = 0; k < sweep_.x.size(); ++k)
        jacobians[0][k] = sweep_.jacobian(static_cast<Eigen::Index>(row_), static_cast<Eigen::Index>(k));
    return std::isfinite(residuals[0]);
  }

 private:
  const Sweep& sweep_;
  std::size_t row_;
};

// Pull towards the start, so weak that it decides only what the data leave open.
class PriorCost final : public ceres::CostFunction {
 public:
  explicit PriorCost(const Sweep& sweep) : sweep_(sweep) {
    set_num_residuals(static_cast<int>(sweep.x.size()));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(sweep.x.size()));
  }
  static double width(const FitParameter& p) { return kPriorWidth * (p.to - p.from); }
  bool Evaluate(double const* const* x, double* residuals, double** jacobians) const override {
    const std::size_t n = sweep_.x.size();
    for (std::size_t k = 0; k < n; ++k) {
      const FitParameter& p = sweep_.model().parameters[sweep_.stage().active[k]];
      residuals[k] = (x[0][k] - p.start) / width(p);
      if (!jacobians || !jacobians[0]) continue;
      for (std::size_t j = 0; j < n; ++j) jacobians[0][k * n + j] = j == k ? 1 / width(p) : 0;
    }
    return true;
  }

 private:
  const Sweep& sweep_;
};

class StopWhenAsked final : public ceres::IterationCallback {
 public:
  explicit StopWhenAsked(const std::atomic<int>* stop) : stop_(stop) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary&) override {
    return stop_ && *stop_ ? ceres::SOLVER_ABORT : ceres::SOLVER_CONTINUE;
  }

 private:
  const std::atomic<int>* stop_;
};

// Levenberg-Marquardt on one stage at a fixed noise. False: not even the start can be evaluated.
bool minimise(Sweep& sweep, double tolerance, int most, const std::atomic<int>* stop, int& iterations) {
  ceres::Problem::Options how;
  how.evaluation_callback = &sweep;
  how.loss_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  ceres::CauchyLoss loss(kCauchy);
  ceres::Problem problem(how);
  double* x = sweep.x.data();
  for (std::size_t i = 0; i < sweep.residual.size(); ++i) problem.AddResidualBlock(new RowCost(sweep, i), &loss, x);
  problem.AddResidualBlock(new PriorCost(sweep), nullptr, x);
  for (std::size_t k = 0; k < sweep.x.size(); ++k) {
    const FitParameter& p = sweep.model().parameters[sweep.stage().active[k]];
    problem.SetParameterLowerBound(x, static_cast<int>(k), p.low);
    problem.SetParameterUpperBound(x, static_cast<int>(k), p.high);
  }
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
  options.max_num_iterations = most;
  options.function_tolerance = tolerance;
  options.parameter_tolerance = 1e-8;
  options.logging_type = ceres::SILENT;
  options.num_threads = 1;
  StopWhenAsked asked(stop);
  options.callbacks.push_back(&asked);
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  iterations += static_cast<int>(summary.iterations.size());
  return summary.termination_type != ceres::FAILURE;
}

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
  // Steps are cut at the bounds, so a parameter that stays on one makes the others creep: the last pass leaves it there.
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
