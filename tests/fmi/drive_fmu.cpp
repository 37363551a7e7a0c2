// SPDX-License-Identifier: Apache-2.0
// usage: drive_fmu LIBRARY GUID RESOURCES STEPS VR...
// Steps an FMU of FMI 2.0 by 10 ms and prints the bits of some outputs after every tenth step; for tests/scripts/fmu_machines.sh, on
// machines that have no test of their own. With VDSIM_STATE=FILE it goes on from the serialised state in that file, after the steps of
// VDSIM_DONE: a state of another process.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bindings/fmi/fmi2.hpp"

#if defined(_WIN32)
#include <windows.h>
static void* open_library(const char* file) { return reinterpret_cast<void*>(LoadLibraryA(file)); }
static void* find(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
#else
#include <dlfcn.h>
static void* open_library(const char* file) { return dlopen(file, RTLD_NOW | RTLD_LOCAL); }
static void* find(void* library, const char* name) { return dlsym(library, name); }
#endif

static std::vector<char> bytes_of(const char* file) {
  std::vector<char> out;
  if (std::FILE* in = std::fopen(file, "rb")) {
    for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) out.push_back(static_cast<char>(c));
    std::fclose(in);
  }
  return out;
}

static void print_log(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String format, ...) {
  va_list more;
  va_start(more, format);
  std::vfprintf(stderr, format, more);
  va_end(more);
  std::fputc('\n', stderr);
}

template <class F> static F* function(void* library, const char* name) {
  auto* out = reinterpret_cast<F*>(find(library, name));
  if (!out) std::fprintf(stderr, "no %s\n", name), std::exit(1);
  return out;
}

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  void* library = open_library(argv[1]);
  if (!library) return std::fprintf(stderr, "%s does not load\n", argv[1]), 1;
#define FIND(name) const auto name##_ = function<decltype(name)>(library, #name)  // only its type: nothing is linked
  FIND(fmi2Instantiate);
  FIND(fmi2SetupExperiment);
  FIND(fmi2EnterInitializationMode);
  FIND(fmi2ExitInitializationMode);
  FIND(fmi2DoStep);
  FIND(fmi2GetReal);
  FIND(fmi2DeSerializeFMUstate);
  FIND(fmi2SetFMUstate);
  FIND(fmi2FreeFMUstate);
  FIND(fmi2FreeInstance);
  const fmi2CallbackFunctions callbacks{print_log, std::calloc, std::free, nullptr, nullptr};
  fmi2Component c = fmi2Instantiate_("car", fmi2CoSimulation, argv[2], argv[3], &callbacks, 0, 0);
  if (!c || fmi2SetupExperiment_(c, 0, 0, 0, 0, 0) != fmi2OK || fmi2EnterInitializationMode_(c) != fmi2OK ||
      fmi2ExitInitializationMode_(c) != fmi2OK)
    return 1;
  std::vector<fmi2ValueReference> vr;
  for (int i = 5; i < argc; ++i) vr.push_back(static_cast<fmi2ValueReference>(std::atoi(argv[i])));
  std::vector<double> values(vr.size());
  int first = 0;
  if (const char* file = std::getenv("VDSIM_STATE")) {
    const std::vector<char> bytes = bytes_of(file);
    fmi2FMUstate state = nullptr;
    if (fmi2DeSerializeFMUstate_(c, bytes.data(), bytes.size(), &state) != fmi2OK ||
        fmi2SetFMUstate_(c, state) != fmi2OK)
      return 1;
    fmi2FreeFMUstate_(c, &state);
    first = std::atoi(std::getenv("VDSIM_DONE"));
  }
  for (int k = first; k < std::atoi(argv[4]); ++k) {
    if (fmi2DoStep_(c, k * 0.01, 0.01, 1) != fmi2OK) return 1;
    if (k % 10 != 9) continue;
    if (fmi2GetReal_(c, vr.data(), vr.size(), values.data()) != fmi2OK) return 1;
    for (const double x : values) {
      unsigned long long bits = 0;
      std::memcpy(&bits, &x, sizeof bits);
      std::printf("%016llx ", bits);
    }
    std::printf("\n");
  }
  fmi2FreeInstance_(c);
  return 0;
}
