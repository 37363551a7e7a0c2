// SPDX-License-Identifier: Apache-2.0
// Sessions of catalog scenes, for the tests of live sessions.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "vdsim/config/catalog.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/study/live/session.hpp"

namespace live {

using namespace vdsim;

inline std::shared_ptr<const Catalog> catalog() {
  static const auto all = std::make_shared<const Catalog>(std::string(VDSIM_SOURCE_DIR) + "/configs");
  return all;
}
inline std::vector<Assignment> sets(const std::vector<std::string>& texts) {
  SceneChanges out;
  for (const std::string& text : texts) out.set(text);
  return out.sets;
}
inline LiveSession session(const std::string& scene, const std::vector<std::string>& texts = {}) {
  SceneChanges changes;
  changes.sets = sets(texts);
  return LiveSession(catalog(), load_scene(*catalog(), scene, changes));
}
inline Demand pedals(double steer, double throttle, double brake) {
  Demand out;
  out.direct.steer = steer, out.direct.throttle = throttle, out.direct.brake = brake;
  return out;
}
inline double value(LiveSession& s, const std::string& name, std::size_t car = 0) {
  const auto& all = s.signals(car);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Column& c) { return c.name == name; });
  EXPECT_NE(found, all.end()) << name;
  return s.values(car)[static_cast<std::size_t>(found - all.begin())];
}
// Everything that a session keeps of its cars, and its tape.
inline std::string bytes(const LiveSession& s) {
  std::string out = s.tape() + std::to_string(s.step()) + " " + std::to_string(s.generation());
  for (std::size_t i = 0; i < s.cars(); ++i) {
    std::vector<std::byte> state(s.sim(i).snapshot_size());
    s.sim(i).snapshot(state);
    out.append(reinterpret_cast<const char*>(state.data()), state.size());
    out += s.by_hand(i) ? "hand" : "driver";
  }
  return out;
}
// The lines of BadInput, or nothing.
template <class F> std::vector<std::string> refused(F&& f) {
  try {
    f();
  } catch (const BadInput& e) {
    return e.lines;
  }
  return {};
}

}  // namespace live
