// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bindings/c/spec.hpp"
#include "vdsim/study/scene_batch.hpp"

using namespace vdsim;
using namespace vdsim::c;

struct vdsim_batch {
  SceneBatch cars;
};

namespace {

constexpr vdsim_pose kPose = VDSIM_POSE_INIT;

Batch& of(vdsim_batch* b) { return need(b, "batch").cars.batch; }
const Batch& of(const vdsim_batch* b) { return need(b, "batch").cars.batch; }

}  // namespace

int vdsim_batch_create(const vdsim_spec* spec, size_t n, const char* number, vdsim_batch** out) {
  return call([&] {
    need(out, "out");
    const Scenario* scene = need(spec, "scene").document.scene();
    if (!scene) throw Misuse("the spec is a " + enum_name(spec->document.kind()) + ", a scene is needed");
    *out = new vdsim_batch{make_batch(*scene, only_car(*scene), n, number_of(&need(number, "number")))};
  });
}
void vdsim_batch_free(vdsim_batch* b) { delete b; }

int vdsim_batch_set_field(vdsim_batch* b, const char* path, const double* v, size_t stride, size_t first,
                          size_t count) {
  return call([&] { of(b).set_field(&need(path, "path"), {&need(v, "v"), stride}, first, count); });
}
int vdsim_batch_set_input(vdsim_batch* b, const char* name, const double* v, size_t stride) {
  return call([&] { of(b).set_input(&need(name, "name"), {&need(v, "v"), stride}); });
}
int vdsim_batch_step(vdsim_batch* b, double h, size_t steps, unsigned threads) {
  return call([&] { of(b).step(h, steps, threads); });
}
int vdsim_batch_read(vdsim_batch* b, const char* name, double* out, size_t stride) {
  return call([&] { of(b).read(&need(name, "name"), &need(out, "out"), stride); });
}
int vdsim_batch_view(vdsim_batch* b, const char* state, vdsim_view* out) {
  return call([&] {
    const BatchView v = of(b).view(&need(state, "state"));
    give({0, v.data, v.blocks, v.lanes, {v.block_stride, v.lane_stride}, v.is_float ? 4u : 8u}, out, "out");
  });
}
int vdsim_batch_status(const vdsim_batch* b, int32_t* out) {
  return call([&] {
    const Batch& batch = of(b);
    need(out, "out");
    for (std::size_t i = 0; i < batch.size(); ++i) out[i] = batch.report(i).going ? VDSIM_OK : VDSIM_DIVERGED;
  });
}
int vdsim_batch_why(const vdsim_batch* b, size_t i, char* buf, size_t cap, size_t* needed) {
  return call([&] { put_text(of(b).report(i).why, buf, cap, needed); });
}
int vdsim_batch_reset(vdsim_batch* b, const uint8_t* mask, const vdsim_pose* poses) {
  return call([&] {
    Batch& batch = of(b);
    const std::span<const std::uint8_t> chosen = mask ? std::span(mask, batch.size()) : std::span<const std::uint8_t>();
    std::vector<StartPose> starts;
    if (poses)
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const bool asked = !mask || mask[i];
        const vdsim_pose p = asked ? taken(poses + i, kPose, "poses") : kPose;
        starts.push_back({p.x, p.y, p.yaw, p.vx, p.z});
      }
    batch.reset(chosen, starts);
  });
}
int vdsim_batch_snapshot_size(const vdsim_batch* b, size_t i, size_t* bytes) {
  return call([&] { need(bytes, "bytes") = of(b).snapshot(i).size(); });
}
int vdsim_batch_snapshot(const vdsim_batch* b, size_t i, void* bytes, size_t cap) {
  return call([&] {
    const std::vector<std::byte> all = of(b).snapshot(i);
    auto* to = &need(static_cast<std::byte*>(bytes), "bytes");
    check_room(all.size(), bytes, cap, nullptr, "bytes");
    std::copy(all.begin(), all.end(), to);
  });
}
int vdsim_batch_restore(vdsim_batch* b, size_t i, const void* bytes, size_t n) {
  return call([&] {
    if (!of(b).restore(i, {&need(static_cast<const std::byte*>(bytes), "bytes"), n}))
      throw BadInput("the snapshot is cut, damaged, or of another car, level or road");
  });
}
int vdsim_batch_info(const vdsim_batch* b, char* buf, size_t cap, size_t* needed) {
  return call([&] { put_text(describe(of(b).info()), buf, cap, needed); });
}
