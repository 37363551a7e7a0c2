#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles golden_main.cpp with g++ and clang++ at -O0 and -O3. All four must print the same lines, those of golden.txt.
# UPDATE_GOLDEN=1 rewrites golden.txt when the four agree.
# shellcheck source=tests/golden/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
flags+=(-Wno-bitwise-instead-of-logical)

one() { # COMPILER LEVEL
  local name="$1$2"
  "$1" "${flags[@]}" "$2" "$root/tests/golden/golden_main.cpp" -o "$out/$name" && "$out/$name" >"$out/$name.txt"
}
jobs=()
for level in -O3 -O0; do # two at a time
  for compiler in g++ clang++; do
    one $compiler $level & jobs+=($!)
  done
  for job in "${jobs[@]}"; do wait "$job"; done
  jobs=()
done

reference=$out/g++-O0.txt failed=0
[ -s "$reference" ] || { echo "golden_main printed nothing"; exit 1; }
for name in g++-O3 clang++-O0 clang++-O3; do
  diff -u --label g++-O0 --label $name "$reference" "$out/$name.txt" || failed=1
done
[ $failed = 0 ] || { echo "The compilers disagree."; exit 1; }
echo "g++ and clang++ at -O0 and -O3 agree on $(wc -l <"$reference") hashes"

if [ "${UPDATE_GOLDEN:-0}" = 1 ]; then
  cp "$reference" "$golden"
  echo "golden.txt rewritten"
elif [ ! -f "$golden" ]; then
  echo "tests/golden/golden.txt is missing. Write it with UPDATE_GOLDEN=1 tests/golden/levels.sh"
  exit 1
elif ! diff -u --label golden.txt --label now "$golden" "$reference"; then
  echo "The results changed. If that is meant: UPDATE_GOLDEN=1 tests/golden/levels.sh"
  exit 1
fi
