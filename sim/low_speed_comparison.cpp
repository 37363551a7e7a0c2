#include "sim/low_speed_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>

#include "sim/run.hpp"
#include "vdsim/vehicle/compile.hpp"

namespace vdsim {
namespace {

constexpr double kStep = 1e-3;
constexpr double kRows = 1500;

std::string unit_after(const LowSpeedMeasure& m) { return std::string(m.unit) == "-" ? "" : std::string(" ") + m.unit; }
std::string unit_brackets(const LowSpeedMeasure& m) {
  return std::string(m.unit) == "-" ? "" : std::string(" [") + m.unit + "]";
}

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

double turned_over(const EnergyBook& e) {
  double sum = e.kinetic0;
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
        storage_known_(!has_patches(method.car)) {}

  void look() {
    const double t = run_.time();
    const Sample s = run_.sample();
    if (t < exercise_.stand_from + half_step_) stood_ = s;
    if (t < exercise_.steer_from + half_step_) steered_ = s;
    if (t < exercise_.drive_from + half_step_) driven_ = last_ = s;
    if (within(t, exercise_.stand_from, exercise_.stand_to)) stand(s);
    if (within(t, exercise_.steer_from, exercise_.steer_to)) steer(s);
    if (within(t, exercise_.drive_from, exercise_.drive_to)) drive(s, t);
    book();
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
    const EnergyBook e = run_.simulation().energy();
    const double all = turned_over(e);
    f.book = all > 0 ? std::fabs(e.open()) / all : 0;
    f.created = all > 0 ? created_ / all : 0;
    return std::move(out_);
  }

 private:
  bool within(double t, double from, double to) const {
    return to > from && t > from - half_step_ && t < to + half_step_;
  }

  void stand(const Sample& s) {
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

  void steer(const Sample& s) {
    LowSpeedFigures& f = out_.figures;
    f.moved = std::fmax(f.moved, std::hypot(s.x - steered_.x, s.y - steered_.y));
    f.turned = std::fmax(f.turned, std::fabs(s.psi - steered_.psi));
    f.steer_work = run_.simulation().energy().steer;
  }

  void drive(const Sample& s, double t) {
    const double asked = table_at(exercise_.driver.speed, t), b = car_.chassis.cg_to_rear;
    if (asked * s.vx < 0 && std::fabs(asked) >= 0.05) wrong_ += std::fabs(s.vx) * (t - last_t_);
    error_.add((s.vx - asked) * (s.vx - asked));
    way_ += std::hypot(s.x - last_.x - b * (std::cos(s.psi) - std::cos(last_.psi)),
                       s.y - last_.y - b * (std::sin(s.psi) - std::sin(last_.psi)));
    heading_ = std::fabs(s.psi - driven_.psi);
  }

  // What contact and fallback took must never fall: what falls was created. The bristles inside a contact patch are not
  // in the book as stored, so of them only the weaker law is asked: never more back than was put in.
  void book() {
    const EnergyBook e = run_.simulation().energy();
    const double taken = (storage_known_ ? e.slip() : e.contact) - e.hold;
    if (storage_known_) taken_ = std::max(taken_, taken);
    created_ = std::max(created_, taken_ - taken);
  }

  void keep(const Sample& s, double t) {
    LowSpeedTrace& r = out_.trace;
    r.t.push_back(t), r.x.push_back(s.x), r.y.push_back(s.y), r.psi.push_back(s.psi), r.vx.push_back(s.vx);
    r.fx.push_back(s.wheel[0].fx);
  }

  const VehicleSpec& car_;
  const LowSpeedExercise& exercise_;
  const CarRun& run_;
  double half_step_;
  long every_;
  bool storage_known_;
  LowSpeedRun out_;
  Sample stood_{}, steered_{}, driven_{}, last_{};  // where it was at stand_from, steer_from, drive_from, a step ago
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
      {&F::book, "book", "-", "energy the book does not explain, of all that was turned over", 1e-3},
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
     "tire.default_pacejka",
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
    changes.vehicle = "vehicle.sedan_comfort", changes.tire = row.tire;
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
    const LowSpeedRun run = run_low_speed(method, stop, integrator, dt);
    if (run.failed() || !(run.figures.speed < 1e-3)) break;
    largest = dt;
  }
  return largest;
}

LowSpeedRun run_low_speed(const LowSpeedMethod& method, const LowSpeedExercise& exercise, Integrator integrator,
                          double dt) {
  CarRun run = start(method, exercise, {integrator, dt});
  Watch watch(method, exercise, run);
  watch.look();
  while (!run.done()) {
    if (!run.step()) {
      LowSpeedRun out;
      out.failed_at = run.time();
      return out;
    }
    watch.look();
  }
  return watch.result();
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
    if (run.failed()) out.push_back(fmt::format("{}: the numbers failed at {:.4g} s", exercises[k].id, run.failed_at));
    for (const LowSpeedMeasure& m : low_speed_measures())
      if (m.broken(run.figures))
        out.push_back(fmt::format("{}: {} {:.3g}{} > {:g}", exercises[k].id, m.name, run.figures.*m.value,
                                  unit_after(m), m.limit));
  }
  return out;
}

bool LowSpeedComparison::lawful(std::size_t method, std::size_t exercise) const {
  const LowSpeedRun& run = runs[method][exercise];
  return !run.failed() && std::none_of(low_speed_measures().begin(), low_speed_measures().end(),
                                       [&](const LowSpeedMeasure& m) { return m.broken(run.figures); });
}

namespace {

std::string shown(double x) {
  if (std::isnan(x)) return "-";
  return x == 0                                       ? "0"
         : std::fabs(x) < 1e-2 || std::fabs(x) >= 1e5 ? fmt::format("{:.1e}", x)
                                                      : fmt::format("{:.3g}", x);
}

std::string milliseconds(double s) { return std::isnan(s) ? "-" : s == 0 ? "none" : fmt::format("{:g} ms", 1e3 * s); }

bool asked(const LowSpeedComparison& c, std::size_t exercise, const LowSpeedMeasure& m) {
  return std::any_of(c.runs.begin(), c.runs.end(),
                     [&](const auto& runs) { return !std::isnan(runs[exercise].figures.*m.value); });
}

// Head and one row per method: what the exercise asks for, the drift per hour only; `mark` follows a broken law.
std::vector<std::vector<std::string>> figure_rows(const LowSpeedComparison& c, std::size_t exercise, const char* mark) {
  std::vector<std::vector<std::string>> rows(c.methods.size() + 1);
  rows[0] = {"method"};
  for (std::size_t i = 0; i < c.methods.size(); ++i) rows[i + 1] = {c.methods[i].label};
  for (const LowSpeedMeasure& m : low_speed_measures()) {
    if (!asked(c, exercise, m) || m.value == &LowSpeedFigures::drift) continue;
    std::string head = m.name;
    std::replace(head.begin(), head.end(), '_', ' ');
    rows[0].push_back(head + unit_brackets(m));
    for (std::size_t i = 0; i < c.methods.size(); ++i) {
      const LowSpeedFigures& f = c.runs[i][exercise].figures;
      rows[i + 1].push_back(shown(f.*m.value) + (m.broken(f) ? mark : ""));
    }
  }
  return rows;
}

double worst(const std::vector<LowSpeedRun>& runs, double LowSpeedFigures::*value) {
  double out = LowSpeedFigures::kNone;
  for (const LowSpeedRun& run : runs) out = std::fmax(out, run.figures.*value);
  return out;
}

std::vector<std::vector<std::string>> summary_rows(const LowSpeedComparison& c) {
  std::vector<std::vector<std::string>> rows = {{"method", "12 % grade [m/h]", "side slope [m/h]", "after a stop [m/s]",
                                                 "flips", "slides on ice", "energy created", "steer work [J]",
                                                 "laws broken"}};
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    const auto figures = [&](const char* id) -> const LowSpeedFigures& { return c.run(c.methods[i].id, id).figures; };
    double after_stop = LowSpeedFigures::kNone;
    for (const char* id : {"stop", "creep", "arc"}) after_stop = std::fmax(after_stop, figures(id).speed);
    rows.push_back({c.methods[i].label, shown(figures("grade").drift_per_hour),
                    shown(figures("side_slope").drift_per_hour), shown(after_stop),
                    shown(worst(c.runs[i], &LowSpeedFigures::sign_changes)), figures("ice").stuck > 0 ? "no" : "yes",
                    shown(worst(c.runs[i], &LowSpeedFigures::created)), shown(figures("lock_to_lock").steer_work),
                    std::to_string(c.broken(i).size())});
  }
  return rows;
}

std::vector<std::vector<std::string>> cost_rows(const LowSpeedComparison& c) {
  std::vector<std::vector<std::string>> rows = {
      {"method", "time of a step", "per step", "largest step, RK4", "largest step, Euler"}};
  for (std::size_t i = 0; i < c.methods.size(); ++i)
    rows.push_back({c.methods[i].label,
                    std::isnan(c.cost[i].ratio) ? "-" : fmt::format("{:.2f} x rolling", c.cost[i].ratio),
                    std::isnan(c.cost[i].ns) ? "-" : fmt::format("{:.1f} us", 1e-3 * c.cost[i].ns),
                    milliseconds(c.cost[i].largest_rk4), milliseconds(c.cost[i].largest_euler)});
  return rows;
}

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  std::string out;
  for (const auto& row : rows) {
    out += fmt::format("  {:<{}}", row[0], width[0]);
    for (std::size_t k = 1; k < row.size(); ++k) out += fmt::format("  {:>{}}", row[k], width[k]);
    out += "\n";
  }
  return out;
}

}  // namespace

