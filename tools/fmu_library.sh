#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tools/fmu_library.sh [win64|aarch64]...   (both, where their compilers are there; packages.txt, other machines)
# Builds the library of FMUs for another machine and puts it where `vdsim fmu export` looks: build/exact/fmu/MACHINE. Minutes, once.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
[ $# -gt 0 ] || set -- win64 aarch64
status=0
for machine in "$@"; do
  case $machine in
    win64) compiler=x86_64-w64-mingw32-g++-posix system=(-DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=x86_64) library=vdsim.dll ;;
    aarch64) compiler=aarch64-linux-gnu-g++ system=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64) library=vdsim.so ;;
    *) echo "machine '$machine': use win64 or aarch64" >&2; exit 2 ;;
  esac
  if ! command -v "$compiler" >/dev/null; then
    echo "no $compiler, so no FMUs for $machine (packages.txt, other machines)" >&2
    status=77
    continue
  fi
  launcher=()
  if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  dir=$root/build/fmu_$machine
  cmake -S "$root/bindings/fmi/library" -B "$dir" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" "${system[@]}" "${launcher[@]}" >/dev/null
  cmake --build "$dir" >"$dir/build.log" 2>&1 || { tail -n 40 "$dir/build.log" >&2; exit 1; }
  mkdir -p "$root/build/exact/fmu/$machine"
  cp "$dir/$library" "$root/build/exact/fmu/$machine/"
  echo "$machine: build/exact/fmu/$machine/$library"
done
exit $status
