#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source is laid out as clang-format 14 does it with .clang-format; other versions differ in details.
# usage: format.sh [--fix]
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
tool=$(command -v clang-format-14 || command -v clang-format || true)
[ -n "$tool" ] || { echo "skipped: clang-format is not installed"; exit 77; }
"$tool" --version | grep -q 'version 14\.' || { echo "skipped: $("$tool" --version), 14 is needed"; exit 77; }
mapfile -d '' files < <(find src apps bindings tests examples -name '*.[ch]pp' -print0 2>/dev/null | sort -z)
if [ "${1:-}" = --fix ]; then
  "$tool" -i "${files[@]}"
  exit
fi
bad=0
for file in "${files[@]}"; do
  "$tool" --dry-run -Werror "$file" >/dev/null 2>&1 || { echo "$file"; bad=$((bad + 1)); }
done
[ $bad = 0 ] || { echo "$bad of ${#files[@]} files are laid out differently. To fix: tests/scripts/format.sh --fix"; exit 1; }
echo "${#files[@]} files are laid out alike"
