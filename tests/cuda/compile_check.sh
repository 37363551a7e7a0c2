#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles all headers of core/ with nvcc. Exit 77 (skipped) without nvcc.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "skipped: no nvcc"; exit 77; }

out=$root/build/cuda
mkdir -p "$out"
(cd "$root/src" && find vdsim/core -name '*.hpp' | sort | sed 's/.*/#include "&"/') >"$out/all_core_headers.hpp"
[ -s "$out/all_core_headers.hpp" ] || { echo "no headers in src/vdsim/core"; exit 1; }
# -fmad=false: the GPU must round a*b+c twice, like the exact build on the CPU. -ptx: that it compiles is the question, not machine code.
nvcc -std=c++20 -fmad=false --expt-relaxed-constexpr -Xcompiler -ffp-contract=off,-Wno-psabi \
  -I "$root/src" -I "$out" -ptx "$root/tests/cuda/compile_check.cu" -o "$out/compile_check.ptx"
echo "$(wc -l <"$out/all_core_headers.hpp") headers compile with nvcc"
