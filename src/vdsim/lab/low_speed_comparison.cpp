// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/low_speed_comparison.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

constexpr double kStep = 1e-3;
constexpr double kRows = 1500;

Table table(std::vector<Table::Point> points) { return {std::move(points)}; }

// Standard deviation without keeping the samples: Welford.
struct Spread {
  double n = 0, mean = 0, sum = 0;
  void add(double x) {
    const double d = x - mean;
    mean += d / ++n;
    sum += d * (x - mean);
  }
  double deviation() const { return n > 0 ? std::sqrt(sum / n) : LowSpeedFigures::kNone; }
};

double turned_over(const EnergyBalance& e) {
  double sum = e.kinetic0 + e.stored0;
  for (const double x : {e.drive, e.gravity, e.brake, e.rolling, e.drag, e.contact, e.steer, e.hold})
    sum += std::fabs(x);
  return sum;
}

// Follows one run step by step.
class Watch {
 public:
  Watch(const LowSpeedMethod& method, const LowSpeedExercise& exercise, const CarRun& run)
      : car_(method.car),
        exercise_(exercise),
        run_(run),
        half_step_(0.5 * exercise.duration / static_cast<double>(run.steps())),
        every_(std::max(1L, std::lround(static_cast<double>(run.steps()) / kRows))),
        passive_(!has_patches(method.car)) {}

  void look() {
    const double t = run_.time();
    const CarOutputs s = run_.outputs();
    if (t < exercise_.stand_from + half_step_) stood_ = s;
    if (t < exercise_.steer_from + half_step_) steered_ = s;
    if (t < exercise_.drive_from + half_step_) driven_ = last_ = s;
    if (within(t, exercise_.stand_from, exercise_.stand_to)) stand(s);
    if (within(t, exercise_.steer_from, exercise_.steer_to)) steer(s);
    if (within(t, exercise_.drive_from, exercise_.drive_to)) drive(s, t);
    count_energy();
    if (run_.step_index() % every_ == 0 || run_.done()) keep(s, t);
    last_ = s, last_t_ = t;
  }

  LowSpeedRun result() {
    LowSpeedFigures& f = out_.figures;
    LowSpeedTrace& r = out_.trace;
    for (std::size_t i = 0; i < r.t.size(); ++i) r.moved.push_back(std::hypot(r.x[i] - stood_.x, r.y[i] - stood_.y));
    if (exercise_.stand_to > exercise_.stand_from) {
      f.drift_per_hour = f.drift * 3600 / (exercise_.stand_to - exercise_.stand_from);
      f.ax_jitter = ax_.deviation();
      f.fx_jitter = 0;
      for (const Spread& w : fx_) f.fx_jitter = std::max(f.fx_jitter, w.deviation());
      f.sign_changes = flips_;
    }
    if (exercise_.drive_to > exercise_.drive_from) f.speed_error = std::sqrt(error_.mean), f.wrong_way = wrong_;
    if (exercise_.vx0 > 0) f.stop_way = stood_.x - r.x[0];
    if (exercise_.inch != 0) f.placed = stood_.x - driven_.x - exercise_.inch;
    if (exercise_.circle)
      f.radius_error = way_ / heading_ * std::tan(std::fabs(last_.steer)) / car_.chassis.wheelbase - 1;
    if (exercise_.least_slide > 0)
      f.stuck = std::max(0.0, 1 - std::hypot(last_.x - r.x[0], last_.y - r.y[0]) / exercise_.least_slide);
    const EnergyBalance e = run_.car().energy();
    const double all = turned_over(e);
    f.residual = all > 0 ? std::fabs(e.residual()) / all : 0;
    f.created = all > 0 ? created_ / all : 0;
    return std::move(out_);
  }

 private:
  bool within(double t, double from, double to) const {
    return to > from && t > from - half_step_ && t < to + half_step_;
  }

  void stand(const CarOutputs& s) {
    LowSpeedFigures& f = out_.figures;
    f.drift = std::fmax(f.drift, std::hypot(s.x - stood_.x, s.y - stood_.y));
    f.speed = std::fmax(f.speed, std::hypot(s.vx, s.vy));
    ax_.add(s.ax);
    for (int i = 0; i < s.wheels; ++i) {
      const double F = s.wheel[i].fx;
      fx_[i].add(F);
      if (std::fabs(F) <= 1) continue;
      flips_ += F * sign_[i] < 0;
      sign_[i] = F;
    }
  }