std::string low_speed_table(const LowSpeedComparison& c) {
  std::string out = "Low speed: one sedan (L2, RK4, 1 ms), " + std::to_string(c.methods.size()) +
                    " methods, the same exercises. '!' breaks a law.\n";
  for (std::size_t k = 0; k < c.exercises.size(); ++k)
    out += "\n" + c.exercises[k].id + ": " + c.exercises[k].label + "\n" + text_table(figure_rows(c, k, "!"));
  out += "\nsummary\n" + text_table(summary_rows(c)) + "\ncost\n" + text_table(cost_rows(c));
  return out;
}

std::string low_speed_json(const LowSpeedComparison& c, const std::vector<std::string>& files) {
  using json = nlohmann::ordered_json;
  const auto number = [](double x) { return std::isfinite(x) ? json(x) : json(nullptr); };
  json out = {{"kind", "low_speed_comparison"}, {"vdsim", version_text()}, {"git", git_text()}};
  for (const LowSpeedMeasure& m : low_speed_measures())
    out["measures"].push_back({{"name", m.name}, {"unit", m.unit}, {"meaning", m.meaning}, {"limit", number(m.limit)}});
  for (const LowSpeedExercise& e : c.exercises)
    out["exercises"].push_back({{"id", e.id}, {"label", e.label}, {"duration", e.duration}});
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    json method = {{"id", c.methods[i].id}, {"label", c.methods[i].label}, {"broken", c.broken(i)}};
    const LowSpeedCost& cost = c.cost[i];
    method["cost"] = {{"ns_per_step", number(cost.ns)},
                      {"ratio", number(cost.ratio)},
                      {"largest_rk4", number(cost.largest_rk4)},
                      {"largest_euler", number(cost.largest_euler)}};
    for (std::size_t k = 0; k < c.exercises.size(); ++k) {
      const LowSpeedRun& run = c.runs[i][k];
      json figures;
      for (const LowSpeedMeasure& m : low_speed_measures()) figures[m.name] = number(run.figures.*m.value);
      method["exercises"][c.exercises[k].id] = {
          {"lawful", c.lawful(i, k)}, {"failed_at", number(run.failed_at)}, {"figures", figures}};
    }
    out["methods"].push_back(method);
  }
  out["files"] = files;
  return out.dump(2) + "\n";
}

