// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/batch/pool.hpp"

#include <algorithm>

namespace vdsim {

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  begin_.notify_all();
  for (std::thread& each : threads_) each.join();
}

unsigned Pool::workers(unsigned asked, std::size_t pieces) {
  const unsigned most = asked > 0 ? asked : std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min<std::size_t>(most, std::max<std::size_t>(pieces, 1)));
}

// Pieces of the job until none is left; the lock is held except while working.
void Pool::share(unsigned worker, std::unique_lock<std::mutex>& lock) {
  ++job_.busy;
  while (job_.next < job_.count && !job_.failed) {
    const std::size_t first = job_.next, last = std::min(job_.count, first + job_.grain);
    job_.next = last;
    lock.unlock();
    std::exception_ptr failed;
    try {
      (*job_.work)(worker, first, last);
    } catch (...) {
      failed = std::current_exception();
    }
    lock.lock();
    if (failed && !job_.failed) job_.failed = failed;
  }
  if (--job_.busy == 0) end_.notify_one();
}

void Pool::wait_for_work(unsigned worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    begin_.wait(lock, [&] { return stop_ || (job_.next < job_.count && worker < job_.wanted && !job_.failed); });
    if (stop_) return;
    share(worker, lock);
  }
}

void Pool::run(std::size_t count, std::size_t grain, unsigned asked, const Work& work) {
  grain = std::max<std::size_t>(grain, 1);
  const unsigned wanted = workers(asked, (count + grain - 1) / grain);
  if (wanted <= 1) {
    if (count > 0) work(0, 0, count);
    return;
  }
  while (threads_.size() + 1 < wanted) {
    const unsigned worker = static_cast<unsigned>(threads_.size()) + 1;
    threads_.emplace_back([this, worker] { wait_for_work(worker); });
  }
  std::unique_lock lock(mutex_);
  job_ = {&work, count, grain, 0, wanted, 0, nullptr};
  begin_.notify_all();
  share(0, lock);
  end_.wait(lock, [&] { return job_.busy == 0; });
  const std::exception_ptr failed = job_.failed;
  job_ = {};
  if (failed) std::rethrow_exception(failed);
}

}  // namespace vdsim
