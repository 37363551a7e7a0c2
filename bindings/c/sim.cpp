// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/sim.hpp"

#include <cmath>

#include "bindings/c/spec.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/linear/linearize.hpp"

using namespace vdsim;
using namespace vdsim::c;

struct vdsim_sim {
  Sim sim;
};

namespace {

constexpr vdsim_commands kCommands = VDSIM_COMMANDS_INIT;
constexpr vdsim_demand kDemand = VDSIM_DEMAND_INIT;
constexpr vdsim_pose kPose = VDSIM_POSE_INIT;
// A member that the engine gains must come here too. These have a size beside them; an array of C counts as its elements.
static_assert(member_count<vdsim_commands>() == member_count<Commands>() + 1 + 3);
static_assert(member_count<vdsim_demand>() == member_count<vdsim_commands>() + member_count<Demand>() - 1);
static_assert(member_count<vdsim_pose>() == member_count<StartSpec>() + 1);

Sim& of(vdsim_sim* s) { return need(s, "sim").sim; }
const Sim& of(const vdsim_sim* s) { return need(s, "sim").sim; }

template <class C> Commands engine_commands(const C& c) {  // of commands or a demand
  return {c.steer, c.throttle, c.brake, c.handbrake, c.gear, {c.torque[0], c.torque[1], c.torque[2], c.torque[3]}};
}
Commands commands(const vdsim_commands* in, const char* name) {
  if (need(in, name).size == sizeof *in) return engine_commands(*in);
  return engine_commands(taken(in, kCommands, name));
}
Demand demand(const vdsim_demand* in, const char* name) {
  const vdsim_demand d = taken(in, kDemand, name);
  return {engine_commands(d),  d.speed, d.speed_rate, d.acceleration, d.force, d.curvature, d.follow_path != 0,
          d.wheel_torques != 0};
}

int status(const Sim& sim, bool stepped) { return stepped ? VDSIM_OK : diverged(sim.time(), sim.why()); }

// NULL: the only one
const CarSpec& car_of(const Scenario& scene, const char* id) { return id ? car_by_id(scene, id) : only_car(scene); }

}  // namespace

int vdsim_sim_create(const vdsim_spec* spec, const char* car, vdsim_sim** out) {
  return call([&] {
    need(out, "out");
    const Scenario* scene = need(spec, "scene").document.scene();
    if (!scene) throw Misuse("the spec is a " + enum_name(spec->document.kind()) + ", a scene is needed");
    *out = new vdsim_sim{Sim(*scene, car_of(*scene, car))};
  });
}
void vdsim_sim_free(vdsim_sim* s) { delete s; }

int vdsim_sim_step(vdsim_sim* s, const vdsim_commands* from, const vdsim_commands* to, double h) {
  return call([&] {
    Sim& sim = of(s);
    const Commands a = commands(from, "from");
    if (!to || to == from) return status(sim, sim.step(a, a, h));
    return status(sim, sim.step(a, commands(to, "to"), h));
  });
}
int vdsim_sim_demand(vdsim_sim* s, const vdsim_demand* now, const vdsim_demand* next, double h) {
  return call([&] {
    Sim& sim = of(s);
    const Demand a = demand(now, "now");
    return status(sim, sim.step(a, next ? demand(next, "next") : a, h));
  });
}
int vdsim_sim_run(vdsim_sim* s, double until) {
  return call([&] {
    Sim& sim = of(s);
    return status(sim, sim.run(until));
  });
}
int vdsim_sim_change(vdsim_sim* s, const vdsim_spec* spec) {
  return call([&] {
    Sim& sim = of(s);
    const Document& to = need(spec, "spec").document;
    if (const Scenario* scene = to.scene())
      sim.change(*scene, car_of(*scene, scene->cars.size() == 1 ? nullptr : sim.spec().id.c_str()));
    else if (const VehicleSpec* vehicle = to.vehicle())
      sim.change(*vehicle);
    else
      throw Misuse("the spec is a part, a vehicle or a scene is needed");
  });
}
int vdsim_sim_reset(vdsim_sim* s, const vdsim_pose* pose) {
  return call([&] {
    Sim& sim = of(s);
    if (!pose) return sim.reset();
    const vdsim_pose p = taken(pose, kPose, "pose");
    sim.reset({p.x, p.y, p.yaw, p.vx, p.z});
  });
}

