// SPDX-License-Identifier: Apache-2.0
// The levels of vehicle models. A level names its states, its parameters and its rates; everything else is written once.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// L1 bicycle, L2 seven_dof, L3 fourteen_dof, L5 free_3d
enum class Level { L1, L2, L3, L5 };
template <> struct EnumNames<Level> { static constexpr std::array names{"L1", "L2", "L3", "L5"}; };

// Wheels of a model: FL FR RL RR, or (L1) one per axle that stands for two.
template <Level Lv> inline constexpr int kWheels = Lv == Level::L1 ? 2 : 4;
// The car moves on a plane and its loads follow from the forces (L1, L2); or it moves on springs (L3, L5).
constexpr bool on_springs(Level level) { return level == Level::L3 || level == Level::L5; }
template <Level Lv> inline constexpr bool kSprung = on_springs(Lv);

}  // namespace vdsim