  void steer(const CarOutputs& s) {
    LowSpeedFigures& f = out_.figures;
    f.moved = std::fmax(f.moved, std::hypot(s.x - steered_.x, s.y - steered_.y));
    f.turned = std::fmax(f.turned, std::fabs(s.psi - steered_.psi));
    f.steer_work = run_.car().energy().steer;
  }

  void drive(const CarOutputs& s, double t) {
    const double asked = table_at(exercise_.driver.speed, t), b = car_.chassis.cg_to_rear;
    if (asked * s.vx < 0 && std::fabs(asked) >= 0.05) wrong_ += std::fabs(s.vx) * (t - last_t_);
    error_.add((s.vx - asked) * (s.vx - asked));
    way_ += std::hypot(s.x - last_.x - b * (std::cos(s.psi) - std::cos(last_.psi)),
                       s.y - last_.y - b * (std::sin(s.psi) - std::sin(last_.psi)));
    heading_ = std::fabs(s.psi - driven_.psi);
  }

  // What contact and fallback took must never fall: what falls was created. In a contact patch whose load is not uniform
  // bristles roll into more load unpaid [T22.22], so for it a weaker law is checked: never more back than was put in.
  void count_energy() {
    const EnergyBalance e = run_.car().energy();
    const double taken = (passive_ ? e.slip() : e.contact + e.stored0) - e.hold;
    if (passive_) taken_ = std::max(taken_, taken);
    created_ = std::max(created_, taken_ - taken);
  }

  void keep(const CarOutputs& s, double t) {
    LowSpeedTrace& r = out_.trace;
    r.t.push_back(t), r.x.push_back(s.x), r.y.push_back(s.y), r.psi.push_back(s.psi), r.vx.push_back(s.vx);
    r.fx.push_back(s.wheel[0].fx);
  }

  const VehicleSpec& car_;
  const LowSpeedExercise& exercise_;
  const CarRun& run_;
  double half_step_;
  long every_;
  bool passive_;
  LowSpeedRun out_;
  CarOutputs stood_{}, steered_{}, driven_{},
      last_{};  // where it was at stand_from, steer_from, drive_from, a step ago
  Spread ax_, fx_[4], error_;
  double sign_[4] = {};                                                // Fx when it was last above 1 N [N]
  double last_t_ = 0, flips_ = 0, wrong_ = 0, way_ = 0, heading_ = 0;  // [s], -, [m], way of the rear axle [m], [rad]
  double taken_ = 0, created_ = 0;                                     // [J]
};

}  // namespace

const std::vector<LowSpeedMeasure>& low_speed_measures() {
  using F = LowSpeedFigures;
  static const std::vector<LowSpeedMeasure> all = {
      {&F::drift, "drift", "m", "largest distance from where it stood"},
      {&F::drift_per_hour, "drift_per_hour", "m/h", "the same, as if it went on for an hour", 1e-6},
      {&F::speed, "speed", "m/s", "largest speed while it ought to stand", 1e-6},
      {&F::ax_jitter, "ax_jitter", "m/s^2", "standard deviation of the acceleration while it ought to stand"},
      {&F::fx_jitter, "fx_jitter", "N", "standard deviation of Fx of the worst wheel while it ought to stand"},
      {&F::sign_changes, "flips", "-", "sign changes of Fx above 1 N, all wheels, while it ought to stand", 0},
      {&F::stop_way, "stop_way", "m", "from the start to where it stands"},
      {&F::speed_error, "speed_error", "m/s", "root mean square against the speed asked for"},
      {&F::wrong_way, "wrong_way", "m", "driven against the direction asked for", 0},
      {&F::placed, "placed", "m", "where it stands after inching, less where it ought to stand"},
      {&F::radius_error, "radius_error", "-", "radius of the rear axle against that of wheels that do not slip"},
      {&F::moved, "moved", "m", "while steered at rest", 1e-4},
      {&F::turned, "turned", "rad", "change of heading while steered at rest", 5e-4},
      {&F::steer_work, "steer_work", "J", "of the steering motor at rest"},
      {&F::stuck, "stuck", "-", "missing share of a slide that no friction could prevent", 0},
      {&F::residual, "energy_residual", "-", "energy the balance does not explain, of all that was turned over", 1e-3},
      {&F::created, "created", "-", "energy created by contact and fallback, of all that was turned over", 1e-6}};
  return all;
}

