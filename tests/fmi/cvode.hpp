// SPDX-License-Identifier: Apache-2.0
// CVode (BDF, dense Newton) on the equations of an FMU, with root finding, as FMI tools use it.
#pragma once
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "tests/fmi/exchange.hpp"

class Cvode {
 public:
  explicit Cvode(Equations& equations, double tolerance = 1e-8) : e_(equations) {
    EXPECT_EQ(SUNContext_Create(nullptr, &context_), 0);
    const auto n = static_cast<sunindextype>(e_.states);
    y_ = N_VNew_Serial(n, context_), small_ = N_VNew_Serial(n, context_);
    e_.get(N_VGetArrayPointer(y_));
    e_.nominals(N_VGetArrayPointer(small_));
    N_VScale(tolerance, small_, small_);
    matrix_ = SUNDenseMatrix(n, n, context_);
    solver_ = SUNLinSol_Dense(y_, matrix_, context_);
    memory_ = CVodeCreate(CV_BDF, context_);
    CVodeInit(memory_, rates, 0, y_);
    CVodeSVtolerances(memory_, tolerance, small_);
    CVodeSetLinearSolver(memory_, solver_, matrix_);
    CVodeSetUserData(memory_, this);
    CVodeRootInit(memory_, static_cast<int>(e_.margins), margins);
    CVodeSetMaxNumSteps(memory_, -1);
  }
  ~Cvode() {
    CVodeFree(&memory_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    N_VDestroy(y_), N_VDestroy(small_);
    SUNContext_Free(&context_);
  }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;

  // To this time, at which the inputs may have a kink.
  void run(double until) {
    CVodeReInit(memory_, t_, y_);
    CVodeSetStopTime(memory_, until);
    while (t_ < until) {
      const int flag = CVode(memory_, until, y_, &t_, CV_ONE_STEP);
      ASSERT_GE(flag, 0) << "at t = " << t_;
      ++steps;
      at(t_, y_);
      const bool due = e_.completed();
      if (!due && flag != CV_ROOT_RETURN) continue;
      ++events;
      e_.event();
      e_.get(N_VGetArrayPointer(y_));
      CVodeReInit(memory_, t_, y_);
      CVodeSetStopTime(memory_, until);
    }
  }
  int events = 0, steps = 0;

 private:
  void at(double t, N_Vector y) { e_.time(t), e_.drive(e_, t), e_.set(N_VGetArrayPointer(y)); }
  static int rates(double t, N_Vector y, N_Vector out, void* p) {
    auto& self = *static_cast<Cvode*>(p);
    self.at(t, y);
    return self.e_.rates(N_VGetArrayPointer(out)) ? 0 : 1;
  }
  static int margins(double t, N_Vector y, double* out, void* p) {
    auto& self = *static_cast<Cvode*>(p);
    self.at(t, y);
    self.e_.indicators(out);
    return 0;
  }
  Equations& e_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr, small_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  void* memory_ = nullptr;
  double t_ = 0;
};
