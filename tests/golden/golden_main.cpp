// SPDX-License-Identifier: Apache-2.0
// Prints one hash per run: the bytes of the final state. The same lines must come out of every compiler and optimisation level.
#include "golden_runs.hpp"

int main() {
  golden::print_all([](const auto& m, vdsim::Integrator method, double h, auto& s) { golden::run(m, method, h, s); });
}
