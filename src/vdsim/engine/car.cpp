#include "vdsim/engine/car.hpp"

#include <cmath>
#include <cstring>
#include <variant>

#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/energy.hpp"
#include "vdsim/core/actuator/actuator.hpp"

namespace vdsim {
namespace {

// What stands between the commands and the car.
struct Units {
  EquipmentState<double> equipment;
  std::array<ActuatorState<double>, kActuators> actuator;
};
struct UnitParams {
  bool any = false, actuators = false;
  EquipmentKind kind;
  EquipmentParams<double> p;
  ActuatorKind actuator_kind[kActuators];
  ActuatorParams<double> actuator[kActuators];
};

template <Level Lv> struct CarAt {
  Model<double, Lv> model;
  State<double, Lv> state;
  // contact-patch LuGre tires, one per wheel or none; a step works on the second set, so that a failed one leaves no trace
  std::vector<PatchTire<double>> patch, next_patch;
  std::unique_ptr<RoughTable> rough;
  UnitParams unit_params;
  Units units{};
  bool equipped = false;  // commands went through actuators and equipment in the last step
};
using AnyCar = std::variant<CarAt<Level::L1>, CarAt<Level::L2>, CarAt<Level::L3>, CarAt<Level::L5>>;

// What is saved besides the car: clock and energy balance.
struct Clock {
  double time;
  std::int64_t steps;
  Power<double> work;                  // integrals of the powers [J]
  double kinetic0, stored0, springs0;  // energy at the start [J]
  double engine[2];                    // inertia that turned with the axles in the last step
  double steer;                        // where the wheels point
  double ax, ay;                       // last accelerations, for controllers
  Actuation<double> act;               // what the equipment gave at the end of the last step
};
static_assert(std::is_trivially_copyable_v<Clock> && std::is_trivially_copyable_v<State<double, Level::L5>> &&
              std::is_trivially_copyable_v<Units>);

struct SnapshotHeader {
  char magic[8];
  std::uint64_t layout, model;
};

static_assert(sizeof(SnapshotHeader) == Car::kStateOffset);

template <class T> std::string_view bytes_of(const T& x) { return {reinterpret_cast<const char*>(&x), sizeof x}; }

// Names and sizes of everything in the state: a snapshot of another layout is refused.
template <Level Lv> std::uint64_t layout_hash(const CarAt<Lv>&) {
  std::uint64_t h = kHashStart;
  for_each_field<State<double, Lv>>([&](const auto& f) { h = fnv1a(f.name, h); });
  for_each_field<WheelState<double>>([&](const auto& f) { h = fnv1a(f.name, h); });
  const std::size_t sizes[] = {sizeof(State<double, Lv>), sizeof(Clock), sizeof(PatchMemory<double>), sizeof(Units)};
  return fnv1a(bytes_of(sizes), h);
}
// What the road keeps outside its parameters: every number of it counts.
std::uint64_t road_data_hash(const RoadSpec& road, std::uint64_t h) {
  const auto add = [&](const auto* data, std::size_t count) {
    if (data) h = fnv1a({reinterpret_cast<const char*>(data), sizeof *data * count}, h);
  };
  const auto add_all = [&](const auto&... values) { ((h = fnv1a(bytes_of(values), h)), ...); };
  if (const RoadGrid* g = road.grid) add(g->z, std::size_t(g->nx) * std::size_t(g->ny));
  if (const CrgView* c = road.crg) {
    const std::size_t nu = std::size_t(c->nu), nv = std::size_t(c->nv);
    for (const double* line : {c->x, c->y, c->phi, c->refz, c->bank}) add(line, nu);
    add(c->v_even ? nullptr : c->v, nv);
    add(c->z32, nu * nv);
    add(c->z64, nu * nv);
    add_all(c->nu, c->u0, c->u1, c->du, c->level, c->bank0, c->first, c->last, c->has_bank, c->nv, c->v_even, c->v0,
            c->v1, c->dv, c->z_shift, c->border_u, c->border_v, c->offset_u, c->offset_v, c->smooth_begin,
            c->smooth_end, c->close_track, c->close_min, c->close_max);
  }
  return h;
}
// The car as a user writes it, and the numbers it was compiled to (road and tire files included).
template <Level Lv> std::uint64_t model_hash(VehicleSpec spec, RoadSpec road, const CarAt<Lv>& car) {
  spec.tire_fl.tir_path = spec.tire_fr.tir_path = spec.tire_rl.tir_path = spec.tire_rr.tir_path = "";
  road.terrain = "";  // where a file lies does not matter, what is in it does
  std::uint64_t h = hash_values(fields_of(spec), fnv1a(bytes_of(car.model.p)));
  h = hash_values(fields_of(road), h);
  for (const PatchTire<double>& patch : car.patch) h = fnv1a(bytes_of(patch.p), h);
  if (car.rough) h = fnv1a(bytes_of(*car.rough), h);
  return road_data_hash(road, h);
}

// What controllers may sense at the start of a step.
template <Level Lv> CarView<double> view_of(const CarAt<Lv>& car, const Clock& k) {
  const State<double, Lv>& s = car.state;
  CarView<double> v{};
  v.vx = s.vx, v.vy = s.vy, v.r = s.r, v.ax = k.ax, v.ay = k.ay, v.steer = k.steer;
  for (int i = 0; i < 4; ++i) {
    const int w = Lv == Level::L1 ? i / 2 : i;
    v.w[i] = s.wheel[std::size_t(w)].w;
    v.radius[i] = car.model.p.wheel[w].tire.R0;
  }
  return v;
}

template <Level Lv> void add_units(const VehicleSpec& spec, CarAt<Lv>& car) {
  UnitParams& u = car.unit_params;
  u.kind = equipment_kind(spec);
  u.p = compile_equipment(spec);
  for (int i = 0; i < kActuators; ++i) {
    u.actuator_kind[i] = actuator_kind(spec.actuator, i);
    u.actuator[i] = compile_actuator(spec.actuator, i, 1e-3);
    u.actuators = u.actuators || u.actuator_kind[i].acts();
    car.units.actuator[std::size_t(i)] = start_actuator(u.actuator_kind[i], u.actuator[i], 0.0);
  }
  u.any = u.kind.any || u.actuators;
  car.units.equipment = start_equipment(u.kind, u.p, view_of(car, Clock{}));
  car.equipped = u.any;
}

template <Level Lv> CarAt<Lv> make_car(const VehicleSpec& spec, const RoadSpec& road, const StartPose& pose) {
  CarAt<Lv> car;
  car.model = compile<Lv>(spec, road);
  if (car.model.kind.road.rough) {
    car.rough = std::make_unique<RoughTable>(make_rough_table(road));
    car.model.data.rough = car.rough.get();
  }
  car.state = start<Lv>(car.model, pose.x0, pose.y0, pose.yaw0, pose.vx0, pose.z0);
  if (has_patches(spec)) {
    car.patch.resize(kWheels<Lv>);
    start_patches<Lv>(spec, car.state, car.patch.data());
    car.next_patch = car.patch;
  }
  add_units(spec, car);
  return car;
}

AnyCar any_car(const VehicleSpec& spec, const RoadSpec& road, Level level, const StartPose& pose) {
  switch (level) {
    case Level::L1: return make_car<Level::L1>(spec, road, pose);
    case Level::L3: return make_car<Level::L3>(spec, road, pose);
    case Level::L5: return make_car<Level::L5>(spec, road, pose);
    default: return make_car<Level::L2>(spec, road, pose);
  }
}

// Commands through actuators and equipment: what acts at start, middle and end of the step.
template <Level Lv> void actuate(const CarAt<Lv>& car, const Clock& clock, Inputs<double>& u0, Inputs<double>& u1,
                                 double h, Units& units, Actuation<double> act[3]) {
  const UnitParams& p = car.unit_params;
  double steer_mid = 0.5 * (u0.steer + u1.steer);
  if (p.actuators) {
    double* from[kActuators] = {&u0.steer, &u0.throttle, &u0.brake};
    double* to[kActuators] = {&u1.steer, &u1.throttle, &u1.brake};
    for (int i = 0; i < kActuators; ++i) {
      if (!p.actuator_kind[i].acts()) continue;
      double out[3];
      actuator_step(p.actuator_kind[i], p.actuator[i], units.actuator[std::size_t(i)], *from[i], *to[i], h, out);
      *from[i] = out[0];
      *to[i] = out[2];
      if (i == kSteer) steer_mid = out[1];
    }
  }
  equipment_step(p.kind, p.p, units.equipment, u0, u1, view_of(car, clock), h, act);
  act[1].steer = steer_mid;
}

}  // namespace

struct Car::Impl {
  AnyCar car;
  Integrator integrator;
  std::uint64_t model = 0;
  Clock clock{};

