#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tools/fmu_library.sh [--check] [win64|aarch64]...   (both, where their compilers are there; packages.txt, machines)
# Builds the library of FMUs for another machine and puts it where `vdsim fmu export` looks: build/exact/fmu/MACHINE. Minutes, once.
#   --check   for tests: -O1, which has the same bits and compiles in half the time, and left in build/fmu_MACHINE
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
level=3
if [ "${1:-}" = --check ]; then
  level=1
  shift
fi
[ $# -gt 0 ] || set -- win64 aarch64
status=0
for machine in "$@"; do
  case $machine in
    win64) compiler=x86_64-w64-mingw32-g++-posix system=(-DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=x86_64) library=vdsim.dll ;;
    aarch64) compiler=aarch64-linux-gnu-g++ system=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64) library=vdsim.so ;;
    *) echo "machine '$machine': use win64 or aarch64" >&2; exit 2 ;;
  esac
  if ! command -v "$compiler" >/dev/null; then
    echo "no $compiler, so no FMUs for $machine (packages.txt, machines)" >&2
    status=77
    continue
  fi
  options=("-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_CXX_FLAGS_RELEASE=-O$level -DNDEBUG" "${system[@]}")
  if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  dir=$root/build/fmu_$machine started=$SECONDS
  cmake -S "$root/bindings/fmi/library" -B "$dir" -G Ninja "${options[@]}" >/dev/null
  cmake --build "$dir" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" >"$dir/build.log" 2>&1 || { tail -n 40 "$dir/build.log" >&2; exit 1; }
  if [ $level = 3 ]; then
    mkdir -p "$root/build/exact/fmu/$machine"
    cp "$dir/$library" "$root/build/exact/fmu/$machine/"
    dir=$root/build/exact/fmu/$machine
  fi
  echo "$machine: ${dir#"$root/"}/$library, $((SECONDS - started)) s"
done
exit $status
