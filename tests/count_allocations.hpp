// SPDX-License-Identifier: Apache-2.0
// Every allocation of a test binary is counted. Include it in exactly one file of the binary.
#pragma once
#include <atomic>
#include <cstdlib>
#include <new>

extern std::atomic<long> g_allocations;  // other files of the binary may declare it too
std::atomic<long> g_allocations{0};
extern std::atomic<long> g_allocations_left;  // this many succeed, then one fails; below 0: all succeed
std::atomic<long> g_allocations_left{-1};
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // g++ sees the malloc inside when it inlines
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  ++g_allocations;
  return std::malloc(n ? n : 1);
}
void* operator new(std::size_t n) {
  if (g_allocations_left >= 0 && g_allocations_left-- == 0) throw std::bad_alloc();
  if (void* p = operator new(n, std::nothrow)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
