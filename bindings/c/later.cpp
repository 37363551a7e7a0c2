// SPDX-License-Identifier: Apache-2.0
// What vdsim.h names and VDSim cannot do yet.
#include "bindings/c/call.hpp"

namespace {

int not_there_yet(const char* function) {
  return vdsim::c::call([&] { throw vdsim::c::Misuse(std::string(function) + " is not there yet"); });
}

}  // namespace

int vdsim_sim_jacobian(vdsim_sim*, double*, double*) { return not_there_yet(__func__); }
