// The virtual tire test rig: one tire, its motion and load prescribed, its forces, moments and states returned.
// Frame W (ISO 8855): x forward in the wheel plane, y left, z up, at the contact point. Forces of the road on the tire.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/table_read.hpp"
#include "vdsim/tire/compile.hpp"
#include "vdsim/tire/tire.hpp"

namespace vdsim {

// What the rig does to the tire at one instant.
struct RigInput {
  double omega = 0, vx = 0, vy = 0;  // spin [rad/s]; velocity of the contact point over the road [m/s]
  double fz = 0;                     // load [N]
  double gamma = 0;                  // inclination [rad], positive = top to the right
  double pressure = 0;               // inflation pressure [Pa]; 0 = the tire's own
  double mu = 1;                     // road friction factor
  double psidot = 0;                 // yaw rate of the wheel frame [rad/s]
};

struct RigOutput {
  double fx, fy, fz, mx, my, mz;  // [N], [N m]
  double kappa, alpha;  // slip ratio (Re omega - vx)/|vx|, |vx| floored at 0.15 m/s; slip angle atan2(vy, |vx|)
};

class TireRig {
 public:
  explicit TireRig(const TireSpec&);

  double radius() const { return p_.R0; }              // free radius [m]
  double usual_speed() const { return usual_speed_; }  // of steady points that name none [m/s]
  double rolling_radius(const RigInput&) const;        // effective [m]
  // The motion with slip ratio kappa = (Re omega - vx)/|vx| and slip angle alpha at the speed, load, ... of `rest`.
  RigInput at_slip(RigInput rest, double kappa, double alpha) const;
  void start(const RigInput&);                                    // as if this input had lasted for ever
  void step(const RigInput& from, const RigInput& to, double h);  // inputs linear over h [s]
  RigOutput output(const RigInput&) const;                        // at the present states
  std::vector<std::string> state_names() const;
  void states(const RigInput&, std::vector<double>& append) const;

 private:
  struct Instant {
    Contact<double> contact;
    TireSlip<double> slip;
    TireForce<double> force;
    TireMoments<double> moments;
    WheelAffine<double> rate;
  };
  Instant evaluate(WheelState<double>, const RigInput&) const;
  void keep_limits(const Instant&);
  PatchMotion<double> motion(const RigInput&) const;
  void keep_patch(const PatchForce<double>&);
  int parts(const RigInput& from, const RigInput& to, double h) const;
  void step_part(const RigInput& from, const RigInput& to, double h);
  void step_patch(const RigInput& from, const RigInput& to, double h);

  TireKind kind_;
  TireParams<double> p_;
  WheelState<double> fresh_{}, w_{};
  std::optional<PatchTire<double>> patch_;  // contact-patch LuGre
  double usual_speed_ = 16.7;
};

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
// Calls `row` from the first to the last instant, every dt; throws BadInput for a dt that cannot be.
RigEnd run_rig(TireRig&, const RigMotion&, const RigOptions&, const std::function<void(std::span<const double>)>& row);

}  // namespace vdsim
