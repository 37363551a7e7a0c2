// SPDX-License-Identifier: Apache-2.0
// What vdsim.h names and VDSim cannot do yet.
#include "bindings/c/call.hpp"

namespace {

int not_there_yet(const char* function) {
  return vdsim::c::call([&] { throw vdsim::c::Misuse(std::string(function) + " is not there yet"); });
}

}  // namespace

int vdsim_batch_create(const vdsim_spec*, size_t, const char*, vdsim_batch**) { return not_there_yet(__func__); }
int vdsim_batch_set_field(vdsim_batch*, const char*, const double*, size_t, size_t, size_t) {
  return not_there_yet(__func__);
}
int vdsim_batch_set_input(vdsim_batch*, const char*, const double*, size_t) { return not_there_yet(__func__); }
int vdsim_batch_step(vdsim_batch*, double, size_t, unsigned) { return not_there_yet(__func__); }
int vdsim_batch_read(const vdsim_batch*, const char*, double*, size_t) { return not_there_yet(__func__); }
int vdsim_batch_view(vdsim_batch*, const char*, vdsim_view*) { return not_there_yet(__func__); }
int vdsim_batch_status(const vdsim_batch*, int32_t*) { return not_there_yet(__func__); }
int vdsim_batch_reset(vdsim_batch*, const uint8_t*, const vdsim_pose*) { return not_there_yet(__func__); }
int vdsim_batch_snapshot(const vdsim_batch*, size_t, void*, size_t) { return not_there_yet(__func__); }
void vdsim_batch_free(vdsim_batch*) {}
