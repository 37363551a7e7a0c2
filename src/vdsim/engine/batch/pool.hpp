// SPDX-License-Identifier: Apache-2.0
// Threads that wait between the steps of a batch. Plain std::thread: who embeds a car links nothing else.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace vdsim {

class Pool {
 public:
  Pool() = default;
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // work(worker, first, last) on pieces of 0 .. count - 1, of `grain` each, by so many workers, the caller one of them; 0: as many as
  // the machine has cores. Returns when all is done; the first exception of any is thrown here.
  using Work = std::function<void(unsigned worker, std::size_t first, std::size_t last)>;
  void run(std::size_t count, std::size_t grain, unsigned workers, const Work&);
  static unsigned workers(unsigned asked, std::size_t pieces);  // that there is work for

 private:
  struct Job {
    const Work* work = nullptr;
    std::size_t count = 0, grain = 1, next = 0;
    unsigned wanted = 0, busy = 0;
    std::exception_ptr failed;
  };
  void wait_for_work(unsigned worker);
  void share(unsigned worker, std::unique_lock<std::mutex>&);

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  Job job_;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace vdsim
