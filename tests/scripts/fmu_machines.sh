#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tests/scripts/fmu_machines.sh [win64|aarch64]
# The win64 and aarch64 libraries of FMUs give the bits of linux64: tried under wine and qemu. Without an argument those that
# tools/fmu_library.sh has built, in FMUs that hold them; with one that of tools/fmu_library.sh --check. Exit 77 (skipped) where none
# can be tried.
set -euo pipefail
root=${VDSIM_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
build=${VDSIM_BUILD:-$root/build/exact} vdsim=${VDSIM_BIN:-$root/build/exact/vdsim} only=${1:-}
[ -e "$build/fmu/linux64/vdsim.so" ] && [ -x "$vdsim" ] || { echo "skipped: VDSim was built without FMUs (packages.txt, fmu)"; exit 77; }
out=$(mktemp -d)
export TMPDIR=$out # of wine too
trap 'rm -rf "$out"' EXIT
wine64=$(command -v wine64 || echo /usr/lib/wine/wine64)
export WINEPREFIX=$root/build/wine WINEDEBUG=-all
mkdir -p "$WINEPREFIX"
references=(10 11 12 13 14 15 16 17)

# of a machine: where its library lies in an FMU, and as it was built
inside() { case $1 in win64) echo binaries/win64/vdsim.dll ;; aarch64) echo binaries/aarch64-linux/vdsim.so ;; *) echo binaries/linux64/vdsim.so ;; esac; }
built() { if [ -n "$only" ]; then echo "$root/build/fmu_$1/$(basename "$(inside "$1")")"; else echo "$build/fmu/$1/$(basename "$(inside "$1")")"; fi; }

drive() { # SCENE MACHINE: its lines in $out/SCENE.MACHINE
  local machine=$2 dir=$out/$1 run=() at="file://$out/$1/resources" guid
  case $machine in
    win64) run=("$wine64") at="file:///Z:$out/$1/resources" ;;
    aarch64) run=(qemu-aarch64 -L /usr/aarch64-linux-gnu) ;;
  esac
  guid=$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' "$dir/modelDescription.xml")
  (cd "$dir" && "${run[@]}" "$out/drive_$machine" "$(inside "$machine")" "$guid" "$at" 200 "${references[@]}") 2>"$out/log" | tr -d '\r' >"$out/$1.$machine" ||
    { cat "$out/log"; echo "$machine: $1 did not run"; exit 1; }
}
wanted() { # MACHINE COMPILER EMULATOR: there is a library, and a way to try it
  [ -z "$only" ] || [ "$only" = "$1" ] || return 1
  [ -e "$(built "$1")" ] && command -v "$2" >/dev/null && command -v "$3" >/dev/null
}

machines=(linux64)
flags=(-std=c++20 -O1 -I "$root" "$root/tests/fmi/drive_fmu.cpp")
g++ "${flags[@]}" -o "$out/drive_linux64"
if wanted win64 x86_64-w64-mingw32-g++-posix "$wine64"; then
  x86_64-w64-mingw32-g++-posix "${flags[@]}" -static -o "$out/drive_win64.exe"
  mv "$out/drive_win64.exe" "$out/drive_win64"
  machines+=(win64)
fi
if wanted aarch64 aarch64-linux-gnu-g++ qemu-aarch64; then
  aarch64-linux-gnu-g++ "${flags[@]}" -o "$out/drive_aarch64"
  machines+=(aarch64)
fi
[ ${#machines[@]} -gt 1 ] || { echo "skipped: no library for another machine (tools/fmu_library.sh), or no emulator"; exit 77; }
list=linux64
if [ -z "$only" ]; then list=$(IFS=,; echo "${machines[*]}"); fi
for scene in step_steer lugre_grade_demo accel_brake; do
  "$vdsim" fmu export "$scene" --kind cs --platforms "$list" --quiet --out "$out/$scene.fmu"
  /usr/bin/python3 -m zipfile -e "$out/$scene.fmu" "$out/$scene"
  for machine in "${machines[@]}"; do
    if [ -n "$only" ] && [ "$machine" != linux64 ]; then
      mkdir -p "$out/$scene/$(dirname "$(inside "$machine")")"
      cp "$(built "$machine")" "$out/$scene/$(inside "$machine")"
    fi
    drive "$scene" "$machine"
  done
  [ "$(wc -l <"$out/$scene.linux64")" = 20 ] || { echo "$scene: fewer lines than expected"; exit 1; }
  for machine in "${machines[@]:1}"; do
    diff "$out/$scene.linux64" "$out/$scene.$machine" >/dev/null || { echo "$scene: $machine has other bits than linux64"; exit 1; }
  done
done
echo "${machines[*]:1}: FMUs have the bits of linux64 in three scenes"
