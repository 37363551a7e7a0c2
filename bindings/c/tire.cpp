// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bindings/c/spec.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/hub_tire.hpp"
#include "vdsim/engine/validate.hpp"

using namespace vdsim;
using namespace vdsim::c;

struct vdsim_tire {
  explicit vdsim_tire(const Document& document)
      : hub(document.part()->tire), rig(hub.rig()), image(hub.state(), fnv1a(document.hash())) {}
  HubTire hub;
  TireRig& rig;
  StateImage image;
};

namespace {

constexpr vdsim_rig_input kInput = VDSIM_RIG_INPUT_INIT;
constexpr vdsim_rig_output kOutput = VDSIM_RIG_OUTPUT_INIT;
static_assert(member_count<vdsim_rig_input>() == member_count<RigInput>() + 1);
static_assert(member_count<vdsim_rig_output>() == member_count<RigOutput>() + 1);

RigInput input(const vdsim_rig_input* in, const char* name) {
  const vdsim_rig_input i = taken(in, kInput, name);
  const RigInput out{i.omega, i.vx, i.vy, i.fz, i.gamma, i.pressure, i.mu, i.psidot};
  throw_if_any(validate(out));
  return out;
}
void output(const RigOutput& o, vdsim_rig_output* out) {
  give({0, o.fx, o.fy, o.fz, o.mx, o.my, o.mz, o.kappa, o.alpha}, out, "out");
}
bool finite(const RigOutput& o) {
  return std::isfinite(o.fx) && std::isfinite(o.fy) && std::isfinite(o.mx) && std::isfinite(o.my) &&
         std::isfinite(o.mz);
}
template <class T> T* moved(T* p, std::size_t i, std::size_t stride) {
  using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
  return reinterpret_cast<T*>(reinterpret_cast<Byte*>(p) + i * stride);
}

constexpr vdsim_sti kSti = VDSIM_STI_INIT;

Vec3<double> vec(const double v[3]) { return {v[0], v[1], v[2]}; }
void put(const Vec3<double>& v, double out[3]) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }
bool finite(const Vec3<double>& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

HubMotion hub_motion(const vdsim_sti& s) {
  HubMotion m{vec(s.dis),  {vec(s.tramat), vec(s.tramat + 3), vec(s.tramat + 6)},
              vec(s.vel),  vec(s.omega),
              s.omegar,    s.pressure,
              s.wheel_mass};
  Faults faults;
  const auto check = [&](const char* name, bool right, const char* what) {
    if (!right) faults.push_back({"", {name}, what});
  };
  check("time", s.time >= 0 && std::isfinite(s.time), "expected a time, at least 0");
  check("dis", finite(m.at), "expected numbers");
  check("vel", finite(m.v), "expected numbers");
  check("omega", finite(m.omega), "expected numbers");
  check("omegar", std::isfinite(m.spin), "expected a number");
  check("pressure", m.pressure >= 0 && std::isfinite(m.pressure), "expected a number, at least 0");
  check("wheel_mass", m.wheel_mass >= 0 && std::isfinite(m.wheel_mass), "expected a number, at least 0");
  const Rotation<double>& q = m.axes;
  const Vec3<double> off = cross(q.x, q.y) - q.z;
  check("tramat",
        std::abs(dot(q.x, q.x) - 1) < 1e-6 && std::abs(dot(q.y, q.y) - 1) < 1e-6 && std::abs(dot(q.x, q.y)) < 1e-6 &&
            dot(off, off) < 1e-10,
        "expected three axes of length 1 at right angles: forward, left, up");
  throw_if_any(faults);
  return m;
}

RoadAt road_of(const vdsim_sti& s) {
  return [&s](double x, double y) -> RoadSpot {
    vdsim_road_spot spot{0, {0, 0, 1}, 1};
    if (s.road && s.road(s.user, s.time, x, y, &spot) != 0) throw BadInput("road: no road there");
    const Vec3<double> n = vec(spot.normal);
    if (!(std::isfinite(spot.z) && finite(n) && dot(n, n) > 0 && spot.mu >= 0 && std::isfinite(spot.mu)))
      throw BadInput("road: expected a height, a normal and a friction factor");
    return {spot.z, n, spot.mu};
  };
}

void give_sti(const HubForce& f, vdsim_sti& s) {
  put(f.F, s.force), put(f.M, s.torque);
  const RigOutput& o = f.out;
  const double all[VDSIM_STI_VARINF] = {o.fx,    o.fy,         o.fz,        o.mx,        o.my,
                                        o.mz,    o.kappa,      o.alpha,     f.in.gamma,  f.in.vx,
                                        f.in.vy, f.deflection, f.contact.x, f.contact.y, f.contact.z};
  std::copy(std::begin(all), std::end(all), s.varinf);
}

}  // namespace

