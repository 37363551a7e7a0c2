#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs on a processor that core/math/pack.hpp does not know: the vector types of the compiler alone, and the same bits as one number.
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
g++ -std=c++20 -O1 -ffp-contract=off -Wno-psabi -U__SSE2__ -U__SSE4_1__ -U__AVX__ -U__aarch64__ -I src -I . tests/unit/test_real.cpp \
  -lgtest_main -lgtest -o "$tmp/test_real"
"$tmp/test_real" --gtest_brief=1 --gtest_filter='Real*.Lanes*:Real*.Pack*:Real*.S*'
