#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy with .clang-tidy over src/, apps/ and bindings/. Headers are seen through the files that include them; the kernels of
# several cars per register are left out, since they compile the same headers as engine/car.cpp once per number type.
# usage: tests/tidy.sh [REGEX]   only files whose path matches
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v clang-tidy >/dev/null || { echo "skipped: clang-tidy is not installed"; exit 77; }
# ccache would stand in the place of the compiler in compile_commands.json
page=OFF
if [ -e /usr/include/boost/beast/websocket.hpp ]; then page=ON; fi
cmake --preset clang -B build/tidy -DVDSIM_CCACHE=OFF -DVDSIM_TESTS=OFF -DVDSIM_PAGE=$page >build/tidy.log 2>&1 || { cat build/tidy.log; exit 1; }
mapfile -t files < <(find src apps bindings -name '*.cpp' ! -name 'kernels_*.cpp' | grep -E "${1:-.}" | sort)
# what this build leaves out: bindings/wasm, which is compiled for a browser, and what needs packages that are not installed
compiled=$(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' build/tidy/compile_commands.json)
kept=() left=()
for file in "${files[@]}"; do
  if grep -qxF "$PWD/$file" <<<"$compiled"; then kept+=("$file"); else left+=("$(dirname "$file")"); fi
done
files=("${kept[@]}")
if [ ${#left[@]} -gt 0 ]; then echo "left out: $(printf '%s\n' "${left[@]}" | sort -u | tr '\n' ' ')"; fi
started=$SECONDS
check() { # FILE: quiet unless there is a finding
  clang-tidy -p build/tidy --quiet --warnings-as-errors='*' "$1" 2>&1 |
    grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed |^Use -header-filter' || true
  return "${PIPESTATUS[0]}"
}
export -f check
status=0
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -I{} bash -c 'check {}' || status=1
echo "clang-tidy: ${#files[@]} files, $((SECONDS - started)) s"
exit $status
