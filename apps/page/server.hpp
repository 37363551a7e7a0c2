// SPDX-License-Identifier: Apache-2.0
// HTTP and WebSocket, one thread: Boost.Beast around study/live/server (routes, hub), which do the thinking.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "vdsim/study/live/server/routes.hpp"

namespace vdsim::page {

class Server {
 public:
  // Listens at once: the port, or the next free one of 16. Throws FileError.
  Server(const std::string& bind, std::uint16_t port);
  ~Server();
  std::uint16_t port() const;
  // Serves until `stop` is not 0. hub may be nullptr.
  void run(const Guard&, Routes&, LiveHub* hub, const std::atomic<int>& stop);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string_view page_html();  // embedded; "" where the page was not built

}  // namespace vdsim::page