namespace {

// One line per method over time; `y` makes a row's value from the trace and its index.
template <class F>
Panel over_time(const LowSpeedComparison& c, std::size_t exercise, const char* title, const char* y_label, F&& y) {
  Panel p;
  p.title = title, p.x_label = "time [s]", p.y_label = y_label;
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    const LowSpeedTrace& r = c.runs[i][exercise].trace;
    Series s;
    s.name = c.methods[i].label, s.color = static_cast<int>(i), s.x = r.t;
    for (std::size_t k = 0; k < r.t.size(); ++k) s.y.push_back(y(r, k));
    p.series.push_back(std::move(s));
  }
  return p;
}

double log_of(double x) { return std::log10(std::max(x, 1e-18)); }

Panel speed_panel(const LowSpeedComparison& c, std::size_t k) {
  Panel p = over_time(c, k, "Speed", "vx [m/s]", [](const LowSpeedTrace& r, std::size_t j) { return r.vx[j]; });
  Series asked;
  asked.name = "asked", asked.stroke = Stroke::dashed, asked.color = kPaletteSize - 1;
  for (const Table::Point& point : c.exercises[k].driver.speed.points)
    asked.x.push_back(point.t), asked.y.push_back(point.value);
  if (!asked.x.empty()) p.series.push_back(asked);
  return p;
}