namespace {

struct MethodRow {
  const char *id, *label, *tire;
  std::vector<const char*> sets;
  const char *idea, *fate;
};
const MethodRow kMethods[] = {
    {"blend",
     "Kinematic blend",
     "tire.kinematic_fallback",
     {},
     "Below 3 m/s the side forces fade out. The car follows the geometry of its steering, and the brake adds a damper "
     "along the car.",
     "A damper gives force only while something moves, so the car creeps down every grade. Added to the brake, it "
     "stops the car harder than the pedal asks. Sideways it holds by decree, on ice as on asphalt. Pulling the car "
     "onto its curve is no friction: it can give energy."},
    {"vlow",
     "VLOW damping",
     "tire.kinematic_fallback",
     {"tire.low_speed_mode=tire_vlow", "tire.relaxation_length_long=0", "tire.relaxation_length_lat=0"},
     "The slip is taken against 0.15 m/s at least, and a damper is added inside the tire.",
     "Stops cleanly and needs friction to hold, but holds like honey: a force only while it moves. Creeps along every "
     "grade and across every side slope."},
    {"breakaway",
     "LuGre breakaway",
     "tire.lugre_breakaway",
     {"tire.rolling_resistance=0.015"},
     "Bristles that break away at the force of the magic formula, with a static floor sideways only.",
     "Sideways the floor makes it stick. Along the car the bristles leak as fast as the slip feeds them: it creeps "
     "like a damper. The floor also acts when rolling: the arc is tighter than the steering geometry, and its stop "
     "goes on moving."},
    {"rolling",
     "LuGre rolling",
     "tire.vdsim07_pacejka",
     {},
     "Bristles that leak only by rolling and by sliding. At rest they are springs; when rolling they are exactly the "
     "magic formula. One law at all speeds.",
     "The spring carries the slope without moving. The contact can be shown to create no energy, so nothing rings up. "
     "Steering at rest costs work, as in a car."},
    {"patch",
     "Contact-patch LuGre",
     "tire.lugre_patch",
     {},
     "Bristles along the contact patch, carried through it by the rolling wheel.",
     "True stick: it holds on every slope. Its only damping at rest is sigma1, which is small: the car rocks on its "
     "tires after a stop and falls to rest with a time constant of 2/(sigma1 g) = 0.5 s. Turning on the spot is free: "
     "the patch has no parking torque."},
    {"rally",
     "Rally tire",
     "tire.rally",
     {},
     "Its own magic formula, heat and wear, carried near standstill by the same bristles as the rolling law.",
     "Holds and stops like the rolling law; radius and grip are its own."}};

}  // namespace

std::vector<LowSpeedMethod> low_speed_methods(const Catalog& catalog) {
  std::vector<LowSpeedMethod> out;
  for (const MethodRow& row : kMethods) {
    SceneChanges changes;
    changes.vehicle = "vehicle.sedan_vdsim07", changes.tire = row.tire;
    for (const char* set : row.sets) changes.set(set);
    out.push_back({row.id, row.label, row.idea, row.fate, load_vehicle(catalog, changes)});
  }
  return out;
}

