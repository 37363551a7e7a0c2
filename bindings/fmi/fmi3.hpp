// SPDX-License-Identifier: Apache-2.0
// The C interface of FMI 3.0 (fmi-standard.org, 3.0.2): types, status codes and the 75 functions.
#pragma once
#include <cstddef>
#include <cstdint>

#include "bindings/fmi/fmi2.hpp"  // VDSIM_FMI_EXPORT

extern "C" {

using fmi3Instance = void*;
using fmi3InstanceEnvironment = void*;
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Float32 = float;
using fmi3Float64 = double;
using fmi3Boolean = bool;
using fmi3String = const char*;
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Clock = bool;

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };
enum fmi3DependencyKind { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent };
enum fmi3IntervalQualifier { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged };

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message);
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment, fmi3Float64 time, fmi3Boolean set_requested,
                                                fmi3Boolean get_allowed, fmi3Boolean step_finished,
                                                fmi3Boolean can_return_early, fmi3Boolean* return_early,
                                                fmi3Float64* return_time);
using fmi3ClockUpdateCallback = void (*)(fmi3InstanceEnvironment);
using fmi3LockPreemptionCallback = void (*)();
using fmi3UnlockPreemptionCallback = void (*)();

// The types of values with the same two functions each; Binary and Clock have their own.
#define VDSIM_FMI3_NUMBERS(F) \
  F(Float32, float)           \
  F(Float64, double)          \
  F(Int8, std::int8_t)        \
  F(UInt8, std::uint8_t)      \
  F(Int16, std::int16_t)      \
  F(UInt16, std::uint16_t)    \
  F(Int32, std::int32_t)      \
  F(UInt32, std::uint32_t) F(Int64, std::int64_t) F(UInt64, std::uint64_t) F(Boolean, bool)
#define VDSIM_FMI3_TYPES(F) VDSIM_FMI3_NUMBERS(F) F(String, const char*)

