// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <semaphore.h>
#include <unistd.h>

#include <csignal>
#include <system_error>
#include <thread>

#include "apps/vdsim/commands.hpp"
#include "vdsim/formats/temporary.hpp"

namespace vdsim::cli {
namespace {

std::atomic<int> came{0};
std::atomic<bool> looked_at{false};
static_assert(std::atomic<int>::is_always_lock_free);
sem_t arrival;

void on_signal(int number) {
  came = number;
  ::sem_post(&arrival);
}

// Not by stdio, whose locks the work may hold; nothing to a reader that does not read.
void say(int fd, const std::string& text) {
  struct pollfd one {
    fd, POLLOUT, 0
  };
  if (::poll(&one, 1, 0) == 1 && ::write(fd, text.data(), text.size()) < 0) {
  }
}

std::string stop_text() { return anything_written() ? "stopped" : "stopped, nothing written"; }

// Ends work that has not looked in time. What is taking its name gets it before; the rest is removed.
void end_work(bool json) {
  while (::sem_wait(&arrival) != 0) {
  }
  if (looked_at) std::this_thread::sleep_for(std::chrono::milliseconds(800));
  const Uninterrupted whole;
  say(json ? STDOUT_FILENO : STDERR_FILENO, errors_text(json, 128 + came, {stop_text()}));
  remove_temporaries();
  ::_exit(128 + came);
}

}  // namespace

void listen_for_stop(bool json) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::sem_init(&arrival, 0, 0);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // of the thread: signals interrupt the work, not the watch
  bool watched = true;
  try {
    std::thread(end_work, json).detach();
  } catch (const std::system_error&) {
    watched = false;  // no thread to be had: signals end the process, and the next run removes what is left
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!watched) return;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

const std::atomic<int>& stop_signal() {
  looked_at = true;
  return came;
}

int report_stop(bool json) {
  report_errors(json, 128 + came, {stop_text()});
  return 128 + came;
}

}  // namespace vdsim::cli
