// SPDX-License-Identifier: Apache-2.0
// The C interface of FMI 2.0 (fmi-standard.org, 2.0.4): types, status codes and the 44 functions.
#pragma once
#include <cstddef>

#if defined(_WIN32)
#define VDSIM_FMI_EXPORT __declspec(dllexport)
#else
#define VDSIM_FMI_EXPORT __attribute__((visibility("default")))
#endif

extern "C" {

using fmi2Component = void*;
using fmi2ComponentEnvironment = void*;
using fmi2FMUstate = void*;
using fmi2ValueReference = unsigned int;
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;
using fmi2String = const char*;
using fmi2Byte = char;

enum fmi2Status { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation };
enum fmi2StatusKind { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

struct fmi2CallbackFunctions {
  void (*logger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status, fmi2String category, fmi2String message,
                 ...);
  void* (*allocateMemory)(std::size_t count, std::size_t size);
  void (*freeMemory)(void*);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
};
struct fmi2EventInfo {
  fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
      valuesOfContinuousStatesChanged, nextEventTimeDefined;
  fmi2Real nextEventTime;
};

// Name, and what stands in its brackets; all give a status but the first three.
#define VDSIM_FMI2_FUNCTIONS(F)                                                                                        \
  F(fmi2SetDebugLogging, (fmi2Component, fmi2Boolean, std::size_t, const fmi2String[]))                                \
  F(fmi2SetupExperiment, (fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real))                      \
  F(fmi2EnterInitializationMode, (fmi2Component))                                                                      \
  F(fmi2ExitInitializationMode, (fmi2Component))                                                                       \
  F(fmi2Terminate, (fmi2Component))                                                                                    \
  F(fmi2Reset, (fmi2Component))                                                                                        \
  F(fmi2GetReal, (fmi2Component, const fmi2ValueReference[], std::size_t, fmi2Real[]))                                 \
  F(fmi2GetInteger, (fmi2Component, const fmi2ValueReference[], std::size_t, fmi2Integer[]))                           \
  F(fmi2GetBoolean, (fmi2Component, const fmi2ValueReference[], std::size_t, fmi2Boolean[]))                           \
  F(fmi2GetString, (fmi2Component, const fmi2ValueReference[], std::size_t, fmi2String[]))                             \
  F(fmi2SetReal, (fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2Real[]))                           \
  F(fmi2SetInteger, (fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2Integer[]))                     \
  F(fmi2SetBoolean, (fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2Boolean[]))                     \
  F(fmi2SetString, (fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2String[]))                       \
  F(fmi2GetFMUstate, (fmi2Component, fmi2FMUstate*))                                                                   \
  F(fmi2SetFMUstate, (fmi2Component, fmi2FMUstate))                                                                    \
  F(fmi2FreeFMUstate, (fmi2Component, fmi2FMUstate*))                                                                  \
  F(fmi2SerializedFMUstateSize, (fmi2Component, fmi2FMUstate, std::size_t*))                                           \
  F(fmi2SerializeFMUstate, (fmi2Component, fmi2FMUstate, fmi2Byte[], std::size_t))                                     \
  F(fmi2DeSerializeFMUstate, (fmi2Component, const fmi2Byte[], std::size_t, fmi2FMUstate*))                            \
  F(fmi2GetDirectionalDerivative, (fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2ValueReference[], \
                                   std::size_t, const fmi2Real[], fmi2Real[]))                                         \
  F(fmi2EnterEventMode, (fmi2Component))                                                                               \
  F(fmi2NewDiscreteStates, (fmi2Component, fmi2EventInfo*))                                                            \
  F(fmi2EnterContinuousTimeMode, (fmi2Component))                                                                      \
  F(fmi2CompletedIntegratorStep, (fmi2Component, fmi2Boolean, fmi2Boolean*, fmi2Boolean*))                             \
  F(fmi2SetTime, (fmi2Component, fmi2Real))                                                                            \
  F(fmi2SetContinuousStates, (fmi2Component, const fmi2Real[], std::size_t))                                           \
  F(fmi2GetDerivatives, (fmi2Component, fmi2Real[], std::size_t))                                                      \
  F(fmi2GetEventIndicators, (fmi2Component, fmi2Real[], std::size_t))                                                  \
  F(fmi2GetContinuousStates, (fmi2Component, fmi2Real[], std::size_t))                                                 \
  F(fmi2GetNominalsOfContinuousStates, (fmi2Component, fmi2Real[], std::size_t))                                       \
  F(fmi2SetRealInputDerivatives,                                                                                       \
    (fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2Integer[], const fmi2Real[]))                   \
  F(fmi2GetRealOutputDerivatives,                                                                                      \
    (fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2Integer[], fmi2Real[]))                         \
  F(fmi2DoStep, (fmi2Component, fmi2Real, fmi2Real, fmi2Boolean))                                                      \
  F(fmi2CancelStep, (fmi2Component))                                                                                   \
  F(fmi2GetStatus, (fmi2Component, fmi2StatusKind, fmi2Status*))                                                       \
  F(fmi2GetRealStatus, (fmi2Component, fmi2StatusKind, fmi2Real*))                                                     \
  F(fmi2GetIntegerStatus, (fmi2Component, fmi2StatusKind, fmi2Integer*))                                               \
  F(fmi2GetBooleanStatus, (fmi2Component, fmi2StatusKind, fmi2Boolean*))                                               \
  F(fmi2GetStringStatus, (fmi2Component, fmi2StatusKind, fmi2String*))

VDSIM_FMI_EXPORT const char* fmi2GetTypesPlatform();
VDSIM_FMI_EXPORT const char* fmi2GetVersion();
VDSIM_FMI_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type, fmi2String guid, fmi2String resources,
                                               const fmi2CallbackFunctions*, fmi2Boolean visible, fmi2Boolean logging);
VDSIM_FMI_EXPORT void fmi2FreeInstance(fmi2Component);
#define VDSIM_DECLARE(name, arguments) VDSIM_FMI_EXPORT fmi2Status name arguments;
VDSIM_FMI2_FUNCTIONS(VDSIM_DECLARE)
#undef VDSIM_DECLARE

}  // extern "C"
