// SPDX-License-Identifier: Apache-2.0
#pragma once
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace vdsim {

// The host's rounding, flush-to-zero and traps, set aside for one call: they must not change bits.
class DefaultFloats {
 public:
#if defined(__x86_64__)
  DefaultFloats() : host_(_mm_getcsr()), other_((host_ & ~kFlags) != kDefault) {
    if (other_) _mm_setcsr(kDefault);
  }
  ~DefaultFloats() {
    if (other_) _mm_setcsr(host_);
  }

 private:
  static constexpr unsigned kFlags = 0x3f, kDefault = 0x1f80;  // what happened so far; all traps off, to nearest
  unsigned host_;
  bool other_;
#elif defined(__aarch64__)
  DefaultFloats() {
    asm volatile("mrs %0, fpcr" : "=r"(host_));
    if (host_ != 0) asm volatile("msr fpcr, %0" ::"r"(0UL));
  }
  ~DefaultFloats() {
    if (host_ != 0) asm volatile("msr fpcr, %0" ::"r"(host_));
  }

 private:
  unsigned long host_;
#else
  DefaultFloats() {}
  ~DefaultFloats() {}
#endif
 public:
  DefaultFloats(const DefaultFloats&) = delete;
  DefaultFloats& operator=(const DefaultFloats&) = delete;
};

}  // namespace vdsim
