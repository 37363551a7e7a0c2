// SPDX-License-Identifier: Apache-2.0
// A list of at most N numbers in a spec: plain memory, so that a spec stays a plain struct. A user writes [1, 2, 3].
#pragma once

namespace vdsim {

template <int N> struct NumberList {
  static constexpr int kMost = N;
  int count = 0;     // numbers in use
  double v[N] = {};  // the rest stays 0
};

}  // namespace vdsim
