// SPDX-License-Identifier: Apache-2.0
// Which cars read which field, as the tables say (.read_by), against what happens: every field of every car here is changed a
// little, and the car driven the same short way. Who is said not to read it must keep every bit of every signal; and of every
// law, level and mode that is said to read it some car must change.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "vdsim/engine/car.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/readers.hpp"
#include "vdsim/engine/validate.hpp"
#include "vdsim/formats/tir.hpp"

using namespace vdsim;

namespace {

// Turns under power, brakes to a stop, steers where it stands, starts again with spinning wheels.
Commands way(double t) {
  Commands c;
  c.steer = t < 0.2 ? 0.35 : t < 0.42 ? -0.45 : 0.3;
  c.throttle = t < 0.1 ? 0.2 : t >= 0.46 ? 1 : 0;
  c.handbrake = t >= 0.1 && t < 0.14 ? 0.3 : 0;
  c.brake = t >= 0.14 && t < 0.44 ? 1 : 0;
  return c;
}

// Faster, for what needs speed: accelerates through gears, brakes in a turn, starts again, and at the end backwards.
Commands fast_way(double t) {
  Commands c;
  c.steer = t < 0.25 ? 0.02 : 0.25;
  c.throttle = t < 0.25 || (t >= 0.85 && t < 1.2) ? 1 : t >= 1.4 ? 0.5 : 0;
  c.brake = t >= 0.25 && t < 0.8 ? (t < 0.5 ? 0.5 : 1) : t >= 1.2 && t < 1.4 ? 1 : 0;
  c.gear = t >= 1.4 ? -1 : 1;
  return c;
}

// A stop from 9 m/s, for what acts while the wheels would lock and until they stand.
Commands stop_way(double t) {
  Commands c;
  c.steer = t < 1 ? 0.02 : 0.1;
  c.brake = t < 0.1 ? 0 : 1;
  return c;
}

enum class Way { slow, fast, stop };

// A value that was changed may make the step too long, which the car says.
bool steps(Car& car, const Commands& now, double dt) {
  try {
    return car.step(now, dt);
  } catch (const BadInput&) {
    return false;
  }
}

std::uint64_t drive(const VehicleSpec& vehicle, Level level, Way on) {
  RoadSpec road;
  road.mu = 0.9, road.grade = 0.02, road.bank = 0.06;
  if (on == Way::slow) road.wind.speed = 5;  // for the air on the chassis
  Car car(vehicle, road, level, Integrator::rk4, {0, 0, 0, on == Way::slow ? 2.5 : 9, 0});
  SignalScope all = signal_scope(vehicle, RoadSpec{}, level);
  all.everything = true;
  std::vector<double> values;
  std::uint64_t hash = kHashStart;
  const double dt = on == Way::slow ? 2e-3 : 4e-3;
  for (int k = 0; k < (on == Way::slow ? 300 : 400); ++k) {
    const Commands now = on == Way::slow ? way(k * dt) : on == Way::fast ? fast_way(k * dt) : stop_way(k * dt);
    if (k % 10 == 0) {
      values.clear();
      signal_values(all, car.outputs(now), values);
      hash = fnv1a({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}, hash);
    }
    if (!steps(car, now, dt)) return fnv1a("stopped", hash);
  }
  return hash;
}

struct Subject {
  std::string name;
  Level level;
  VehicleSpec vehicle;
  Way way = Way::slow;
};

// One block of the vehicle, by a function, so that a copy of the vehicle can be changed.
using Block = std::vector<FieldRef> (*)(VehicleSpec&);

struct Named {
  std::string path;
  FieldRef field;
  Readers readers;
};
void list_fields(const std::vector<FieldRef>& fields, const std::string& prefix, const Readers& block,
                 std::vector<Named>& out) {
  for (const FieldRef& field : fields) {
    const Readers readers = within(block, field);
    if (field.kind == FieldRef::Kind::block)
      list_fields(field.block(), prefix + field.name + ".", readers, out);
    else
      out.push_back({prefix + field.name, field, readers});
  }
}
std::vector<Named> fields_in(Block block, VehicleSpec& vehicle) {
  std::vector<Named> out;
  list_fields(block(vehicle), "", {}, out);
  return out;
}

// The try-th other value of a field; false if there is none.
bool other_value(const FieldRef& field, int attempt) {
  using Kind = FieldRef::Kind;
  static constexpr double factor[] = {1.02, 0.98, 1.3, 0.7, 1, 1}, shift[] = {0, 0, 0, 0, 0.01, 1};
  if (field.kind == Kind::flag) return field.flag() = !field.flag(), attempt == 0;
  if (field.kind == Kind::choice) {
    const int n = static_cast<int>(field.names.size()), next = (field.get_choice(field.data) + attempt + 1) % n;
    return field.set_choice(field.data, next), attempt + 1 < n;
  }
  if (attempt >= 6 || field.kind == Kind::text) return false;
  if (field.kind == Kind::integer) return field.integer() += attempt % 2 ? -1 - attempt / 2 : 1 + attempt / 2, true;
  const auto change = [&](double& x) { x = x * factor[attempt] + shift[attempt]; };
  if (field.kind == Kind::number) change(field.number());
  for (int i = 0; field.kind == Kind::list && i < field.length(); ++i) change(field.list()[i]);
  return true;
}

void mirror_tires(VehicleSpec& v) { v.tire_fr = v.tire_rl = v.tire_rr = v.tire_fl; }

// Changes the n-th field to something that is valid and differs, the attempt-th such value or a later one; which one, -1 and
// nothing changed if there is none.
int change(VehicleSpec& vehicle, Level level, Block block, std::size_t n, int attempt = 0) {
  for (;; ++attempt) {
    VehicleSpec v = vehicle;
    const FieldRef field = fields_in(block, v)[n].field;
    const std::uint64_t before = hash_values({field}, kHashStart);
    if (!other_value(field, attempt)) return -1;
    mirror_tires(v);
    if (hash_values({field}, kHashStart) == before || !validate(v, level).empty()) continue;
    vehicle = v;
    return attempt;
  }
}

// Choices that some car below must show, whatever its other choices are.
template <class... E> constexpr ReaderBits values_of() {
  ReaderBits out = 0;
  const auto add = [&]<class C>(C) {
    for (int i = 0; i < kChoiceCount<C>; ++i) out |= reader_bit<C>(static_cast<C>(i));
  };
  (add(E{}), ...);
  return out;
}
constexpr ReaderBits kLaws = values_of<Level, TireBackend, ContactLaw, RallyMode, PatchFidelity, PatchLoad,
                                       Differential, DriveType, PowertrainType>();

// Of every field, and every choice of the cars that read it: whether some car showed it.
using Shown = std::map<std::pair<std::string, ReaderBits>, bool>;

class Trial {
 public:
  Trial(const Subject& subject, Block block) : subject_(subject), block_(block), vehicle_(subject.vehicle) {
    car_ = chosen(subject.level) & chosen(vehicle_.tire_fl) & chosen(vehicle_);
    plain_ = drive(vehicle_, subject.level, subject.way);
    fields_ = fields_in(block, vehicle_);
  }
  // Fields that nothing is said to read: all changed at once, and one by one only if that has an effect.
  void unread() const {
    VehicleSpec all = subject_.vehicle;
    for (std::size_t n = 0; n < fields_.size(); ++n)
      if (!reads(fields_[n].readers, car_)) change(all, subject_.level, block_, n);
    if (drive(all, subject_.level, subject_.way) == plain_) return;
    for (std::size_t n = 0; n < fields_.size(); ++n)
      EXPECT_TRUE(reads(fields_[n].readers, car_) || !acts(n).value_or(false))
          << fields_[n].path << ": the table says it has no effect " << why_unread(fields_[n].readers, car_)
          << ", but it has";
    ADD_FAILURE() << "fields that nothing reads have an effect";
  }
  // The others: once for every value of a choice that this car has and no car before it showed, and for every alternative.
  void read(Shown& shown) const {
    for (std::size_t n = 0; n < fields_.size(); ++n) {
      const Readers& readers = fields_[n].readers;
      if (!reads(readers, car_)) continue;
      std::vector<bool*> news;
      const auto note = [&](ReaderBits what) {
        bool& known = shown[{fields_[n].path, what}];
        if (!known) news.push_back(&known);
      };
      for (const ReaderBits one : readers.any)
        if (one && reads({{one}}, car_)) note(one);
      for (ReaderBits bit = 1; bit; bit <<= 1)
        if (car_ & kLaws & bit) note(bit);
      if (!news.empty() && acts(n).value_or(true))
        for (bool* known : news) *known = true;
    }
  }

