// SPDX-License-Identifier: Apache-2.0
// A mutex that also exists where there are no threads and the library has none.
#pragma once
#if defined(__wasi__)
namespace vdsim {

struct Mutex {};
struct MutexLock {
  explicit MutexLock(Mutex&) {}
};

}  // namespace vdsim
#else
#include <mutex>

namespace vdsim {

using Mutex = std::mutex;
using MutexLock = std::lock_guard<std::mutex>;

}  // namespace vdsim
#endif
