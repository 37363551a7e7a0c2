// SPDX-License-Identifier: Apache-2.0
// What the connections of one server share.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <functional>
#include <map>

#include "vdsim/study/live/server/routes.hpp"

namespace vdsim::page {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using Fault = boost::system::error_code;
using HttpRequest = http::request<http::string_body>;

inline double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Shared {
  const Guard& guard;
  Routes& routes;
  LiveHub* hub;
  int connections = 0;
  std::map<const void*, std::function<void()>> pumps;  // of the WebSockets: send what waits
  void pump() {
    const auto now = pumps;  // one may go while it is called
    for (const auto& [who, act] : now) act();
  }
};

// Counts itself.
struct Counted {
  explicit Counted(Shared& in) : shared(in) { ++shared.connections; }
  ~Counted() { --shared.connections; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  Shared& shared;
};

void start_socket(std::shared_ptr<Counted>, beast::tcp_stream, HttpRequest);  // live_socket.cpp
void start_http(std::shared_ptr<Counted>, beast::tcp_stream);                 // http.cpp

}  // namespace vdsim::page