 private:
  // Some other value has an effect (a threshold may need a large one); nothing: no other value is valid.
  std::optional<bool> acts(std::size_t n) const {
    for (int attempt = 0;; ++attempt) {
      VehicleSpec other = subject_.vehicle;
      const int now = change(other, subject_.level, block_, n, attempt);
      if (now < 0) return attempt == 0 ? std::nullopt : std::optional(false);
      attempt = now;
      if (drive(other, subject_.level, subject_.way) != plain_) return true;
    }
  }

  const Subject& subject_;
  Block block_;
  VehicleSpec vehicle_;
  ReaderBits car_;
  std::uint64_t plain_;
  std::vector<Named> fields_;
};

// `apart`: fields that act on no signal, or only together with others.
void check(const std::vector<Subject>& subjects, Block block, const std::set<std::string>& apart = {}) {
  Shown shown;
  for (const Subject& subject : subjects) {
    SCOPED_TRACE(subject.name);
    const Trial trial(subject, block);
    trial.unread();
    trial.read(shown);
  }
  for (const auto& [alternative, acted] : shown)
    EXPECT_TRUE(acted || apart.count(alternative.first))
        << alternative.first << ": the table says it is read with " << readers_text({{alternative.second}})
        << ", but no such car shows it";
}

// A car in which every number counts.
VehicleSpec busy_car() {
  VehicleSpec v;
  ChassisSpec& c = v.chassis;
  c.aero_lift_front = 0.1, c.aero_lift_rear = 0.2;
  c.arb_front = 9000, c.arb_rear = 6000, c.roll_center_front = 0.05, c.roll_center_rear = 0.08;
  c.anti_dive_front = 0.2, c.anti_squat_rear = 0.2, c.camber_per_roll = 0.6, c.camber_per_travel = -0.4;
  c.damper_rebound_ratio = 1.5, c.bump_travel = c.droop_travel = 0.002;
  v.steering.ackerman_percent = 60;
  v.brake.brake_bias_front = 0.62;
  v.drivetrain.max_motor_torque = 900;
  return v;
}

std::vector<Subject> on_levels(const std::string& name, const VehicleSpec& v, Way way = Way::slow) {
  std::vector<Subject> out;
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5})
    out.push_back({name + " " + enum_name(level), level, v, way});
  return out;
}
void add(std::vector<Subject>& all, const std::vector<Subject>& more) {
  all.insert(all.end(), more.begin(), more.end());
}
VehicleSpec with_tire(VehicleSpec v, const TireSpec& t) {
  v.tire_fl = t;
  mirror_tires(v);
  return v;
}

