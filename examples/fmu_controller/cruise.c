/* SPDX-License-Identifier: Apache-2.0 */
/* A speed controller as an FMU, FMI 2.0 for co-simulation, in plain C: what `control: {fmu: cruise.fmu}` of a car takes and no more.
   make.sh builds it. Input vx [m/s]; outputs throttle and brake [0..1]; parameters target [m/s], gain and reset. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { OK, WARNING, DISCARD, ERROR };
enum { VX, THROTTLE, BRAKE, TARGET, GAIN, RESET, INTEGRAL, COUNT }; /* value references */

static void control(double* v, double h) {
  const double error = v[TARGET] - v[VX];
  const double pedal = v[GAIN] * error + v[RESET] * v[INTEGRAL];
  if ((pedal < 1 || error < 0) && (pedal > -1 || error > 0)) v[INTEGRAL] += h * error; /* not while the pedal is at its stop */
  v[THROTTLE] = pedal > 1 ? 1 : pedal > 0 ? pedal : 0;
  v[BRAKE] = pedal < -1 ? 1 : pedal < 0 ? -pedal : 0;
}

EXPORT void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources, const void* callbacks,
                             int visible, int logging) {
  (void)name, (void)resources, (void)callbacks, (void)visible, (void)logging;
  if (type != 1 || strcmp(guid, "{cruise-1}") != 0) return NULL;
  double* const v = calloc(COUNT, sizeof *v);
  if (v) v[TARGET] = 25, v[GAIN] = 0.3, v[RESET] = 0.05;
  return v;
}
EXPORT void fmi2FreeInstance(void* c) { free(c); }
EXPORT int fmi2SetupExperiment(void* c, int has_tolerance, double tolerance, double start, int has_end, double end) {
  (void)c, (void)has_tolerance, (void)tolerance, (void)start, (void)has_end, (void)end;
  return OK;
}
EXPORT int fmi2EnterInitializationMode(void* c) { return c ? OK : ERROR; }
EXPORT int fmi2ExitInitializationMode(void* c) {
  control(c, 0);
  return OK;
}
EXPORT int fmi2Terminate(void* c) { return c ? OK : ERROR; }
EXPORT int fmi2DoStep(void* c, double t, double h, int no_return) {
  (void)t, (void)no_return;
  control(c, h);
  return OK;
}
EXPORT int fmi2SetReal(void* c, const unsigned vr[], size_t n, const double values[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] >= COUNT) return ERROR;
    ((double*)c)[vr[i]] = values[i];
  }
  return OK;
}
EXPORT int fmi2GetReal(void* c, const unsigned vr[], size_t n, double values[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] >= COUNT) return ERROR;
    values[i] = ((double*)c)[vr[i]];
  }
  return OK;
}
/* it has no other variables */
EXPORT int fmi2SetInteger(void* c, const unsigned vr[], size_t n, const int values[]) {
  (void)c, (void)vr, (void)values;
  return n == 0 ? OK : ERROR;
}
EXPORT int fmi2GetInteger(void* c, const unsigned vr[], size_t n, int values[]) {
  (void)c, (void)vr, (void)values;
  return n == 0 ? OK : ERROR;
}
EXPORT int fmi2SetBoolean(void* c, const unsigned vr[], size_t n, const int values[]) {
  return fmi2SetInteger(c, vr, n, values);
}
EXPORT int fmi2GetBoolean(void* c, const unsigned vr[], size_t n, int values[]) {
  return fmi2GetInteger(c, vr, n, values);
}
