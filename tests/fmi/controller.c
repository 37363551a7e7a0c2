/* SPDX-License-Identifier: Apache-2.0 */
/* An FMU that commands a car, in plain C: co-simulation of FMI 2.0 and 3.0 in one library, with the functions that it takes and no
   others. Its parameters make it fail as FMUs do. */
#include "controller_law.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#define EXPORT __attribute__((visibility("default")))
enum { OK, WARNING, DISCARD, ERROR, FATAL };
typedef void (*Log2)(void*, const char*, int, const char*, const char*, ...);
typedef void (*Log3)(void*, int, const char*, const char*);
typedef struct {
  Log2 log;
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*finished)(void*, int);
  void* environment;
} Callbacks;

enum { VX = 1, YAW, R, FZ, FZ_RIGHT, Y, THROTTLE = 10, BRAKE, STEER, GEAR, LOAD, ALIVE, TORQUE };
enum { TARGET = 20, GAIN, FAIL_AT, FAIL_WITH, NAN_AT, WANT_STEP, LABEL, ROUGH, SHIFT };

typedef struct {
  struct Law law;
  struct LawInput in;
  struct LawOutput out;
  double want_step;
  int32_t fail_at, fail_with, nan_at, shift, steps;
  bool rough;
  char label[40];
  const Callbacks* callbacks;
  Log3 log3;
  void* environment;
} Controller;

static Controller* all[8]; /* after Fatal nobody frees them */

static double* real(Controller* c, uint32_t vr) {
  switch (vr) {
    case VX: return &c->in.vx;
    case YAW: return &c->in.psi;
    case R: return &c->in.r;
    case FZ: return &c->in.fz_left;
    case FZ_RIGHT: return &c->in.fz_right;
    case Y: return &c->in.y;
    case THROTTLE: return &c->out.throttle;
    case BRAKE: return &c->out.brake;
    case STEER: return &c->out.steer;
    case TARGET: return &c->law.target;
    case GAIN: return &c->law.gain;
    case WANT_STEP: return &c->want_step;
    default: return NULL;
  }
}
static int32_t* whole(Controller* c, uint32_t vr) {
  switch (vr) {
    case FAIL_AT: return &c->fail_at;
    case FAIL_WITH: return &c->fail_with;
    case NAN_AT: return &c->nan_at;
    case GEAR: return &c->shift;
    case SHIFT: return &c->shift;
    default: return NULL;
  }
}
static int say(Controller* c, int status, const char* what, double number) {
  if (c->log3) {
    char text[200];
    snprintf(text, sizeof text, "%s: %s %g", c->label, what, number);
    c->log3(c->environment, status, "logStatusError", text);
  } else {
    c->callbacks->log(c->callbacks->environment, "controller", status, "logStatusError", "%s: %s %g\n", c->label, what,
                      number);
  }
  return status;
}
static Controller* start(const char* token) {
  if (strcmp(token, "{controller-of-the-tests}") != 0) return NULL;
  Controller* const c = calloc(1, sizeof *c);
  c->law.target = 15, c->law.gain = 0.3, c->fail_at = c->nan_at = -1, c->fail_with = ERROR, c->shift = 1;
  strcpy(c->label, "no name");
  for (int i = 0; i < 8; ++i)
    if (!all[i]) {
      all[i] = c;
      break;
    }
  return c;
}
static void evaluate(Controller* c, double h) {
  c->out = law_step(&c->law, c->in, h);
  if (c->steps == c->nan_at) c->out.steer = NAN;
}
static int step(Controller* c, double h) {
  if (c->steps == c->fail_at) return say(c, c->fail_with, "gives up at step", c->steps);
  if (c->want_step > 0 && fabs(h - c->want_step) > 1e-12) return say(c, ERROR, "wants steps of", c->want_step);
  ++c->steps;
  evaluate(c, h);
  if (c->rough) { /* what a host must survive */
    fesetround(FE_DOWNWARD);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  }
  return OK;
}
static int set_text(Controller* c, uint32_t vr, const char* text) {
  if (vr != LABEL) return ERROR;
  snprintf(c->label, sizeof c->label, "%s", text);
  return OK;
}