namespace {

std::vector<LowSpeedExercise> standing_exercises(double hold) {
  std::vector<LowSpeedExercise> out(4);
  LowSpeedExercise& stop = out[0];
  stop.id = "stop", stop.label = "Brake to a stop on the flat, then stand";
  stop.text =
      "From 5 m/s with 0.3 of the brake, held for the rest of the time. After the stop nothing may move, rock or "
      "change its sign. Watched from 4 s on, more than 2 s after the stop.";
  stop.vx0 = 5, stop.duration = 9, stop.driver.brake = table({{0, 0.3}});
  stop.stand_from = 4, stop.stand_to = 9;
  LowSpeedExercise& grade = out[1];
  grade.id = "grade", grade.label = "Hold on a grade of 12 %";
  grade.text =
      "Brake pedal at 0.6, more than enough. 10 s to settle, then watched. A parked car moves less than 1e-6 m in an "
      "hour.";
  grade.road.grade = 0.12, grade.duration = hold + 10, grade.driver.brake = table({{0, 0.6}});
  grade.stand_from = 10, grade.stand_to = hold + 10;
  LowSpeedExercise& side = out[2];
  side = grade, side.id = "side_slope", side.label = "Hold on a side slope of 10 %";
  side.text = "The same across the slope.";
  side.road.grade = 0, side.road.bank = 0.10;
  LowSpeedExercise& ice = out[3];
  ice.id = "ice", ice.label = "Side slope of 10 % on ice: must slide";
  ice.text =
      "Friction 0.05, wheels braked. Even a tire that grips 1.3 times better must slide at least 1.4 m in these 4 s. A "
      "method that holds here does not hold by friction.";
  ice.road.bank = 0.10, ice.road.mu = 0.05, ice.duration = 4, ice.driver.brake = table({{0, 0.6}});
  ice.least_slide = 0.5 * 9.80665 * (0.10 - 1.3 * 0.05) / std::hypot(1, 0.10) * 16;  // a tire may grip 1.3 mu, no more
  return out;
}

std::vector<LowSpeedExercise> driving_exercises() {
  std::vector<LowSpeedExercise> out(5);
  LowSpeedExercise& creep = out[0];
  creep.id = "creep", creep.label = "Creep at 0.3 m/s";
  creep.text = "A driver holds 0.3 m/s on the flat with throttle and brake, then stops.";
  creep.duration = 12, creep.driver.speed = table({{0, 0}, {1, 0}, {1.5, 0.3}, {6, 0.3}, {6.5, 0}});
  creep.drive_from = 1, creep.drive_to = 6.5, creep.stand_from = 9, creep.stand_to = 12;
  LowSpeedExercise& inch = out[1];
  inch.id = "inch", inch.label = "Inch 0.2 m up a grade of 12 %";
  inch.text =
      "Stand on the grade, go 0.2 m forward within 2 s, stand again. Where it is placed is mostly the driver's: it "
      "follows a speed, not a place. What the car loses afterwards is the tire's.";
  inch.road.grade = 0.12, inch.duration = 12, inch.driver.speed = table({{0, 0}, {3, 0}, {4, 0.2}, {5, 0}});
  inch.inch = 0.2, inch.drive_from = 3, inch.drive_to = 5, inch.stand_from = 8, inch.stand_to = 12;
  LowSpeedExercise& reverse = out[2];
  reverse.id = "reverse", reverse.label = "Reverse up and down a slope of 8 %";
  reverse.text =
      "The rear points uphill: back up at 1 m/s, stand, roll forward down, change to reverse without a stop, stand.";
  reverse.road.grade = -0.08, reverse.duration = 26;
  reverse.driver.speed =
      table({{0, 0}, {2, 0}, {3, -1}, {7, -1}, {8, 0}, {9, 0}, {10, 1}, {14, 1}, {16, -1}, {19, -1}, {20, 0}});
  reverse.drive_from = 2, reverse.drive_to = 20, reverse.stand_from = 23, reverse.stand_to = 26;
  LowSpeedExercise& lock = out[3];
  lock.id = "lock_to_lock", lock.label = "Steer from lock to lock at rest";
  lock.text =
      "Brake at 0.5, wheels to 0.5 rad left, right and back in 8 s. The car must stay where it is; a tire that is "
      "turned on the spot resists, so the steering motor has to work.";
  lock.duration = 15, lock.driver.brake = table({{0, 0.5}});
  lock.driver.steer = table({{0, 0}, {2, 0}, {4, 0.5}, {8, -0.5}, {10, 0}});
  lock.steer_from = 2, lock.steer_to = 10, lock.stand_from = 12, lock.stand_to = 15;
  LowSpeedExercise& arc = out[4];
  arc.id = "arc", arc.label = "Reverse along an arc";
  arc.text =
      "Wheels turned to 0.45 rad at rest, then 0.5 m/s in reverse. The circle of the rear axle is compared with "
      "wheelbase/tan(steer); 60 % Ackermann lets the front tires scrub a little, so a difference of some per cent is "
      "right.";
  arc.duration = 22, arc.driver.speed = table({{0, 0}, {2, 0}, {3, -0.5}, {15, -0.5}, {16, 0}});
  arc.driver.steer = table({{0, 0}, {1.5, 0.45}});
  arc.circle = true, arc.drive_from = 4, arc.drive_to = 15, arc.stand_from = 19, arc.stand_to = 22;
  return out;
}

}  // namespace

std::vector<LowSpeedExercise> low_speed_exercises(double hold) {
  std::vector<LowSpeedExercise> out = standing_exercises(hold);
  for (LowSpeedExercise& e : driving_exercises()) out.push_back(std::move(e));
  return out;
}

