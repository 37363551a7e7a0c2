#include "sim/simulation.hpp"

#include <cmath>
#include <cstring>
#include <variant>

#include "io/hash.hpp"
#include "io/vehicle.hpp"
#include "sim/car.hpp"

namespace vdsim {
namespace {

template <int NW> struct Car {
  Model<double, NW> model;
  State<double, NW> state;
  // contact-patch LuGre tires, NW of each or none; a step works on the second set, so that a failed one leaves no trace
  std::vector<PatchTire<double>> patch, next_patch;
};

// What is saved besides the car: clock and energy book.
struct Clock {
  double time;
  std::int64_t steps;
  Power<double> work;        // integrals of the powers [J]
  double kinetic0, stored0;  // energy at the start [J]
  std::int64_t in_gear;
};
static_assert(std::is_trivially_copyable_v<Clock> && std::is_trivially_copyable_v<State<double, 4>>);

struct SnapshotHeader {
  char magic[8];
  std::uint64_t layout, model;
};

static_assert(sizeof(SnapshotHeader) == Simulation::kStateOffset);

template <class T> std::string_view bytes_of(const T& x) { return {reinterpret_cast<const char*>(&x), sizeof x}; }

// Names and sizes of everything in the state: a snapshot of another layout is refused.
template <int NW> std::uint64_t layout_hash() {
  std::uint64_t h = kHashStart;
  for_each_field<State<double, NW>>([&](const auto& f) { h = fnv1a(f.name, h); });
  for_each_field<WheelState<double>>([&](const auto& f) { h = fnv1a(f.name, h); });
  const std::size_t sizes[] = {sizeof(State<double, NW>), sizeof(Clock), sizeof(PatchMemory<double>)};
  return fnv1a(bytes_of(sizes), h);
}
// The car as a user writes it, and the numbers it was compiled to (road and tire files included).
template <int NW> std::uint64_t model_hash(const VehicleSpec& spec, const Model<double, NW>& m) {
  return fnv1a(vehicle_text(spec, 0), fnv1a(bytes_of(m.p)));
}

template <int NW> Car<NW> make_car(const VehicleSpec& spec, const RoadSpec& road, const StartPose& pose) {
  Car<NW> car{compile<NW>(spec, road), {}, {}, {}};
  car.state = start<NW>(car.model, pose.x0, pose.y0, pose.yaw0, pose.vx0);
  if (has_patches(spec)) {
    car.patch.resize(NW);
    start_patches<NW>(spec, car.state, car.patch.data());
    car.next_patch = car.patch;
  }
  return car;
}

}  // namespace

struct Simulation::Impl {
  std::variant<Car<2>, Car<4>> car;
  Integrator integrator;
  std::uint64_t model;
  Clock clock{};

