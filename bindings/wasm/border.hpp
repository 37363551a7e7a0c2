// SPDX-License-Identifier: Apache-2.0
// Between the worker of the page and the engine: JSON questions and answers (border.cpp), and what every frame needs without JSON.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "vdsim/config/yaml.hpp"

namespace vdsim::wasm {

using Json = nlohmann::ordered_json;

std::string_view received(std::size_t size);   // what the host wrote into vd_text()
YamlNode tree_of(const nlohmann::json& json);  // {k: "null|scalar|list|map", l, c, t, q, i: [...], e: [[key, l, c, node]...]}

}  // namespace vdsim::wasm
