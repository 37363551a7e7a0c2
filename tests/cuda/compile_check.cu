// Every header of core/ must compile as CUDA, unchanged, and the whole step as device code, in double and float.
// compile_check.sh writes the list of includes.
#include "all_core_headers.hpp"

template <class R, int NW> __global__ void advance(vdsim::Integrator method, const vdsim::Model<R, NW>* model,
                                                   vdsim::State<R, NW>* states, const vdsim::Inputs<R>* inputs, R h,
                                                   int steps, int cars) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cars) return;
  vdsim::State<R, NW> s = states[i];
  for (int n = 0; n < steps; ++n) vdsim::integrate(method, *model, s, inputs[i], inputs[i], h);
  states[i] = s;
}
template __global__ void advance<double, 4>(vdsim::Integrator, const vdsim::Model<double, 4>*, vdsim::State<double, 4>*,
                                            const vdsim::Inputs<double>*, double, int, int);
template __global__ void advance<float, 2>(vdsim::Integrator, const vdsim::Model<float, 2>*, vdsim::State<float, 2>*,
                                           const vdsim::Inputs<float>*, float, int, int);
