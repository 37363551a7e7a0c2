#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every block of commands in README.md and docs/*.md, pasted line by line in a fresh clone, runs. What is left out has tests
# of its own: the build, Python, GPUs, servers, the whole validation, minutes of low speed; times (bench) depend on the machine.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"
mkdir clone
(cd "$VDSIM_ROOT" && find configs examples -type d -name '__pycache__' -prune -o -type f -print0 | tar -cf - --null -T -) | tar -xf - -C clone
printf '#!/bin/sh\nexec "%s" "$@"\n' "$vdsim" >clone/vdsim
chmod +x clone/vdsim
cd clone || exit 1

left_out='^\./vdsim (python|bench|validate|page|serve|compare low-speed)|^(\./test|cmake|ctest|nvcc|rm|awk|PYTHONPATH=|python3) *'
declare -A done_already=()
run() { # PAGE COMMAND
  [ -n "${done_already[$2]:-}" ] && return
  done_already[$2]=1
  local code expected=0
  [[ $2 =~ "exit code "([0-9]) ]] && expected=${BASH_REMATCH[1]}
  timeout 300 bash -c "set -o pipefail; $2" >../out 2>../err
  code=$?
  [ $code -le 1 ] || [ $code = "$expected" ] || fail "$1: $2: exit code $code: $(head -2 ../err)" # 1: a verdict
  ran=$((ran + 1))
}

ran=0
for page in "$VDSIM_ROOT"/README.md "$VDSIM_ROOT"/docs/*.md; do
  name=${page#"$VDSIM_ROOT"/} fenced=0 plain=0 told=""
  while IFS= read -r line; do
    case $line in
      '```'*) fenced=$((1 - fenced)) plain=0 told=""
        [ "$line" = '```' ] && plain=$fenced
        continue ;;
      '    ./vdsim '* | '    printf '*) [ $fenced = 0 ] && plain=1 line=${line#    } ;;
      *) [ $fenced = 0 ] && plain=0 ;;
    esac
    [ $plain = 1 ] || continue
    case $line in
      'vdsim '*) fail "$name: '$line' does not start in a clone: ./vdsim" ;;
      '$ '*) # what it says stands below
        bash -c "${line#??}" >../told 2>&1
        told=$line ;;
      './vdsim '* | 'examples/'* | 'printf '* | '{ '*) [[ $line =~ $left_out ]] || run "$name" "$line" ;;
      *)
        if [ -n "$told" ]; then
          grep -qxF -- "$line" ../told || fail "$name: $told: does not say '$line'"
        elif [[ $line == *[![:space:]]* && ! $line =~ $left_out && ! $line =~ ^[[:space:]]|^(note|my\.yaml): ]]; then
          [[ $line == my.yaml:* || $line == note:* ]] || fail "$name: a block has '$line', which is neither run nor left out"
        fi ;;
    esac
  done <"$page"
done
[ $ran -ge 80 ] || fail "only $ran commands found"
finish