// Name, and what stands in its brackets; all give a status.
#define VDSIM_FMI3_FUNCTIONS(F)                                                                                        \
  F(fmi3SetDebugLogging, (fmi3Instance, fmi3Boolean, std::size_t, const fmi3String[]))                                 \
  F(fmi3EnterInitializationMode, (fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Float64))      \
  F(fmi3ExitInitializationMode, (fmi3Instance))                                                                        \
  F(fmi3EnterEventMode, (fmi3Instance))                                                                                \
  F(fmi3Terminate, (fmi3Instance))                                                                                     \
  F(fmi3Reset, (fmi3Instance))                                                                                         \
  F(fmi3GetBinary, (fmi3Instance, const fmi3ValueReference[], std::size_t, std::size_t[], fmi3Binary[], std::size_t))  \
  F(fmi3GetClock, (fmi3Instance, const fmi3ValueReference[], std::size_t, fmi3Clock[]))                                \
  F(fmi3SetBinary,                                                                                                     \
    (fmi3Instance, const fmi3ValueReference[], std::size_t, const std::size_t[], const fmi3Binary[], std::size_t))     \
  F(fmi3SetClock, (fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3Clock[]))                          \
  F(fmi3GetNumberOfVariableDependencies, (fmi3Instance, fmi3ValueReference, std::size_t*))                             \
  F(fmi3GetVariableDependencies, (fmi3Instance, fmi3ValueReference, std::size_t[], fmi3ValueReference[],               \
                                  std::size_t[], fmi3DependencyKind[], std::size_t))                                   \
  F(fmi3GetFMUState, (fmi3Instance, fmi3FMUState*))                                                                    \
  F(fmi3SetFMUState, (fmi3Instance, fmi3FMUState))                                                                     \
  F(fmi3FreeFMUState, (fmi3Instance, fmi3FMUState*))                                                                   \
  F(fmi3SerializedFMUStateSize, (fmi3Instance, fmi3FMUState, std::size_t*))                                            \
  F(fmi3SerializeFMUState, (fmi3Instance, fmi3FMUState, fmi3Byte[], std::size_t))                                      \
  F(fmi3DeserializeFMUState, (fmi3Instance, const fmi3Byte[], std::size_t, fmi3FMUState*))                             \
  F(fmi3GetDirectionalDerivative, (fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3ValueReference[],  \
                                   std::size_t, const fmi3Float64[], std::size_t, fmi3Float64[], std::size_t))         \
  F(fmi3GetAdjointDerivative, (fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3ValueReference[],      \
                               std::size_t, const fmi3Float64[], std::size_t, fmi3Float64[], std::size_t))             \
  F(fmi3EnterConfigurationMode, (fmi3Instance))                                                                        \
  F(fmi3ExitConfigurationMode, (fmi3Instance))                                                                         \
  F(fmi3GetIntervalDecimal,                                                                                            \
    (fmi3Instance, const fmi3ValueReference[], std::size_t, fmi3Float64[], fmi3IntervalQualifier[]))                   \
  F(fmi3GetIntervalFraction, (fmi3Instance, const fmi3ValueReference[], std::size_t, std::uint64_t[], std::uint64_t[], \
                              fmi3IntervalQualifier[]))                                                                \
  F(fmi3GetShiftDecimal, (fmi3Instance, const fmi3ValueReference[], std::size_t, fmi3Float64[]))                       \
  F(fmi3GetShiftFraction, (fmi3Instance, const fmi3ValueReference[], std::size_t, std::uint64_t[], std::uint64_t[]))   \
  F(fmi3SetIntervalDecimal, (fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3Float64[]))              \
  F(fmi3SetIntervalFraction,                                                                                           \
    (fmi3Instance, const fmi3ValueReference[], std::size_t, const std::uint64_t[], const std::uint64_t[]))             \
  F(fmi3SetShiftDecimal, (fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3Float64[]))                 \
  F(fmi3SetShiftFraction,                                                                                              \
    (fmi3Instance, const fmi3ValueReference[], std::size_t, const std::uint64_t[], const std::uint64_t[]))             \
  F(fmi3EvaluateDiscreteStates, (fmi3Instance))                                                                        \
  F(fmi3UpdateDiscreteStates,                                                                                          \
    (fmi3Instance, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Float64*))                \
  F(fmi3EnterContinuousTimeMode, (fmi3Instance))                                                                       \
  F(fmi3CompletedIntegratorStep, (fmi3Instance, fmi3Boolean, fmi3Boolean*, fmi3Boolean*))                              \
  F(fmi3SetTime, (fmi3Instance, fmi3Float64))                                                                          \
  F(fmi3SetContinuousStates, (fmi3Instance, const fmi3Float64[], std::size_t))                                         \
  F(fmi3GetContinuousStateDerivatives, (fmi3Instance, fmi3Float64[], std::size_t))                                     \
  F(fmi3GetEventIndicators, (fmi3Instance, fmi3Float64[], std::size_t))                                                \
  F(fmi3GetContinuousStates, (fmi3Instance, fmi3Float64[], std::size_t))                                               \
  F(fmi3GetNominalsOfContinuousStates, (fmi3Instance, fmi3Float64[], std::size_t))                                     \
  F(fmi3GetNumberOfEventIndicators, (fmi3Instance, std::size_t*))                                                      \
  F(fmi3GetNumberOfContinuousStates, (fmi3Instance, std::size_t*))                                                     \
  F(fmi3EnterStepMode, (fmi3Instance))                                                                                 \
  F(fmi3GetOutputDerivatives,                                                                                          \
    (fmi3Instance, const fmi3ValueReference[], std::size_t, const std::int32_t[], fmi3Float64[], std::size_t))         \
  F(fmi3DoStep,                                                                                                        \
    (fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Float64*))     \
  F(fmi3ActivateModelPartition, (fmi3Instance, fmi3ValueReference, fmi3Float64))

VDSIM_FMI_EXPORT const char* fmi3GetVersion();
// budget: the standard has ten arguments and more
VDSIM_FMI_EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                                          fmi3Boolean visible, fmi3Boolean logging,
                                                          fmi3Boolean event_mode, fmi3Boolean early_return,
                                                          const fmi3ValueReference intermediate[], std::size_t n,
                                                          fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                                          fmi3IntermediateUpdateCallback);
VDSIM_FMI_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                           fmi3Boolean visible, fmi3Boolean logging,
                                                           fmi3InstanceEnvironment, fmi3LogMessageCallback);
VDSIM_FMI_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                                fmi3Boolean visible, fmi3Boolean logging,
                                                                fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                                                fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                                                fmi3UnlockPreemptionCallback);
VDSIM_FMI_EXPORT void fmi3FreeInstance(fmi3Instance);
#define VDSIM_DECLARE(name, arguments) VDSIM_FMI_EXPORT fmi3Status name arguments;
VDSIM_FMI3_FUNCTIONS(VDSIM_DECLARE)
#undef VDSIM_DECLARE
#define VDSIM_DECLARE(name, type)                                                                                \
  VDSIM_FMI_EXPORT fmi3Status fmi3Get##name(fmi3Instance, const fmi3ValueReference[], std::size_t, type[],       \
                                            std::size_t);                                                        \
  VDSIM_FMI_EXPORT fmi3Status fmi3Set##name(fmi3Instance, const fmi3ValueReference[], std::size_t, type const[], \
                                            std::size_t);
VDSIM_FMI3_TYPES(VDSIM_DECLARE)
#undef VDSIM_DECLARE

}  // extern "C"