int vdsim_signal_count(const vdsim_sim* s, size_t* count) {
  return call([&] { need(count, "count") = of(s).signals().size(); });
}
int vdsim_signal_info(const vdsim_sim* s, uint32_t id, vdsim_signal* out) {
  return call([&] {
    const std::vector<Column>& all = of(s).signals();
    if (id >= all.size()) throw Misuse("signal " + std::to_string(id) + " of " + std::to_string(all.size()));
    give({0, all[id].name.c_str(), all[id].unit.c_str(), all[id].meaning.c_str()}, out, "out");
  });
}
int vdsim_signal_id(const vdsim_sim* s, const char* name, uint32_t* id) {
  return call([&] {
    const std::vector<Column>& all = of(s).signals();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].name == &need(name, "name")) {
        need(id, "id") = static_cast<std::uint32_t>(i);
        return;
      }
      names.push_back(all[i].name);
    }
    throw bad_value(name, "this car has no such signal" + suggestion(name, names));
  });
}
int vdsim_sim_read(vdsim_sim* s, const uint32_t* ids, size_t n, double* out) {
  return call([&] {
    Sim& sim = of(s);
    const std::span<const double> all = sim.values();
    if (n > 0) need(out, "out");
    bool finite = true;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t id = ids ? ids[i] : i;
      if (id >= all.size()) throw Misuse("signal " + std::to_string(id) + " of " + std::to_string(all.size()));
      finite = finite && std::isfinite(all[id]);
    }
    if (!finite) return diverged(sim.time(), "a signal is not finite");
    for (std::size_t i = 0; i < n; ++i) out[i] = all[ids ? ids[i] : i];
    return static_cast<int>(VDSIM_OK);
  });
}

int vdsim_state_count(const vdsim_sim* s, size_t* count) {
  return call([&] { need(count, "count") = continuous_states(of(s).car()).size(); });
}
int vdsim_state_info(const vdsim_sim* s, uint32_t i, vdsim_signal* out) {
  return call([&] {
    thread_local std::vector<ContinuousState> all;
    all = continuous_states(of(s).car());
    if (i >= all.size()) throw Misuse("state " + std::to_string(i) + " of " + std::to_string(all.size()));
    give({0, all[i].name.c_str(), all[i].unit.c_str(), all[i].meaning.c_str()}, out, "out");
  });
}
int vdsim_sim_jacobian(vdsim_sim* s, double* A, double* B) {
  return call([&] {
    const Sim& sim = of(s);
    const LinearCar at = linearize(sim.car(), sim.commands());
    if (A) std::copy(at.A.at.begin(), at.A.at.end(), A);
    if (B) std::copy(at.B.at.begin(), at.B.at.end(), B);
  });
}

int vdsim_sim_snapshot_size(const vdsim_sim* s, size_t* bytes) {
  return call([&] { need(bytes, "bytes") = of(s).snapshot_size(); });
}
int vdsim_sim_snapshot(const vdsim_sim* s, void* bytes, size_t cap) {
  return call([&] {
    const Sim& sim = of(s);
    auto* to = &need(static_cast<std::byte*>(bytes), "bytes");
    check_room(sim.snapshot_size(), bytes, cap, nullptr, "bytes");
    sim.snapshot({to, sim.snapshot_size()});
  });
}
int vdsim_sim_restore(vdsim_sim* s, const void* bytes, size_t n) {
  return call([&] {
    if (!of(s).restore({&need(static_cast<const std::byte*>(bytes), "bytes"), n}))
      throw BadInput("the snapshot is cut, damaged, or of another car, level or road");
  });
}
