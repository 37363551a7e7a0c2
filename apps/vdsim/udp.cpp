// SPDX-License-Identifier: Apache-2.0
#include "apps/vdsim/udp.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <system_error>

#include "vdsim/engine/errors.hpp"

namespace vdsim::cli {
namespace {

sockaddr_in socket_address(const Address& of) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(of.port);
  ::inet_pton(AF_INET, of.ip.c_str(), &out.sin_addr);
  return out;
}
int udp_socket() {
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) throw FileError("cannot open a UDP socket: " + std::generic_category().message(errno));
  return fd;
}

}  // namespace

Udp::Udp(const std::vector<std::uint16_t>& ports) {
  out_ = udp_socket();
  for (const std::uint16_t port : ports) {
    in_.push_back(udp_socket());
    const sockaddr_in here = socket_address({"127.0.0.1", port});
    if (::bind(in_.back(), reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0) {
      const std::string why = std::generic_category().message(errno);
      this->~Udp();
      throw FileError(fmt::format("cannot listen at UDP port {}: {}", port, why));
    }
  }
}

Udp::~Udp() {
  for (const int fd : in_) ::close(fd);
  if (out_ >= 0) ::close(out_);
  in_.clear(), out_ = -1;
}

void Udp::wait(double seconds) const {
  std::vector<pollfd> all;
  for (const int fd : in_) all.push_back({fd, POLLIN, 0});
  const double time = std::clamp(seconds, 0.0, 1.0);
  const timespec most{static_cast<time_t>(time), static_cast<long>((time - std::floor(time)) * 1e9)};
  ::ppoll(all.data(), all.size(), &most, nullptr);
}

void Udp::receive(int most, const std::function<void(std::string_view)>& take) {
  char buffer[2048];  // longer ones are cut, and so of another size than any frame
  for (const int fd : in_)
    for (int i = 0; i < most; ++i) {
      const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
      if (n < 0) break;
      take({buffer, static_cast<std::size_t>(n)});
    }
}

void Udp::send(const Address& to, std::string_view bytes) {
  const sockaddr_in there = socket_address(to);
  if (::sendto(out_, bytes.data(), bytes.size(), MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&there),
               sizeof there) < 0 &&
      errno != ECONNREFUSED)
    ++unsent_;
}

}  // namespace vdsim::cli
