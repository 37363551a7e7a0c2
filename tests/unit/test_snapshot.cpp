// SPDX-License-Identifier: Apache-2.0
// A snapshot is taken back as it was saved, or not at all.
#include "vdsim/engine/snapshot.hpp"

#include <gtest/gtest.h>

#include "vdsim/engine/car.hpp"

namespace vdsim {
namespace {

Car driven() {
  CarSetup setup;
  setup.start.vx0 = 20;
  Car car(setup);
  Commands commands{};
  commands.steer = 0.02, commands.throttle = 0.3;
  for (int i = 0; i < 50; ++i) car.step(commands, commands, 1e-3);
  return car;
}

TEST(Snapshot, EveryFlippedBitIsRefused) {
  const std::vector<std::byte> good = driven().snapshot();
  Car other{CarSetup{}};
  const std::vector<std::byte> before = other.snapshot();
  for (std::size_t i = 0; i < good.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<std::byte> bytes = good;
      bytes[i] ^= std::byte(1 << bit);
      ASSERT_FALSE(other.restore(bytes)) << "byte " << i << ", bit " << bit;
    }
  EXPECT_EQ(other.snapshot(), before);  // nothing of the refused ones
  EXPECT_TRUE(other.restore(good));
  EXPECT_EQ(other.snapshot(), good);
}

TEST(Snapshot, ShorterAndLongerOnesAreRefused) {
  const std::vector<std::byte> good = driven().snapshot();
  Car other{CarSetup{}};
  for (std::size_t size = 0; size < good.size() + 20; ++size) {
    std::vector<std::byte> bytes = good;
    bytes.resize(size);
    EXPECT_EQ(other.restore(bytes), size == good.size()) << size << " bytes";
  }
}

}  // namespace
}  // namespace vdsim