std::vector<FieldRef> tire_block(VehicleSpec& v) { return tire_fields(v.tire_fl); }

const TirSpec& tir_file() {
  static const TirSpec spec = [] {
    Errors errors;
    Warnings warnings;
    return read_tir_file(VDSIM_SOURCE_DIR "/configs/tir/book_205_60R15.tir", errors, warnings).value();
  }();
  return spec;
}

TireSpec pacejka(TireBackend backend, ContactLaw law) {
  TireSpec t;
  t.backend = backend;
  if (backend == TireBackend::magic_formula) t.tir_path = "book.tir", t.tir = tir_file();
  if (backend == TireBackend::linear && law == ContactLaw::rolling) t.B_long = 0.35;  // slips beyond kappa_cap count
  t.lugre.enabled = law != ContactLaw::algebraic;
  t.lugre.law = law == ContactLaw::breakaway ? LugreLaw::breakaway : LugreLaw::rolling;
  t.load_sensitivity = 0.15, t.rolling_resistance = 0.015, t.camber_stiffness = 0.8, t.crown_radius = 0.1;
  t.relaxation_length_lat = 0.4, t.relaxation_length_long = 0.15;
  return t;
}

TEST(Readers, PacejkaTires) {
  std::vector<Subject> all;
  for (const TireBackend backend : {TireBackend::mf96, TireBackend::linear, TireBackend::magic_formula})
    for (const ContactLaw law : {ContactLaw::algebraic, ContactLaw::rolling, ContactLaw::breakaway}) {
      const std::string name = enum_name(backend) + " " +
                               (law == ContactLaw::algebraic ? "off"
                                : law == ContactLaw::rolling ? "rolling"
                                                             : "breakaway");
      TireSpec t = pacejka(backend, law);
      t.combined = law == ContactLaw::rolling ? Combined::automatic : Combined::ellipse;
      add(all, on_levels(name, with_tire(busy_car(), t)));
      t.belt.enabled = true, t.combined = Combined::similarity, t.low_speed_mode = LowSpeedMode::tire_vlow;
      t.lugre.sigma1 = 3000, t.lugre.rolling.c_psi = 0;
      t.radius = 0.31, t.reff_breff = 8, t.reff_dreff = 0.25, t.reff_freff = 0.01;
      add(all, on_levels(name + " second", with_tire(busy_car(), t)));
      if (law == ContactLaw::rolling) continue;
      TireSpec bare = pacejka(backend, law);
      bare.relaxation_length_lat = bare.relaxation_length_long = 0, bare.low_speed_mode = LowSpeedMode::none;
      all.push_back({name + " bare", Level::L2, with_tire(busy_car(), bare)});
      t.combined = Combined::none, t.low_speed_mode = LowSpeedMode::none;
      all.push_back({name + " third", Level::L2, with_tire(busy_car(), t)});
    }
  check(all, tire_block, {"tir_path"});
}

