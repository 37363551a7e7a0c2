// SPDX-License-Identifier: Apache-2.0
// The files of one command: each is read and parsed once, however many cars, runs or manoeuvres name it.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "vdsim/config/terrain.hpp"
#include "vdsim/config/yaml.hpp"
#include "vdsim/engine/mutex.hpp"
#include "vdsim/formats/tir.hpp"

namespace vdsim {

// Nothing is returned or kept after an error. `from`: as of read_text(). Warnings of a file are told at every call.
// What a pointer points to lives as long as this.
class Files {
 public:
  const YamlNode* yaml(const std::string& path, Errors&, const Place* from = nullptr);
  const TirSpec* tir(const std::string& path, Errors&, Warnings&, const Place* from = nullptr);
  std::shared_ptr<const Terrain> terrain(const std::string& path, Errors&, Warnings&);

 private:
  Mutex busy_;
  std::map<std::string, YamlNode> yaml_;
  std::map<std::string, std::pair<TirSpec, Warnings>> tir_;
  std::map<std::string, std::pair<std::shared_ptr<const Terrain>, Warnings>> terrain_;
};

}  // namespace vdsim
