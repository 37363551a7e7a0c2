// SPDX-License-Identifier: Apache-2.0
// An FMU that is used: unpacked, described, its library loaded. For `vdsim fmu check`, controllers of cars, and the tests.
#pragma once
#include <memory>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "bindings/fmi/fmi2.hpp"
#include "bindings/fmi/fmi3.hpp"
#include "vdsim/formats/temporary.hpp"

namespace vdsim::fmi {

// An FMU in a folder of its own, which goes with this object. Throws BadInput, FileError.
class Unpacked {
 public:
  explicit Unpacked(const std::string& file);
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  const std::string& file() const { return file_; }
  const std::string& folder() const { return folder_.path(); }
  const std::vector<std::string>& names() const { return names_; }  // of the files in it
  const pugi::xml_node root() const { return description_.document_element(); }
  std::string attribute(const char* name) const { return root().attribute(name).as_string(); }
  int version() const;                // 2 or 3; 0 = another
  std::string identifier() const;     // of co-simulation, else of model exchange
  std::string library() const;        // for this machine; "" = there is none
  std::string resource_uri() const;   // as FMI 2.0 wants it
  std::string resource_path() const;  // as FMI 3.0 does

 private:
  std::string file_;
  const ScratchFolder folder_{"vdsim_fmu"};
  std::vector<std::string> names_;
  pugi::xml_document description_;
};

// Which functions a library must have; those of others that it lacks are nullptr.
enum class Functions { all, co_simulation };

// The functions of FMI 2.0 in a library. Throws BadInput with every one that is missing.
struct Library2 {
  explicit Library2(const std::string& file, Functions = Functions::all);
  ~Library2();
  Library2(const Library2&) = delete;
  Library2& operator=(const Library2&) = delete;

  decltype(&::fmi2GetTypesPlatform) fmi2GetTypesPlatform = nullptr;
  decltype(&::fmi2GetVersion) fmi2GetVersion = nullptr;
  decltype(&::fmi2Instantiate) fmi2Instantiate = nullptr;
  decltype(&::fmi2FreeInstance) fmi2FreeInstance = nullptr;
#define VDSIM_MEMBER(name, arguments) fmi2Status(*name) arguments = nullptr;
  VDSIM_FMI2_FUNCTIONS(VDSIM_MEMBER)
#undef VDSIM_MEMBER

 private:
  void* handle_;
};

// The same of FMI 3.0.
struct Library3 {
  explicit Library3(const std::string& file, Functions = Functions::all);
  ~Library3();
  Library3(const Library3&) = delete;
  Library3& operator=(const Library3&) = delete;

  decltype(&::fmi3GetVersion) fmi3GetVersion = nullptr;
  decltype(&::fmi3InstantiateCoSimulation) fmi3InstantiateCoSimulation = nullptr;
  decltype(&::fmi3InstantiateModelExchange) fmi3InstantiateModelExchange = nullptr;
  decltype(&::fmi3InstantiateScheduledExecution) fmi3InstantiateScheduledExecution = nullptr;
  decltype(&::fmi3FreeInstance) fmi3FreeInstance = nullptr;
#define VDSIM_MEMBER(name, arguments) fmi3Status(*name) arguments = nullptr;
  VDSIM_FMI3_FUNCTIONS(VDSIM_MEMBER)
#undef VDSIM_MEMBER
#define VDSIM_MEMBER(name, type)                      \
  decltype(&::fmi3Get##name) fmi3Get##name = nullptr; \
  decltype(&::fmi3Set##name) fmi3Set##name = nullptr;
  VDSIM_FMI3_TYPES(VDSIM_MEMBER)
#undef VDSIM_MEMBER

 private:
  void* handle_;
};

// What is wrong with it, by the rules of the standard and by running it; none = nothing.
std::vector<std::string> check_fmu(const Unpacked&);
std::vector<std::string> check_description2(const Unpacked&);  // of these, the rules of modelDescription.xml
std::vector<std::string> check_description3(const Unpacked&);
std::vector<std::string> check_run2(const Unpacked&);  // and what it does
std::vector<std::string> check_run3(const Unpacked&);

}  // namespace vdsim::fmi
