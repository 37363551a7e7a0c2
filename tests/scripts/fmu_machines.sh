#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The win64 and aarch64 libraries of FMUs, where tools/fmu_library.sh has built them, give the bits of linux64: tried under wine and
# qemu. Exit 77 (skipped) where neither can be tried.
set -euo pipefail
root=${VDSIM_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
build=${VDSIM_BUILD:-$root/build/exact} vdsim=${VDSIM_BIN:-$root/build/exact/vdsim}
[ -e "$build/fmu/linux64/vdsim.so" ] || { echo "skipped: VDSim was built without FMUs (packages.txt, FMUs)"; exit 77; }
out=$(mktemp -d)
export TMPDIR=$out # of wine too
trap 'rm -rf "$out"' EXIT
wine64=$(command -v wine64 || echo /usr/lib/wine/wine64)
export WINEPREFIX=$root/build/wine WINEDEBUG=-all
mkdir -p "$WINEPREFIX"
references=(10 11 12 13 14 15 16 17)

drive() { # SCENE MACHINE: its lines in $out/SCENE.MACHINE
  local machine=$2 dir=$out/$1 run=() library=binaries/linux64/vdsim.so at="file://$out/$1/resources"
  case $machine in
    win64) run=("$wine64") library=binaries/win64/vdsim.dll at="file:///Z:$out/$1/resources" ;;
    aarch64) run=(qemu-aarch64 -L /usr/aarch64-linux-gnu) library=binaries/aarch64-linux/vdsim.so ;;
  esac
  local guid
  guid=$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' "$dir/modelDescription.xml")
  (cd "$dir" && "${run[@]}" "$out/drive_$machine" "$library" "$guid" "$at" 200 "${references[@]}") 2>"$out/log" | tr -d '\r' >"$out/$1.$machine" ||
    { cat "$out/log"; echo "$machine: $1 did not run"; exit 1; }
}

machines=(linux64)
flags=(-std=c++20 -O1 -I "$root" "$root/tests/fmi/drive_fmu.cpp")
g++ "${flags[@]}" -o "$out/drive_linux64"
if [ -e "$build/fmu/win64/vdsim.dll" ] && command -v x86_64-w64-mingw32-g++-posix >/dev/null && command -v "$wine64" >/dev/null; then
  x86_64-w64-mingw32-g++-posix "${flags[@]}" -static -o "$out/drive_win64.exe"
  mv "$out/drive_win64.exe" "$out/drive_win64"
  machines+=(win64)
fi
if [ -e "$build/fmu/aarch64/vdsim.so" ] && command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null; then
  aarch64-linux-gnu-g++ "${flags[@]}" -o "$out/drive_aarch64"
  machines+=(aarch64)
fi
[ ${#machines[@]} -gt 1 ] || { echo "skipped: no library for another machine (tools/fmu_library.sh), or no emulator"; exit 77; }
list=$(IFS=,; echo "${machines[*]}")
for scene in step_steer lugre_grade_demo accel_brake; do
  "$vdsim" fmu export "$scene" --kind cs --platforms "$list" --quiet --out "$out/$scene.fmu"
  /usr/bin/python3 -m zipfile -e "$out/$scene.fmu" "$out/$scene"
  for machine in "${machines[@]}"; do drive "$scene" "$machine"; done
  [ "$(wc -l <"$out/$scene.linux64")" = 20 ] || { echo "$scene: fewer lines than expected"; exit 1; }
  for machine in "${machines[@]:1}"; do
    diff "$out/$scene.linux64" "$out/$scene.$machine" >/dev/null || { echo "$scene: $machine has other bits than linux64"; exit 1; }
  done
done
echo "${machines[*]:1}: the bits of linux64 in three scenes"
