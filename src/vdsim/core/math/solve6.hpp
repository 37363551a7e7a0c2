// SPDX-License-Identifier: Apache-2.0
// Symmetric positive definite systems of six unknowns: the body of a car on its struts.
#pragma once
#include "vdsim/core/math/vec.hpp"

namespace vdsim {

// Lower triangle by rows; after factor6(): unit lower triangle, and 1/d on the diagonal.
template <class R> struct Sym6 {
  R a[21];
  static constexpr int at(int i, int j) { return i * (i + 1) / 2 + j; }  // j <= i
};

// [T09.6]  M = L D L'; no pivoting: M is a kinetic energy
template <class R> VD_FN void factor6(Sym6<R>& m) {
  for (int j = 0; j < 6; ++j) {
    R v[6], d = m.a[Sym6<R>::at(j, j)];
    for (int k = 0; k < j; ++k) {
      v[k] = m.a[Sym6<R>::at(j, k)];                           // L_jk D_k, not divided yet
      m.a[Sym6<R>::at(j, k)] = v[k] * m.a[Sym6<R>::at(k, k)];  // L_jk
      d -= v[k] * m.a[Sym6<R>::at(j, k)];
    }
    m.a[Sym6<R>::at(j, j)] = R(1.0) / d;
    for (int i = j + 1; i < 6; ++i) {
      R x = m.a[Sym6<R>::at(i, j)];
      for (int k = 0; k < j; ++k) x -= m.a[Sym6<R>::at(i, k)] * m.a[Sym6<R>::at(j, k)];
      m.a[Sym6<R>::at(i, j)] = x;
    }
  }
}

template <class R> VD_FN void solve6(const Sym6<R>& m, R x[6]) {
  for (int i = 1; i < 6; ++i)
    for (int k = 0; k < i; ++k) x[i] -= m.a[Sym6<R>::at(i, k)] * x[k];
  for (int i = 0; i < 6; ++i) x[i] *= m.a[Sym6<R>::at(i, i)];
  for (int i = 4; i >= 0; --i)
    for (int k = i + 1; k < 6; ++k) x[i] -= m.a[Sym6<R>::at(k, i)] * x[k];
}

}  // namespace vdsim
