#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The golden runs on this machine's GPU against tests/golden/golden.txt, one level per program: all laws of all levels in one
# file take the compiler half an hour.
# usage: tests/cuda/golden_gpu.sh [FOLDER for the programs, default build/gpu]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=${1:-build/gpu}
command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "skipped: no nvcc"; exit 77; }
mkdir -p "$out"
started=$SECONDS pids=()
for level in L1 L2 L3 L5; do
  nvcc -std=c++20 -O1 -Xptxas -O1 -arch=native -fmad=false --expt-relaxed-constexpr -DVD_NO_UNROLL -DGOLDEN_LEVEL=$level \
    -I src -I tests/golden tests/cuda/golden_gpu.cu -o "$out/golden_$level" >"$out/golden_$level.log" 2>&1 &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || { cat "$out"/golden_L?.log; exit 1; }; done
echo "compiled in $((SECONDS - started)) s"
for level in L1 L2 L3 L5; do "$out/golden_$level"; done | sort -u >"$out/golden.txt"
sort tests/golden/golden.txt | diff - "$out/golden.txt"
echo "$(wc -l <"$out/golden.txt") hashes, the same on the GPU"
