// SPDX-License-Identifier: Apache-2.0
// Through vdsim.h: any bytes as a part, a vehicle and a scene, and after a line "--set PATH=" as a value: taken or refused with a
// reason, never a crash; what is taken survives a round trip, what is refused changes nothing.
#include <cstdint>
#include <cstdlib>
#include <string>

#include <vdsim.hpp>

namespace vd = vdsim::abi;

namespace {

void probe(const vd::Catalog& catalog, vdsim_kind kind, const std::string& text, const std::string& path,
           const std::string& value) {
  vdsim_spec* handle = nullptr;
  if (vdsim_spec_read(catalog.get(), kind, text.data(), text.size(), nullptr, &handle) != VDSIM_OK) {
    if (handle || vdsim_error_count() == 0 || !*vdsim_error()) std::abort();
    return;
  }
  vdsim_spec_free(handle);
  const vd::Spec spec = vd::Spec::read(catalog, kind, text), again = vd::Spec::read(catalog, kind, spec.text());
  if (again.hash() != spec.hash()) std::abort();
  for (std::size_t i = 0; i < spec.field_count(); ++i)
    if (std::string(spec.field(i).kind) != "other") spec.get(spec.field(i).path);
  if (path.empty()) return;
  vd::Spec changed = spec;
  const int status = vdsim_spec_set(changed.get(), path.c_str(), value.c_str());
  if (status == VDSIM_OK)
    vd::Spec::read(catalog, kind, changed.text());
  else if (status != VDSIM_BAD_INPUT || changed.text() != spec.text())
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const vd::Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  std::string text(reinterpret_cast<const char*>(data), size), path, value;
  if (const std::size_t at = text.find("\n--set "); at != std::string::npos) {
    path = text.substr(at + 7);
    text.resize(at);
    if (const std::size_t equals = path.find('='); equals != std::string::npos)
      value = path.substr(equals + 1), path.resize(equals);
  }
  try {
    for (const vdsim_kind kind : {VDSIM_PART, VDSIM_VEHICLE, VDSIM_SCENE}) probe(catalog, kind, text, path, value);
  } catch (const vd::Error&) {
    std::abort();
  }
  return 0;
}
