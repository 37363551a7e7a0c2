#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target of a build folder, two at a time, 20 s each (VDSIM_FUZZ_SECONDS). What it finds stays in
# corpus/ for the next run; an input that broke a target is kept in crashes/ and tried again.
# usage: tools/fuzz.sh build/fuzz
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "$1" && pwd)
seconds=${VDSIM_FUZZ_SECONDS:-20}
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

rm -rf "$build/seeds"
mkdir -p "$build/seeds"
# One flat folder; large files only slow the fuzzer down.
find "$root/configs" -type f \( -name '*.yaml' -o -name '*.tir' -o -name '*.csv' -o -name '*.crg' -o -name '*.asc' \) -size -64k -printf '%P\0' 2>/dev/null |
  while IFS= read -r -d '' file; do cp "$root/configs/$file" "$build/seeds/${file//\//_}"; done || true

one() { # TARGET
  local name=${1##*/} log="$build/${1##*/}.log"
  mkdir -p "$build/corpus/$name" "$build/crashes/$name"
  # Runs inside the build folder, so that nothing a target writes lands in the sources.
  if (cd "$build" && "$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$build/crashes/$name/" "$build/corpus/$name" "$build/crashes/$name" "$build/seeds") >"$log" 2>&1; then
    echo "$name: $(awk '/number_of_executed_units/ {n = $2} END {print n + 0}' "$log") inputs, no fault"
  else
    echo "$name: FAULT, the end of $log:"
    tail -n 40 "$log"
    return 1
  fi
}

failed=0 running=0
for source in "$root"/tests/fuzz/fuzz_*.cpp; do
  target=$build/tests/$(basename "$source" .cpp)
  if [ $running = 2 ]; then
    wait -n || failed=1
    running=1
  fi
  one "$target" &
  running=$((running + 1))
done
while [ $running -gt 0 ]; do
  wait -n || failed=1
  running=$((running - 1))
done
exit $failed