  void start_book() {
    std::visit(
        [&](auto& c) {
          const Energy e = energy_of(c.model, c.state, true);
          clock.kinetic0 = e.kinetic;
          clock.stored0 = e.stored;
          clock.in_gear = 1;
        },
        car);
  }
};

Simulation::Simulation(const VehicleSpec& spec, const RoadSpec& road, Level level, Integrator integrator,
                       const StartPose& pose)
    : impl_(new Impl{level == Level::L1 ? std::variant<Car<2>, Car<4>>(make_car<2>(spec, road, pose))
                                        : std::variant<Car<2>, Car<4>>(make_car<4>(spec, road, pose)),
                     integrator, 0}) {
  impl_->model = std::visit([&](const auto& c) { return model_hash(spec, c.model); }, impl_->car);
  impl_->start_book();
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

bool Simulation::step(const Commands& from, const Commands& to, double dt) {
  return std::visit(
      [&](auto& c) {
        auto next = c.state;
        for (std::size_t i = 0; i < c.patch.size(); ++i) c.next_patch[i].memory = c.patch[i].memory;
        const Power<double> p = integrate(impl_->integrator, c.model, next, inputs(from), inputs(to), dt,
                                          c.patch.empty() ? nullptr : c.next_patch.data());
        if (!finite(next)) return false;
        Clock& k = impl_->clock;
        // a gear change couples or frees the engine: its energy enters or leaves the book here
        if (k.in_gear != (from.gear != 0)) {
          k.kinetic0 +=
              energy_of(c.model, c.state, from.gear != 0).kinetic - energy_of(c.model, c.state, k.in_gear != 0).kinetic;
          k.in_gear = from.gear != 0;
        }
        add_power(k.work, dt, p);
        c.state = next;
        std::swap(c.patch, c.next_patch);
        k.time += dt;
        ++k.steps;
        return true;
      },
      impl_->car);
}

namespace {
bool outside_file(const TireKind& kind, const TireParams<double>& p, double spin, const WheelOut<double>& w) {
  if (!kind.tir) return false;
  const Contact<double>& c = w.contact;
  TirInput<double> in =
      tir_input(p, c, spin, slip_ratio(c.Vr, c.Vx), slip_angle(c.Vy, max(abs(c.Vx), kSpeedEps)), w.Fz);
  in.Vx = p.tir.VXLOW;  // low speed is no reason: there the bristles hold
  return tir_outside(p.tir, in) > 0;
}

template <int NW> Sample sample_of(const Car<NW>& car, const Commands& now, double t) {
  const Model<double, NW>& m = car.model;
  const State<double, NW>& s = car.state;
  Outputs<double, NW> o;
  Rates<double, NW> d;
  Grip<double> grip[2];
  deriv(m, s, make_stage(m, inputs(now), 0.0, car.patch.empty() ? nullptr : car.patch.data()), true, grip, o, d);
  Sample r{t, s.x, s.y, s.psi, s.vx, s.vy, s.r, o.body_ax, o.body_ay, NW, {}};
  for (int i = 0; i < NW; ++i) {
    const WheelOut<double>& w = o.wheel[i];
    const Contact<double>& c = w.contact;
    r.wheel[i] = {s.wheel[i].w,
                  slip_ratio(c.Vr, c.Vx),
                  slip_angle(c.Vy, max(abs(c.Vx), kSpeedEps)),
                  w.Fz,
                  w.Fx,
                  w.Fy,
                  w.moment.Mz,
                  w.mu,
                  w.force.zx,
                  w.force.zy,
                  s.wheel[i].T_tread,
                  s.wheel[i].T_core,
                  s.wheel[i].tread,
                  outside_file(m.kind.tire[i], m.p.wheel[i].tire, s.wheel[i].w, w)};
  }
  return r;
}
}  // namespace

Sample Simulation::sample(const Commands& now) const {
  return std::visit([&](const auto& c) { return sample_of(c, now, impl_->clock.time); }, impl_->car);
}

EnergyBook Simulation::energy() const {
  const Clock& k = impl_->clock;
  const Energy e = std::visit([&](const auto& c) { return energy_of(c.model, c.state, k.in_gear != 0); }, impl_->car);
  const Power<double>& w = k.work;
  return {e.kinetic, e.stored,  k.kinetic0, k.stored0, w.drive, w.gravity,
          w.brake,   w.rolling, w.drag,     w.contact, w.steer, w.hold};
}

double Simulation::vx() const {
  return std::visit([](const auto& c) { return c.state.vx; }, impl_->car);
}
double Simulation::psi() const {
  return std::visit([](const auto& c) { return c.state.psi; }, impl_->car);
}
double Simulation::time() const { return impl_->clock.time; }
long Simulation::steps() const { return impl_->clock.steps; }
int Simulation::wheels() const { return impl_->car.index() == 0 ? 2 : 4; }

// Header, state, clock, then the memory of contact-patch tires.
std::vector<std::byte> Simulation::snapshot() const {
  return std::visit(
      [&](const auto& c) {
        const SnapshotHeader h{{'V', 'D', 'S', 'N', 'A', 'P', '0', '1'},
                               layout_hash<std::decay_t<decltype(c.model)>::wheels>(),
                               impl_->model};
        std::vector<std::byte> out;
        const auto put = [&](const auto& part) {
          const auto* bytes = reinterpret_cast<const std::byte*>(&part);
          out.insert(out.end(), bytes, bytes + sizeof part);
        };
        put(h);
        put(c.state);
        put(impl_->clock);
        for (const PatchTire<double>& tire : c.patch) put(tire.memory);
        return out;
      },
      impl_->car);
}

bool Simulation::restore(std::span<const std::byte> bytes) {
  return std::visit(
      [&](auto& c) {
        SnapshotHeader h;
        const std::size_t memory = c.patch.size() * sizeof(PatchMemory<double>);
        if (bytes.size() != sizeof h + sizeof c.state + sizeof impl_->clock + memory) return false;
        std::memcpy(&h, bytes.data(), sizeof h);
        if (std::memcmp(h.magic, "VDSNAP01", 8) != 0 ||
            h.layout != layout_hash<std::decay_t<decltype(c.model)>::wheels>() || h.model != impl_->model)
          return false;
        const std::byte* from = bytes.data() + sizeof h;
        const auto get = [&](auto& part) {
          std::memcpy(&part, from, sizeof part);
          from += sizeof part;
        };
        get(c.state);
        get(impl_->clock);
        for (PatchTire<double>& tire : c.patch) get(tire.memory);
        return true;
      },
      impl_->car);
}

}  // namespace vdsim