// Way of the rear axle, and the circle of wheels that do not slip.
Panel arc_panel(const LowSpeedComparison& c, std::size_t exercise) {
  Panel p;
  p.title = "Way of the rear axle", p.x_label = "x [m]", p.y_label = "y [m]", p.equal_aspect = true;
  const ChassisSpec& chassis = c.methods[0].car.chassis;
  const double b = chassis.cg_to_rear, R = chassis.wheelbase / std::tan(0.45);
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    const LowSpeedTrace& r = c.runs[i][exercise].trace;
    Series s;
    s.name = c.methods[i].label, s.color = static_cast<int>(i);
    for (std::size_t k = 0; k < r.t.size(); ++k)
      s.x.push_back(r.x[k] - b * std::cos(r.psi[k])), s.y.push_back(r.y[k] - b * std::sin(r.psi[k]));
    p.series.push_back(std::move(s));
  }
  Series circle;
  circle.name = "no slip", circle.stroke = Stroke::dashed, circle.color = kPaletteSize - 1;
  for (int k = 0; k <= 90; ++k) {
    const double turn = -k * std::numbers::pi / 180;  // reverse with left lock turns the nose to the right
    circle.x.push_back(-b + R * std::sin(turn)), circle.y.push_back(R - R * std::cos(turn));
  }
  p.series.push_back(std::move(circle));
  return p;
}

Figure exercise_figure(const LowSpeedComparison& c, std::size_t k) {
  using Trace = LowSpeedTrace;
  const std::string& id = c.exercises[k].id;
  const auto moved = [&] {
    return over_time(c, k, "Distance from where it stood (flat line: rounding)", "log10 of the distance [m]",
                     [](const Trace& r, std::size_t j) { return log_of(r.moved[j]); });
  };
  Figure f;
  f.shared_legend = true;
  if (id == "stop") {
    Panel near = speed_panel(c, k);
    near.title = "Speed around the stop", near.x_min = 1.2, near.x_max = 5, near.y_min = -0.03, near.y_max = 0.06;
    Panel force = over_time(c, k, "Longitudinal force, front left", "Fx [N]",
                            [](const Trace& r, std::size_t j) { return r.fx[j]; });
    force.x_min = 1.2, force.x_max = 5;
    f.panels = {near, force,
                over_time(c, k, "Speed, every decade", "log10 of |vx| [m/s]",
                          [](const Trace& r, std::size_t j) { return log_of(std::fabs(r.vx[j])); })};
  } else if (id == "grade" || id == "side_slope") {
    Panel linear = over_time(c, k, "Distance from where it stood", "[mm]",
                             [](const Trace& r, std::size_t j) { return 1e3 * r.moved[j]; });
    Panel decades = moved();
    linear.x_min = decades.x_min = c.exercises[k].stand_from;
    f.panels = {linear, decades};
  } else if (id == "ice") {
    f.panels = {over_time(c, k, "Way across the slope", "y [m]", [](const Trace& r, std::size_t j) { return r.y[j]; })};
  } else if (id == "inch") {
    f.panels = {speed_panel(c, k), over_time(c, k, "Way up the grade", "x [mm]",
                                             [](const Trace& r, std::size_t j) { return 1e3 * (r.x[j] - r.x[0]); })};
  } else if (id == "lock_to_lock") {
    f.panels = {over_time(c, k, "Heading", "[mrad]", [](const Trace& r, std::size_t j) { return 1e3 * r.psi[j]; }),
                over_time(c, k, "Longitudinal force, front left", "Fx [N]",
                          [](const Trace& r, std::size_t j) { return r.fx[j]; })};
  } else if (id == "arc") {
    f.panels = {arc_panel(c, k), moved()};
  } else {
    f.panels = {speed_panel(c, k), moved()};
  }
  return f;
}

