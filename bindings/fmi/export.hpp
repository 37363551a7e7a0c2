// SPDX-License-Identifier: Apache-2.0
// A scene, a vehicle or a tire as an FMU.
#pragma once
#include "bindings/fmi/archive.hpp"
#include "bindings/fmi/variables.hpp"

namespace vdsim::fmi {

struct Request {
  std::string source;                  // id of the catalog or a file: a scene, a vehicle or a tire
  const Scenario* scene = nullptr;     // this one in place of a source
  bool tire_only = false;              // nothing but a tire is meant
  std::vector<std::string> sets;       // PATH=VALUE, as --set
  std::string car;                     // of a scene with several; "" = the only one
  int version = 2;                     // of FMI
  Options options;                     // kind both: where model exchange is possible, else cs
  bool control_given = false;          // else: internal where the scene has a driver
  std::vector<std::string> platforms;  // none = what there is a library for, linux64 first
  std::string libraries;               // folder with PLATFORM/vdsim.so; "" = that of the program
};

struct Made {
  std::vector<ArchiveFile> files;
  std::vector<std::string> notes;  // worth telling
  std::vector<std::string> platforms;
  std::string token;
  Kind kind = Kind::cs;
};
// Throws BadInput, FileError.
Made make_fmu(const Catalog&, const Request&);

const std::vector<std::string>& platform_names();  // linux64, ...
std::string libraries_folder();                    // of this program

}  // namespace vdsim::fmi
