// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/sensitivity_exact.hpp"

#include <algorithm>
#include <cmath>

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/linear/linearize.hpp"
#include "vdsim/engine/linear/tangent.hpp"

namespace vdsim {
namespace {

CarSetup setup_of(const ManeuverPlan& plan) {
  const CarSpec& car = plan.car();
  const StartSpec& s = car.start;
  return {car.vehicle, plan.scene.road, car.level, plan.scene.solver.integrator, {s.x0, s.y0, s.yaw0, s.vx0, s.z0}};
}

using Orders = std::vector<std::array<Commands, 2>>;
Orders orders_of(const ManeuverPlan& plan) {
  Orders out;
  ManeuverRun run(plan);
  while (!run.done()) {
    const Commands from = run.car().commands();
    if (!run.step()) break;
    out.push_back({from, run.car().ended()});
  }
  return out;
}

// A run and the derivatives of its rows.
struct TangentRun {
  ManeuverResult result;
  std::vector<std::vector<std::vector<double>>> slope;  // number, column, row
};

void add_row(const ManeuverRun& run, TangentCar& car, const SignalScope& scope, TangentRun& out) {
  const std::vector<double> row = run.row();
  for (std::size_t i = 0; i < row.size(); ++i) out.result.recording.data[i].push_back(row[i]);
  std::vector<CarOutputs> along;
  car.outputs(run.car().commands(), along);
  std::vector<double> values;
  for (std::size_t k = 0; k < along.size(); ++k) {
    along[k].t = along[k].phase = 0;
    along[k].distance = along[k].speed_error = along[k].path_offset = along[k].path_course = std::nan("");
    values.clear();
    signal_values(scope, along[k], values);
    for (std::size_t i = 0; i < values.size(); ++i) out.slope[k][i].push_back(values[i]);
  }
}

TangentRun tangent_run(const ManeuverPlan& plan, const std::vector<SetupSlope>& slopes) {
  TangentRun out;
  out.result.recording.columns = recording_columns(plan);
  const std::size_t columns = out.result.recording.columns.size();
  out.result.recording.data.resize(columns);
  out.slope.assign(slopes.size(), std::vector<std::vector<double>>(columns));
  const std::unique_ptr<TangentCar> car = tangent_car(setup_of(plan), slopes);
  ManeuverRun run(plan);
  const double dt = plan.scene.solver.dt;
  RowClock rows(plan.scene.timing.rate, dt);
  const SignalScope scope = recording_scope(plan);
  for (;;) {
    if (run.done() || rows.due(run.step_index())) {
      add_row(run, *car, scope, out);
      rows.written(run.step_index());
    }
    if (run.done()) break;
    const Commands from = run.car().commands();
    if (!run.step()) throw BadInput("the run diverged");
    car->step(from, run.car().ended(), dt);
  }
  for (std::size_t i = 0; i <= run.phase(); ++i) {
    const double from = run.phase_start(i), to = i == run.phase() ? run.time() : run.phase_start(i + 1);
    if (!std::isnan(from)) out.result.phases.push_back({plan.phases[i].name, from, to});
  }
  out.result.status = run.status();
  return out;
}

}  // namespace

std::string no_exact_slopes(const ManeuverPlan& plan) {
  if (plan.car().level != Level::L2) return "whole runs in duals are there for L2";
  if (plan.car().vehicle.sensors.enabled) return "it has sensors";
  if (!plan.spectra.empty()) return "it has spectra";
  const auto pedals = [](const PhasePlan& p) {
    return p.follow_path || p.driver[PhasePlan::speed] || p.driver[PhasePlan::acceleration] ||
           p.driver[PhasePlan::curvature];
  };
  if (std::any_of(plan.phases.begin(), plan.phases.end(), pedals)) return "its driver looks at the car";
  try {
    linearize(Car(setup_of(plan)), {});
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

bool same_commands(const ManeuverPlan& plan, const MovedPlans& moved) {
  const Orders base = orders_of(plan);
  for (const int j : {1, 2}) {
    const Orders other = orders_of(moved.at[std::size_t(j)]);
    if (!std::equal(base.begin(), base.begin() + std::ptrdiff_t(std::min(base.size(), other.size())), other.begin()))
      return false;
  }
  return true;
}

std::vector<std::vector<ExactSlope>> exact_slopes(const ManeuverPlan& plan, const std::vector<MovedPlans>& numbers) {
  std::vector<std::vector<ExactSlope>> out;
  for (std::size_t first = 0; first < numbers.size(); first += kSlopesAtOnce) {
    const std::size_t n = std::min(kSlopesAtOnce, numbers.size() - first);
    std::vector<SetupSlope> slopes;
    for (std::size_t k = first; k < first + n; ++k) {
      const MovedPlans& m = numbers[k];
      slopes.push_back({{setup_of(m.at[0]), setup_of(m.at[1]), setup_of(m.at[2]), setup_of(m.at[3])}, m.h});
    }
    const TangentRun run = tangent_run(plan, slopes);
    for (std::size_t k = 0; k < n; ++k) {
      const MovedPlans& m = numbers[first + k];
      // along the signals by little, since times of crossings have kinks at the rows; then the constants of the car
      const double little = 1e-2;
      std::vector<MetricValue> at[4], constant[4];
      for (std::size_t j = 0; j < 4; ++j) {
        const double by = (j < 2 ? double(j) - 2 : double(j) - 1) * little * m.h;
        ManeuverResult moved = run.result;
        measure_again(m.at[j], moved);
        constant[j] = moved.metrics;
        for (std::size_t c = 0; c < run.slope[k].size(); ++c)
          for (std::size_t i = 0; i < run.slope[k][c].size(); ++i)
            moved.recording.data[c][i] += by * run.slope[k][c][i];
        measure_again(plan, moved);
        at[j] = moved.metrics;
      }
      const auto slope = [](const std::vector<MetricValue>* f, std::size_t i, double h) {
        return (8 * (f[2][i].value - f[1][i].value) - (f[3][i].value - f[0][i].value)) / (12 * h);
      };
      std::vector<ExactSlope> column;
      for (std::size_t i = 0; i < at[0].size(); ++i) {
        const double h = little * m.h, value = slope(at, i, h) + slope(constant, i, m.h);
        column.push_back({value, 1e-2 * std::abs(slope(at, i, h) - (at[2][i].value - at[1][i].value) / (2 * h)) +
                                     1e-14 * std::abs(at[1][i].value) / h});
      }
      out.push_back(std::move(column));
    }
  }
  return out;
}

}  // namespace vdsim
