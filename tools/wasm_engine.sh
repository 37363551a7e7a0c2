#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tools/wasm_engine.sh
# Builds the engine of the page: build/wasm/engine.wasm, and the files of the catalog beside it, catalog.json. Minutes, once.
# Exit 77 where a tool is missing (packages.txt, page).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
for tool in clang++ wasm-ld node; do
  command -v "$tool" >/dev/null || { echo "no $tool, so no engine for the page (packages.txt, page)" >&2; exit 77; }
done
[ -e /usr/lib/wasm32-wasi/libc.a ] || { echo "no wasi-libc, so no engine for the page (packages.txt, page)" >&2; exit 77; }
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
dir=$root/build/wasm
mkdir -p "$dir"
exec 9>>"$root/build/wasm.lock"
flock 9
cmake -S "$root/bindings/wasm" -B "$dir" -G Ninja "-DCMAKE_TOOLCHAIN_FILE=$root/bindings/wasm/wasi.cmake" "${launcher[@]}" >"$dir/build.log" 2>&1 &&
  cmake --build "$dir" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" >>"$dir/build.log" 2>&1 ||
  { tail -n 40 "$dir/build.log" >&2; exit 1; }
node "$root/bindings/wasm/catalog.mjs" "$root/configs" "$dir/catalog.json"
