// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/snapshot.hpp"

#include <cmath>
#include <cstring>

#include "vdsim/engine/hash.hpp"

namespace vdsim {
namespace {

using Kind = FieldRef::Kind;

struct Header {
  char magic[8] = {'V', 'D', 'S', 'N', 'A', 'P', '0', '3'};
  std::uint64_t layout, model, content;
};

// Calls f(member) for every one that is no block, in order.
template <class F> void each_leaf(const StateList& list, F&& f) {
  for (const FieldRef& member : list) {
    if (member.kind == Kind::block)
      each_leaf(member.block(), f);
    else if (member.kind == Kind::blocks)
      for (int i = 0; i < member.count; ++i) each_leaf(member.block(i), f);
    else
      f(member);
  }
}

int values(const FieldRef& leaf) { return leaf.kind == Kind::list ? leaf.count : 1; }

// Value i of a leaf as 64 bits: a double, or a whole number.
std::uint64_t bits(const FieldRef& leaf, int i) {
  std::uint64_t out = 0;
  if (leaf.kind == Kind::number || leaf.kind == Kind::list) {
    std::memcpy(&out, static_cast<const double*>(leaf.data) + i, sizeof out);
    return out;
  }
  std::int64_t n = 0;
  if (leaf.kind == Kind::whole) n = leaf.whole();
  if (leaf.kind == Kind::flag) n = leaf.flag();
  if (leaf.kind == Kind::integer) {
    int small;  // may be an enum
    std::memcpy(&small, leaf.data, sizeof small);
    n = small;
  }
  std::memcpy(&out, &n, sizeof out);
  return out;
}
void set_bits(const FieldRef& leaf, int i, std::uint64_t in) {
  if (leaf.kind == Kind::number || leaf.kind == Kind::list) {
    std::memcpy(static_cast<double*>(leaf.data) + i, &in, sizeof in);
    return;
  }
  std::int64_t n;
  std::memcpy(&n, &in, sizeof n);
  if (leaf.kind == Kind::whole)
    leaf.whole() = n;
  else if (leaf.kind == Kind::flag)
    leaf.flag() = n != 0;
  else if (const int small = static_cast<int>(n); leaf.kind == Kind::integer)
    std::memcpy(leaf.data, &small, sizeof small);
}
bool may_hold(const FieldRef& leaf, std::uint64_t in) {
  if (leaf.kind == Kind::number || leaf.kind == Kind::list) {
    double x;
    std::memcpy(&x, &in, sizeof x);
    return leaf.range.holds(x) || !std::isfinite(leaf.range.lo);
  }
  std::int64_t n;
  std::memcpy(&n, &in, sizeof n);
  if (leaf.kind == Kind::flag) return n == 0 || n == 1;
  if (leaf.kind == Kind::integer && n != static_cast<int>(n)) return false;
  return leaf.range.holds(static_cast<double>(n));
}

std::uint64_t layout(const StateList& list, std::uint64_t h) {
  for (const FieldRef& member : list) {
    h = fnv1a(member.name, h);
    h = fnv1a(member.unit, h);
    const int what[2] = {static_cast<int>(member.kind), member.count};
    h = fnv1a({reinterpret_cast<const char*>(what), sizeof what}, h);
    if (member.kind == Kind::block || (member.kind == Kind::blocks && member.count > 0)) h = layout(member.block(), h);
  }
  return h;
}

std::uint64_t content_hash(std::span<const std::byte> bytes) {
  return fnv1a({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

std::uint64_t layout_hash(const StateList& list) { return layout(list, kHashStart); }

bool all_finite(const StateList& list) {
  bool ok = true;
  each_leaf(list, [&](const FieldRef& leaf) {
    if (leaf.kind == Kind::number || leaf.kind == Kind::list)
      for (int i = 0; i < values(leaf); ++i) ok = ok && std::isfinite(static_cast<const double*>(leaf.data)[i]);
  });
  return ok;
}

StateImage::StateImage(const StateList& list, std::uint64_t model) : layout_(layout_hash(list)), model_(model) {
  size_ = sizeof(Header);
  each_leaf(list, [&](const FieldRef& leaf) {
    leaves_.push_back(leaf);
    size_ += static_cast<std::size_t>(values(leaf)) * sizeof(std::uint64_t);
  });
}

void StateImage::save(std::span<std::byte> out) const {
  std::size_t at = sizeof(Header);
  for (const FieldRef& leaf : leaves_)
    for (int i = 0; i < values(leaf); ++i, at += sizeof(std::uint64_t)) {
      const std::uint64_t b = bits(leaf, i);
      std::memcpy(out.data() + at, &b, sizeof b);
    }
  Header head;
  head.layout = layout_, head.model = model_;
  head.content = content_hash(out.subspan(sizeof head, size_ - sizeof head));
  std::memcpy(out.data(), &head, sizeof head);
}

bool StateImage::restore(std::span<const std::byte> bytes) const {
  Header head;
  if (bytes.size() != size_ || size_ < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  const std::span<const std::byte> content = bytes.subspan(sizeof head);
  if (std::memcmp(head.magic, Header{}.magic, sizeof head.magic) != 0 || head.layout != layout_ ||
      head.model != model_ || head.content != content_hash(content))
    return false;
  const auto value = [&](std::size_t k) {
    std::uint64_t b;
    std::memcpy(&b, content.data() + k * sizeof b, sizeof b);
    return b;
  };
  bool fits = true;
  std::size_t k = 0;
  for (const FieldRef& leaf : leaves_)
    for (int i = 0; i < values(leaf); ++i) fits = may_hold(leaf, value(k++)) && fits;
  if (!fits) return false;
  k = 0;
  for (const FieldRef& leaf : leaves_)
    for (int i = 0; i < values(leaf); ++i) set_bits(leaf, i, value(k++));
  return true;
}

std::uint64_t snapshot_content(std::span<const std::byte> bytes) {
  Header head;
  if (bytes.size() < sizeof head) return 0;
  std::memcpy(&head, bytes.data(), sizeof head);
  return head.content;
}

std::vector<std::byte> save(const StateList& list, std::uint64_t model) {
  const StateImage image(list, model);
  std::vector<std::byte> out(image.size());
  image.save(out);
  return out;
}

bool restore(const StateList& list, std::uint64_t model, std::span<const std::byte> bytes) {
  return StateImage(list, model).restore(bytes);
}

}  // namespace vdsim