TEST(Readers, RallyTires) {
  std::vector<Subject> all;
  for (const RallyMode mode : {RallyMode::Auto, RallyMode::BrushOnly, RallyMode::PacejkaOnly}) {
    TireSpec t;
    t.schema = TireSchema::rally_v1;
    RallySpec& r = t.rally;
    r.mode = mode;
    r.magic_formula.high_slip_force_retention = 0.95;
    r.wheel.hub_width = 0.22, r.wheel.wheel_offset = 0.03, r.surface.deformation = 0.3, r.surface.friction = 0.8;
    add(all, on_levels(enum_name(mode), with_tire(busy_car(), t)));
    VehicleSpec heavy = with_tire(busy_car(), t);
    heavy.chassis.wheel_inertia = 1.2;
    all.push_back({enum_name(mode) + " wheel inertia", Level::L2, heavy});
    r.wheel.wheel_inertia = 1.1, r.wheel.tire_pressure = 6e4, r.surface.water_depth = 0.05,
    r.magic_formula.high_slip_force_retention = 0;
    r.friction.combined_slip_coupling = 0, r.friction.beamng_no_load_friction_coefficient = 1.6;
    r.friction.beamng_full_load_friction_coefficient = 0.5, r.friction.beamng_load_sensitivity_slope = 1e-4;
    add(all, on_levels(enum_name(mode) + " second", with_tire(busy_car(), t)));
  }
  check(all, tire_block);
}

TEST(Readers, PatchTires) {
  std::vector<Subject> all;
  for (const PatchFidelity fidelity : {PatchFidelity::average, PatchFidelity::exact, PatchFidelity::distributed})
    for (const PatchLoad load : {PatchLoad::uniform, PatchLoad::trapezoidal, PatchLoad::cubic}) {
      TireSpec t;
      t.schema = TireSchema::lugre_patch_v1;
      t.patch.fidelity = fidelity, t.patch.load = load, t.patch.kappa = 1.2, t.patch.elements = 8;
      all.push_back({enum_name(fidelity) + " " + enum_name(load), load == PatchLoad::cubic ? Level::L3 : Level::L1,
                     with_tire(busy_car(), t)});
    }
  check(all, tire_block);
}

// Everything else, with a tire that leaves radius and inertia to the chassis, and one that does not.
TEST(Readers, Chassis) {
  std::vector<Subject> all = on_levels("mf96", with_tire(busy_car(), pacejka(TireBackend::mf96, ContactLaw::rolling)));
  VehicleSpec v = all[0].vehicle;
  v.chassis.wheel_inertia = 1.2;
  add(all, on_levels("wheel inertia", v));
  TireSpec own;
  own.schema = TireSchema::rally_v1;
  own.rally.wheel.wheel_inertia = 1.1;
  add(all, on_levels("rally", with_tire(busy_car(), own)));
  const auto block = [](VehicleSpec& s) { return fields_of(s.chassis); };
  // the sizes of the body are for cones and pictures; lengths change together or not at all
  check(all, block, {"width", "length", "front_overhang", "wheelbase", "cg_to_front", "cg_to_rear"});
}

