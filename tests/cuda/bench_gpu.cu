// SPDX-License-Identifier: Apache-2.0
// Car-steps per second on a GPU: a bare loop over a million cars, each with its own state and commands, one model for all.
// L2, fixed laws (MF96 + rolling). The state lies as a structure of arrays, so that the loads of neighbouring threads
// join; a launch makes many steps. Built twice: exact (double, float; -fmad=false) and fast (float; -DVDSIM_NUMERIC_FAST -use_fast_math).
//   bench_gpu [cars] [steps per launch] [launches]
// Prints car-steps/s, median of the launches, and compares a few cars with the CPU after the same number of steps: exact
// numbers to the bit, fast ones to a part in a thousand. Exit 1 if they differ.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "vdsim/core/integrate.hpp"
#include "vdsim/core/vehicle/compile.hpp"

using namespace vdsim;
constexpr Level kLevel = Level::L2;
template <class R> using Car = State<R, kLevel>;
template <class R> using FixedModel = Model<R, kLevel, FixedMf96Rolling>;

// Calls f(number) for every number of the state that these laws use.
template <class S, class F> __host__ __device__ __forceinline__ void each_number(S& s, F&& f) {
  f(s.x), f(s.y), f(s.psi), f(s.vx), f(s.vy), f(s.r), f(s.ax), f(s.ay);
#pragma unroll
  for (int i = 0; i < kWheels<kLevel>; ++i) f(s.wheel[i].w), f(s.wheel[i].zx), f(s.wheel[i].zy), f(s.wheel[i].roll), f(s.wheel[i].pivot);
}
constexpr int kNumbers = 8 + 5 * kWheels<kLevel>;

template <class R> struct Cars {
  R* state;  // number k of car i at [k * cars + i]
  R *steer, *throttle;
  int cars;
};

// Threads of a block and blocks on one multiprocessor at least: more of them leave fewer registers to each thread. The code of a step is longer
// than the instruction cache, so warps that go together fetch it once. One evaluation: many cars 512 threads in one block (128 registers each),
// else as many registers as there are; RK4 in float: three blocks of 128.
template <class R, Integrator How, bool Many> struct Shape {
  static constexpr bool fast_rk4 = sizeof(R) == 4 && How == Integrator::rk4, crowd = Many && sizeof(R) == 4 && !fast_rk4;
  static constexpr int threads = crowd ? 512 : 128, blocks = fast_rk4 ? 3 : 1;
};
constexpr int kMany = 200000;

template <class R, Integrator How, bool Many> __global__ void __launch_bounds__((Shape<R, How, Many>::threads), (Shape<R, How, Many>::blocks))
    advance(const __grid_constant__ FixedModel<R> model, Cars<R> c, R h, int steps) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x, i = at < c.cars ? at : c.cars - 1;
  Car<R> s{};
  int k = 0;
  each_number(s, [&](R& x) { x = c.state[std::size_t(k++) * c.cars + i]; });
  const Inputs<R> u{c.steer[i], c.throttle[i], R(0.0), R(0.0), R(1.0)};
  for (int n = 0; n < steps; ++n) {
    integrate(How, model, s, u, u, h);
    if (Shape<R, How, Many>::crowd) __syncthreads();
  }
  k = 0;
  if (at < c.cars) each_number(s, [&](R& x) { c.state[std::size_t(k++) * c.cars + i] = x; });
}
template <class R, Integrator How, bool Many> void launch(const FixedModel<R>& model, const Cars<R>& c, R h, int steps) {
  constexpr int threads = Shape<R, How, Many>::threads;
  advance<R, How, Many><<<(c.cars + threads - 1) / threads, threads>>>(model, c, h, steps);
}

void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
  std::exit(2);
}

double start_speed(int i) { return 15 + 0.001 * (i % 10000); }
double steer_of(int i) { return 0.02 + 1e-6 * (i % 30000); }

// Struct of double -> struct of R; both are arrays of numbers.
template <class R, class To, class From> void numbers(const From& from, To& to) {
  static_assert(sizeof(To) / sizeof(R) == sizeof(From) / sizeof(double));
  std::vector<double> f(sizeof from / sizeof(double));
  std::vector<R> t(f.size());
  std::memcpy(f.data(), &from, sizeof from);
  std::copy(f.begin(), f.end(), t.begin());
  std::memcpy(&to, t.data(), sizeof to);
}

