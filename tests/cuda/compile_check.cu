// SPDX-License-Identifier: Apache-2.0
// Every header of core/ must compile as CUDA, unchanged, and the whole step as device code, in double and float.
// compile_check.sh writes the list of includes.
#include "all_core_headers.hpp"

template <class R, vdsim::Level Lv> __global__ void advance(vdsim::Integrator method, const vdsim::Model<R, Lv>* model,
                                                            vdsim::State<R, Lv>* states, const vdsim::Inputs<R>* inputs,
                                                            R h, int steps, int cars) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cars) return;
  vdsim::State<R, Lv> s = states[i];
  for (int n = 0; n < steps; ++n) vdsim::integrate(method, *model, s, inputs[i], inputs[i], h);
  states[i] = s;
}
// each number type once, a planar level and the one in space
template __global__ void advance<float, vdsim::Level::L2>(vdsim::Integrator,
                                                          const vdsim::Model<float, vdsim::Level::L2>*,
                                                          vdsim::State<float, vdsim::Level::L2>*,
                                                          const vdsim::Inputs<float>*, float, int, int);
template __global__ void advance<double, vdsim::Level::L5>(vdsim::Integrator,
                                                           const vdsim::Model<double, vdsim::Level::L5>*,
                                                           vdsim::State<double, vdsim::Level::L5>*,
                                                           const vdsim::Inputs<double>*, double, int, int);
