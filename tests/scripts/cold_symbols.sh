#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files compiled at -O1 must not hold inline functions that the engine has too. The linker keeps one copy of an inline
# function: if it kept theirs, every step of a car would be slower.
set -euo pipefail
cd "${VDSIM_BUILD:?}"
[ -f compile_commands.json ] || { echo "no compile_commands.json"; exit 77; }
# containers, errors, names and type descriptions do no physics; what compiles a spec into parameters runs once per car
no_physics='^(([a-z]+ )?std::|typeinfo |vtable |vdsim::(BadInput|FileError|InputError|Fault|Column)::|vdsim::EnumNames<|vdsim::(compile_|peak_argument|rally_nominal))'
weak() { nm -C --defined-only "$@" 2>/dev/null | awk 'NF > 2 && $2 ~ /^[WVu]$/ {$1 = $2 = ""; print substr($0, 3)}' | grep -F 'vdsim::' | grep -Ev "$no_physics" | sort -u || true; }

mapfile -d '' engine < <(find CMakeFiles/vdsim_engine.dir CMakeFiles/vdsim_car.dir -name '*.o' -print0)
[ ${#engine[@]} -gt 0 ] || { echo "no objects of the engine"; exit 1; }
weak "${engine[@]}" >"${TMPDIR:-/tmp}/cold_symbols.$$"
trap 'rm -f "${TMPDIR:-/tmp}/cold_symbols.$$"' EXIT
mapfile -t cold < <(/usr/bin/python3 - <<'PY'
import json, re
for entry in json.load(open("compile_commands.json")):
    levels = re.findall(r" -O(\w)", entry["command"])
    object = re.search(r" -o (\S+\.o) ", entry["command"])
    if not object:  # a precompiled header
        continue
    out = object.group(1)
    if levels and levels[-1] == "1" and levels[0] == "3" and not out.startswith("tests/"):
        print(out)
PY
)
failed=0 seen=0
for object in "${cold[@]}"; do
  [ -f "$object" ] || continue
  seen=$((seen + 1))
  shared=$(comm -12 <(weak "$object") "${TMPDIR:-/tmp}/cold_symbols.$$")
  [ -n "$shared" ] || continue
  failed=1
  echo "$object is compiled at -O1 and shares these functions with the engine; give it -O3 in CMakeLists.txt:"
  sed 's/^/  /' <<<"$shared" | cut -c1-160 | head -n 10
done
[ $failed = 0 ] || exit 1
echo "$seen files at -O1 share no function with the engine"