ReportBlock summary_block(const LowSpeedComparison& c) {
  ReportBlock b;
  b.heading = "In one table";
  b.text =
      "The same sedan does the same exercises at walking pace and at rest. Only what carries its tires near standstill "
      "differs. Algebraic tires divide by the speed; near zero they must be replaced by a damper or by geometry, and "
      "both fail somewhere. Friction at rest needs a memory of where the contact stands. The rolling law, the default "
      "of VDSim, has one and obeys every law below.\n\nA row passes if no law is broken in any exercise. Cost is the "
      "time of a step against the rolling law, measured in turns on one machine. The largest step is that of a clean "
      "stop in a curve.";
  ReportTable t;
  t.caption = "Drift as if it went on for an hour; zero is zero in double precision";
  t.rows = summary_rows(c);
  for (std::size_t i = 0; i < c.methods.size(); ++i) t.marks.push_back(c.broken(i).empty());
  b.tables = {t, {"What it costs; steps tried: 0.5, 1, 2, 5, 10, 20 ms", cost_rows(c), {}}};
  return b;
}

// Broken laws of one method, short: "grade (drift_per_hour, speed); ice (stuck)".
std::string broken_text(const LowSpeedComparison& c, std::size_t method) {
  std::string out;
  for (std::size_t k = 0; k < c.exercises.size(); ++k) {
    std::string names;
    const LowSpeedRun& run = c.runs[method][k];
    if (run.failed()) names = "numbers failed";
    for (const LowSpeedMeasure& m : low_speed_measures())
      if (m.broken(run.figures)) names += (names.empty() ? "" : ", ") + std::string(m.name);
    if (!names.empty()) out += (out.empty() ? "" : "; ") + c.exercises[k].id + " (" + names + ")";
  }
  return out.empty() ? "none" : out;
}

ReportBlock methods_block(const LowSpeedComparison& c) {
  ReportBlock b;
  b.heading = "What each method does";
  ReportTable t;
  t.rows = {{"method", "idea", "what comes of it", "laws it breaks"}};
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    t.rows.push_back({c.methods[i].label, c.methods[i].idea, c.methods[i].fate, broken_text(c, i)});
    t.marks.push_back(c.broken(i).empty());
  }
  b.tables = {t};
  return b;
}

ReportBlock laws_block() {
  ReportBlock b;
  b.heading = "Measures and laws";
  b.text =
      "RK4 at 1 ms, level L2. Created energy: what contact and fallback took must never fall. The energy in the "
      "bristles of the contact patch is not in the book; of that tire only the weaker law is asked, never more back "
      "than was put in.";
  b.folded = true;
  ReportTable t;
  t.rows = {{"measure", "unit", "meaning", "law"}};
  for (const LowSpeedMeasure& m : low_speed_measures())
    t.rows.push_back({m.name, m.unit, m.meaning, std::isnan(m.limit) ? "" : fmt::format("<= {:g}", m.limit)});
  b.tables = {t};
  return b;
}

}  // namespace

std::vector<ReportBlock> low_speed_report(const LowSpeedComparison& c) {
  std::vector<ReportBlock> out = {summary_block(c), methods_block(c)};
  for (std::size_t k = 0; k < c.exercises.size(); ++k) {
    ReportBlock b;
    b.heading = c.exercises[k].label, b.text = c.exercises[k].text;
    ReportTable t;
    t.rows = figure_rows(c, k, "");
    for (const LowSpeedMeasure& m : low_speed_measures())
      if (asked(c, k, m) && !std::isnan(m.limit))
        t.caption += fmt::format("{}{} <= {:g}{}", t.caption.empty() ? "Laws: " : ", ", m.name, m.limit, unit_after(m));
    for (std::size_t i = 0; i < c.methods.size(); ++i) t.marks.push_back(c.lawful(i, k));
    b.tables = {t};
    b.figures = {exercise_figure(c, k)};
    out.push_back(std::move(b));
  }
  out.push_back(laws_block());
  return out;
}

}  // namespace vdsim
