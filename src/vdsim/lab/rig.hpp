// SPDX-License-Identifier: Apache-2.0
// The virtual tire test rig: a motion from a table drives one tire (engine/tire_rig.hpp), rows of forces come out.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vdsim/engine/tire_rig.hpp"
#include "vdsim/formats/table_read.hpp"

namespace vdsim {

// A motion over time, piecewise linear between the rows of a table.
class RigMotion {
 public:
  // Columns t,omega,vx,vy,fz or t,kappa,alpha,fz; optional gamma, pressure, mu, psidot, and vx of a sweep.
  static std::optional<RigMotion> read(std::string_view text, const std::string& file, Errors&);

  bool sweep() const { return sweep_; }  // kappa and alpha are given: the steady state at every instant
  std::size_t rows() const { return table_.rows(); }
  double time(std::size_t row) const { return column(0)[row]; }
  double first() const { return column(0).front(); }
  double last() const { return column(0).back(); }
  // Between `row` and the next, `share` of the way.
  RigInput at(const TireRig&, std::size_t row, double share) const;

 private:
  const std::vector<double>& column(std::size_t which) const { return table_.columns[index_[which]]; }

  DataTable table_;
  std::vector<std::size_t> index_;  // of each known name in the table; npos = absent
  bool sweep_ = false;
};

struct RigOptions {
  double dt = 1e-3;                        // step and output interval [s]; 0 with a sweep: the rows of the table
  bool states = false;                     // the states after the outputs
  std::function<void(double)> progress;    // share done
  const std::atomic<int>* stop = nullptr;  // not 0: stop
};
std::vector<std::string> rig_columns(const TireRig&, const RigOptions&);
enum class RigEnd { done, stopped, not_finite };
// Calls `row` from the first to the last instant, every dt; throws BadInput for an invalid dt.
RigEnd run_rig(TireRig&, const RigMotion&, const RigOptions&, const std::function<void(std::span<const double>)>& row);

}  // namespace vdsim
