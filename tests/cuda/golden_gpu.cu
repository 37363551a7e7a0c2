// SPDX-License-Identifier: Apache-2.0
// The golden runs on a GPU, in double: prints the lines of tests/golden/golden.txt. Built and run by golden_gpu.sh.
#include <cstdlib>

#include "golden_runs.hpp"

template <vdsim::Level Lv> __global__ void run(const vdsim::Model<double, Lv>* m, vdsim::Integrator method, double h,
                                               vdsim::State<double, Lv>* s) {
  golden::run(*m, method, h, *s);
}

struct OnDevice {
  template <vdsim::Level Lv> void operator()(const vdsim::Model<double, Lv>& m, vdsim::Integrator method, double h,
                                             vdsim::State<double, Lv>& s) const {
    vdsim::Model<double, Lv>* dm = nullptr;
    vdsim::State<double, Lv>* ds = nullptr;
    check(cudaMalloc(&dm, sizeof m));
    check(cudaMalloc(&ds, sizeof s));
    check(cudaMemcpy(dm, &m, sizeof m, cudaMemcpyHostToDevice));
    check(cudaMemcpy(ds, &s, sizeof s, cudaMemcpyHostToDevice));
    run<Lv><<<1, 1>>>(dm, method, h, ds);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(&s, ds, sizeof s, cudaMemcpyDeviceToHost));
    cudaFree(dm);
    cudaFree(ds);
  }
  static void check(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
    std::exit(1);
  }
};

int main() { golden::print_all(OnDevice{}); }
