// SPDX-License-Identifier: Apache-2.0
#include "apps/page/server.hpp"

#include <fmt/format.h>

#include <boost/asio/steady_timer.hpp>

#include "apps/page/shared.hpp"
#include "vdsim/engine/errors.hpp"

namespace vdsim::page {
namespace {

constexpr int kPortsTried = 16;

}  // namespace

struct Server::Impl {
  std::shared_ptr<Shared> shared;  // outlives what waits in io
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::steady_timer clock{io};

  void accept() {
    acceptor.async_accept([this](Fault fault, tcp::socket socket) {
      if (!fault) take(std::move(socket));
      if (fault != asio::error::operation_aborted) accept();
    });
  }
  void take(tcp::socket socket) {
    if (shared->connections >= LiveLimits::kConnections) return;  // it goes out of scope: closed
    Fault ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    socket.set_option(asio::socket_base::send_buffer_size(64 * 1024), ignored);  // a slow reader is noticed soon
    start_http(std::make_shared<Counted>(*shared), beast::tcp_stream(std::move(socket)));
  }

  void wait(const std::atomic<int>& stop) {
    const double now = now_s();
    if (shared->hub) shared->hub->run(now);
    shared->pump();
    if (stop != 0) return io.stop();
    double until = now + 0.2;  // to see the signal
    if (shared->hub) until = std::min(until, shared->hub->deadline());
    const auto time =
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(until));
    clock.expires_at(std::chrono::steady_clock::time_point(time));
    clock.async_wait([this, &stop](Fault fault) {
      if (!fault) wait(stop);
    });
  }
};

Server::Server(const std::string& bind, std::uint16_t port) : impl_(std::make_unique<Impl>()) {
  Fault fault;
  const auto address = asio::ip::make_address_v4(bind, fault);
  if (fault) throw FileError("cannot listen at " + bind + ": " + fault.message());
  for (int i = 0; i < kPortsTried && port + i <= 65535; ++i) {
    tcp::acceptor& acceptor = impl_->acceptor;
    const tcp::endpoint here(address, static_cast<std::uint16_t>(port + i));
    acceptor.open(here.protocol(), fault);
    acceptor.set_option(asio::socket_base::reuse_address(true), fault);
    acceptor.bind(here, fault);
    if (!fault) acceptor.listen(asio::socket_base::max_listen_connections, fault);
    if (!fault) return;
    Fault ignored;
    acceptor.close(ignored);
  }
  throw FileError(fmt::format("cannot listen at {}:{} nor the {} ports after it: {}", bind, port, kPortsTried - 1,
                              fault.message()));
}
Server::~Server() = default;

std::uint16_t Server::port() const { return impl_->acceptor.local_endpoint().port(); }

void Server::run(const Guard& guard, Routes& routes, LiveHub* hub, const std::atomic<int>& stop) {
  impl_->shared = std::make_shared<Shared>(Shared{guard, routes, hub, 0, {}});
  impl_->accept();
  impl_->wait(stop);
  impl_->io.run();
}

}  // namespace vdsim::page
