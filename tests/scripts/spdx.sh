#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source file names its licence in its first line (after #!). usage: spdx.sh [--fix]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
words="SPDX-License-Identifier: Apache-2.0"
grep -q "Apache License" LICENSE || { echo "LICENSE is not the one that sources name"; exit 1; }
without=0 count=0
while IFS= read -r file; do
  case $file in
    *.cpp | *.hpp | *.cu | *.cs | *.js | *.cpp.in | *.hpp.in) line="// $words" ;;
    *.css | *.c | *.h) line="/* $words */" ;;
    *.map | *.sh | *.bash | *.py | *.cmake | *.cmake.in | */CMakeLists.txt | CMakeLists.txt | vdsim | test | .ci/*) line="# $words" ;;
    *) continue ;;
  esac
  [ -f "$file" ] || continue
  count=$((count + 1))
  at=1
  IFS= read -r first <"$file" || true
  if [[ $first == '#!'* ]]; then at=2; fi
  if [ "$(sed -n "${at}p" "$file")" = "$line" ]; then continue; fi
  if [ "${1:-}" = --fix ]; then
    sed -i "${at}i $(sed 's/[\/&*]/\\&/g' <<<"$line")" "$file"
  else
    echo "$file: line $at is not '$line'"
    without=$((without + 1))
  fi
done < <(git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -printf '%P\n')
if [ $without -gt 0 ]; then
  echo "$without of $count files do not name their licence: tests/scripts/spdx.sh --fix"
  exit 1
fi
echo "$count files name their licence"
