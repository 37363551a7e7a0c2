// SPDX-License-Identifier: Apache-2.0
// Inside of fit_tire: one least-squares problem and how Ceres sees it.
#pragma once
#include <ceres/ceres.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "vdsim/lab/fit/fit.hpp"

namespace vdsim::fitting {

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

inline double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}
inline double median(std::vector<double>& values) { return quantile(values, 0.5); }

// Residuals and derivatives of all rows in one sweep: compiling a tire is expensive, evaluating it is cheap.
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

// Pull towards the start, so weak that it decides only what the data do not determine.
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
inline bool minimise(Sweep& sweep, double tolerance, int most, const std::atomic<int>* stop, int& iterations) {
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

}  // namespace vdsim::fitting
