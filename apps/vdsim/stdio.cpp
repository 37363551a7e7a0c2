// SPDX-License-Identifier: Apache-2.0
// `vdsim run --stdio`: the line protocol on standard input and output. Everything else that is said goes to standard error.
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "apps/vdsim/commands.hpp"
#include "vdsim/study/line_protocol.hpp"

namespace vdsim::cli {
namespace {

// Waits until the descriptor can be used; false if a signal that ends the run came instead.
bool wait_for(int fd, short events, const std::atomic<int>& stop) {
  struct pollfd one {
    fd, events, 0
  };
  while (!stop)
    if (::poll(&one, 1, -1) >= 0) return true;  // a signal ends poll(), whatever it was
  return false;
}
bool again() { return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK; }

std::size_t read_input(std::span<char> into, const std::atomic<int>& stop) {
  while (wait_for(STDIN_FILENO, POLLIN, stop)) {
    const ssize_t n = ::read(STDIN_FILENO, into.data(), into.size());
    if (n >= 0) return static_cast<std::size_t>(n);
    if (!again()) break;
  }
  return 0;
}
bool write_output(std::string_view text, const std::atomic<int>& stop) {
  while (!text.empty() && wait_for(STDOUT_FILENO, POLLOUT, stop)) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    if (n < 0 && !again()) break;  // EPIPE: the reader is gone
  }
  return text.empty();
}

}  // namespace

Fleet::Control stdio_control(const Scenario& scene) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::atomic<int>& stop = stop_signal();
  const auto protocol = std::make_shared<LineProtocol>(
      scene, [&stop](std::span<char> into) { return read_input(into, stop); },
      [&stop, line = std::string()](std::string_view text) mutable {
        line.assign(text).push_back('\n');  // in one piece: a reader sees whole lines
        return write_output(line, stop);
      });
  return [protocol](Fleet& fleet) { return (*protocol)(fleet); };
}

}  // namespace vdsim::cli