namespace {

CarRun start(const LowSpeedMethod& method, const LowSpeedExercise& exercise, const SolverSpec& solver) {
  Scenario scene;
  scene.road = exercise.road, scene.timing.duration = exercise.duration, scene.solver = solver;
  CarSpec car;
  car.id = method.id, car.vehicle = method.car, car.start.vx0 = exercise.vx0, car.driver = exercise.driver;
  return CarRun(scene, car);
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<long>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

LowSpeedExercise exercise_named(const std::string& id) {
  for (LowSpeedExercise& e : low_speed_exercises(60))
    if (e.id == id) return e;
  throw std::out_of_range(id);
}

}  // namespace

void measure_low_speed_cost(const std::vector<LowSpeedMethod>& methods, std::vector<LowSpeedCost>& cost) {
  const LowSpeedExercise exercise = exercise_named("creep");
  std::vector<CarRun> runs;
  std::vector<std::vector<double>> ns(methods.size());
  for (const LowSpeedMethod& m : methods) runs.push_back(start(m, exercise, {Integrator::rk4, kStep}));
  while (!runs[0].done())
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto from = std::chrono::steady_clock::now();
      long steps = 0;
      for (; steps < 100 && !runs[i].done(); ++steps)
        if (!runs[i].step()) return;  // NaN: no cost to tell
      ns[i].push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - from).count() /
                      static_cast<double>(steps));
    }
  std::size_t rolling = 0;
  while (methods[rolling].id != "rolling") ++rolling;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<double> ratio;
    for (std::size_t k = 0; k < ns[i].size(); ++k) ratio.push_back(ns[i][k] / ns[rolling][k]);
    cost[i].ns = median(ns[i]), cost[i].ratio = median(ratio);
  }
}

double low_speed_largest_step(const LowSpeedMethod& method, Integrator integrator) {
  LowSpeedExercise stop = exercise_named("stop");
  stop.driver.steer = table({{0, 0.1}});
  double largest = 0;
  for (const double dt : {5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2}) {
    LowSpeedRun run;
    try {
      run = run_low_speed(method, stop, integrator, dt);
    } catch (const BadInput&) {  // too long for this car
      break;
    }
    if (run.failed() || !(run.figures.speed < 1e-3)) break;
    largest = dt;
  }
  return largest;
}

LowSpeedRun run_low_speed(const LowSpeedMethod& method, const LowSpeedExercise& exercise, Integrator integrator,
                          double dt) {
  CarRun run = start(method, exercise, {integrator, dt});
  Watch watch(method, exercise, run);
  const RowClock every_step(1 / dt, dt);
  if (advance(run, every_step, {}, [&] { return watch.look(), true; })) return watch.result();
  LowSpeedRun out;
  out.failed_at = run.time();
  return out;
}

LowSpeedComparison compare_low_speed_methods(const Catalog& catalog, const LowSpeedOptions& options) {
  LowSpeedComparison out;
  out.methods = low_speed_methods(catalog), out.exercises = low_speed_exercises(options.hold);
  out.runs.resize(out.methods.size()), out.cost.resize(out.methods.size());
  const double parts = static_cast<double>(out.methods.size() * (out.exercises.size() + 1) + 1);
  double finished = 0;
  const auto progress = [&] {
    if (options.progress) options.progress(++finished / parts);
  };
  for (std::size_t i = 0; i < out.methods.size(); ++i) {
    for (const LowSpeedExercise& exercise : out.exercises) {
      out.runs[i].push_back(run_low_speed(out.methods[i], exercise, Integrator::rk4, kStep));
      progress();
    }
    if (options.largest_steps) {
      out.cost[i].largest_rk4 = low_speed_largest_step(out.methods[i], Integrator::rk4);
      out.cost[i].largest_euler = low_speed_largest_step(out.methods[i], Integrator::euler);
    }
    progress();
  }
  if (options.cost) measure_low_speed_cost(out.methods, out.cost);
  progress();
  return out;
}

const LowSpeedRun& LowSpeedComparison::run(const std::string& method, const std::string& exercise) const {
  for (std::size_t i = 0; i < methods.size(); ++i)
    for (std::size_t k = 0; k < exercises.size(); ++k)
      if (methods[i].id == method && exercises[k].id == exercise) return runs[i][k];
  throw std::out_of_range(method + ", " + exercise);
}

std::vector<std::string> LowSpeedComparison::broken(std::size_t method) const {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < exercises.size(); ++k) {
    const LowSpeedRun& run = runs[method][k];
    if (run.failed()) out.push_back(fmt::format("{}: diverged at {:.4g} s", exercises[k].id, run.failed_at));
    for (const LowSpeedMeasure& m : low_speed_measures())
      if (m.broken(run.figures))
        out.push_back(fmt::format("{}: {} {:.3g}{} > {:g}", exercises[k].id, m.name, run.figures.*m.value,
                                  unit_after(m.unit), m.limit));
  }
  return out;
}

bool LowSpeedComparison::lawful(std::size_t method, std::size_t exercise) const {
  const LowSpeedRun& run = runs[method][exercise];
  return !run.failed() && std::none_of(low_speed_measures().begin(), low_speed_measures().end(),
                                       [&](const LowSpeedMeasure& m) { return m.broken(run.figures); });
}

}  // namespace vdsim
