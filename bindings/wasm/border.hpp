// SPDX-License-Identifier: Apache-2.0
// Between the worker of the page and the engine: JSON questions and answers, and what every frame needs without JSON (border.cpp).
// A question that is refused throws: the host then has the errors, and puts the memory back (exceptions.cpp).
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/live/session.hpp"

namespace vdsim::wasm {

using Question = nlohmann::json;
using Answer = nlohmann::ordered_json;

std::string_view received(std::size_t size);  // what the host wrote into vd_text()
YamlNode tree_of(const Question&);  // {k: "null|scalar|list|map", l, c, t, q, i: [...], e: [[key, l, c, node]...]}

// What the one instance holds.
struct Engine {
  std::shared_ptr<const Catalog> catalog;
  std::unique_ptr<LiveSession> session;
  std::vector<float> heights, mu;         // of the last road asked for
  std::vector<std::vector<double>> rows;  // of the last manoeuvre, by column
  LiveSession& live() const;              // throws BadInput before an `open`
};
Engine& engine();

const std::shared_ptr<const Catalog>& catalog();   // of the files so far
std::vector<Assignment> sets_of(const Question&);  // [[path, value text]...]
SceneChanges changes_of(const Question&);          // vehicle, tire, surface, sets
Scenario scene_of(const Question&);                // id, {text: YAML} or a tree, and sets
Answer session_answer();

// By the name in "op"; nullptr if there is none.
using Op = Answer (*)(const Question&);
struct NamedOp {
  const char* name;
  Op run;
};
std::span<const NamedOp> session_ops();  // ops_session.cpp
std::span<const NamedOp> study_ops();    // ops_study.cpp

}  // namespace vdsim::wasm
