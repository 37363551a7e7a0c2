// SPDX-License-Identifier: Apache-2.0
// `vdsim page`: the page and the API from this program.
#include <fmt/format.h>

#include <memory>

#include "apps/vdsim/commands.hpp"
#include "vdsim/engine/errors.hpp"
#if VDSIM_HAS_PAGE
#include <spawn.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "apps/page/server.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/study/live/server/comms.hpp"
#endif

namespace vdsim::cli {
namespace {

#if VDSIM_HAS_PAGE

constexpr const char* kPageExamples = R"(Examples:
  vdsim page                                  the page in the browser; the physics runs in it
  vdsim page lugre_grade_demo --native        the physics runs here: WebSocket at /api/live, HTTP below /api
  vdsim page --export site                    one file, site/index.html, for any web server or a double click

The server listens on this machine alone. With another --bind it asks for the token of the printed address. It speaks no TLS: to use
it from elsewhere, tunnel (ssh -L 8100:127.0.0.1:8100 HOST). Guide: docs/LIVE.md.)";

struct PageArguments {
  std::string scene, bind = "127.0.0.1", folder;
  int port = 8100;
  bool no_browser = false, native = false, quiet = false;
};

int export_page(const std::string& folder) {
  const std::string_view html = page::page_html();
  if (html.empty())
    throw BadInput(
        "--export: this program was built without the page (no WebAssembly tools or npm); ./vdsim page builds it");
  write_together({{folder + "/index.html", std::string(html)}});
  fmt::print("{}/index.html\n", folder);
  return done;
}

void open_browser(const std::string& url) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::string program = "xdg-open", address = url;
  char* const words[] = {program.data(), address.data(), nullptr};
  pid_t child = 0;
  ::posix_spawnp(&child, "xdg-open", nullptr, nullptr, words, environ);
}

int serve_page(const PageArguments& in) {
  if (!in.folder.empty()) return export_page(in.folder);
  const std::atomic<int>& stop = stop_signal();  // from here on Ctrl-C is the way to end it
  std::vector<std::string> lines;
  if (in.port < 1 || in.port > 65535) lines.push_back(fmt::format("--port {}: expected 1 to 65535", in.port));
  if (!is_ip(in.bind)) lines.push_back(fmt::format("--bind {}: expected an address such as 127.0.0.1", in.bind));
  if (page::page_html().empty() && !in.native)
    lines.emplace_back("vdsim page: this program was built without the page; use --native for the API alone");
  if (!lines.empty()) throw BadInput(lines);
  const auto catalog = std::make_shared<const Catalog>(Catalog::default_folder());
  const std::string name = in.scene.empty() ? "lugre_grade_demo" : in.scene;
  Scenario scene = load_scene(*catalog, name);  // also where the page computes: a typing error is told here
  print_warnings(scene.warnings, false);
  const double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  std::unique_ptr<LiveHost> host;
  std::unique_ptr<LiveHub> hub;
  if (in.native) {
    host = std::make_unique<LiveHost>(catalog, std::move(scene));
    hub = std::make_unique<LiveHub>(*host, now, "results/live");
  }
  page::Server server(in.bind, static_cast<std::uint16_t>(in.port));
  const Guard guard(in.bind, server.port());
  Routes routes(guard, catalog, page::page_html(), name, hub.get(), "results");
  fmt::print("{}\n", guard.url());
  std::fflush(stdout);
  if (guard.needs_token()) tell("note: --bind {}: no TLS; who can listen on the way can read the token\n", in.bind);
  if (!in.no_browser && !page::page_html().empty()) open_browser(guard.url());
  server.run(guard, routes, hub.get(), stop);
  if (hub) hub->stop_record();
  if (!in.quiet) fmt::print("stopped\n");
  return done;
}

#endif

}  // namespace

void add_page(Verb app, Action& chosen) {
#if VDSIM_HAS_PAGE
  auto in = std::make_shared<PageArguments>();
  Verb sub = app.add_subcommand("page", "The page: drive, change and see every force in the browser");
  sub.footer(kPageExamples);
  sub.add_option("scene", in->scene, "id of a scene, or a YAML file [lugre_grade_demo]").type_name("SCENE|FILE");
  sub.add_option("--port", in->port, "TCP port; if it is busy, the next free one [8100]").type_name("PORT");
  sub.add_option("--bind", in->bind, "address to listen at [127.0.0.1]").type_name("IP");
  sub.add_flag("--no-browser", in->no_browser, "do not open a browser");
  sub.add_flag("--native", in->native, "the physics runs in the server");
  sub.add_option("--export", in->folder, "write the page as DIR/index.html and end").type_name("DIR");
  sub.add_flag("--quiet", in->quiet, "print nothing but the address and errors");
  sub.callback([in, &chosen] { chosen = [in] { return serve_page(*in); }; });
#else
  Verb sub = app.add_subcommand("page", "The page: not in this build");
  sub.callback([&chosen] {
    chosen = []() -> int {
      throw BadInput(
          "vdsim page: built without it; ./vdsim page builds it (packages.txt, page; cmake -DVDSIM_PAGE=ON)");
    };
  });
#endif
}

}  // namespace vdsim::cli