  void start_balance() {
    std::visit(
        [&](auto& c) {
          const Energy e = energy_of(c.model, c.state, nullptr, 0.0);
          clock.kinetic0 = e.kinetic;
          clock.stored0 = e.stored;
          clock.springs0 = e.springs;
          for (int a = 0; a < 2; ++a) clock.engine[a] = c.model.p.axle[a].engine;
        },
        car);
  }
};

Car::Car(const VehicleSpec& spec, const RoadSpec& road, Level level, Integrator integrator,
                       const StartPose& pose)
    : impl_(new Impl{any_car(spec, road, level, pose), integrator}) {
  impl_->model = std::visit([&](const auto& c) { return model_hash(spec, road, c); }, impl_->car);
  impl_->start_balance();
}
Car::~Car() = default;
Car::Car(Car&&) noexcept = default;

namespace {
// An engine that is coupled or freed brings or takes its energy: the balance's start moves with it.
template <Level Lv> void couple_engine(const CarAt<Lv>& c, const double engine[2], Clock& k) {
  if (engine[0] == k.engine[0] && engine[1] == k.engine[1]) return;
  k.kinetic0 +=
      energy_of(c.model, c.state, engine, k.steer).kinetic - energy_of(c.model, c.state, k.engine, k.steer).kinetic;
  for (int a = 0; a < 2; ++a) k.engine[a] = engine[a];
}

template <Level Lv>
bool step_car(Integrator method, const Commands& from, const Commands& to, double dt, Clock& k, CarAt<Lv>& c) {
  State<double, Lv> next = c.state;
  for (std::size_t i = 0; i < c.patch.size(); ++i) c.next_patch[i].memory = c.patch[i].memory;
  Inputs<double> u0 = inputs(from), u1 = inputs(to);
  Actuation<double> act[3];
  const bool equipped = c.equipped;
  Units units;
  if (equipped) {
    units = c.units;
    actuate(c, k, u0, u1, dt, units, act);
  }
  const Power<double> p = integrate(method, c.model, next, u0, u1, dt, c.patch.empty() ? nullptr : c.next_patch.data(),
                                    equipped ? act : nullptr);
  if (!finite(next)) return false;
  double engine[2];
  for (int a = 0; a < 2; ++a) engine[a] = equipped ? act[0].engine[a] : c.model.p.axle[a].engine * std::abs(u0.gear);
  couple_engine(c, engine, k);
  add_power(k.work, dt, p);
  if (equipped) {
    k.ax = (next.vx - c.state.vx) / dt - c.state.r * c.state.vy;
    k.ay = (next.vy - c.state.vy) / dt + c.state.r * c.state.vx;
    k.act = act[2];
    c.units = units;
  }
  k.steer = c.model.kind.rack ? road_wheel_angle(c.model.p.rack, next.rack) : equipped ? act[2].steer : u1.steer;
  c.state = next;
  std::swap(c.patch, c.next_patch);
  k.time += dt;
  ++k.steps;
  return true;
}
}  // namespace

bool Car::step(const Commands& from, const Commands& to, double dt) {
  // wheel torques have no way into a plain car: for this step it is an equipped one, without any equipment
  const bool torques = from.torque != to.torque || from.torque != std::array<double, 4>{};
  return std::visit(
      [&](auto& c) {
        c.equipped = c.unit_params.any || torques;
        return step_car(impl_->integrator, from, to, dt, impl_->clock, c);
      },
      impl_->car);
}

namespace {
template <Level Lv> WheelOutputs wheel_sample(const CarAt<Lv>& car, const Outputs<double, Lv>& o, int i) {
  const WheelState<double>& s = car.state.wheel[std::size_t(i)];
  const WheelOut<double>& w = o.wheel[i];
  const Contact<double>& c = w.contact;
  WheelOutputs r{s.w,
                slip_ratio(c.Vr, c.Vx),
                slip_angle(c.Vy, max(abs(c.Vx), kSpeedEps)),
                w.Fz,
                w.Fx,
                w.Fy,
                w.moment.Mz,
                w.mu,
                w.force.zx,
                w.force.zy,
                s.T_tread,
                s.T_core,
                s.tread,
                outside_file(car.model.kind.tire[i], car.model.p.wheel[i].tire, s.w, w, w.Fz),
                0,
                c.gamma};
  if constexpr (kSprung<Lv>) r.travel = car.state.travel[std::size_t(i)];
  return r;
}

template <Level Lv> double heading_of(const Model<double, Lv>& m, const State<double, Lv>& s) {
  if constexpr (Lv == Level::L5) {
    const Vec3<double> ahead = frame_of(m, s).x;
    return std::atan2(ahead.y, ahead.x);
  } else {
    return s.psi;
  }
}
// Where the body is and how it lies: angles, and the attitude as a matrix.
template <Level Lv> void add_pose(const Model<double, Lv>& m, const State<double, Lv>& s, CarOutputs& r) {
  Rotation<double> q;
  r.psi = heading_of(m, s);
  if constexpr (Lv == Level::L5) {
    q = frame_of(m, s);
    r.roll = std::atan2(q.y.z, q.z.z);
    r.pitch = std::asin(std::fmax(-1.0, std::fmin(1.0, -q.x.z)));
    r.z = s.z;
  } else {
    if constexpr (Lv == Level::L3) r.roll = s.phi, r.pitch = s.theta, r.z = m.p.h + s.z;
    const double c = std::cos(r.psi), d = std::sin(r.psi), e = std::cos(r.pitch), f = std::sin(r.pitch),
                 g = std::cos(r.roll), h = std::sin(r.roll);
    q = {{c * e, d * e, -f},
         {c * f * h - d * g, d * f * h + c * g, e * h},
         {c * f * g + d * h, d * f * g - c * h, e * g}};
  }
  const double rows[9] = {q.x.x, q.y.x, q.z.x, q.x.y, q.y.y, q.z.y, q.x.z, q.y.z, q.z.z};
  std::copy(rows, rows + 9, r.attitude);
  r.position[0] = s.x, r.position[1] = s.y, r.position[2] = r.z;
}

template <Level Lv> CarOutputs sample_of(const CarAt<Lv>& car, const Commands& now, const Clock& k) {
  const Model<double, Lv>& m = car.model;
  const State<double, Lv>& s = car.state;
  Outputs<double, Lv> o;
  Rates<double, Lv> d;
  Grip<double> grip[2];
  const PatchTire<double>* patch = car.patch.empty() ? nullptr : car.patch.data();
  Inputs<double> u0 = inputs(now), u1 = u0;
  Stage<double, Lv> g = make_stage(m, u0, 0.0, patch);
  if (car.equipped) {
    Actuation<double> act[3]{k.act};
    if (k.steps == 0) {  // what it will give first; its state stays
      Units units = car.units;
      actuate(car, k, u0, u1, 1e-6, units, act);
    }
    g = equipped_stage(m, u0, act[0], patch, 0.0);
  }
  point_wheels(m, s, g);
  deriv(m, s, g, true, grip, o, d);
  CarOutputs r{};
  r.t = k.time, r.x = s.x, r.y = s.y, r.vx = s.vx, r.vy = s.vy, r.r = s.r;
  r.ax = o.body_ax, r.ay = o.body_ay, r.wheels = kWheels<Lv>;
  add_pose(m, s, r);
  r.alpha[2] = d.r;
  if constexpr (kSprung<Lv>) {
    r.vz = s.vz, r.p = s.p, r.q = s.q, r.az = o.body_az;
    r.alpha[0] = d.p, r.alpha[1] = d.q;
  }
  for (int i = 0; i < kWheels<Lv>; ++i) r.wheel[i] = wheel_sample(car, o, i);
  r.steer = m.kind.rack ? road_wheel_angle(m.p.rack, s.rack) : g.steer;
  r.gear = now.gear;
  const DriveSource source = car.unit_params.kind.powertrain.source;
  if (source == DriveSource::motor) {
    const PowertrainParams<double>& p = car.unit_params.p.powertrain;
    const CarView<double> v = view_of(car, k);
    r.engine_speed = p.motor.ratio * 0.5 * (p.share[0] * (v.w[0] + v.w[1]) + p.share[1] * (v.w[2] + v.w[3]));
  } else if (source == DriveSource::engine) {
    r.engine_speed = car.units.equipment.powertrain.engine_speed;
    r.gear = car.units.equipment.powertrain.gearbox.gear;
  }
  return r;
}
}  // namespace

CarOutputs Car::sample(const Commands& now) const {
  return std::visit([&](const auto& c) { return sample_of(c, now, impl_->clock); }, impl_->car);
}

EnergyBalance Car::energy() const {
  const Clock& k = impl_->clock;
  const Energy e =
      std::visit([&](const auto& c) { return energy_of(c.model, c.state, k.engine, k.steer); }, impl_->car);
  const Power<double>& w = k.work;
  return {e.kinetic, e.stored,  k.kinetic0, k.stored0, w.drive,  w.gravity, w.brake,   w.rolling,
          w.drag,    w.contact, w.steer,    w.hold,    w.damper, e.springs, k.springs0};
}

double Car::vx() const {
  return std::visit([](const auto& c) { return c.state.vx; }, impl_->car);
}
double Car::psi() const {
  return std::visit([](const auto& c) { return heading_of(c.model, c.state); }, impl_->car);
}
double Car::time() const { return impl_->clock.time; }
long Car::steps() const { return impl_->clock.steps; }
Level Car::level() const { return static_cast<Level>(impl_->car.index()); }
int Car::wheels() const { return impl_->car.index() == 0 ? 2 : 4; }

// Header, state, clock, equipment, then the memory of contact-patch tires.
std::vector<std::byte> Car::snapshot() const {
  return std::visit(
      [&](const auto& c) {
        const SnapshotHeader h{{'V', 'D', 'S', 'N', 'A', 'P', '0', '2'}, layout_hash(c), impl_->model};
        std::vector<std::byte> out;
        const auto put = [&](const auto& part) {
          const auto* bytes = reinterpret_cast<const std::byte*>(&part);
          out.insert(out.end(), bytes, bytes + sizeof part);
        };
        put(h);
        put(c.state);
        put(impl_->clock);
        put(c.units);
        for (const PatchTire<double>& tire : c.patch) put(tire.memory);
        return out;
      },
      impl_->car);
}

bool Car::restore(std::span<const std::byte> bytes) {
  return std::visit(
      [&](auto& c) {
        SnapshotHeader h;
        const std::size_t memory = c.patch.size() * sizeof(PatchMemory<double>);
        if (bytes.size() != sizeof h + sizeof c.state + sizeof impl_->clock + sizeof c.units + memory) return false;
        std::memcpy(&h, bytes.data(), sizeof h);
        if (std::memcmp(h.magic, "VDSNAP02", 8) != 0 || h.layout != layout_hash(c) || h.model != impl_->model)
          return false;
        const std::byte* from = bytes.data() + sizeof h;
        const auto get = [&](auto& part) {
          std::memcpy(&part, from, sizeof part);
          from += sizeof part;
        };
        get(c.state);
        get(impl_->clock);
        get(c.units);
        for (PatchTire<double>& tire : c.patch) get(tire.memory);
        return true;
      },
      impl_->car);
}

}  // namespace vdsim
