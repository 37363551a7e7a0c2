#include <csignal>

#include "apps/vdsim/commands.hpp"

namespace vdsim::cli {
namespace {

std::atomic<int> came{0};
static_assert(std::atomic<int>::is_always_lock_free);
void on_signal(int number) { came = number; }

}  // namespace

const std::atomic<int>& stop_signal() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return came;
}

int report_stop(bool json) {
  report_errors(json, 128 + came, {"stopped, nothing written"});
  return 128 + came;
}

}  // namespace vdsim::cli
