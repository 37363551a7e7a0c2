#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tests/machines.sh aarch64|win64
# Another machine, cross-compiled and emulated: golden_main prints the lines of golden.txt there, the engine compiles, and the
# tests that need nothing else pass (aarch64: those of numbers and lanes, an emulated processor is twenty times slower).
# VDSIM_MACHINES=golden: the hashes and the library of FMUs alone. Exit 77 (skipped) where a compiler or an emulator is missing (packages.txt).
# shellcheck source=tests/golden/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/golden/common.bash"
# shellcheck source=tools/common.sh
. "$root/tools/common.sh"
machine=${1:?aarch64 or win64}

wine64=$(command -v wine64 || echo /usr/lib/wine/wine64) # Debian's package of it alone has no link
export WINEPREFIX=$root/build/wine WINEDEBUG=-all        # a Windows of its own
case $machine in
  aarch64) compiler=aarch64-linux-gnu-g++ run=(qemu-aarch64) suffix='' ;;
  win64) compiler=x86_64-w64-mingw32-g++-posix run=("$wine64") suffix=.exe ;;
  *) echo "machine '$machine': use aarch64 or win64"; exit 2 ;;
esac
for tool in "$compiler" "${run[0]}"; do
  command -v "$tool" >/dev/null || { echo "skipped: no $tool (packages.txt, machines)"; exit 77; }
done
mkdir -p "$WINEPREFIX"

program=$out/$machine$suffix
"$compiler" "${flags[@]}" -O3 -static "$root/tests/golden/golden_main.cpp" -o "$program"
"${run[@]}" "$program" 2>"$out/$machine.log" | tr -d '\r' >"$out/$machine.txt"
diff -u --label golden.txt --label "$machine" "$golden" "$out/$machine.txt" || { echo "The machines disagree."; exit 1; }
echo "$machine agrees on $(wc -l <"$golden") hashes"

# the library of FMUs, and what it gives
if [ -x "$root/build/exact/vdsim" ]; then
  lock "fmu_$machine"
  "$root/tools/fmu_library.sh" --check "$machine"
  unlock
  status=0
  "$root/tests/scripts/fmu_machines.sh" "$machine" || status=$?
  [ $status = 0 ] || [ $status = 77 ] || exit 1
fi
[ "${VDSIM_MACHINES:-}" != golden ] || exit 0

lock "$machine"
build "$machine" test_engine
unlock
# Emulated: long tests only in their short form, and those without one not at all (tests/labels.txt).
long=$(awk '/^[a-z]/ && $1 !~ /short/ && $2 !~ /^script/ {print $2}' "$root/tests/labels.txt" | paste -sd:)
only='*'
[ "$machine" != aarch64 ] || only='Lanes*:Real*.Lanes*:Real*.Pack*:Real*.S*'
cd "$root"
VDSIM_SHORT=1 "${run[@]}" "build/$machine/test_engine$suffix" --gtest_brief=1 --gtest_filter="$only-$long"
