// SPDX-License-Identifier: Apache-2.0
#include "bindings/wasm/border.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/document.hpp"
#include "vdsim/study/sim.hpp"

namespace vdsim::wasm {
std::string text;
std::string_view received(std::size_t size) { return std::string_view(text).substr(0, size); }
}
extern "C" {
#define VD(name) [[clang::export_name(#name)]]
VD(vd_text) char* vd_text(std::size_t n) { vdsim::wasm::text.resize(n); return vdsim::wasm::text.data(); }
VD(vd_try) double vd_try() {
  auto catalog = std::make_shared<vdsim::Catalog>("/configs");
  auto scene = vdsim::load_scene(*catalog, "lugre_grade_demo");
  vdsim::Sim sim(scene, scene.cars[0]);
  sim.advance(1000);
  return sim.values()[1];
}
}
