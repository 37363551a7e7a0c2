// SPDX-License-Identifier: Apache-2.0
#include <sys/time.h>
#include <unistd.h>

#include <csignal>

#include "apps/vdsim/commands.hpp"

namespace vdsim::cli {
namespace {

std::atomic<int> came{0};
static_assert(std::atomic<int>::is_always_lock_free);

// Work that has not looked by then is ended: what it had written is hidden, and the next run removes it.
void on_alarm(int) {
  const char text[] = "stopped, nothing written\n";
  if (::write(STDERR_FILENO, text, sizeof text - 1) < 0) {
  }
  ::_exit(128 + came);
}
void on_signal(int number) {
  came = number;
  struct itimerval soon {};
  soon.it_value.tv_usec = 800000;
  ::setitimer(ITIMER_REAL, &soon, nullptr);
}

}  // namespace

const std::atomic<int>& stop_signal() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGALRM, on_alarm);
  return came;
}

int report_stop(bool json) {
  report_errors(json, 128 + came, {"stopped, nothing written"});
  return 128 + came;
}

}  // namespace vdsim::cli