/* --- FMI 2.0 */
EXPORT void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources,
                             const Callbacks* callbacks, int visible, int logging) {
  (void)name, (void)resources, (void)visible, (void)logging;
  Controller* const c = type == 1 ? start(guid) : NULL;
  if (c)
    c->callbacks = callbacks;
  else
    callbacks->log(callbacks->environment, "controller", ERROR, "logStatusError", "wrong guid %s", guid);
  return c;
}
EXPORT void fmi2FreeInstance(void* c) {
  for (int i = 0; i < 8; ++i)
    if (all[i] == c) all[i] = NULL;
  free(c);
}
EXPORT int fmi2SetupExperiment(void* c, int toleranced, double tolerance, double from, int ends, double until) {
  (void)c, (void)toleranced, (void)tolerance;
  return from == 0 && ends && until > 0 ? OK : ERROR;
}
EXPORT int fmi2EnterInitializationMode(void* c) {
  (void)c;
  return OK;
}
EXPORT int fmi2ExitInitializationMode(void* c) {
  Controller* const self = c;
  if (self->fail_at == -2) return say(self, ERROR, "does not start", 0);
  evaluate(self, 0);
  return OK;
}
EXPORT int fmi2Terminate(void* c) {
  (void)c;
  return OK;
}
EXPORT int fmi2DoStep(void* c, double t, double h, int final) {
  (void)t, (void) final;
  const int out = step(c, h);
  for (int i = 0; i < 8 && out == FATAL; ++i) free(all[i]), all[i] = NULL; /* nobody may call one any more */
  return out;
}
EXPORT int fmi2SetReal(void* c, const uint32_t vr[], size_t n, const double values[]) {
  for (size_t i = 0; i < n; ++i) {
    double* const at = real(c, vr[i]);
    if (!at) return ERROR;
    *at = values[i];
  }
  return OK;
}
EXPORT int fmi2GetReal(void* c, const uint32_t vr[], size_t n, double values[]) {
  for (size_t i = 0; i < n; ++i) {
    const double* const at = real(c, vr[i]);
    if (!at) return ERROR;
    values[i] = *at;
  }
  return OK;
}
EXPORT int fmi2SetInteger(void* c, const uint32_t vr[], size_t n, const int32_t values[]) {
  for (size_t i = 0; i < n; ++i) {
    int32_t* const at = whole(c, vr[i]);
    if (!at) return ERROR;
    *at = values[i];
  }
  return OK;
}
EXPORT int fmi2GetInteger(void* c, const uint32_t vr[], size_t n, int32_t values[]) {
  for (size_t i = 0; i < n; ++i) {
    const int32_t* const at = whole(c, vr[i]);
    if (!at) return ERROR;
    values[i] = *at;
  }
  return OK;
}
EXPORT int fmi2SetBoolean(void* c, const uint32_t vr[], size_t n, const int values[]) {
  if (n != 1 || vr[0] != ROUGH) return ERROR;
  ((Controller*)c)->rough = values[0];
  return OK;
}
EXPORT int fmi2GetBoolean(void* c, const uint32_t vr[], size_t n, int values[]) {
  (void)c;
  if (n != 1 || vr[0] != ALIVE) return ERROR;
  values[0] = 1;
  return OK;
}
EXPORT int fmi2SetString(void* c, const uint32_t vr[], size_t n, const char* const values[]) {
  return n == 1 ? set_text(c, vr[0], values[0]) : ERROR;
}

/* --- FMI 3.0 */
EXPORT void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool visible,
                                         bool logging, bool events, bool early, const uint32_t between[], size_t n,
                                         void* environment, Log3 log, void* update) {
  (void)name, (void)resources, (void)visible, (void)logging, (void)between, (void)n, (void)update;
  Controller* const c = events || early ? NULL : start(token);
  if (c)
    c->log3 = log, c->environment = environment;
  else
    log(environment, ERROR, "logStatusError", "wrong token");
  return c;
}
EXPORT void fmi3FreeInstance(void* c) { fmi2FreeInstance(c); }
EXPORT int fmi3EnterInitializationMode(void* c, bool toleranced, double tolerance, double from, bool ends,
                                       double until) {
  return fmi2SetupExperiment(c, toleranced, tolerance, from, ends, until);
}
EXPORT int fmi3ExitInitializationMode(void* c) { return fmi2ExitInitializationMode(c); }
EXPORT int fmi3Terminate(void* c) { return fmi2Terminate(c); }
EXPORT int fmi3DoStep(void* c, double t, double h, bool final, bool* event, bool* end, bool* early, double* reached) {
  Controller* const self = c;
  *event = *early = false, *reached = t + h;
  *end = self->fail_with == -1 && self->steps == self->fail_at;
  return *end ? OK : fmi2DoStep(c, t, h, final);
}
/* the loads of the wheels are one array */
EXPORT int fmi3SetFloat64(void* c, const uint32_t vr[], size_t n, const double values[], size_t n_values) {
  if (n == 1 && vr[0] == FZ) {
    ((Controller*)c)->in.fz_left = values[0], ((Controller*)c)->in.fz_right = values[1];
    return n_values == 4 ? OK : ERROR;
  }
  return n == n_values ? fmi2SetReal(c, vr, n, values) : ERROR;
}
EXPORT int fmi3GetFloat64(void* c, const uint32_t vr[], size_t n, double values[], size_t n_values) {
  if (n == 1 && vr[0] == TORQUE) { /* an array */
    for (size_t i = 0; i < 4; ++i) values[i] = i < 2 ? 100 : 200;
    return n_values == 4 ? OK : ERROR;
  }
  return n == n_values ? fmi2GetReal(c, vr, n, values) : ERROR;
}
EXPORT int fmi3SetInt32(void* c, const uint32_t vr[], size_t n, const int32_t values[], size_t n_values) {
  return n == n_values ? fmi2SetInteger(c, vr, n, values) : ERROR;
}
EXPORT int fmi3GetInt32(void* c, const uint32_t vr[], size_t n, int32_t values[], size_t n_values) {
  return n == n_values ? fmi2GetInteger(c, vr, n, values) : ERROR;
}
EXPORT int fmi3SetBoolean(void* c, const uint32_t vr[], size_t n, const bool values[], size_t n_values) {
  const int value = values[0];
  return n == 1 && n_values == 1 ? fmi2SetBoolean(c, vr, 1, &value) : ERROR;
}
EXPORT int fmi3SetString(void* c, const uint32_t vr[], size_t n, const char* const values[], size_t n_values) {
  return n == 1 && n_values == 1 ? set_text(c, vr[0], values[0]) : ERROR;
}