TEST(Readers, SteeringAndBrakes) {
  std::vector<Subject> all = on_levels("plain", busy_car());
  VehicleSpec v = busy_car();
  v.steering.rack.steering_dynamic = true;
  v.steering.rack.column_friction.sigma2 = 100;
  add(all, on_levels("rack", v));
  check(all, [](VehicleSpec& s) { return fields_of(s.steering); });
  check(all, [](VehicleSpec& s) { return fields_of(s.brake); });
}

TEST(Readers, Drivetrain) {
  std::vector<Subject> all;
  for (const Differential differential : {Differential::Open, Differential::Locked, Differential::LSD})
    for (const DriveType type : {DriveType::RWD, DriveType::FWD, DriveType::AWD}) {
      VehicleSpec v = busy_car();
      v.drivetrain.differential = differential, v.drivetrain.drive_type = type;
      v.drivetrain.lsd_preload = 0.001, v.drivetrain.lsd_ramp = 0.02;
      add(all, on_levels(enum_name(differential) + " " + enum_name(type), v));
    }
  VehicleSpec v = busy_car();
  v.powertrain.enabled = true;
  v.drivetrain.differential = Differential::LSD, v.drivetrain.lsd_preload = 0.001, v.drivetrain.lsd_ramp = 0.02;
  add(all, on_levels("engine", v));
  v.powertrain.type = PowertrainType::motor;
  add(all, on_levels("motor", v));
  check(all, [](VehicleSpec& s) { return fields_of(s.drivetrain); });
}

TEST(Readers, Powertrain) {
  std::vector<Subject> all = on_levels("plain", busy_car());
  VehicleSpec v = busy_car();
  PowertrainSpec& p = v.powertrain;
  p.enabled = true, p.gearbox.shift_time = 0.02;
  p.shift.upshift_rpm = 3000, p.shift.downshift_rpm = 1500;
  add(all, on_levels("engine", v, Way::fast));
  p.shift.mode = ShiftMode::manual, p.engine.redline_rpm = 3000, p.engine.idle_torque = 1;
  add(all, on_levels("manual", v, Way::fast));
  p.type = PowertrainType::motor;
  p.motor.regen = 0.3, p.motor.max_rpm = 3000, p.motor.max_power = 3e4;
  add(all, on_levels("motor", v, Way::fast));
  check(all, [](VehicleSpec& s) { return fields_of(s.powertrain); });
}

TEST(Readers, Control) {
  std::vector<Subject> all = on_levels("none", busy_car());
  for (int i = 0; i < 8; ++i) {  // each alone, then some, then all
    VehicleSpec v = busy_car();
    ControlSpec& c = v.control;
    v.drivetrain.max_motor_torque = 500;
    c.hydraulics.enabled = i == 0 || i == 7, c.abs.enabled = i == 1 || i > 5, c.ebd.enabled = i == 2 || i == 7;
    c.tc.enabled = i == 3 || i == 7, c.esc.enabled = i == 4 || i > 5, c.vectoring.enabled = i == 5 || i == 7;
    c.abs.min_speed = i == 7 ? 5 : 3, c.reference.min_speed = 4, c.esc.understeer = 0.01, c.reference.max_lateral = 3,
    c.reference.lateral_margin = 0.5;
    c.vectoring.front_share = 0.3, c.vectoring.max_torque = i == 7 ? 60 : 500;
    c.esc.slip_allowed = 0.004, c.esc.slip_per_lateral = 0.001, c.esc.slip_lead = 0.05,
    c.esc.brake_slip = i == 6 ? 0.05 : 0;
    c.tc.max_brake = i == 7 ? 0.02 : 0.5, c.esc.max_brake = i == 7 ? 0.02 : 0.8;
    c.abs.search_rate = i == 6 ? 4 : 8;
    if (i == 1 || i == 6) c.abs.slip_start = 0.05, c.abs.slip_most = 0.06;
    if (i == 1) v.brake.max_brake_torque = 15000, c.abs.search_rate = 12;
    if (i == 0 || i == 3) v.drivetrain.drive_type = DriveType::AWD;
    if (i == 2) v.brake.brake_bias_front = 0.3;
    for (TireSpec* t : {&v.tire_fl, &v.tire_fr, &v.tire_rl, &v.tire_rr}) t->mu_scaling = MuScaling::peak_only;
    add(all, on_levels("controller " + std::to_string(i), v, Way::fast));
    if (c.abs.enabled) add(all, on_levels("stop with controller " + std::to_string(i), v, Way::stop));
  }
  check(all, [](VehicleSpec& s) { return fields_of(s.control); });
}

}  // namespace
