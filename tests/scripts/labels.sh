#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every name in tests/labels.txt is the name of a test: a renamed test must not lose its label.
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
programs=()
for program in "${VDSIM_BUILD:?}"/tests/test_*; do
  if [ -f "$program" ] && [ -x "$program" ]; then programs+=("$program"); fi
done
names=$(for program in "${programs[@]}"; do
  "$program" --gtest_list_tests | sed 's/ *#.*//' | awk '/^[^ ]/ {suite = $1} /^ / {print suite $1}'
done
for script in tests/scripts/*.sh; do echo "script.$(basename "$script" .sh)"; done
for file in tests/python/test_*.py; do name=$(basename "$file" .py); echo "python.${name#test_}"; done)
lost=0 count=0
while read -r label pattern reason; do
  case $label in '' | '#'*) continue ;; esac
  count=$((count + 1))
  [ -n "$reason" ] || { echo "tests/labels.txt: $pattern has no reason"; lost=1; }
  found=0
  while read -r name; do
    # shellcheck disable=SC2053  # a pattern
    if [[ $name == $pattern ]]; then found=1; break; fi
  done <<<"$names"
  [ $found = 1 ] || { echo "tests/labels.txt: $pattern matches no test"; lost=1; }
done <tests/labels.txt
[ $lost = 0 ] && echo "$count labels, each of a test"
exit $lost
