// SPDX-License-Identifier: Apache-2.0
// Memory of the lanes of a batch: structs that hold nothing but R, seen as numbers. Number k of lane i is at k lanes + i.
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace vdsim {

// Zeros, aligned for any register.
class LaneMemory {
 public:
  LaneMemory() = default;
  explicit LaneMemory(std::size_t bytes) : bytes_(bytes) {
    data_.reset(static_cast<std::byte*>(::operator new(bytes > 0 ? bytes : 1, kAlignment)));
    std::memset(data_.get(), 0, bytes);
  }
  std::byte* at(std::size_t offset) const { return data_.get() + offset; }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, kAlignment); }
  };
  std::size_t bytes_ = 0;
  std::unique_ptr<std::byte, Free> data_;
};

// How the numbers of a kernel lie.
struct LaneLayout {
  std::size_t number_bytes;  // 4, 8
  int lanes;
  template <class S> std::size_t bytes() const { return sizeof(S) / sizeof(double) * pack(); }
  std::size_t pack() const { return number_bytes * std::size_t(lanes); }  // bytes of a number of all lanes
  std::byte* at(void* block, std::size_t k, int lane) const {
    return static_cast<std::byte*>(block) + k * pack() + std::size_t(lane) * number_bytes;
  }
  double get(const void* block, std::size_t k, int lane) const {
    const std::byte* from = at(const_cast<void*>(block), k, lane);
    if (number_bytes == sizeof(double)) return read<double>(from);
    return double(read<float>(from));
  }
  void set(void* block, std::size_t k, int lane, double value) const {
    if (number_bytes == sizeof(double))
      write(at(block, k, lane), value);
    else
      write(at(block, k, lane), float(value));
  }
  // S: a struct of doubles, of which the block has one of packs
  template <class S> void get(const void* block, int lane, S& to) const {
    static_assert(std::is_trivially_copyable_v<S> && sizeof(S) % sizeof(double) == 0);
    double* t = reinterpret_cast<double*>(&to);
    for (std::size_t k = 0; k < sizeof(S) / sizeof(double); ++k) t[k] = get(block, k, lane);
  }
  template <class S> void put(void* block, int lane, const S& from) const {
    static_assert(std::is_trivially_copyable_v<S> && sizeof(S) % sizeof(double) == 0);
    const double* f = reinterpret_cast<const double*>(&from);
    for (std::size_t k = 0; k < sizeof(S) / sizeof(double); ++k) set(block, k, lane, f[k]);
  }
  // one lane of `bytes` bytes of packs
  void copy_lane(void* to, const void* from, std::size_t bytes, int lane) const {
    for (std::size_t k = 0; k < bytes / pack(); ++k)
      std::memcpy(at(to, k, lane), at(const_cast<void*>(from), k, lane), number_bytes);
  }

 private:
  template <class T> static T read(const std::byte* p) {
    T x;
    std::memcpy(&x, p, sizeof x);
    return x;
  }
  template <class T> static void write(std::byte* p, T x) { std::memcpy(p, &x, sizeof x); }
};

// Numbers of one kind of block, of which some differ from car to car: those are kept for every block, the others once.
class VariedNumbers {
 public:
  VariedNumbers() = default;
  // `block`: of packs, all lanes equal
  VariedNumbers(LaneLayout layout, const void* block, std::size_t numbers)
      : layout_(layout), numbers_(numbers), shared_(numbers * layout.pack()) {
    std::memcpy(shared_.at(0), block, shared_.bytes());
  }
  std::size_t varied() const { return slots_.size(); }
  std::size_t bytes_per_block() const { return slots_.size() * layout_.pack(); }
  void set_slots(std::vector<std::size_t> slots, std::size_t blocks) {
    slots_ = std::move(slots);
    own_ = LaneMemory(blocks * bytes_per_block());
  }
  const std::vector<std::size_t>& slots() const { return slots_; }
  // marks[k]: number k of this lane differs from the shared one
  void compare(const void* block, int lane, std::vector<char>& marks) const {
    for (std::size_t k = 0; k < numbers_; ++k)
      if (std::memcmp(layout_.at(const_cast<void*>(block), k, lane), layout_.at(shared_.at(0), k, lane),
                      layout_.number_bytes) != 0)
        marks[k] = 1;
  }
  void keep(std::size_t b, int lane, const void* block) {
    for (std::size_t j = 0; j < slots_.size(); ++j)
      std::memcpy(layout_.at(own_.at(b * bytes_per_block()), j, lane),
                  layout_.at(const_cast<void*>(block), slots_[j], lane), layout_.number_bytes);
  }
  // into a copy of the shared ones
  void fill(std::size_t b, void* block) const {
    const std::byte* from = own_.at(b * bytes_per_block());
    const std::size_t pack = layout_.pack();
    for (std::size_t j = 0; j < slots_.size(); ++j)
      std::memcpy(static_cast<std::byte*>(block) + slots_[j] * pack, from + j * pack, pack);
  }

 private:
  LaneLayout layout_{8, 1};
  std::size_t numbers_ = 0;
  LaneMemory shared_, own_;
  std::vector<std::size_t> slots_;
};

}  // namespace vdsim
