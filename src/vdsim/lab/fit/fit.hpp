// SPDX-License-Identifier: Apache-2.0
// Coefficients of a tire from measured steady points. Method: docs/theory/25_fitting.md.
#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "vdsim/lab/fit/fit_model.hpp"

namespace vdsim {

struct FitOptions {
  int starts = 6;                                    // the given start and starts - 1 random ones
  unsigned seed = 1;                                 // of the random starts
  int threads = 0;                                   // 0 = as many as the machine has
  std::function<void(const std::string&)> progress;  // a line of text; from any thread, one at a time
  const std::atomic<int>* stop = nullptr;            // not 0: give up
};

struct FittedParameter {
  FitParameter parameter;
  double value = 0;
  double error = 0;       // standard error; of what the data cannot show, the width of the prior
  bool at_bound = false;  // the best value lies on a bound
  bool shown = true;      // false: the data say less than the prior, the value is the start's
};

struct FitChannel {
  std::string name, unit;
  std::size_t points = 0, outliers = 0;  // outliers: beyond 4 noise
  double peak = 0;                       // 99th percentile of |measured|
  double noise = 0, rms = 0;             // robust and plain size of the residual
};

struct FitRun {
  std::vector<double> values;
  double cost = 0;  // robust, comparable between the runs of one fit; infinite if the run failed
  int iterations = 0;
};

struct FitResult {
  TireSpec tire;
  std::vector<FittedParameter> parameters;
  std::vector<FitChannel> channels;  // fx, fy and, if given, mz
  std::vector<FitRun> runs;          // one per start, the given start first
  std::size_t best = 0;
  std::size_t agreeing = 0;      // runs that ended within 2 units (two standard errors) or 0.1 % of the best cost
  std::vector<FitForce> forces;  // of the fitted tire at the points
  bool stopped = false;
  double seconds = 0;
};

// Throws BadInput if no start can be evaluated.
FitResult fit_tire(const FitModel&, const FitData&, const FitOptions&);

}  // namespace vdsim
