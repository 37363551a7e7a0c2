// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/importer.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "bindings/fmi/archive.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"

namespace vdsim::fmi {
namespace fs = std::filesystem;

Unpacked::Unpacked(const std::string& file) : file_(file) {
  if (std::error_code ec; !fs::is_regular_file(file, ec)) throw BadInput(file + ": no such file");
  bool described = false;
  unzip(file, [&](const ArchiveFile& each) {
    const fs::path to = fs::path(folder()) / each.name;
    make_folder(to.parent_path().string());
    write_file(to.string(), each.bytes);
    names_.push_back(each.name);
    if (each.name != "modelDescription.xml") return;
    described = true;
    const auto parsed = description_.load_buffer(each.bytes.data(), each.bytes.size());
    if (!parsed)
      throw BadInput(file + ": modelDescription.xml: byte " + std::to_string(parsed.offset) + ": " +
                     parsed.description());
  });
  if (!described) throw BadInput(file + ": no FMU: it has no modelDescription.xml");
}

int Unpacked::version() const {
  const std::string version = attribute("fmiVersion");
  return version == "2.0" ? 2 : version.starts_with("3.") ? 3 : 0;
}

std::string Unpacked::identifier() const {
  for (const char* kind : {"CoSimulation", "ModelExchange"})
    if (const auto node = root().child(kind)) return node.attribute("modelIdentifier").as_string();
  return "";
}

std::string Unpacked::library() const {
#if defined(__aarch64__)
  const char* machine = "aarch64-linux";
#else
  const char* machine = version() == 2 ? "linux64" : "x86_64-linux";
#endif
  const fs::path file = fs::path(folder()) / "binaries" / machine / (identifier() + ".so");
  std::error_code ec;
  return fs::is_regular_file(file, ec) ? file.string() : "";
}

std::string Unpacked::resource_uri() const { return "file://" + (fs::path(folder()) / "resources").string(); }

std::string Unpacked::resource_path() const { return (fs::path(folder()) / "resources" / "").string(); }

namespace {

// Opens a library and finds functions in it; throws BadInput with every one that is missing.
class Finder {
 public:
  Finder(const std::string& file, Functions which)
      : handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)), needed(which) {
    if (!handle) throw BadInput(std::string("the library does not load: ") + dlerror());
  }
  template <class F> void operator()(const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(handle, name));
    if (!function && (needed == Functions::all || steps(name)))
      missing.push_back(std::string("the library has no ") + name);
  }
  // What it takes to step one that has numbers alone.
  static bool steps(std::string_view name) {
    constexpr std::string_view kNeeded[] = {
        "fmi2Instantiate", "fmi2FreeInstance", "fmi2SetupExperiment", "fmi2EnterInitializationMode",
        "fmi2Terminate",   "fmi2SetReal",      "fmi2GetReal",         "fmi2ExitInitializationMode",
        "fmi2DoStep",      "fmi3DoStep",       "fmi3FreeInstance",    "fmi3EnterInitializationMode",
        "fmi3Terminate",   "fmi3SetFloat64",   "fmi3GetFloat64",      "fmi3ExitInitializationMode",
        "fmi2SetInteger",  "fmi2GetInteger",   "fmi2SetBoolean",      "fmi3InstantiateCoSimulation",
        "fmi2GetBoolean"};
    return std::find(std::begin(kNeeded), std::end(kNeeded), name) != std::end(kNeeded);
  }
  void* done() {
    if (missing.empty()) return handle;
    dlclose(handle);
    throw BadInput(missing);
  }
  void* handle;
  Functions needed;
  std::vector<std::string> missing;
};

}  // namespace

#define VDSIM_FIND(name, arguments) find(#name, name);

Library2::Library2(const std::string& file, Functions which) {
  Finder find(file, which);
  VDSIM_FIND(fmi2GetTypesPlatform, )
  VDSIM_FIND(fmi2GetVersion, )
  VDSIM_FIND(fmi2Instantiate, )
  VDSIM_FIND(fmi2FreeInstance, )
  VDSIM_FMI2_FUNCTIONS(VDSIM_FIND)
  handle_ = find.done();
}
Library2::~Library2() { dlclose(handle_); }

Library3::Library3(const std::string& file, Functions which) {
  Finder find(file, which);
  VDSIM_FIND(fmi3GetVersion, )
  VDSIM_FIND(fmi3InstantiateCoSimulation, )
  VDSIM_FIND(fmi3InstantiateModelExchange, )
  VDSIM_FIND(fmi3InstantiateScheduledExecution, )
  VDSIM_FIND(fmi3FreeInstance, )
  VDSIM_FMI3_FUNCTIONS(VDSIM_FIND)
#define VDSIM_FIND_TYPE(name, type)     \
  find("fmi3Get" #name, fmi3Get##name); \
  find("fmi3Set" #name, fmi3Set##name);
  VDSIM_FMI3_TYPES(VDSIM_FIND_TYPE)
  handle_ = find.done();
}
Library3::~Library3() { dlclose(handle_); }

}  // namespace vdsim::fmi