int vdsim_tire_create(const vdsim_spec* part, vdsim_tire** out) {
  return call([&] {
    need(out, "out");
    const Document& document = need(part, "part").document;
    if (!document.part() || document.part()->type != "tire") throw Misuse("the spec is no tire part");
    *out = new vdsim_tire(document);
  });
}
void vdsim_tire_free(vdsim_tire* t) { delete t; }

int vdsim_tire_start(vdsim_tire* t, const vdsim_rig_input* in) {
  return call([&] { need(t, "tire").rig.start(input(in, "in")); });
}
int vdsim_tire_step(vdsim_tire* t, const vdsim_rig_input* from, const vdsim_rig_input* to, double h,
                    vdsim_rig_output* out) {
  return call([&] {
    vdsim_tire& tire = need(t, "tire");
    const RigInput a = input(from, "from"), b = input(to ? to : from, "to");
    if (!(h > 0 && std::isfinite(h))) throw bad_value("h", "expected a step above 0 s, found " + number_text(h));
    if (out) taken(out, kOutput, "out");
    TireRig next = tire.rig;
    next.step(a, b, h);
    const RigOutput o = next.output(b);
    if (!finite(o)) return diverged(0, "a force is not finite");
    tire.rig = next;
    if (out) output(o, out);
    return static_cast<int>(VDSIM_OK);
  });
}
int vdsim_tire_output(const vdsim_tire* t, const vdsim_rig_input* in, vdsim_rig_output* out) {
  return call([&] { output(need(t, "tire").rig.output(input(in, "in")), out); });
}
int vdsim_tire_steady(const vdsim_tire* t, size_t n, const vdsim_rig_input* in, size_t in_stride, vdsim_rig_output* out,
                      size_t out_stride) {
  return call([&] {
    TireRig rig = need(t, "tire").rig;
    need(in, "in"), need(out, "out");
    if (n > 1 && out_stride < sizeof(std::uint32_t)) throw Misuse("out_stride is too small for n points");
    for (std::size_t i = 0; i < n; ++i) {  // all that can be refused, before anything is written
      input(moved(in, i, in_stride), "in");
      taken(moved(out, i, out_stride), kOutput, "out");
    }
    for (std::size_t i = 0; i < n; ++i) {
      const RigInput at = input(moved(in, i, in_stride), "in");
      rig.start(at);
      output(rig.output(at), moved(out, i, out_stride));
    }
  });
}

int vdsim_tire_snapshot_size(const vdsim_tire* t, size_t* bytes) {
  return call([&] { need(bytes, "bytes") = need(t, "tire").image.size(); });
}
int vdsim_tire_snapshot(const vdsim_tire* t, void* bytes, size_t cap) {
  return call([&] {
    const StateImage& image = need(t, "tire").image;
    auto* to = &need(static_cast<std::byte*>(bytes), "bytes");
    check_room(image.size(), bytes, cap, nullptr, "bytes");
    image.save({to, image.size()});
  });
}
int vdsim_tire_restore(vdsim_tire* t, const void* bytes, size_t n) {
  return call([&] {
    if (!need(t, "tire").image.restore({&need(static_cast<const std::byte*>(bytes), "bytes"), n}))
      throw BadInput("the snapshot is cut, damaged, or of another tire");
  });
}

int vdsim_tire_sti(vdsim_tire* t, vdsim_sti* sti) {
  return call([&] {
    vdsim_tire& tire = need(t, "tire");
    vdsim_sti s = taken(sti, kSti, "sti");
    if (s.size != sizeof s) throw Misuse("sti.size: expected sizeof, the results stand at its end");
    if (s.jobflg < VDSIM_STI_START || s.jobflg > VDSIM_STI_TRY) throw bad_value("jobflg", "expected 0, 1 or 2");
    const HubMotion motion = hub_motion(s);
    HubTire next = tire.hub;
    if (s.jobflg != VDSIM_STI_START && !next.started()) throw Misuse("the first call is VDSIM_STI_START");
    if (s.jobflg != VDSIM_STI_START && s.time < next.time())
      throw bad_value("time",
                      "is before that of the last call, " + number_text(next.time()) + " s: restore a snapshot");
    const HubForce f =
        s.jobflg == VDSIM_STI_START ? next.start(motion, road_of(s), s.time) : next.step(motion, road_of(s), s.time);
    if (!finite(f.out) || !finite(f.F) || !finite(f.M)) return diverged(s.time, "a force is not finite");
    if (s.jobflg != VDSIM_STI_TRY) tire.hub = next;
    give_sti(f, s);
    *sti = s;
    return static_cast<int>(VDSIM_OK);
  });
}