template <class R, Integrator How> bool measure(const char* name, int cars, int steps, int launches) {
  const R h = R(How == Integrator::implicit ? 5e-3 : 1e-3);
  const Model<double, kLevel> open = compile<kLevel>(VehicleSpec{}, RoadSpec{});
  Model<double, kLevel, FixedMf96Rolling> fixed;
  if (!fix(open, fixed)) {
    std::fprintf(stderr, "the car does not follow the fixed laws\n");
    std::exit(2);
  }
  FixedModel<R> model;
  numbers<R>(fixed.p, model.p);
  std::vector<R> state(std::size_t(kNumbers) * cars), steer(cars), throttle(cars, R(0.2));
  for (int i = 0; i < cars; ++i) {
    Car<double> s = start<kLevel>(open, 0, 0, 0, start_speed(i));
    int k = 0;
    each_number(s, [&](double x) { state[std::size_t(k++) * cars + i] = R(x); });
    steer[i] = R(steer_of(i));
  }
  Cars<R> c{nullptr, nullptr, nullptr, cars};
  check(cudaMalloc(&c.state, state.size() * sizeof(R)));
  check(cudaMalloc(&c.steer, steer.size() * sizeof(R)));
  check(cudaMalloc(&c.throttle, throttle.size() * sizeof(R)));
  check(cudaMemcpy(c.state, state.data(), state.size() * sizeof(R), cudaMemcpyHostToDevice));
  check(cudaMemcpy(c.steer, steer.data(), steer.size() * sizeof(R), cudaMemcpyHostToDevice));
  check(cudaMemcpy(c.throttle, throttle.data(), throttle.size() * sizeof(R), cudaMemcpyHostToDevice));
  std::vector<double> rate;
  for (int n = 0; n < launches; ++n) {
    const auto t0 = std::chrono::steady_clock::now();
    cars >= kMany ? launch<R, How, true>(model, c, h, steps) : launch<R, How, false>(model, c, h, steps);
    check(cudaDeviceSynchronize());
    rate.push_back(double(cars) * steps / std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count());
  }
  std::vector<R> end(state.size());
  check(cudaMemcpy(end.data(), c.state, end.size() * sizeof(R), cudaMemcpyDeviceToHost));
  cudaFree(c.state), cudaFree(c.steer), cudaFree(c.throttle);
  double worst = 0;
  for (int i = 0; i < cars; i += cars / 7 + 1) {
    Car<R> s{};
    int k = 0;
    each_number(s, [&](R& x) { x = state[std::size_t(k++) * cars + i]; });
    const Inputs<R> u{steer[i], throttle[i], R(0.0), R(0.0), R(1.0)};
    for (int n = 0; n < steps * launches; ++n) integrate(How, model, s, u, u, h);
    k = 0;
    each_number(s, [&](R& x) {
      const double got = double(end[std::size_t(k++) * cars + i]), want = double(x);
      const double off = std::abs(got - want) / std::max(1.0, std::abs(want));
      worst = off <= worst ? worst : off;  // not a number stays
    });
  }
  std::sort(rate.begin(), rate.end());
#ifdef VDSIM_NUMERIC_FAST
  const bool good = worst <= 1e-3;
#else
  const bool good = worst == 0;
#endif
  std::printf("%-6s %-5s %-14s %.3e car-steps/s  (best %.3e)  CPU: largest deviation %.2g%s\n", name,
#ifdef VDSIM_NUMERIC_FAST
              "fast",
#else
              "exact",
#endif
              How == Integrator::rk4 ? "rk4" : "one-evaluation", rate[rate.size() / 2], rate.back(), worst,
              good ? "" : "  DIFFERS");
  return good;
}

int main(int argc, char** argv) {
  const int cars = argc > 1 ? std::atoi(argv[1]) : 1000000, steps = argc > 2 ? std::atoi(argv[2]) : 200,
            launches = argc > 3 ? std::atoi(argv[3]) : 7;
  bool good = measure<float, Integrator::implicit>("float", cars, steps, launches);
  good = measure<float, Integrator::rk4>("float", cars, steps, launches) && good;
#ifndef VDSIM_NUMERIC_FAST
  good = measure<double, Integrator::implicit>("double", cars, steps, launches) && good;
  good = measure<double, Integrator::rk4>("double", cars, steps, launches) && good;
#endif
  return good ? 0 : 1;
}
