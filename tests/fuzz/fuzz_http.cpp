// SPDX-License-Identifier: Apache-2.0
// Any target, host, origin and body: refused or answered with JSON or the page; nothing outside of the tables is reached.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "vdsim/study/live/server/routes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vdsim;
  static const auto catalog = std::make_shared<const Catalog>(VDSIM_SOURCE_DIR "/configs");
  static const Guard guard("127.0.0.1", 8100);
  static Routes routes(guard, catalog, "<html>", "lugre_grade_demo", nullptr, VDSIM_SOURCE_DIR "/docs");
  std::string_view all(reinterpret_cast<const char*>(data), size);
  const auto line = [&] {
    const std::string_view out = all.substr(0, all.find('\n'));
    all.remove_prefix(std::min(all.size(), out.size() + 1));
    return std::string(out);
  };
  Request in;
  in.method = line(), in.target = line(), in.host = line(), in.origin = line(), in.content_type = line();
  in.body = std::string(all);
  (void)routes.refused(in);
  in.host = "127.0.0.1:8100", in.origin.clear();
  if (routes.refused(in) != 0) return 0;
  const Response out = routes.answer(in, 0);
  if (out.type == "application/json" && nlohmann::json::parse(out.body).is_null()) std::abort();  // or throws
  if (out.status == 200 && out.type.starts_with("text/") && out.body != "<html>") std::abort();
  return 0;
}
