// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/tire_rig.hpp"

#include <cmath>

#include "bindings/c/spec.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/validate.hpp"

using namespace vdsim;
using namespace vdsim::c;

struct vdsim_tire {
  explicit vdsim_tire(const Document& document)
      : rig(document.part()->tire), image(rig.state(), fnv1a(document.hash())) {}
  TireRig rig;
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
